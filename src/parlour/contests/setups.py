"""Enumeration of a game's setups."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product

from parlour.engine.errors import OptionError
from parlour.engine.game import Game, Option, Value
from parlour.engine.setup import Setup


def every_setup(game: Game, players: int | None, fixed: Mapping[str, Value]) -> list[Setup]:
    """Return the setups for all numbers of players with all combinations of options.

    An option has the values of :meth:`Option.trials`. In these combinations advanced options and options with a range
    of numbers have their defaults. Further setups follow: one for each value of such an option, one with the first
    value of all such options, and one with the last.

    Args:
        game: the game.
        players: the number of players, ``None`` for all numbers.
        fixed: options that have these values in all setups.

    Raises:
        ParlourError: the fixed options are invalid for every number of players.
    """
    found: dict[Setup, None] = {}
    for number in [players] if players is not None else game.players:
        choices = {option.name: _values_to_combine(option, number, fixed) for option in game.options}
        combined = (_chosen_options(choices, values) for values in product(*choices.values()))
        for options in chain(combined, ({**fixed, **extreme} for extreme in _extremes(game, number, fixed))):
            if setup := possible_setup(game, number, options):
                found[setup] = None
    if not found or not fixed.keys() <= {option.name for option in game.options}:
        Setup(game, game.usual_players if players is None else players, fixed)  # raises the error
    return list(found)


def _values_to_combine(option: Option, players: int, fixed: Mapping[str, Value]) -> list[Value | None]:
    """Return the values of an option in all combinations; ``None`` stands for the default."""
    if option.name in fixed:
        return [fixed[option.name]]
    return [None] if _is_varied_alone(option) else [None, *option.trials(players)]


def _is_varied_alone(option: Option) -> bool:
    return option.advanced or isinstance(option.values, range)


def _chosen_options(names: Iterable[str], values: Iterable[Value | None]) -> dict[str, Value]:
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}


def _extremes(game: Game, players: int, fixed: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
    """Yield the ``trials`` of the options that are varied alone, one by one, then all first and all last values."""
    least, greatest = dict[str, Value](), dict[str, Value]()
    for option in game.options:
        tried = option.trials(players) if _is_varied_alone(option) and option.name not in fixed else ()
        yield from ({option.name: value} for value in tried)
        for extreme, at in ((least, 0), (greatest, -1)) if tried else ():
            extreme[option.name] = tried[at]
            if possible_setup(game, players, {**fixed, **extreme}) is None:
                del extreme[option.name]
    yield from (least, greatest)


def possible_setup(game: Game, players: int, options: Mapping[str, Value]) -> Setup | None:
    """Return the setup with these options, or ``None`` if they are not possible together."""
    try:
        return Setup(game, players, options)
    except OptionError:
        return None
