"""Sampling of determinizations with cards of unknown origin.

An *ambiguous* card is one whose location is known but whose origin is uncertain and constrains other cards: for
example, a card played from a hand whose cards were drawn at different times, while other cards of the hand are still
held. Ambiguous cards take part in layouts like unknown cards: a slot's ``sizes`` entry includes them, and ``allowed``
has those that the slot may have held. Games opt in with ``cards_of_unknown_origin``; this module contains no rules of a
particular game.

All layouts must be equally likely. Ambiguous cards are placed first, one by one, each in a slot with probability
proportional to the number of layouts that complete the choice. These numbers are computed beforehand by dynamic
programming, backwards from the last ambiguous card, for each way in which such cards can fill the slots. Adjacent slots
that allow the same cards form a *group*; groups linked by ambiguous cards form a *block*, and blocks are counted
separately. Then the groups are filled in order with the other cards. If the groups' sets of cards are nested, the
number of choices does not depend on the cards taken before; otherwise a layout is accepted with probability
proportional to its number of choices, and sampled again if rejected.
"""

import numpy as np

from parlour.cards import bit, count, lowest
from parlour.engine.arrays import Stream
from parlour.engine.chance import keeps, random_below, random_bits, shuffle, spread
from parlour.engine.compiled import rule
from parlour.engine.information.sampling_table import SamplingTable
from parlour.engine.rules import MAX_CARDS, MAX_SLOTS

MAX_WAYS = 1 << 18
"""Maximum size of the table of layout counts: for each block (ambiguous cards + 1) × the ways to fill its slots."""

AMBIGUOUS_FIELDS = [
    ("room", np.int64, (MAX_SLOTS,)),  # of each slot, without settled ambiguous cards
    ("settled", np.int64, (MAX_SLOTS,)),  # the set of ambiguous cards that fit no other slot
    ("group", np.int64, (MAX_SLOTS,)),  # of each slot, −1 for one without room
    ("groups", np.int64),  # the number of groups
    ("group_room", np.int64, (MAX_SLOTS,)),  # the sum of its slots' room
    ("group_cards", np.int64, (MAX_SLOTS,)),  # the unknown cards it may hold
    ("group_ambiguous", np.int64, (MAX_SLOTS,)),  # the ambiguous cards it may hold
    ("block", np.int64, (MAX_SLOTS,)),  # of each group, the block's first group
    ("block_end", np.int64, (MAX_SLOTS,)),  # by first group, exclusive
    ("block_room", np.int64, (MAX_SLOTS,)),  # for unknown cards
    ("block_cards", np.int64, (MAX_SLOTS,)),  # the unknown cards that its groups may hold
    ("block_ambiguous", np.int64, (MAX_SLOTS,)),  # the ambiguous cards that its groups may hold
    ("block_ways", np.int64, (MAX_SLOTS,)),  # offset of its counts in ``ways``
    ("block_fills", np.int64, (MAX_SLOTS,)),  # number of ways to fill it with ambiguous cards
    ("stride", np.int64, (MAX_SLOTS,)),  # of each group, the place value of its digit in ``fill`` (count_ways)
    ("most_ambiguous", np.int64, (MAX_SLOTS,)),  # of each group but a block's first, the greatest value of its digit
    ("held", np.int64, (MAX_SLOTS,)),  # of each group, the number of ambiguous cards placed in it
    ("cards_of_group", np.int64, (MAX_SLOTS, MAX_CARDS)),  # of each group, the cards placed in it
    ("ways", np.float64, (MAX_WAYS,)),  # the numbers of layouts, of all blocks
]
"""Fields of the scratch space for sampling (:mod:`parlour.engine.information.determinization`)."""


@rule
def prepare_ambiguous(table: SamplingTable, number: int, pool: int, ambiguous: int) -> None:
    """Count the layouts of ``number`` slots with the unknown cards of ``pool`` and these ambiguous cards."""
    loose = settle_ambiguous(table, number, ambiguous)
    group_slots(table, number, pool, loose)
    find_blocks(table)
    begin = 0
    for first in range(table.groups):
        if table.block[first] == first and table.block_ambiguous[first] != 0:
            begin = count_ways(table, first, begin)


