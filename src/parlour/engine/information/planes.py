"""Observation tensors: the fields of an observed state as planes of one ``float32`` array.

An observed state holds all that a seat may know (:mod:`parlour.engine.information.determinization`), and each field
declares what it holds (:mod:`parlour.engine.fields`), so games need no code for tensors. Planes by seat, chair or side
start with the observer's own. A *recipe*, an integer table computed once per setup, maps numbers of the state to cells;
the rules that apply it are in :mod:`parlour.engine.information.plane_cells`. Tensors of full states, for centralized
critics, have a recipe of their own with all cards and the fields that no observation includes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

import numpy as np

from parlour.cards import CARD_NAMES, PLAIN_CARDS, SUIT_WORDS
from parlour.engine.arrays import Cells, Float32s, Int64s, Uint8s
from parlour.engine.compiled import compiled
from parlour.engine.fields import (
    CARD,
    LARGEST,
    SIDE,
    SINGLE,
    SINGLE_OR_BACK,
    Axis,
    Field,
    FieldWords,
    Kind,
    SetupNumber,
    fields_of,
)
from parlour.engine.information.plane_cells import (
    ABOVE,
    BITS,
    CHAIR_ORDER,
    CHOICE,
    COUNT,
    HOW,
    LIST,
    LONGEST_AXIS,
    MOST_CHAIRS,
    MOST_COUNTED,
    NUMBER,
    ORDERS,
    SEAT_ORDER,
    SET,
    SIDE_ORDER,
    SINGLES,
    START,
    TABLE_ORDER,
    WHOLE_SUITS,
    fill_planes,
    new_flags,
    new_wheels,
    turn_wheels,
)
from parlour.engine.rules import chairs, whole_deck
from parlour.engine.typed_state import AnyState

_FILLED = {
    "cards": (SET, TABLE_ORDER),
    "card": (LIST, TABLE_ORDER),
    "single": (SINGLES, TABLE_ORDER),
    "single or a back": (SINGLES, TABLE_ORDER),
    "seat": (CHOICE, SEAT_ORDER),
    "seats": (BITS, SEAT_ORDER),
    "chair": (CHOICE, CHAIR_ORDER),
    "side": (CHOICE, SIDE_ORDER),
    "one of": (CHOICE, TABLE_ORDER),
    "flags": (BITS, TABLE_ORDER),
    "yes or no": (BITS, TABLE_ORDER),
    "suits": (WHOLE_SUITS, TABLE_ORDER),
    "number": (NUMBER, TABLE_ORDER),
}
"""By kind: the way to fill the cells, and the part of the wheel that orders them."""
_ORDERED = (CARD.name, SINGLE.name, SINGLE_OR_BACK.name)
_OWN_FIRST = "the first is the observer's own, the next ones follow clockwise"
_IN_ORDER = "for each card its place in the order, from 1; 0 for a card that is not there"
_MEANINGS = {
    "cards": "1 for each card of the set",
    "card": _IN_ORDER,
    "single": _IN_ORDER,
    "single or a back": _IN_ORDER,
    "seat": f"1 for the seat that it is; {_OWN_FIRST}",
    "seats": f"1 for each seat of the set; {_OWN_FIRST}",
    "chair": f"1 for the place at the table that it is; {_OWN_FIRST}",
    "side": "1 for the side that it is; the first is the observer's own, the next ones follow by seats, clockwise",
    "yes or no": "1 for yes",
    "one of": "1 for the one that it is",
    "flags": "1 for each that is set",
    "suits": "1 for each suit of the set",
    "number": "the number itself",
}


NO_WORDS = FieldWords("")
"""The words of a field that its game does not describe."""
_FOR_OWN_SIDE = ", as the observer's own side counts it"


@dataclass(frozen=True)
class Plane:
    """A slice of an observation's tensor with one meaning.

    Attributes:
        name: the name of the state's field, followed by an index if the field has several planes: ``"hand 0"`` is the
            observer's own hand.
        meaning: a description of its numbers.
        start: its first cell.
        cells: the name of each cell, for example a card.
        limits: the minimum and maximum of its numbers.
        field: the state's field.
        steps: the index, one number for each axis of the field that is not within the plane.
    """

    name: str
    meaning: str
    start: int
    cells: tuple[str, ...]
    limits: tuple[float, float] = (0.0, 1.0)
    field: Field | None = None
    steps: tuple[int, ...] = ()

    @property
    def slice(self) -> slice:
        """The plane's position in the tensor: ``tensor[plane.slice]``."""
        return slice(self.start, self.start + len(self.cells))


