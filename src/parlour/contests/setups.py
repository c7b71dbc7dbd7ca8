"""Every way to set up a game."""

from collections.abc import Mapping
from itertools import product

from parlour.engine.errors import OptionError
from parlour.engine.game import Game, Value
from parlour.engine.setup import Setup


def every_setup(game: Game, players: int | None, given: Mapping[str, Value]) -> list[Setup]:
    """Every number of players with every combination of options.

    What is given stays so. Of an option that is a number only the default is there: there is no end of numbers.

    Raises:
        ParlourError: what is given is possible for no number of players that is asked for.
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
            wanted = {name: value for name, value in zip(choices, values, strict=True) if value is not None}
            try:
                found[Setup(game, number, wanted)] = None
            except OptionError:
                continue
    if not found or not given.keys() <= choices.keys():
        Setup(game, game.usual_players if players is None else players, given)  # says what is wrong
    return list(found)
