"""From a guess back to a whole game: each game has ``rebuild(match, guess)`` in ``tests/games/<game>/rebuild.py``.

It returns the record of a game that went as the guess says: the same events for all to see, with the guess's own cards
in the last shuffle and in every hidden choice since. Whether that is legal, only a replay can tell.
"""

from tests.kept import module_of


def enumerated_in(game):
    """Where else every layout is written down, for a game whose random games hardly ever leave few cards unknown."""
    return getattr(module_of(game, "rebuild"), "ENUMERATED_IN", None)


def may_forget(match, viewer):
    """The cards of which the last event may have made uncertain where they are; a module may name them."""
    return getattr(module_of(match.game, "rebuild"), "may_forget", lambda match, viewer: 0)(match, viewer)


def rebuilt(match, guess):
    """The record of the game that a guess imagines."""
    record = match.record()
    record["events"] = module_of(match.game, "rebuild").rebuild(match, guess)
    return record