@dataclass(frozen=True)
class Planes:
    """The layout of a setup's observation tensors.

    Attributes:
        planes: in the order of their cells.
        recipe: the table that maps a state to cells, rows × columns (:mod:`parlour.engine.information.plane_cells`).
        ends: for each way of filling cells the end of its rows in the recipe.
        size: the number of cells.
        sides: ``sides[seat, side]`` is the step of a side, counted from the side of ``seat``.
    """

    planes: tuple[Plane, ...]
    recipe: Int64s
    ends: Int64s
    size: int
    sides: Int64s

    @property
    def layout(self) -> tuple[Int64s, Int64s, Int64s]:
        """The arrays that compiled rules read: ``recipe``, ``ends`` and ``sides``."""
        return self.recipe, self.ends, self.sides


@dataclass(frozen=True)
class _Sizes:
    """The sizes of a setup that determine its planes, and its state before the deal."""

    deck: int
    seats: int
    chairs: int
    sides: int
    start: Any
    everything: bool
    words: Mapping[str, FieldWords]

    def resolve(self, number: SetupNumber) -> int:
        """Return a number that may depend on the setup."""
        return number if isinstance(number, int) else int(number(self.start))

    def limited(self, number: SetupNumber) -> float:
        """Return a number that may depend on the setup, clipped to the range of an observation."""
        return float(max(-LARGEST, min(self.resolve(number), LARGEST)))

    def of(self, axis: Axis, kind: Kind) -> int:
        """Return the number of items of an axis that tensors of this setup include."""
        length = self.resolve(axis.observed)
        if self.everything and axis.wheel and length > 0 and _FILLED[kind.name][0] <= COUNT:
            length = int(axis)
        return min(length, {"seat": self.seats, "chair": self.chairs}.get(axis.wheel, length))


@dataclass(frozen=True)
class _Row:
    """A plane under construction: its row of the recipe without the first cell, and its names."""

    name: str
    meaning: str
    numbers: tuple[int, ...]
    cells: tuple[str, ...]
    limits: tuple[float, float]
    field: Field
    steps: tuple[int, ...]


@lru_cache(maxsize=64)
def planes_of(setup: Any, everything: bool = False) -> Planes:
    """Return the planes of a setup, sorted by the way their cells are filled.

    Args:
        setup: a :class:`parlour.engine.setup.Setup`.
        everything: True for the tensors of full states, with all cards open.
    """
    state = setup.new_state()
    if chairs(state) > MOST_CHAIRS:
        raise ValueError(f"there are more than {MOST_CHAIRS} places at the table")
    deck = max(PLAIN_CARDS, int(whole_deck(state)).bit_length())
    fields = fields_of(state.dtype.names)
    bases = _bases(fields)
    sides = _sides(state, fields, setup.players)
    sizes = _Sizes(deck, setup.players, int(chairs(state)), len(set(sides)), state, everything, setup.game.field_words)
    rows = sorted(_rows_of(fields, bases, sizes), key=lambda row: row.numbers[HOW])
    start, planes, recipe = 0, [], []
    for row in rows:
        planes.append(Plane(row.name, row.meaning, start, row.cells, row.limits, row.field, row.steps))
        recipe.append((*row.numbers[:START], start, *row.numbers[START:]))
        start += len(row.cells)
    hows = [row.numbers[HOW] for row in rows]
    ends = [sum(how <= last for how in hows) for last in range(NUMBER + 1)]
    laid_out = np.array(recipe, np.int64), np.array(ends, np.int64)
    return Planes(tuple(planes), *laid_out, start, _steps_of(sides))


def _sides(state: AnyState, fields: tuple[Field, ...], players: int) -> list[int]:
    """Return the side of each seat, constant during a game; an empty list if the game has no sides."""
    for field in fields:
        if field.kind == SIDE and field.axes and field.axes[0].wheel:
            return [int(side) for side in getattr(state, field.name)[:players]]
    return []


def _steps_of(sides: list[int]) -> Int64s:
    """Return for each seat the step of each side, in the order in which the sides' seats follow that seat."""
    steps = np.zeros((len(sides), max(sides, default=-1) + 1), np.int64)
    for own in range(len(sides)):
        for step, side in enumerate(dict.fromkeys(sides[own:] + sides[:own])):
            steps[own, side] = step
    return steps


def _bases(fields: tuple[Field, ...]) -> dict[str, tuple[int, int]]:
    """Return the offset in a state and the number of integers of each field, by name."""
    found: dict[str, tuple[int, int]] = {}
    base = 0
    for field in fields:
        found[field.name] = base, prod(field.axes)
        base += prod(field.axes)
    return found


def _rows_of(fields: tuple[Field, ...], bases: dict[str, tuple[int, int]], sizes: _Sizes) -> Iterator[_Row]:
    for field in fields:
        if field.kind.name in _FILLED and (field.kind.observed or sizes.everything):
            _check(field, bases, sizes)
            yield from _rows_of_field(field, bases, sizes)


