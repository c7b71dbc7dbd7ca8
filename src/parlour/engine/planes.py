"""An observation as numbers: what a veiled state holds, field by field, as planes of one array of ``float32``.

A veiled state is all that a seat may know (:mod:`parlour.engine.sight`), and each of its fields says what it holds
(:mod:`parlour.engine.fields`), so no game has anything to do for it. Whatever runs around the table begins with the own
seat. A *recipe*, a table of whole numbers made once for a setup, says which number of a state goes where; the function
that follows it is the same interpreted and compiled.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

import numpy as np

from parlour.cards import AT_A_STROKE, CARD_NAMES, PLAIN_CARDS, SUIT_WORDS, add_flags, lowest, store_flags
from parlour.engine.compiled import rule, unsigned
from parlour.engine.fields import (
    CARD,
    LARGEST,
    SIDE,
    SINGLE,
    SINGLE_OR_BACK,
    UNTOLD,
    Axis,
    Field,
    Kind,
    Told,
    fields_of,
)
from parlour.engine.rules import NOBODY, chair_from, chairs, numbered_as_seats, whole_deck

Float32s = np.ndarray[Any, np.dtype[np.float32]]
Cells = np.ndarray[Any, np.dtype[np.float32 | np.int16]]
Int64s = np.ndarray[Any, np.dtype[np.int64]]
Uint8s = np.ndarray[Any, np.dtype[np.uint8]]

LONGEST_AXIS = 64
MOST_COUNTED = 15
MOST_CHAIRS = 8
TABLE_ORDER = 0
SEAT_ORDER, CHAIR_ORDER, SIDE_ORDER = (LONGEST_AXIS + part * MOST_CHAIRS for part in range(3))
"""The parts of a *wheel*, which says what lies at which step along an axis: as numbered, or from the own seat, chair or
side on."""
BACKWARD = LONGEST_AXIS + 3 * MOST_CHAIRS
"""From here on a wheel tells the step at which something lies."""
ORDERS = {"": TABLE_ORDER, "seat": SEAT_ORDER, "chair": CHAIR_ORDER}

SET, LIST, SINGLES, COUNT, BITS, WHOLE_SUITS, ABOVE, CHOICE, NUMBER = range(9)
"""How a row of a recipe fills its cells, in the order of the rows; up to COUNT it has a cell
for each card."""
HOW, BASE, STRIDE, STEP, START, SIZE, INNER, LENGTH, OTHER, WIDTH = range(10)
"""The columns of a recipe: how; where in the state, as ``BASE + STRIDE * wheel[STEP]``; the first cell and the number
of cells; the part of the wheel that orders the cells, or the items of a list; the number of these items, or of a choice
one more than the greatest number that stands for something; where in the state another field begins that the number is
read with, −1 if there is none, and how many items that field has."""

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
"""How the cells for a kind are filled, and the wheel of their order."""
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


_FOR_OWN_SIDE = ", as the observer's own side counts it"


@dataclass(frozen=True)
class Plane:
    """A part of an observation's tensor that stands for one thing.

    Attributes:
        name: the state's field, and for one of several which it is: ``"hand 0"`` is the observer's own hand.
        meaning: what its numbers say, in words.
        start: its first cell.
        cells: the name of each cell, a card for instance.
        limits: the least and the greatest number that may stand there.
    """

    name: str
    meaning: str
    start: int
    cells: tuple[str, ...]
    limits: tuple[float, float] = (0.0, 1.0)

    @property
    def slice(self) -> slice:
        """Where it stands in the tensor: ``tensor[plane.slice]``."""
        return slice(self.start, self.start + len(self.cells))


@dataclass(frozen=True)
class Planes:
    """How a setup's observations are laid out: the planes, the recipe by which they are filled, and its rows' ends.

    ``ends`` tells for each way of filling cells where its rows of the recipe end; ``sides`` where in a state the sides
    of the seats stand, −1 if there are none.
    """

    planes: tuple[Plane, ...]
    recipe: Int64s
    ends: Int64s
    size: int
    sides: int


@dataclass(frozen=True)
class _Sizes:
    """What the planes of a setup depend on."""

    deck: int
    seats: int
    chairs: int
    sides: int
    start: Any

    def told(self, number: Told) -> int:
        """A number that may depend on the setup."""
        return number if isinstance(number, int) else int(number(self.start))

    def limited(self, number: Told) -> float:
        """The same, but no number that an observation cannot hold."""
        return float(max(-LARGEST, min(self.told(number), LARGEST)))

    def of(self, axis: Axis) -> int:
        """How many items of an axis are told in this setup."""
        told = self.told(axis.told)
        return min(told, {"seat": self.seats, "chair": self.chairs}.get(axis.wheel, told))


@dataclass(frozen=True)
class _Row:
    """A plane to be: its row of the recipe, of which the first cell is not known yet, and its names."""

    name: str
    meaning: str
    numbers: tuple[int, ...]
    cells: tuple[str, ...]
    limits: tuple[float, float]


@lru_cache(maxsize=32)
def planes_of(setup: Any) -> Planes:
    """The planes of a :class:`parlour.engine.setup.Setup`: sets of cards, cards in an order, choices, the others."""
    state = setup.new_state()
    if chairs(state) > MOST_CHAIRS:
        raise ValueError(f"there are more than {MOST_CHAIRS} places at the table")
    deck = max(PLAIN_CARDS, int(whole_deck(state)).bit_length())
    fields = fields_of(state.dtype.names)
    bases = _bases(fields)
    sides = next((field.name for field in fields if field.kind == SIDE and field.axes and field.axes[0].wheel), "")
    count = len(set(getattr(state, sides)[: setup.players].tolist())) if sides else 0
    sizes = _Sizes(deck, setup.players, int(chairs(state)), count, state)
    rows = sorted(_rows_of(fields, bases, sizes), key=lambda row: row.numbers[HOW])
    start, planes, recipe = 0, [], []
    for row in rows:
        planes.append(Plane(row.name, row.meaning, start, row.cells, row.limits))
        recipe.append((*row.numbers[:START], start, *row.numbers[START:]))
        start += len(row.cells)
    hows = [row.numbers[HOW] for row in rows]
    ends = [sum(how <= last for how in hows) for last in range(NUMBER + 1)]
    laid_out = np.array(recipe, np.int64), np.array(ends, np.int64)
    return Planes(tuple(planes), *laid_out, start, bases[sides][0] if sides else -1)


def _bases(fields: tuple[Field, ...]) -> dict[str, tuple[int, int]]:
    """By the name of each field where it begins in a state, and how many numbers it has."""
    found: dict[str, tuple[int, int]] = {}
    base = 0
    for field in fields:
        found[field.name] = base, prod(field.axes)
        base += prod(field.axes)
    return found


def _rows_of(fields: tuple[Field, ...], bases: dict[str, tuple[int, int]], sizes: _Sizes) -> Iterator[_Row]:
    for field in fields:
        if field.kind != UNTOLD:
            _check(field, bases)
            yield from _rows_of_field(field, bases, sizes)


def _check(field: Field, bases: dict[str, tuple[int, int]]) -> None:
    """Raises ``ValueError`` for a field that no recipe can write out."""
    if field.kind.field and field.kind.field not in bases:
        raise ValueError(f"the field {field.name} is read with {field.kind.field}, but there is no such field")
    if max(field.kind.size, *field.axes, 1) > LONGEST_AXIS:
        raise ValueError(f"the field {field.name} holds more than {LONGEST_AXIS} things")
    if any(axis.counted and axis > MOST_COUNTED for axis in field.axes):
        raise ValueError(f"the field {field.name} counts more than {MOST_COUNTED} sets")
    if sum(bool(axis.wheel) for axis in field.axes) > 1:
        raise ValueError(f"the field {field.name} has two axes that run around the table")


def _rows_of_field(field: Field, bases: dict[str, tuple[int, int]], sizes: _Sizes) -> Iterator[_Row]:
    """A row for each item of a field; cards in an order are one item together, and so are sets that are counted."""
    counted = bool(field.axes) and field.axes[-1].counted
    together = counted or (field.kind in (CARD, SINGLE, SINGLE_OR_BACK) and bool(field.axes))
    outer = field.axes[:-1] if together else field.axes
    inner = field.axes[-1] if together else Axis(1)
    if sizes.of(inner) == 0:
        return
    base, other = bases[field.name][0], bases.get(field.kind.field, (-1, 0))
    strides = [prod(field.axes[number + 1 :]) for number in range(len(outer))]
    for steps in product(*(range(sizes.of(axis)) for axis in outer)):
        at, turning = base, (0, TABLE_ORDER)
        for axis, stride, step in zip(outer, strides, steps, strict=True):
            if axis.wheel:
                turning = (stride, ORDERS[axis.wheel] + step)
            else:
                at += stride * step
        name = " ".join(map(str, (field.name, *steps)))
        for how, meaning, order, cells in _ways(field.kind, sizes, sizes.of(inner), counted):
            order = ORDERS[inner.wheel] if together else order
            length = MOST_CHAIRS if field.kind == SIDE else len(cells) if how == CHOICE else sizes.of(inner)
            numbers = (how, at, *turning, len(cells), order, length, *other)
            limits = _limits(how, field.kind, length, sizes)
            yield _Row(name if how != ABOVE else f"{name} back", meaning, numbers, cells, limits)


def _limits(how: int, kind: Kind, length: int, sizes: _Sizes) -> tuple[float, float]:
    """The limits of a row's cells."""
    if how == NUMBER:
        least, most = sizes.limited(kind.least), sizes.limited(kind.most)
        return (min(least, -most), max(most, -least)) if kind.field else (least, most)
    return 0.0, float(length) if how in (LIST, SINGLES, COUNT) else 1.0


