"""Contrasts of a study's variations: every pair, the main effects of options, and their two-way interactions.

A contrast is a weighted sum of variations whose weights add up to 0, taken deal by deal. In a grid, the *main effect*
of a value is its difference from the option's first value, as the mean over all settings of the other options in which
both values occur. The *interaction* of two options is the change of one option's effect with the other option's value,
as the mean over the settings of the remaining options.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from parlour.engine.game import Value, option_value_name
from parlour.engine.setup import Setup
from parlour.studies.plan import PLAYERS, RULES

PAIR, MAIN, INTERACTION = "pair", "main effect", "interaction"
ABSENT: Value = ""
"""Stands for the value of an option that a variation's game lacks; no option has this value."""
Point = tuple[Value, ...]
"""A variation's value of each factor, or :data:`ABSENT`."""


@dataclass(frozen=True)
class Change:
    """Change of one factor, an option or the number of players, from its first value to another.

    ``default`` is the option's default in all variations of the study, or :data:`ABSENT`.
    """

    factor: str
    before: Value
    after: Value
    default: Value = ABSENT

    @property
    def text(self) -> str:
        """The change: ``"rounds=4 instead of rounds=2 (default)"``."""
        return f"{self.after_text} instead of {self.before_text}"

    @property
    def after_text(self) -> str:
        """The new value: ``"rounds=4"``, ``"5 players"``."""
        return self._text(self.after)

    @property
    def before_text(self) -> str:
        """The first value: ``"rounds=2 (default)"``, ``"3 players"``."""
        return self._text(self.before)

    def _text(self, value: Value) -> str:
        return setting_text(self.factor, value) + (" (default)" if value == self.default else "")


def setting_text(factor: str, value: Value) -> str:
    """Return a factor's value as text: ``"rounds=4"``, ``"5 players"``."""
    return f"{value} players" if factor == PLAYERS else f"{factor}={option_value_name(value)}"


@dataclass(frozen=True)
class Contrast:
    """Weighted sum of variations.

    Attributes:
        kind: ``PAIR``, ``MAIN`` or ``INTERACTION``.
        weights: the weight of each variation, by its number.
        changes: the change of a main effect, or the two of an interaction.
    """

    kind: str
    weights: tuple[tuple[int, float], ...]
    changes: tuple[Change, ...] = ()

    @property
    def variation(self) -> int:
        """The compared variation of a pair."""
        return self.weights[0][0]

    @property
    def base(self) -> int:
        """The reference variation of a pair."""
        return self.weights[1][0]


def pair(variation: int, base: int = 0) -> Contrast:
    """Return the difference of a variation from another."""
    return Contrast(PAIR, ((variation, 1.0), (base, -1.0)))


def other_pairs(number: int) -> Iterator[Contrast]:
    """Yield the pairs of ``number`` variations without the first one."""
    yield from (pair(later, earlier) for earlier, later in combinations(range(1, number), 2))