@rule
def settle_ambiguous(table: SamplingTable, number: int, ambiguous: int) -> int:
    """Assign ambiguous cards that fit only one slot, until no such card is left; return the set of the others."""
    for index in range(number):
        table.room[index] = table.sizes[index]
        table.settled[index] = 0
    loose = ambiguous
    before = 0
    while loose != before:
        before = loose
        rest = loose
        while rest != 0:
            card = lowest(rest)
            rest &= rest - 1
            only = -1
            possible = 0
            for index in range(number):
                if table.allowed[index] >> card & 1 and table.room[index] > 0:
                    only = index
                    possible += 1
            if possible == 1:
                table.settled[only] |= bit(card)
                table.room[only] -= 1
                loose &= ~bit(card)
    return loose


@rule
def group_slots(table: SamplingTable, number: int, pool: int, loose: int) -> None:
    """Group adjacent slots that allow the same cards."""
    groups = 0
    for index in range(number):
        table.group[index] = -1
        if table.room[index] == 0:
            continue
        cards = table.allowed[index] & pool
        ambiguous = table.allowed[index] & loose
        if groups == 0 or table.group_cards[groups - 1] != cards or table.group_ambiguous[groups - 1] != ambiguous:
            table.group_room[groups] = 0
            table.group_cards[groups] = cards
            table.group_ambiguous[groups] = ambiguous
            groups += 1
        table.group_room[groups - 1] += table.room[index]
        table.group[index] = groups - 1
    table.groups = groups


@rule
def find_blocks(table: SamplingTable) -> None:
    """Find blocks: groups linked by an ambiguous card, and the groups between them."""
    for last in range(table.groups):
        first = last
        for other in range(last - 1, -1, -1):
            if table.group_ambiguous[other] & table.group_ambiguous[last]:
                first = min(first, table.block[other])
        for group in range(first, last + 1):
            table.block[group] = first
    for group in range(table.groups):
        first = table.block[group]
        if first == group:
            table.block_room[first] = 0
            table.block_cards[first] = 0
            table.block_ambiguous[first] = 0
        table.block_end[first] = group + 1
        table.block_room[first] += table.group_room[group]
        table.block_cards[first] |= table.group_cards[group]
        table.block_ambiguous[first] |= table.group_ambiguous[group]
    for first in range(table.groups):
        table.block_room[first] -= count(table.block_ambiguous[first])


@rule
def count_ways(table: SamplingTable, first: int, begin: int) -> int:
    """Count the layouts that complete each partial placement of a block's ambiguous cards; return the counts' end.

    A placement is indexed by the number of ambiguous cards placed and by ``fill``, a mixed-radix number with a digit
    for each group but the first, whose number of ambiguous cards follows from the others.
    """
    ambiguous = table.block_ambiguous[first]
    number = count(ambiguous)
    fills = 1
    table.stride[first] = 0
    for group in range(first + 1, table.block_end[first]):
        table.stride[group] = fills
        table.most_ambiguous[group] = min(table.group_room[group], count(table.group_ambiguous[group]))
        fills *= table.most_ambiguous[group] + 1
    table.block_ways[first] = begin
    table.block_fills[first] = fills
    assert begin + (number + 1) * fills <= MAX_WAYS, "too many ways to place cards whose origin is unknown"
    for fill in range(fills):
        read_fill(table, first, fill, number)
        table.ways[begin + number * fills + fill] = ways_for_others(table, first)
    for placed in range(number - 1, -1, -1):
        for fill in range(fills):
            read_fill(table, first, fill, placed)
            total = 0.0
            for group in range(first, table.block_end[first]):
                total += ways_through(table, first, group, ambiguous_card(ambiguous, placed), placed, fill)
            table.ways[begin + placed * fills + fill] = total
    return begin + (number + 1) * fills


@rule
def ambiguous_card(ambiguous: int, which: int) -> int:
    """Return the ambiguous card that is placed after ``which`` others."""
    for _ in range(which):
        ambiguous &= ambiguous - 1
    return lowest(ambiguous)


@rule
def read_fill(table: SamplingTable, first: int, fill: int, placed: int) -> None:
    """Decode ``fill`` into the number of ambiguous cards in each group of a block (``held``)."""
    table.held[first] = placed
    for group in range(first + 1, table.block_end[first]):
        table.held[group] = fill // table.stride[group] % (table.most_ambiguous[group] + 1)
        table.held[first] -= table.held[group]


