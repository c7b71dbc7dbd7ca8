"""Search space: the allowed values of each option, as a list or as a range of numbers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parlour.engine.errors import OptionError
from parlour.engine.game import Game, Value
from parlour.engine.setup import Setup
from parlour.studies.arguments import split_option, values_of
from parlour.studies.plan import PLAYERS

Values = tuple[Value, ...] | range


@dataclass(frozen=True)
class Space:
    """Space of variations.

    Attributes:
        game: the game of all variations.
        axes: the values of each option, and of ``players``, in their order; the values of a range are ordered numbers.
    """

    game: Game
    axes: Mapping[str, Values]

    @property
    def size(self) -> int:
        """Number of combinations, including impossible ones."""
        number = 1
        for values in self.axes.values():
            number *= len(values)
        return number

    def combinations(self) -> Iterator[dict[str, Value]]:
        """Yield all combinations lazily, as there may be very many."""
        axes = list(self.axes.items())

        def points(place: int) -> Iterator[dict[str, Value]]:
            if place == len(axes):
                yield {}
                return
            name, values = axes[place]
            for value in values:
                yield from ({name: value, **rest} for rest in points(place + 1))

        return points(0)

    def setup(self, point: Mapping[str, Any]) -> Setup:
        """Return the variation at a point.

        Raises:
            OptionError: its options exclude each other, or its number of players.
            PlayersError: the game does not support its number of players, which :func:`space_of` refuses.
        """
        options = {name: value for name, value in point.items() if name != PLAYERS}
        return Setup(self.game, int(point[PLAYERS]), options)

    def defaults(self) -> dict[str, Value]:
        """Return the point nearest to the game's defaults: each option's default, or else its first value."""
        players = self.axes[PLAYERS]
        usual = self.game.usual_players if self.game.usual_players in players else players[0]
        plain = Setup(self.game, int(usual)).options
        nearest = {
            name: plain[name] if name in plain and plain[name] in values else values[0]
            for name, values in self.axes.items()
        }
        return {**nearest, PLAYERS: usual}


def space_of(game: Game, players: Sequence[int], texts: Iterable[str]) -> Space:
    """Return the space of ``players`` and options such as ``"hand=5-9"``, ``"limit=20-200/20"`` or ``"ace=high,low"``.

    An option that is not listed gets all its values, or only its default if it is a number or advanced. An option that
    is listed twice has the values of both lists.

    Raises:
        OptionError: there is no such option or value, an option has a range and other values, or nothing is left to
            choose.
        PlayersError: the game does not support one of the numbers of players.
    """
    for number in players:
        Setup(game, number)  # raises now rather than after the first variations
    axes: dict[str, Values] = {PLAYERS: tuple(players)}
    chosen = _chosen(_axis(game, players, text) for text in texts)
    for option in game.options:
        values = chosen.pop(option.name, None)
        if values is None and (option.advanced or isinstance(option.values, range)):
            continue
        axes[option.name] = values if values is not None else tuple(option.values)
    if chosen:
        Setup(game, players[0], {name: values[0] for name, values in chosen.items()})  # raises: there is no such option
    space = Space(game, axes)
    if space.size == 1:
        numbers = ", ".join(option.name for option in game.options if isinstance(option.values, range)) or "none"
        raise OptionError(f"nothing varies: name an option with several values (numbers of {game.title}: {numbers})")
    return space


def _chosen(axes: Iterable[tuple[str, Values]]) -> dict[str, Values]:
    """Return the values of each listed option, in their order."""
    found: dict[str, Values] = {}
    for name, values in axes:
        before = found.get(name, ())
        if name in found and (isinstance(before, range) or isinstance(values, range)):
            raise OptionError(f"option {name!r} is given twice; a range must be its only entry")
        found[name] = values if isinstance(values, range) else tuple(dict.fromkeys((*before, *values)))
    return found


def _axis(game: Game, players: Sequence[int], text: str) -> tuple[str, Values]:
    """Return an option and its values; each, of a range each end, is possible for at least one number of players."""
    name, values_text = split_option(text)
    values = values_of(values_text)
    for option in game.options:
        if option.name == name:
            for value in (values[0], values[-1]) if isinstance(values, range) else values:
                _check(game, option, players, value)
    return name, values


def _check(game: Game, option: Any, players: Sequence[int], value: Value) -> None:
    """Raise :class:`OptionError` if an option excludes a value for all of these numbers of players.

    The preceding options, on which the option's default may depend, have their own defaults.
    """
    for place, number in enumerate(players):
        try:
            option.check(number, value, Setup(game, number).options)
            return
        except OptionError:
            if place == len(players) - 1:
                raise