class Grid:
    """Factors of a study: the number of players, the rules and the chosen options that have several values.

    Attributes:
        factors: the values of each factor, in the order of the variations, without :data:`ABSENT`.
        defaults: the default of each factor that is an option, if it is the same in all variations.
    """

    def __init__(self, setups: Sequence[Setup]) -> None:
        chosen = {name for setup in setups for name in setup.chosen}
        names = dict.fromkeys(name for setup in setups for name in setup.options if name in chosen)
        values: dict[str, list[Value]] = {PLAYERS: [setup.players for setup in setups]}
        values[RULES] = [setup.game.id for setup in setups]
        values |= {name: [setup.options.get(name, ABSENT) for setup in setups] for name in names}
        several = {
            name: tuple(dict.fromkeys(each for each in found if each != ABSENT)) for name, found in values.items()
        }
        self.factors: dict[str, tuple[Value, ...]] = {name: found for name, found in several.items() if len(found) > 1}
        self.defaults = {name: default for name in self.factors if (default := _default(name, setups)) != ABSENT}
        self._settings: list[Point] = [
            tuple(values[name][number] for name in self.factors) for number in range(len(setups))
        ]
        self._points: dict[Point, int] = {point: number for number, point in enumerate(self._settings)}

    def value(self, variation: int, factor: str) -> Value:
        """Return a variation's value of a factor, or :data:`ABSENT`."""
        return self._settings[variation][list(self.factors).index(factor)]

    def differ_in(self, factor: str, variation: int, base: int) -> bool:
        """Return whether two variations have different values of a factor; False if a game lacks the option."""
        values = {self.value(variation, factor), self.value(base, factor)}
        return len(values) > 1 and ABSENT not in values

    def neighbours(self, variation: int, base: int) -> bool:
        """Return whether two variations differ in one factor only."""
        return sum(self.value(variation, name) != self.value(base, name) for name in self.factors) == 1

    def effects(self) -> list[Contrast]:
        """Return all main effects and interactions; none if there is only one factor."""
        if len(self.factors) < 2:
            return []
        changes = [
            [Change(name, values[0], value, self.defaults.get(name, ABSENT)) for value in values[1:]]
            for name, values in self.factors.items()
        ]
        found = [self._main(change) for each in changes for change in each]
        found += [
            self._interaction(one, other)
            for first, second in combinations(changes, 2)
            for one in first
            for other in second
        ]
        return [each for each in found if each.weights]

    def at(self, factor: str, value: Value) -> list[int]:
        """Return the variations with a value of a factor.

        Only those settings of the other factors count in which the factor has each of its values.
        """
        place = list(self.factors).index(factor)
        settings = [
            {_drop_value(point, place) for point in self._points if point[place] == each}
            for each in self.factors[factor]
        ]
        shared = set.intersection(*settings)
        return [
            number
            for point, number in self._points.items()
            if point[place] == value and _drop_value(point, place) in shared
        ]

    def _main(self, change: Change) -> Contrast:
        place = list(self.factors).index(change.factor)
        pairs = [
            (number, base)
            for point, number in self._points.items()
            if point[place] == change.after
            and (base := self._points.get(_replace_value(point, place, change.before))) is not None
        ]
        return Contrast(MAIN, _weights(pairs), (change,))

    def _interaction(self, one: Change, other: Change) -> Contrast:
        places = [list(self.factors).index(each.factor) for each in (one, other)]
        fours = []
        for point in self._points:
            if (point[places[0]], point[places[1]]) == (one.after, other.after):
                corners = [
                    self._points.get(_replace_value(_replace_value(point, places[0], first), places[1], second))
                    for first, second in ((one.after, other.after), (one.before, other.after),
                                          (one.before, other.before), (one.after, other.before))
                ]  # fmt: skip
                if None not in corners:
                    fours.append([corner for corner in corners if corner is not None])
        return Contrast(
            INTERACTION, _weights([four[:2] for four in fours] + [four[2:] for four in fours], 2), (one, other)
        )


def _default(factor: str, setups: Sequence[Setup]) -> Value:
    """Return an option's default in all variations; :data:`ABSENT` if it depends on the variation."""
    found = {
        option.default_for(setup.players, setup.options)
        for setup in setups
        for option in setup.game.options
        if option.name == factor
    }
    return found.pop() if len(found) == 1 else ABSENT


def _replace_value(point: Point, place: int, value: Value) -> Point:
    return (*point[:place], value, *point[place + 1 :])


def _drop_value(point: Point, place: int) -> Point:
    return point[:place] + point[place + 1 :]


def _weights(pairs: Sequence[Sequence[int]], times: int = 1) -> tuple[tuple[int, float], ...]:
    """Return the variations' weights in the mean difference of the pairs, multiplied by ``times``."""
    found: dict[int, float] = {}
    for plus, minus in pairs:
        found[plus] = found.get(plus, 0.0) + times / len(pairs)
        found[minus] = found.get(minus, 0.0) - times / len(pairs)
    return tuple(found.items())
