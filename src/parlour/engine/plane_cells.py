"""The cells of observations: the rules that fill a tensor from veiled states by the recipe of a setup.

The recipe and what it is made from are in :mod:`parlour.engine.planes`. The rules run interpreted and compiled.
"""

from typing import Any

import numpy as np

from parlour.cards import AT_A_STROKE, CARD_NAMES, add_flags, lowest, store_flags
from parlour.engine.compiled import rule, unsigned
from parlour.engine.rules import NOBODY, chair_from, chairs, numbered_as_seats

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
def turn_wheels(states: Any, sides: Any, seats: Any, wheels: Any) -> None:
    """Let seats, chairs and sides begin with those of each game's observer; for a spectator with those of seat 0.

    ``sides`` has a row for each seat: for each side at which step from the own one it comes.
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
