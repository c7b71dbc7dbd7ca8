"""Setups for the tests of environments."""

from parlour.engine.errors import OptionError
from parlour.engine.setup import Setup
from parlour.games import all_games


def every_option_alone() -> list[Setup]:
    """Return setups of every game and number of players: the default, and one for each other value of an option.

    Options whose values are a range of numbers keep their defaults.
    """
    found: dict[Setup, None] = {}
    for game in all_games():
        for players in game.players:
            found[Setup(game, players)] = None
            named = [(option.name, value) for option in game.options for value in values_of(option)]
            for name, value in named:
                try:
                    found[Setup(game, players, {name: value})] = None
                except OptionError:
                    continue
    return list(found)


def values_of(option) -> tuple:
    return () if isinstance(option.values, range) else option.values


def label(setup: Setup) -> str:
    return f"{setup.game.id}-{setup.variation}".replace(" ", "")
