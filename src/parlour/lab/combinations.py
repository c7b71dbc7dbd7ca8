"""Every way to set up a game."""

from collections.abc import Mapping
from itertools import product

from parlour.engine.errors import OptionError
from parlour.engine.game import Game, Value, option_value_name

Combination = tuple[int, dict[str, Value]]
"""A number of players, and the options that differ from their defaults."""


def combinations_of(game: Game, players: int | None, given: Mapping[str, Value]) -> list[Combination]:
    """Every number of players with every combination of options.

    What is given stays so. Of an option that is a number only the default is there: there is no end of numbers.
    """
    choices = {
        option.name: [given[option.name]]
        if option.name in given
        else [None]
        if isinstance(option.values, range)
        else [None, *option.values]
        for option in game.options
    }
    found: dict[str, Combination] = {}
    for number in [players] if players else game.players:
        for values in product(*choices.values()):
            wanted = {name: value for name, value in zip(choices, values, strict=True) if value is not None}
            try:
                chosen = game.chosen(number, game.resolve(number, wanted))
            except OptionError:
                continue
            found[repr((number, sorted(chosen.items())))] = number, chosen
    return list(found.values())


def combination_text(players: int, options: Mapping[str, Value]) -> str:
    """``"4 players, kill_balance=true"``"""
    return ", ".join([f"{players} players", *(f"{name}={option_value_name(value)}" for name, value in options.items())])
