"""Sampling of determinizations with cards of unknown origin.

A *ghost* is a card whose location is known but whose origin is uncertain and constrains other cards: for example, a
card played from a hand whose cards were drawn at different times, while other cards of the hand are still held. Ghosts
take part in layouts like unknown cards: a place's ``sizes`` entry includes them, and ``allowed`` has those that the
place may have held. Games opt in with ``ghosts``; this module contains no rules of a particular game.

All layouts must be equally likely. Ghosts are placed first, one by one, each in a place with probability proportional
to the number of layouts that complete the choice. These numbers are computed beforehand by dynamic programming,
backwards from the last ghost, for each way in which ghosts can fill the places. Adjacent places that allow the same
cards form a *group*; groups linked by ghosts form a *block*, and blocks are counted separately. Then the groups are
filled in order with the other cards. If the groups' sets of cards are nested, the number of choices does not depend on
the cards taken before; otherwise a layout is accepted with probability proportional to its number of choices, and
sampled again if rejected.
"""

from typing import Any

import numpy as np

from parlour.cards import bit, count, lowest
from parlour.engine.chance import keeps, random_below, random_bits, shuffle, spread
from parlour.engine.compiled import rule
from parlour.engine.rules import MAX_CARDS, MAX_PLACES

MAX_WAYS = 1 << 18
"""Maximum size of the table of layout counts: for each block (ghosts + 1) × the ways to fill its places."""

GHOST_FIELDS = [
    ("room", np.int64, (MAX_PLACES,)),  # of each place, without settled ghosts
    ("settled", np.int64, (MAX_PLACES,)),  # the set of ghosts that fit no other place
    ("group", np.int64, (MAX_PLACES,)),  # of each place, −1 for one without room
    ("groups", np.int64),
    ("group_room", np.int64, (MAX_PLACES,)),
    ("group_cards", np.int64, (MAX_PLACES,)),  # the unknown cards it may hold
    ("group_ghosts", np.int64, (MAX_PLACES,)),  # the ghosts it may hold
    ("block", np.int64, (MAX_PLACES,)),  # of each group, the block's first group
    ("block_end", np.int64, (MAX_PLACES,)),  # by first group, exclusive
    ("block_room", np.int64, (MAX_PLACES,)),  # for unknown cards
    ("block_cards", np.int64, (MAX_PLACES,)),
    ("block_ghosts", np.int64, (MAX_PLACES,)),
    ("block_ways", np.int64, (MAX_PLACES,)),  # offset of its counts in ``ways``
    ("block_fills", np.int64, (MAX_PLACES,)),  # number of ways to fill it with ghosts
    ("stride", np.int64, (MAX_PLACES,)),
    ("most_ghosts", np.int64, (MAX_PLACES,)),
    ("held", np.int64, (MAX_PLACES,)),
    ("cards_of_group", np.int64, (MAX_PLACES, MAX_CARDS)),
    ("ways", np.float64, (MAX_WAYS,)),
]
"""Fields of the scratch space for sampling (:mod:`parlour.engine.determinization`)."""


@rule
def prepare_ghosts(table: Any, number: int, pool: int, ghosts: int) -> None:
    """Count the layouts of ``number`` places with the unknown cards of ``pool`` and these ghosts."""
    loose = settle_ghosts(table, number, ghosts)
    group_places(table, number, pool, loose)
    find_blocks(table)
    begin = 0
    for first in range(table.groups):
        if table.block[first] == first and table.block_ghosts[first] != 0:
            begin = count_ways(table, first, begin)


@rule
def settle_ghosts(table: Any, number: int, ghosts: int) -> int:
    """Assign ghosts that fit only one place, until no more do; return the set of the others."""
    for index in range(number):
        table.room[index] = table.sizes[index]
        table.settled[index] = 0
    loose = ghosts
    before = 0
    while loose != before:
        before = loose
        rest = loose
        while rest != 0:
            ghost = lowest(rest)
            rest &= rest - 1
            only = -1
            places = 0
            for index in range(number):
                if table.allowed[index] >> ghost & 1 and table.room[index] > 0:
                    only = index
                    places += 1
            if places == 1:
                table.settled[only] |= bit(ghost)
                table.room[only] -= 1
                loose &= ~bit(ghost)
    return loose


@rule
def group_places(table: Any, number: int, pool: int, loose: int) -> None:
    """Group adjacent places that allow the same cards."""
    groups = 0
    for index in range(number):
        table.group[index] = -1
        if table.room[index] == 0:
            continue
        cards = table.allowed[index] & pool
        ghosts = table.allowed[index] & loose
        if groups == 0 or table.group_cards[groups - 1] != cards or table.group_ghosts[groups - 1] != ghosts:
            table.group_room[groups] = 0
            table.group_cards[groups] = cards
            table.group_ghosts[groups] = ghosts
            groups += 1
        table.group_room[groups - 1] += table.room[index]
        table.group[index] = groups - 1
    table.groups = groups