@rule
def ways_through(table: SamplingTable, first: int, group: int, card: int, placed: int, fill: int) -> float:
    """Return the number of layouts after placing an ambiguous card in a group, given ``held`` and ``fill``."""
    if not table.group_ambiguous[group] >> card & 1 or table.held[first] < 0:
        return 0.0
    free = table.group_room[group] - table.held[group]
    if free <= 0 or (group != first and table.held[group] >= table.most_ambiguous[group]):
        return 0.0
    after = table.block_ways[first] + (placed + 1) * table.block_fills[first]
    ways: float = free * table.ways[after + fill + table.stride[group]]
    return ways


@rule
def ways_for_others(table: SamplingTable, first: int) -> float:
    """Return an upper bound for the ways to fill a block's remaining room with other cards."""
    if table.held[first] < 0:
        return 0.0
    ways = 1.0
    for group in range(first, table.block_end[first]):
        most = most_left(table, group)
        for taken in range(table.group_room[group] - table.held[group]):
            ways *= max(0, most - taken)
    return ways


@rule
def most_left(table: SamplingTable, group: int) -> int:
    """Return an upper bound for the cards left for a group after the groups before it have been filled."""
    own = table.group_cards[group]
    block = table.block[group]
    left = count(own)
    for other in range(group):
        if table.block[other] == block:
            elsewhere = count(table.group_cards[other] & ~own)
            left -= max(0, table.group_room[other] - table.held[other] - elsewhere)
        elif table.block[other] == other:
            left -= max(0, table.block_room[other] - count(table.block_cards[other] & ~own))
    return left


@rule
def lay_out_ambiguous(table: SamplingTable, number: int, pool: int, random: Stream) -> bool:
    """Sample a layout; return False if it is rejected."""
    for group in range(table.groups):
        table.held[group] = 0
    for first in range(table.groups):
        if table.block[first] == first and table.block_ambiguous[first] != 0:
            assign_ambiguous(table, first, random)
    rest = pool
    for group in range(table.groups):
        taken = fill_group(table, group, rest, random)
        if taken < 0:
            return False
        rest &= ~taken
    deal_groups(table, number, random)
    return True


@rule
def assign_ambiguous(table: SamplingTable, first: int, random: Stream) -> None:
    """Sample a group for each ambiguous card of a block."""
    rest = table.block_ambiguous[first]
    fills = table.block_fills[first]
    fill = 0
    placed = 0
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        pick = random_bits(random) / 4294967296.0 * table.ways[table.block_ways[first] + placed * fills + fill]
        chosen = first
        for group in range(first, table.block_end[first]):
            ways = ways_through(table, first, group, card, placed, fill)
            if ways > 0.0:
                chosen = group
                pick -= ways
                if pick < 0.0:
                    break
        table.cards_of_group[chosen, table.held[chosen]] = card
        table.held[chosen] += 1
        fill += table.stride[chosen]
        placed += 1


@rule
def fill_group(table: SamplingTable, group: int, rest: int, random: Stream) -> int:
    """Sample unknown cards for a group's remaining room; return them, or −1 if the layout is rejected."""
    size = table.group_room[group] - table.held[group]
    choice = spread(table.cards, table.group_cards[group] & rest)
    most = most_left(table, group)
    if choice < size:
        return -1
    taken = 0
    for which in range(size):
        if choice < most and not keeps(random, choice - which, most - which):
            return -1
        other = which + random_below(random, choice - which)
        card = table.cards[other]
        table.cards[other] = table.cards[which]
        table.cards_of_group[group, table.held[group] + which] = card
        taken |= bit(card)
    return taken


@rule
def deal_groups(table: SamplingTable, number: int, random: Stream) -> None:
    """Distribute each group's cards over its slots, in random order."""
    for group in range(table.groups):
        if table.held[group] > 0:
            shuffle(random, table.cards_of_group[group], 0, table.group_room[group])
        table.held[group] = 0
    for index in range(number):
        at = spread(table.layout[index], table.settled[index])
        group = table.group[index]
        for which in range(at, table.sizes[index]):
            table.layout[index, which] = table.cards_of_group[group, table.held[group]]
            table.held[group] += 1
        if at > 0:
            shuffle(random, table.layout[index], 0, table.sizes[index])