def _ways(kind: Kind, sizes: _Sizes, items: int, counted: bool) -> Iterator[tuple[int, str, int, tuple[str, ...]]]:
    """How the cells of an item are filled, what they mean, the part of the wheel that orders them, and their names."""
    how, order = _FILLED[kind.name]
    number = {SEAT_ORDER: sizes.seats, CHAIR_ORDER: sizes.chairs, SIDE_ORDER: sizes.sides}.get(order, kind.size)
    cells = tuple(map(str, range(number)))
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
    if kind == SINGLE_OR_BACK:
        yield ABOVE, "1 for each unknown card", order, tuple(f"back {item}" for item in range(items))


# Filling them


# For several games at a time: compiled code takes longer to hand arrays to a function than to do what it does.


def new_flags(games: int, size: int) -> Int64s:
    """Scratch space for :func:`fill_planes`: for each game a bit for each of at most ``size`` cells."""
    return np.zeros((games, size // 64 + 2), np.int64)


def new_wheels(games: int) -> Uint8s:
    """Scratch space for :func:`turn_wheels`: for each game the wheel, and behind it at which step of it what lies."""
    # small, so that those of some games lie near a processor; with room for a step that is masked and not compared
    wheels = np.zeros((games, 2 * BACKWARD + LONGEST_AXIS), np.uint8)
    for part in (TABLE_ORDER, BACKWARD + TABLE_ORDER):
        wheels[:, part : part + LONGEST_AXIS] = np.arange(LONGEST_AXIS)
    return wheels


@rule
def turn_wheels(states: Any, words: Any, sides: int, seats: Any, wheels: Any) -> None:
    """Let seats, chairs and sides begin with those of each game's observer; for a spectator with those of seat 0.

    ``sides`` is where in a row of ``words`` the sides of the seats stand, −1 if there are none.
    """
    for game in range(len(seats)):
        own = seats[game] if seats[game] > 0 else 0
        for step in range(states[game].seats):
            other = numbered_as_seats(states[game], own, step)
            wheels[game, unsigned(SEAT_ORDER + step)] = other
            wheels[game, unsigned(BACKWARD + SEAT_ORDER + other)] = step
        for step in range(chairs(states[game])):
            other = chair_from(states[game], own, step)
            wheels[game, unsigned(CHAIR_ORDER + step)] = other
            wheels[game, unsigned(BACKWARD + CHAIR_ORDER + other)] = step
        if sides >= 0:
            turn_sides(words, sides, states[game].seats, wheels, game)


@rule
def turn_sides(words: Any, sides: int, seats: int, wheels: Any, game: int) -> None:
    """Let the sides begin with the own one; the others follow as their seats do."""
    met = found = 0
    for step in range(seats):
        side = words[game, unsigned(sides + wheels[game, unsigned(SEAT_ORDER + step)])] & MOST_CHAIRS - 1
        if met >> side & 1 == 0:
            met |= 1 << side
            wheels[game, unsigned(SIDE_ORDER + found)] = side
            wheels[game, unsigned(BACKWARD + SIDE_ORDER + side)] = found
            found += 1


@rule
def fill_planes(words: Any, recipe: Any, ends: Any, wheels: Any, flags: Any, cells: Any) -> None:
    """Write veiled states, each given as its numbers in a row of ``words``, into the rows of ``cells``: all of them.

    All cells but numbers and places in an order are 0 or 1. They are gathered as bits in the rows of ``flags``, and
    written from there many at a stroke.
    """
    flags[: words.shape[0]] = 0
    gather_sets(words, recipe, ends, wheels, flags)
    gather_bits(words, recipe, ends, wheels, flags)
    gather_suits(words, recipe, ends, wheels, flags)
    gather_backs(words, recipe, ends, wheels, flags)
    gather_choices(words, recipe, ends, wheels, flags)
    written = cells.shape[1] - (ends[NUMBER] - ends[CHOICE])
    for game in range(words.shape[0]):
        store_row(flags, cells, game, written)
    fill_lists(words, recipe, ends, wheels, cells)
    fill_singles(words, recipe, ends, wheels, cells)
    fill_counts(words, recipe, ends, wheels, cells)
    fill_numbers(words, recipe, ends, wheels, cells)


@rule
def gather(flags: Any, game: int, start: int, size: int, chosen: Any) -> None:
    """Put ``size`` bits, no other being set, into a game's row from bit ``start`` on."""
    word, shift = start >> 6, start & 63
    flags[game, unsigned(word)] |= chosen << shift
    if shift + size > 64:
        flags[game, unsigned(word + 1)] |= chosen >> 64 - shift


@rule
def first_word(row: int, recipe: Any) -> tuple[int, int, Any]:
    """Where the numbers begin that a row of the recipe tells of: at ``base + stride * wheels[game, step]``."""
    return recipe[row, BASE], recipe[row, STRIDE], unsigned(recipe[row, STEP])


@rule
def gather_sets(words: Any, recipe: Any, ends: Any, wheels: Any, flags: Any) -> None:
    """A cell for each card: 1 if it is in the set."""
    for row in range(ends[SET]):
        base, stride, step = first_word(row, recipe)
        start, size = recipe[row, START], recipe[row, SIZE]
        for game in range(words.shape[0]):
            cards = words[game, unsigned(base + stride * wheels[game, step])] & (1 << size) - 1
            gather(flags, game, start, size, cards)


@rule
def gather_bits(words: Any, recipe: Any, ends: Any, wheels: Any, flags: Any) -> None:
    """A cell for each thing, seat or place at the table: 1 if it is in the set."""
    for row in range(ends[COUNT], ends[BITS]):
        base, stride, step = first_word(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], recipe[row, INNER]
        for game in range(words.shape[0]):
            things = words[game, unsigned(base + stride * wheels[game, step])]
            chosen = 0
            for place in range(size):
                chosen |= (things >> wheels[game, unsigned(order + place)] & 1) << place
            gather(flags, game, start, size, chosen)


@rule
def gather_suits(words: Any, recipe: Any, ends: Any, wheels: Any, flags: Any) -> None:
    """A cell for each suit: 1 if the set of cards has its lowest card."""
    for row in range(ends[BITS], ends[WHOLE_SUITS]):
        base, stride, step = first_word(row, recipe)
        for game in range(words.shape[0]):
            cards = words[game, unsigned(base + stride * wheels[game, step])]
            chosen = cards & 1 | cards >> 12 & 2 | cards >> 24 & 4 | cards >> 36 & 8
            gather(flags, game, recipe[row, START], 4, chosen)


@rule
def gather_backs(words: Any, recipe: Any, ends: Any, wheels: Any, flags: Any) -> None:
    """A cell for each place in an order: 1 if an unknown card lies there."""
    for row in range(ends[WHOLE_SUITS], ends[ABOVE]):
        base, stride, step = first_word(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], recipe[row, INNER]
        for game in range(words.shape[0]):
            first = base + stride * wheels[game, step]
            chosen = 0
            for place in range(size):
                card = words[game, unsigned(first + wheels[game, unsigned(order + place)])]
                chosen |= int(card >> len(CARD_NAMES) != 0) << place
            gather(flags, game, start, size, chosen)


@rule
def gather_choices(words: Any, recipe: Any, ends: Any, wheels: Any, flags: Any) -> None:
    """A cell for each thing to choose from: 1 for the one that it is.

    What is none of them has a step as well, of which nothing comes: a branch would be foretold by nothing.
    """
    for row in range(ends[ABOVE], ends[CHOICE]):
        base, stride, step = first_word(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], BACKWARD + recipe[row, INNER]
        length, other, width = recipe[row, LENGTH], recipe[row, OTHER], recipe[row, WIDTH]
        for game in range(words.shape[0]):
            chosen = words[game, unsigned(base + stride * wheels[game, step])]
            if other >= 0:
                chosen = words[game, unsigned(other + chosen)] if 0 <= chosen < width else NOBODY
            place = wheels[game, unsigned(order + (chosen & LONGEST_AXIS - 1))]
            gather(flags, game, start, size, np.int64(0 <= chosen < length) << np.int64(place))


@rule
def store_row(flags: Any, cells: Any, game: int, written: int) -> None:
    """Write the first cells of a row, and as many numbers as come along, which are written later."""
    last = cells.shape[1] - AT_A_STROKE
    if last < 0:
        for cell in range(written):
            cells[game, cell] = flags[game, cell >> 6] >> (cell & 63) & 1
        return
    for start in range(0, min(written, last + 1), AT_A_STROKE):
        store_flags(cells, game, start, flags[game, start >> 6])
    word, shift = last >> 6, last & 63
    if shift > 0:  # the end of a row, and once more some of what stands before it
        low = flags[game, word] >> shift & (1 << 64 - shift) - 1
        store_flags(cells, game, last, low | flags[game, word + 1] << 64 - shift)


@rule
def fill_lists(words: Any, recipe: Any, ends: Any, wheels: Any, cells: Any) -> None:
    """For each card where it stands in the order, from 1; of two places the first, the other being stale.

    The cells are 0 until now.
    """
    for row in range(ends[SET], ends[LIST]):
        base, stride, step = first_word(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], recipe[row, INNER]
        for game in range(words.shape[0]):
            first = base + stride * wheels[game, step]
            for item in range(recipe[row, LENGTH] - 1, -1, -1):
                card = words[game, unsigned(first + wheels[game, unsigned(order + item)])]
                if 0 <= card < size:
                    cells[game, unsigned(start + card)] = item + 1


@rule
def fill_singles(words: Any, recipe: Any, ends: Any, wheels: Any, cells: Any) -> None:
    """The same for cards that are given as sets of one."""
    for row in range(ends[LIST], ends[SINGLES]):
        base, stride, step = first_word(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], recipe[row, INNER]
        for game in range(words.shape[0]):
            first = base + stride * wheels[game, step]
            for item in range(recipe[row, LENGTH]):
                card = words[game, unsigned(first + wheels[game, unsigned(order + item)])] & (1 << size) - 1
                if card != 0:
                    cells[game, unsigned(start + lowest(card))] = item + 1


@rule
def fill_counts(words: Any, recipe: Any, ends: Any, wheels: Any, cells: Any) -> None:
    """For each card in how many of the sets it is. The cells are 0 until now.

    Sets are added up like binary numbers, all cards at once: ``ones`` holds the lowest digit of each card's number.
    """
    for row in range(ends[SINGLES], ends[COUNT]):
        base, stride, step = first_word(row, recipe)
        start, size = recipe[row, START], recipe[row, SIZE]
        for game in range(words.shape[0]):
            first = base + stride * wheels[game, step]
            ones = twos = fours = eights = 0
            for item in range(recipe[row, LENGTH]):
                cards = words[game, unsigned(first + item)] & (1 << size) - 1
                eights ^= fours & twos & ones & cards
                fours ^= twos & ones & cards
                twos ^= ones & cards
                ones ^= cards
            add_digits(cells, game, start, (ones, twos, fours, eights))


@rule
def add_digits(cells: Any, game: int, start: int, digits: Any) -> None:
    """Add numbers to the cells of a plane, of which a stroke has more: each digit of them is a set."""
    for digit in range(4):
        if start + AT_A_STROKE <= cells.shape[1]:
            add_flags(cells, game, start, digits[digit], 1 << digit)
        else:
            for cell in range(start, cells.shape[1]):
                cells[game, cell] += (digits[digit] >> cell - start & 1) << digit


@rule
def fill_numbers(words: Any, recipe: Any, ends: Any, wheels: Any, cells: Any) -> None:
    """A cell for each number."""
    for row in range(ends[CHOICE], ends[NUMBER]):
        base, stride, step = first_word(row, recipe)
        start, other = unsigned(recipe[row, START]), recipe[row, OTHER]
        for game in range(words.shape[0]):
            number = words[game, unsigned(base + stride * wheels[game, step])]
            if other >= 0:
                side = words[game, unsigned(other)] & MOST_CHAIRS - 1
                if wheels[game, unsigned(BACKWARD + SIDE_ORDER + side)] != 0:
                    number = -number
            cells[game, start] = number


def tensor_of(setup: Any, veiled: Any, seat: int) -> Float32s:
    """The tensor of an observation, from the veiled state. Interpreted."""
    planes, wheels = planes_of(setup), new_wheels(1)
    words = np.concatenate([np.ravel(getattr(veiled, field.name)) for field in fields_of(veiled.dtype.names)])[
        np.newaxis
    ]
    turn_wheels([veiled], words, planes.sides, [seat], wheels)
    cells = np.zeros((1, planes.size), np.float32)
    fill_planes(words, planes.recipe, planes.ends, wheels, new_flags(1, planes.size), cells)
    tensor: Float32s = cells[0]
    return tensor
