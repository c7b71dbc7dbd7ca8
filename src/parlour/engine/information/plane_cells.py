"""Rules that fill observation tensors from observed states, by the recipe of a setup.

:mod:`parlour.engine.information.planes` makes the recipe. The rules run interpreted and compiled.
"""

import numpy as np

from parlour.cards import CARD_NAMES, CELLS_AT_ONCE, add_flags, lowest, store_flags
from parlour.engine.arrays import Cells, Int64s, States, Uint8s
from parlour.engine.compiled import rule, unsigned
from parlour.engine.fields import LARGEST
from parlour.engine.rules import NOBODY, chair_from, chairs, numbered_as_seats
from parlour.engine.typed_state import AnyState

LONGEST_AXIS = 64
"""Maximum length of an axis, and maximum number of a kind's choices or flags."""
MOST_COUNTED = 15
"""Maximum number of counted sets: :func:`fill_counts` counts with four binary digits."""
MOST_CHAIRS = 8
"""Maximum number of places at the table."""
TABLE_ORDER = 0
SEAT_ORDER, CHAIR_ORDER, SIDE_ORDER = (LONGEST_AXIS + part * MOST_CHAIRS for part in range(3))
"""Offsets of the parts of a *wheel*: an array that maps each step along an axis to an item. One part has the items in
table order; the others start with the observer's seat, chair or side."""
BACKWARD = LONGEST_AXIS + 3 * MOST_CHAIRS
"""Offset of the inverse part of a wheel, which maps an item to its step."""
ORDERS = {"": TABLE_ORDER, "seat": SEAT_ORDER, "chair": CHAIR_ORDER}

SET, LIST, SINGLES, COUNT, BITS, WHOLE_SUITS, ABOVE, CHOICE, NUMBER = range(9)
"""Ways in which a row of a recipe fills its cells. A recipe has its rows in this order. The ways from SET to COUNT have
one cell for each card.
"""
HOW, BASE, STRIDE, STEP, START, SIZE, INNER, LENGTH, OTHER, WIDTH = range(10)
"""Columns of a recipe.

- HOW: the way to fill the cells.
- BASE, STRIDE, STEP: the source's offset in the state is ``BASE + STRIDE * wheel[STEP]``.
- START, SIZE: the first cell and the number of cells.
- INNER: the part of the wheel with the order of the cells; for a list, of its items.
- LENGTH: the number of these items; for a choice its greatest valid number plus 1.
- OTHER, WIDTH: offset and length of a second field. A choice is an index into it; a number counts for the side in it.
  OTHER is −1 if there is none."""


# Each rule handles several games: passing arrays to a compiled function takes longer than the work for one game.