@rule
def find_blocks(table: Any) -> None:
    """Find blocks: groups linked by a ghost, and the groups between them."""
    for last in range(table.groups):
        first = last
        for other in range(last - 1, -1, -1):
            if table.group_ghosts[other] & table.group_ghosts[last]:
                first = min(first, table.block[other])
        for group in range(first, last + 1):
            table.block[group] = first
    for group in range(table.groups):
        first = table.block[group]
        if first == group:
            table.block_room[first] = 0
            table.block_cards[first] = 0
            table.block_ghosts[first] = 0
        table.block_end[first] = group + 1
        table.block_room[first] += table.group_room[group]
        table.block_cards[first] |= table.group_cards[group]
        table.block_ghosts[first] |= table.group_ghosts[group]
    for first in range(table.groups):
        table.block_room[first] -= count(table.block_ghosts[first])


@rule
def count_ways(table: Any, first: int, begin: int) -> int:
    """Count the layouts that complete each partial placement of a block's ghosts; return the end of the counts.

    A placement is indexed by the number of ghosts placed and by ``fill``, a mixed-radix number with a digit for each
    group but the first, whose number of ghosts follows from the others.
    """
    ghosts = table.block_ghosts[first]
    number = count(ghosts)
    fills = 1
    table.stride[first] = 0
    for group in range(first + 1, table.block_end[first]):
        table.stride[group] = fills
        table.most_ghosts[group] = min(table.group_room[group], count(table.group_ghosts[group]))
        fills *= table.most_ghosts[group] + 1
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
                total += ways_through(table, first, group, ghost_number(ghosts, placed), placed, fill)
            table.ways[begin + placed * fills + fill] = total
    return begin + (number + 1) * fills


@rule
def ghost_number(ghosts: int, which: int) -> int:
    """Return the ghost that is placed after ``which`` others."""
    for _ in range(which):
        ghosts &= ghosts - 1
    return lowest(ghosts)


@rule
def read_fill(table: Any, first: int, fill: int, placed: int) -> None:
    """Decode ``fill`` into the number of ghosts in each group of a block (``held``)."""
    table.held[first] = placed
    for group in range(first + 1, table.block_end[first]):
        table.held[group] = fill // table.stride[group] % (table.most_ghosts[group] + 1)
        table.held[first] -= table.held[group]


@rule
def ways_through(table: Any, first: int, group: int, ghost: int, placed: int, fill: int) -> float:
    """Return the number of layouts after placing a ghost in a group, given ``held`` and ``fill``."""
    if not table.group_ghosts[group] >> ghost & 1 or table.held[first] < 0:
        return 0.0
    free = table.group_room[group] - table.held[group]
    if free <= 0 or (group != first and table.held[group] >= table.most_ghosts[group]):
        return 0.0
    after = table.block_ways[first] + (placed + 1) * table.block_fills[first]
    return free * table.ways[after + fill + table.stride[group]]  # type: ignore[no-any-return]


@rule
def ways_for_others(table: Any, first: int) -> float:
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
def most_left(table: Any, group: int) -> int:
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
def lay_out_ghosts(table: Any, number: int, pool: int, random: Any) -> bool:
    """Sample a layout; return False if it is rejected."""
    for group in range(table.groups):
        table.held[group] = 0
    for first in range(table.groups):
        if table.block[first] == first and table.block_ghosts[first] != 0:
            place_ghosts(table, first, random)
    rest = pool
    for group in range(table.groups):
        taken = fill_group(table, group, rest, random)
        if taken < 0:
            return False
        rest &= ~taken
    deal_groups(table, number, random)
    return True


@rule
def place_ghosts(table: Any, first: int, random: Any) -> None:
    """Sample a group for each ghost of a block."""
    rest = table.block_ghosts[first]
    fills = table.block_fills[first]
    fill = 0
    placed = 0
    while rest != 0:
        ghost = lowest(rest)
        rest &= rest - 1
        pick = random_bits(random) / 4294967296.0 * table.ways[table.block_ways[first] + placed * fills + fill]
        chosen = first
        for group in range(first, table.block_end[first]):
            ways = ways_through(table, first, group, ghost, placed, fill)
            if ways > 0.0:
                chosen = group
                pick -= ways
                if pick < 0.0:
                    break
        table.cards_of_group[chosen, table.held[chosen]] = ghost
        table.held[chosen] += 1
        fill += table.stride[chosen]
        placed += 1


@rule
def fill_group(table: Any, group: int, rest: int, random: Any) -> int:
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
def deal_groups(table: Any, number: int, random: Any) -> None:
    """Distribute each group's cards over its places, in random order."""
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
