"""From a guess back to a whole game: for each game a module with ``rebuild(match, guess)``.

It returns the record of a game that went as the guess says: the same events for all to see, with the guess's own cards
in the last shuffle and in every hidden choice since. Whether that is legal, only a replay can tell.
"""

from importlib import import_module

from parlour.engine.records import record_of


def rebuilt(match, guess):
    """The record of the game that a guess imagines."""
    record = record_of(match)
    module = import_module(f"{__name__}.{match.game.id.replace('-', '_')}")
    record["events"] = module.rebuild(match, guess)
    return record