def new_flags(games: int, size: int) -> Int64s:
    """Return scratch space for :func:`fill_planes`: for each game one bit for each of up to ``size`` cells."""
    return np.zeros((games, size // 64 + 2), np.int64)


def new_wheels(games: int) -> Uint8s:
    """Return scratch space for :func:`turn_wheels`: for each game the wheel, followed by its inverse."""
    # uint8, so that the wheels of several games fit the cache; padded, since steps are masked instead of range-checked
    wheels = np.zeros((games, 2 * BACKWARD + LONGEST_AXIS), np.uint8)
    for part in (TABLE_ORDER, BACKWARD + TABLE_ORDER):
        wheels[:, part : part + LONGEST_AXIS] = np.arange(LONGEST_AXIS)
    return wheels


@rule
def turn_wheels(states: "States | list[AnyState]", sides: Int64s, seats: "Int64s | list[int]", wheels: Uint8s) -> None:
    """Set each game's wheel so that seats, chairs and sides start with the observer's (a spectator's: seat 0's).

    ``sides[seat, side]`` is the step of a side, counted from the side of ``seat``.
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
        for side in range(sides.shape[1]):
            wheels[game, unsigned(BACKWARD + SIDE_ORDER + side)] = sides[own, side]


@rule
def fill_planes(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, flags: Int64s, cells: Cells) -> None:
    """Write observed states, one per row of ``words`` (the state's integers), into the rows of ``cells``.

    All cells but numbers, counts and positions in an order are 0 or 1. They are collected as bits in the rows of
    ``flags`` and expanded from there in blocks of ``CELLS_AT_ONCE`` cells.
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
def gather(flags: Int64s, game: int, start: int, size: int, chosen: int | np.int64) -> None:
    """Write ``chosen``, a number of ``size`` bits, into a game's row of flags, from bit ``start`` on."""
    word, shift = start >> 6, start & 63
    flags[game, unsigned(word)] |= chosen << shift
    if shift + size > 64:
        flags[game, unsigned(word + 1)] |= chosen >> 64 - shift & (1 << shift) - 1


@rule
def source_of(row: int, recipe: Int64s) -> "tuple[int, int, unsigned]":
    """Return ``base``, ``stride`` and ``step`` of a row: its source is at ``base + stride * wheels[game, step]``."""
    return recipe[row, BASE], recipe[row, STRIDE], unsigned(recipe[row, STEP])


@rule
def gather_sets(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, flags: Int64s) -> None:
    """Collect sets of cards: a cell for each card, 1 if it is in the set."""
    for row in range(ends[SET]):
        base, stride, step = source_of(row, recipe)
        start, size = recipe[row, START], recipe[row, SIZE]
        for game in range(words.shape[0]):
            cards = words[game, unsigned(base + stride * wheels[game, step])] & (1 << size) - 1
            gather(flags, game, start, size, cards)


@rule
def gather_bits(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, flags: Int64s) -> None:
    """Collect bit sets: a cell for each flag, seat or chair, 1 if it is in the set."""
    for row in range(ends[COUNT], ends[BITS]):
        base, stride, step = source_of(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], recipe[row, INNER]
        for game in range(words.shape[0]):
            things = words[game, unsigned(base + stride * wheels[game, step])]
            chosen = 0
            for place in range(size):
                chosen |= (things >> wheels[game, unsigned(order + place)] & 1) << place
            gather(flags, game, start, size, chosen)


@rule
def gather_suits(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, flags: Int64s) -> None:
    """Collect suits: a cell for each suit, 1 if the set of cards has the suit's lowest card."""
    for row in range(ends[BITS], ends[WHOLE_SUITS]):
        base, stride, step = source_of(row, recipe)
        for game in range(words.shape[0]):
            cards = words[game, unsigned(base + stride * wheels[game, step])]
            chosen = cards & 1 | cards >> 12 & 2 | cards >> 24 & 4 | cards >> 36 & 8
            gather(flags, game, recipe[row, START], 4, chosen)


@rule
def gather_backs(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, flags: Int64s) -> None:
    """Collect unknown cards: a cell for each position of an ordered pile, 1 if the card there is unknown."""
    for row in range(ends[WHOLE_SUITS], ends[ABOVE]):
        base, stride, step = source_of(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], recipe[row, INNER]
        for game in range(words.shape[0]):
            first = base + stride * wheels[game, step]
            chosen = 0
            for place in range(size):
                card = words[game, unsigned(first + wheels[game, unsigned(order + place)])]
                chosen |= int(card >> len(CARD_NAMES) != 0) << place
            gather(flags, game, start, size, chosen)


@rule
def gather_choices(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, flags: Int64s) -> None:
    """Collect choices: one-hot cells, all 0 for a number out of range.

    Invalid numbers take the same path with a masked step and a 0 bit, since a branch would be unpredictable.
    """
    for row in range(ends[ABOVE], ends[CHOICE]):
        base, stride, step = source_of(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], BACKWARD + recipe[row, INNER]
        length, other, width = recipe[row, LENGTH], recipe[row, OTHER], recipe[row, WIDTH]
        for game in range(words.shape[0]):
            chosen = words[game, unsigned(base + stride * wheels[game, step])]
            if other >= 0:
                chosen = words[game, unsigned(other + chosen)] if 0 <= chosen < width else NOBODY
            place = wheels[game, unsigned(order + (chosen & LONGEST_AXIS - 1))]
            gather(flags, game, start, size, np.int64(0 <= chosen < length) << np.int64(place))


@rule
def store_row(flags: Int64s, cells: Cells, game: int, written: int) -> None:
    """Expand a row's flags into its first ``written`` cells; cells after them may be overwritten."""
    last = cells.shape[1] - CELLS_AT_ONCE
    if last < 0:
        for cell in range(written):
            cells[game, cell] = flags[game, cell >> 6] >> (cell & 63) & 1
        return
    for start in range(0, min(written, last + 1), CELLS_AT_ONCE):
        store_flags(cells, game, start, flags[game, start >> 6])
    word, shift = last >> 6, last & 63
    if shift > 0:  # the end of a row, overlapping cells that are already written
        low = flags[game, word] >> shift & (1 << 64 - shift) - 1
        store_flags(cells, game, last, low | flags[game, word + 1] << 64 - shift)


@rule
def fill_lists(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, cells: Cells) -> None:
    """Fill each card's position in an ordered pile, from 1. The cells must be 0 before.

    A card that occurs twice gets its first position, since the other one is stale.
    """
    for row in range(ends[SET], ends[LIST]):
        base, stride, step = source_of(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], recipe[row, INNER]
        for game in range(words.shape[0]):
            first = base + stride * wheels[game, step]
            for item in range(recipe[row, LENGTH] - 1, -1, -1):
                card = words[game, unsigned(first + wheels[game, unsigned(order + item)])]
                if 0 <= card < size:
                    cells[game, unsigned(start + card)] = item + 1


@rule
def fill_singles(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, cells: Cells) -> None:
    """Fill positions as :func:`fill_lists` does, from items that are one-card sets; a card gets its last position."""
    for row in range(ends[LIST], ends[SINGLES]):
        base, stride, step = source_of(row, recipe)
        start, size, order = recipe[row, START], recipe[row, SIZE], recipe[row, INNER]
        for game in range(words.shape[0]):
            first = base + stride * wheels[game, step]
            for item in range(recipe[row, LENGTH]):
                card = words[game, unsigned(first + wheels[game, unsigned(order + item)])] & (1 << size) - 1
                if card != 0:
                    cells[game, unsigned(start + lowest(card))] = item + 1


@rule
def fill_counts(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, cells: Cells) -> None:
    """Fill the number of sets that contain each card. The cells must be 0 before.

    The sets are added with a bit-sliced counter, all cards at once: ``ones`` holds the lowest binary digit of each
    card's count, and so on.
    """
    for row in range(ends[SINGLES], ends[COUNT]):
        base, stride, step = source_of(row, recipe)
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
def add_digits(cells: Cells, game: int, start: int, digits: tuple[int, int, int, int]) -> None:
    """Add numbers below 16 to the cells of a plane; each binary digit is a bit set with one bit for each cell."""
    for digit in range(4):
        if start + CELLS_AT_ONCE <= cells.shape[1]:
            add_flags(cells, game, start, digits[digit], 1 << digit)
        else:
            for cell in range(start, cells.shape[1]):
                cells[game, cell] += (digits[digit] >> cell - start & 1) << digit


@rule
def fill_numbers(words: Int64s, recipe: Int64s, ends: Int64s, wheels: Uint8s, cells: Cells) -> None:
    """Fill numbers, one cell each; a number that counts for one side changes its sign for observers of other sides.

    A number beyond the limits of a plane, as in a game of 40,000 turns, is written as that limit.
    """
    for row in range(ends[CHOICE], ends[NUMBER]):
        base, stride, step = source_of(row, recipe)
        start, other = unsigned(recipe[row, START]), recipe[row, OTHER]
        for game in range(words.shape[0]):
            number = words[game, unsigned(base + stride * wheels[game, step])]
            if other >= 0:
                side = words[game, unsigned(other)] & MOST_CHAIRS - 1
                if wheels[game, unsigned(BACKWARD + SIDE_ORDER + side)] != 0:
                    number = -number
            cells[game, start] = max(-LARGEST, min(number, LARGEST))