def _check(field: Field, bases: dict[str, tuple[int, int]], sizes: _Sizes) -> None:
    """Raise ``ValueError`` for a field that no recipe can represent."""
    if field.kind.field and field.kind.field not in bases:
        raise ValueError(f"the field {field.name} is read with {field.kind.field}, but there is no such field")
    if max(sizes.resolve(field.kind.size), *field.axes, 1) > LONGEST_AXIS:
        raise ValueError(f"the field {field.name} holds more than {LONGEST_AXIS} things")
    if any(axis.counted and axis > MOST_COUNTED for axis in field.axes):
        raise ValueError(f"the field {field.name} counts more than {MOST_COUNTED} sets")
    if sum(bool(axis.wheel) for axis in field.axes) > 1:
        raise ValueError(f"the field {field.name} has two axes that run around the table")


def _rows_of_field(field: Field, bases: dict[str, tuple[int, int]], sizes: _Sizes) -> Iterator[_Row]:
    """Yield a row for each item of a field; an ordered pile is one item, and so is an axis of counted sets."""
    counted = bool(field.axes) and field.axes[-1].counted
    together = counted or (field.kind.name in _ORDERED and bool(field.axes))
    outer = field.axes[:-1] if together else field.axes
    inner = field.axes[-1] if together else Axis(1)
    if sizes.of(inner, field.kind) == 0:
        return
    base, other = bases[field.name][0], bases.get(field.kind.field, (-1, 0))
    strides = [prod(field.axes[number + 1 :]) for number in range(len(outer))]
    for steps in product(*(range(sizes.of(axis, field.kind)) for axis in outer)):
        at, turning = base, (0, TABLE_ORDER)
        for axis, stride, step in zip(outer, strides, steps, strict=True):
            if axis.wheel:
                turning = (stride, ORDERS[axis.wheel] + step)
            else:
                at += stride * step
        name = " ".join(map(str, (field.name, *steps)))
        for how, meaning, order, cells in _ways(field, sizes, sizes.of(inner, field.kind), counted):
            order = ORDERS[inner.wheel] if together else order
            length = MOST_CHAIRS if field.kind == SIDE else len(cells) if how == CHOICE else sizes.of(inner, field.kind)
            numbers = (how, at, *turning, len(cells), order, length, *other)
            limits = _limits(how, field.kind, length, sizes)
            yield _Row(name if how != ABOVE else f"{name} back", meaning, numbers, cells, limits, field, steps)


def _limits(how: int, kind: Kind, length: int, sizes: _Sizes) -> tuple[float, float]:
    """Return the minimum and maximum of a row's cells."""
    if how == NUMBER:
        least, most = sizes.limited(kind.least), sizes.limited(kind.most)
        return (min(least, -most), max(most, -least)) if kind.field else (least, most)
    return 0.0, float(length) if how in (LIST, SINGLES, COUNT) else 1.0


def _ways(field: Field, sizes: _Sizes, items: int, counted: bool) -> Iterator[tuple[int, str, int, tuple[str, ...]]]:
    """Yield, for each row of an item, the way to fill its cells, their meaning, wheel part and names."""
    kind, values = field.kind, sizes.words.get(field.name, NO_WORDS).values
    how, order = _FILLED[kind.name]
    number = {SEAT_ORDER: sizes.seats, CHAIR_ORDER: sizes.chairs, SIDE_ORDER: sizes.sides}.get(
        order, sizes.resolve(kind.size)
    )
    cells = values if len(values) == number and order == TABLE_ORDER else tuple(map(str, range(number)))
    if how <= COUNT:
        cells = CARD_NAMES[: sizes.deck]
    elif how == WHOLE_SUITS:
        cells = SUIT_WORDS
    elif how == NUMBER:
        cells = ("number",)
    if counted:
        yield COUNT, f"for each card in how many of {items} sets it is", order, cells
    else:
        yield how, _MEANINGS[kind.name] + (_FOR_OWN_SIDE if how == NUMBER and kind.field else ""), order, cells
    if kind.name == SINGLE_OR_BACK.name:
        yield ABOVE, "1 for each unknown card", order, tuple(f"back {item}" for item in range(items))


@compiled
def fill_cells(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, flags: Int64s, cells: Cells) -> None:
    """Call :func:`fill_planes`; compiled once for all games, since the words of any state are plain integers."""
    fill_planes(words, recipe, ends, wheels, flags, cells)


def tensor_of(setup: Any, state: Any, seat: int, everything: bool = False) -> Float32s:
    """Return the tensor of an observed state, or of a full state with ``everything``."""
    planes, wheels = planes_of(setup, everything), new_wheels(1)
    words = np.concatenate([np.ravel(getattr(state, field.name)) for field in fields_of(state.dtype.names)])[np.newaxis]
    turn_wheels([state], planes.sides, [seat], wheels)
    cells = np.zeros((1, planes.size), np.float32)
    fill_cells(words, planes.recipe, planes.ends, wheels, new_flags(1, planes.size), cells)
    tensor: Float32s = cells[0]
    return tensor
