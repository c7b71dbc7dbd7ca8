"""From a guess back to a whole game: for each game a module with ``rebuild(match, guess)``.

It returns the record of a game that went as the guess says: the same events for all to see, with the guess's own cards
in the last shuffle and in every hidden choice since. Whether that is legal, only a replay can tell.
"""

from importlib import import_module

from parlour.engine.records import record_of


def rebuilt(match, guess):
    """The record of the game that a guess imagines."""
    record = record_of(match)
    record["events"] = _module(match.game).rebuild(match, guess)
    return record


def kept_by_seats(game):
    """The fields that hold what seats remember of each other, which a spectator's guess leaves out."""
    return getattr(_module(game), "KEPT_BY_SEATS", set())


def _module(game):
    return import_module(f"{__name__}.{game.id.replace('-', '_')}")
