"""Sampling of a layout by counting all layouts, for constraints under which rejection sampling hardly ever succeeds.

Example: three of four hands have shown out of hearts, so all hearts lie in the fourth, which random choices rarely hit.
Cards that may lie in the same slots form a *kind*, and only the number of cards of each kind in a slot is counted:
``ways[p, s]`` is the number of choices for the slots from *p* on when ``s`` encodes the cards left of each kind.
"""

from collections.abc import Callable

import numpy as np
from numba.extending import overload

from parlour.cards import bit, count, lowest
from parlour.engine.arrays import Floats, Int64s, Stream
from parlour.engine.chance import random_below, random_bits, shuffle
from parlour.engine.compiled import compiled, rule, rule_with_arrays
from parlour.engine.errors import GameError
from parlour.engine.information.sampling_table import SamplingTable
from parlour.engine.rules import MAX_CARDS
from parlour.engine.typed_state import IntVector

MOST_COUNTS = 1 << 22
"""Maximum size of the table of counts, in entries; beyond it layouts are sampled by rejection alone."""


@rule
def find_kinds(table: SamplingTable, narrow: int, pool: int, kinds: IntVector) -> int:
    """Partition the pool into kinds, the sets of cards allowed in the same narrow slots; return their number."""
    number = 0
    while pool != 0:
        alike = pool
        for at in range(narrow):
            allowed = table.allowed[table.order[at]]
            alike &= allowed if allowed & bit(lowest(pool)) != 0 else ~allowed
        kinds[number] = alike
        number += 1
        pool &= ~alike
    return number


@rule
def fill_up(split: IntVector, room: IntVector, first: int, kinds: int, size: int) -> bool:
    """Split ``size`` cards among the kinds from ``first`` on, earlier kinds first; return False if they do not fit."""
    for kind in range(first, kinds):
        split[kind] = min(room[kind], size)
        size -= split[kind]
    return size == 0


@rule
def next_split(split: IntVector, room: IntVector, kinds: int) -> bool:
    """Advance to the next split of the same number of cards; return False if there is none."""
    behind = 0
    room_behind = 0
    for kind in range(kinds - 1, -1, -1):
        if split[kind] > 0 and room_behind > behind:
            split[kind] -= 1
            return fill_up(split, room, kind + 1, kinds, behind + 1)
        behind += split[kind]
        room_behind += room[kind]
    return False


@rule
def split_ways(
    split: IntVector, left: IntVector, steps: Int64s, kinds: int, after: Floats, state: int, choose: Floats
) -> float:
    """Return the number of layouts with this split: the choices of its cards times the ways of the later slots."""
    result = 1.0
    for kind in range(kinds):
        result *= choose[left[kind], split[kind]]
        state -= split[kind] * steps[kind]
    layouts: float = result * after[state]
    return layouts


@rule
def read_left(
    table: SamplingTable,
    at: int,
    state: int,
    numbers: Int64s,
    steps: Int64s,
    kinds: IntVector,
    left: IntVector,
    room: IntVector,
) -> int:
    """Decode ``state`` into the number of cards left of each kind (``left``); return their total.

    ``room`` receives the numbers of those cards that the slot may take.
    """
    total = 0
    for kind in range(numbers.shape[0]):
        left[kind] = state // steps[kind] % (numbers[kind] + 1)
        room[kind] = left[kind] if kinds[kind] & table.allowed[table.order[at]] != 0 else 0
        total += left[kind]
    return total


def fill_by_counting(table: SamplingTable, narrow: int, pool: int, random: Stream) -> int:
    """Choose cards for the narrow slots, every layout equally likely; return the set of remaining cards.

    Returns −1 if the table of counts would exceed :data:`MOST_COUNTS`. Raises :class:`GameError` if there is none.
    """
    kinds = np.zeros(MAX_CARDS, np.int64)
    number = find_kinds(table, narrow, pool, kinds)
    numbers, steps = np.zeros(number, np.int64), np.zeros(number, np.int64)
    states = 1
    for kind in range(number):
        numbers[kind] = count(kinds[kind])
        steps[kind] = states
        states *= numbers[kind] + 1
        if states * (narrow + 1) > MOST_COUNTS:
            return -1
    choose = np.zeros((MAX_CARDS + 1, MAX_CARDS + 1))
    for many in range(MAX_CARDS + 1):
        choose[many, 0] = 1.0
        for few in range(1, many + 1):
            choose[many, few] = choose[many - 1, few - 1] + choose[many - 1, few]
    ways = np.ones((narrow + 1, states))
    left, room, split = np.zeros(number, np.int64), np.zeros(number, np.int64), np.zeros(number, np.int64)
    cards = count(pool)
    for at in range(narrow):
        cards -= table.sizes[table.order[at]]
    for at in range(narrow - 1, -1, -1):
        size = table.sizes[table.order[at]]
        cards += size
        for state in range(states):
            ways[at, state] = 0.0
            if read_left(table, at, state, numbers, steps, kinds, left, room) == cards:
                more = fill_up(split, room, 0, number, size)
                while more:
                    ways[at, state] += split_ways(split, left, steps, number, ways[at + 1], state, choose)
                    more = next_split(split, room, number)
    if ways[0, states - 1] == 0.0:
        raise GameError("no layout of the unknown cards fits hidden_slots")
    return take_counted(table, narrow, pool, random, kinds, numbers, steps, choose, ways)


_fill_by_counting = compiled(fill_by_counting)


@overload(fill_by_counting)
def _compiled_fill_by_counting(
    table: SamplingTable, narrow: int, pool: int, random: Stream
) -> Callable[[SamplingTable, int, int, Stream], int]:
    """Call one separately compiled function; inlined, it would add seconds to the compilation of each search."""

    def fill(table: SamplingTable, narrow: int, pool: int, random: Stream) -> int:
        return _fill_by_counting(table, narrow, pool, random)

    return fill


@rule_with_arrays
def take_counted(
    table: SamplingTable,
    narrow: int,
    pool: int,
    random: Stream,
    kinds: IntVector,
    numbers: Int64s,
    steps: Int64s,
    choose: Floats,
    ways: Floats,
) -> int:
    """Sample a split for each narrow slot in proportion to its ways, and random cards of each kind."""
    number = numbers.shape[0]
    left, room, split = np.zeros(number, np.int64), np.zeros(number, np.int64), np.zeros(number, np.int64)
    state = ways.shape[1] - 1
    for at in range(narrow):
        index = table.order[at]
        read_left(table, at, state, numbers, steps, kinds, left, room)
        fill_up(split, room, 0, number, table.sizes[index])
        rest = ways[at, state] * (random_bits(random) + 0.5) / 4294967296.0
        rest -= split_ways(split, left, steps, number, ways[at + 1], state, choose)
        while rest > 0.0 and next_split(split, room, number):
            rest -= split_ways(split, left, steps, number, ways[at + 1], state, choose)
        which = 0
        for kind in range(number):
            for _ in range(split[kind]):
                chosen = kinds[kind] & pool
                for _ in range(random_below(random, count(chosen))):
                    chosen &= chosen - 1
                table.layout[index, which] = lowest(chosen)
                pool &= ~bit(lowest(chosen))
                which += 1
            state -= split[kind] * steps[kind]
        shuffle(random, table.layout[index], 0, which)
    return pool
