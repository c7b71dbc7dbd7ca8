"""Enumeration of a game's setups."""

from collections.abc import Mapping
from itertools import product

from parlour.engine.errors import OptionError
from parlour.engine.game import Game, Value
from parlour.engine.setup import Setup


def every_setup(game: Game, players: int | None, given: Mapping[str, Value]) -> list[Setup]:
    """Return the setups for all numbers of players with all combinations of options.

    Given options keep their values. Options that are numbers keep their default, since their range is unlimited.

    Raises:
        ParlourError: the given options are invalid for every number of players in question.
    """
    choices = {
        option.name: [given[option.name]]
        if option.name in given
        else [None]
        if isinstance(option.values, range)
        else [None, *option.values]
        for option in game.options
    }
    found: dict[Setup, None] = {}
    for number in [players] if players is not None else game.players:
        for values in product(*choices.values()):
            options = {name: value for name, value in zip(choices, values, strict=True) if value is not None}
            try:
                found[Setup(game, number, options)] = None
            except OptionError:
                continue
    if not found or not given.keys() <= choices.keys():
        Setup(game, game.usual_players if players is None else players, given)  # raises the error
    return list(found)
