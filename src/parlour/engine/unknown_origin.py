"""Determinizations where cards that everyone has seen may have come from more than one place.

A *ghost* is a card whose present whereabouts is known but whose origin matters: a card played from a hand that had
been drawn together by and by, of which other cards are still held. Ghosts take part in the layouts like the cards
that are unknown. A place's ``size`` counts them, its ``allowed`` says which of them it can have held.
Any game in which cards are drawn unseen by and by can ask for this, by its ``ghosts``; nothing here knows a rule.

Every layout is to be equally likely. So ghosts come first, each in turn put into a place with a chance in proportion
to the number of layouts that go on from there. These numbers are found beforehand, backwards from the last ghost, for
each way in which ghosts can fill up the places. Neighbouring places that allow the same cards are taken together as a
*group*; groups that no ghost links are counted apart, as *blocks*. Then the groups are filled in order with the other
cards. Where the groups' sets of cards grow from one to the next, it does not matter for the number of choices which
cards have been taken before; where they do not, a layout is kept in proportion to the choices it had, and begun anew
otherwise.
"""

from typing import Any

import numpy as np

from parlour.cards import bit, count, lowest
from parlour.engine.chance import keeps, random_below, random_bits, shuffle, spread
from parlour.engine.compiled import rule
from parlour.engine.rules import MAX_CARDS, MAX_PLACES

MAX_WAYS = 1 << 18
"""Maximum size of the table of layout counts: for each block, ghosts + 1 times the ways to fill its places."""

GHOST_FIELDS = [
    ("room", np.int64, (MAX_PLACES,)),  # of each place, without the ghosts that can be nowhere else
    ("settled", np.int64, (MAX_PLACES,)),  # those ghosts
    ("group", np.int64, (MAX_PLACES,)),  # of each place, −1 for one without room
    ("groups", np.int64),
    ("group_room", np.int64, (MAX_PLACES,)),
    ("group_cards", np.int64, (MAX_PLACES,)),  # the unknown cards it may hold
    ("group_ghosts", np.int64, (MAX_PLACES,)),  # the ghosts it may hold
    ("block", np.int64, (MAX_PLACES,)),  # of each group, the block's first group
    ("block_end", np.int64, (MAX_PLACES,)),  # by first group
    ("block_room", np.int64, (MAX_PLACES,)),  # for unknown cards
    ("block_cards", np.int64, (MAX_PLACES,)),
    ("block_ghosts", np.int64, (MAX_PLACES,)),
    ("block_ways", np.int64, (MAX_PLACES,)),  # where its numbers begin
    ("block_fills", np.int64, (MAX_PLACES,)),  # how many ways there are to fill it with ghosts
    ("stride", np.int64, (MAX_PLACES,)),
    ("most_ghosts", np.int64, (MAX_PLACES,)),
    ("held", np.int64, (MAX_PLACES,)),
    ("cards_of_group", np.int64, (MAX_PLACES, MAX_CARDS)),
    ("ways", np.float64, (MAX_WAYS,)),
]
"""Scratch space, part of the one for sampling (:mod:`parlour.engine.determinization`)."""


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
    """Put ghosts that fit into one place only there, again and again; return the others."""
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
    """Take neighbouring places together that allow the same cards."""
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
    """Groups that a ghost links, and those between them, make a block."""
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
    """For each number of ghosts placed and each way they fill the block, how many layouts go on from there.

    A way to fill it is a number with a digit for each group but the first, whose digit follows from the others.
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
    """The ghost that is placed after ``which`` others."""
    for _ in range(which):
        ghosts &= ghosts - 1
    return lowest(ghosts)


@rule
def read_fill(table: Any, first: int, fill: int, placed: int) -> None:
    """How many ghosts each group of a block holds."""
    table.held[first] = placed
    for group in range(first + 1, table.block_end[first]):
        table.held[group] = fill // table.stride[group] % (table.most_ghosts[group] + 1)
        table.held[first] -= table.held[group]


@rule
def ways_through(table: Any, first: int, group: int, ghost: int, placed: int, fill: int) -> float:
    """How many layouts go on from putting this ghost into a group, ``held`` and ``fill`` being as they are."""
    if not table.group_ghosts[group] >> ghost & 1 or table.held[first] < 0:
        return 0.0
    free = table.group_room[group] - table.held[group]
    if free <= 0 or (group != first and table.held[group] >= table.most_ghosts[group]):
        return 0.0
    after = table.block_ways[first] + (placed + 1) * table.block_fills[first]
    return free * table.ways[after + fill + table.stride[group]]  # type: ignore[no-any-return]


@rule
def ways_for_others(table: Any, first: int) -> float:
    """Upper bound of the ways to fill what ghosts have left of a block."""
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
    """Upper bound of the cards left for a group when the groups before it have been filled."""
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
    """Choose a layout; ``False`` if it is not kept."""
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
    """Choose a group for every ghost of a block."""
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
    """Choose unknown cards for what ghosts have left of a group; return them, or −1 if the layout is not kept."""
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
    """Spread each group's cards over its places, every order equally likely."""
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
