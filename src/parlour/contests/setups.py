"""Enumeration of a game's setups."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product

from parlour.engine.errors import OptionError
from parlour.engine.game import Game, Option, Value
from parlour.engine.setup import Setup


def every_setup(game: Game, players: int | None, given: Mapping[str, Value]) -> list[Setup]:
    """Return the setups for all numbers of players with all combinations of options.

    Given options keep their values. Numbers and advanced options have their defaults there; then follow setups in which
    one of them has one of its extremes, and setups in which all have their least, or all their greatest values.

    Raises:
        ParlourError: the given options are invalid for every number of players in question.
    """
    choices: dict[str, list[Value | None]] = {
        option.name: [given[option.name]]
        if option.name in given
        else [None]
        if _is_varied_alone(option)
        else [None, *option.values]
        for option in game.options
    }
    found: dict[Setup, None] = {}
    for number in [players] if players is not None else game.players:
        combined = (_chosen(choices, values) for values in product(*choices.values()))
        for options in chain(combined, ({**given, **extreme} for extreme in _extremes(game, number, given))):
            if setup := _setup(game, number, options):
                found[setup] = None
    if not found or not given.keys() <= choices.keys():
        Setup(game, game.usual_players if players is None else players, given)  # raises the error
    return list(found)


def _is_varied_alone(option: Option) -> bool:
    return option.advanced or isinstance(option.values, range)


def _chosen(names: Iterable[str], values: Iterable[Value | None]) -> dict[str, Value]:
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}


def _extremes(game: Game, players: int, given: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
    """Yield the tried values of the options varied alone, one at a time, then all least and all greatest ones."""
    least, greatest = dict[str, Value](), dict[str, Value]()
    for option in game.options:
        tried = option.trials(players) if _is_varied_alone(option) and option.name not in given else ()
        yield from ({option.name: value} for value in tried)
        for extreme, at in ((least, 0), (greatest, -1)) if tried else ():
            extreme[option.name] = tried[at]
            if _setup(game, players, {**given, **extreme}) is None:
                del extreme[option.name]
    yield from (least, greatest)


def _setup(game: Game, players: int, options: Mapping[str, Value]) -> Setup | None:
    try:
        return Setup(game, players, options)
    except OptionError:
        return None
