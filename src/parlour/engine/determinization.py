"""Who may know what: the one place in the house that decides it.

A *veiled* state is a state from which everything has been taken out that a seat does not know: unknown cards, what
others remember, what was chosen in secret. Views, bots and determinizations are made from veiled states alone, so none
of them can tell more. A *determinization* fills a veiled state up again: a state that looks the same to that seat, in
which everything that happened could have happened, each such layout of the unknown cards equally likely.
Determinizations are for seats: a spectator decides nothing, so nobody has to imagine what one must think possible.
"""

from threading import local
from types import SimpleNamespace
from typing import Any

import numpy as np

from parlour.cards import count
from parlour.engine.chance import keeps, random_below, shuffle, spread
from parlour.engine.compiled import compiled, named_type, rule, rule_with_arrays
from parlour.engine.layout_counts import fill_by_counting
from parlour.engine.rules import (
    MAX_CARDS,
    MAX_PLACES,
    MAX_SEATS,
    PlainState,
    copy_state,
    fits,
    forget,
    ghosts,
    known_to,
    place,
    places,
    remember,
    whole_deck,
)
from parlour.engine.unknown_origin import GHOST_FIELDS, lay_out_ghosts, prepare_ghosts

TABLE = named_type(
    np.dtype(
        [
            ("sizes", np.int64, (MAX_PLACES,)),
            ("allowed", np.int64, (MAX_PLACES,)),
            ("most", np.int64, (MAX_PLACES,)),
            ("order", np.int64, (MAX_PLACES,)),
            ("cards", np.int64, (MAX_CARDS,)),
            ("layout", np.int64, (MAX_PLACES, MAX_CARDS)),
            ("number", np.int64),  # of places
            ("narrow", np.int64),  # how many of them cannot hold every unknown card, −1 if there are ghosts
            ("pool", np.int64),  # the unknown cards
            *GHOST_FIELDS,
        ],
        align=True,
    )
)
"""Scratch space for veiling and sampling, so that neither allocates memory."""

ATTEMPTS = 200
"""Rejected layouts after which one is chosen by counting."""


def new_table() -> Any:
    """Scratch space for :func:`hide_unknown` and :func:`determinize_state`."""
    return np.zeros(1, TABLE)[0]


_of_thread = local()


def scratch_table() -> Any:
    """This thread's own table, for whoever needs it no longer than one call: its two megabytes take time to come by."""
    if not hasattr(_of_thread, "table"):
        _of_thread.table = new_table()
    return _of_thread.table


@rule
def hide_unknown(state: Any, seat: int, table: Any) -> None:
    """Take out of ``state`` whatever ``seat`` may not know (``NOBODY``: all that is not public)."""
    number = places(state, seat, table.sizes, table.allowed)
    for index in range(number):
        place(state, seat, index, table.cards, 0)
    forget(state, seat)
    for other in range(MAX_SEATS):
        if other != seat:
            state.private[other] = 0


@rule_with_arrays
def determinize_state(state: Any, seat: int, table: Any, random: Any) -> None:
    """Fill a veiled ``state`` up with a layout that ``seat`` must think possible; every one is equally likely.

    Places that cannot hold every unknown card are filled one after another, the narrowest first, each with a random
    choice of what is left for it. A choice among few cards makes its layout more likely than it should be, so a layout
    is kept with a chance in proportion to the choices it had, and begun anew otherwise (rejection sampling). Where that
    does not succeed soon, the layouts are counted (:mod:`parlour.engine.layout_counts`), which is slower but always
    ends. What several places must fulfil together is the game's to say (``fits``); for cards whose origin matters see
    :mod:`parlour.engine.unknown_origin`.
    """
    prepare_determinization(state, seat, table)
    draw_determinization(state, seat, table, random)


@rule
def hidden_from(state: Any, seat: int) -> int:
    """The cards that take part in the layouts: those whose whereabouts ``seat`` does not know, and the ghosts."""
    return (whole_deck(state) & ~known_to(state, seat)) | ghosts(state, seat)


@rule
def prepare_determinization(state: Any, seat: int, table: Any) -> None:
    """What all determinizations of a veiled ``state`` have in common. Raises ``ValueError`` for a spectator."""
    if seat < 0:
        raise ValueError("determinizations are for seats; a spectator has none")
    table.pool = whole_deck(state) & ~known_to(state, seat)
    table.number = places(state, seat, table.sizes, table.allowed)
    origins = ghosts(state, seat)
    if origins == 0:
        table.narrow = sort_places(table, table.number, table.pool)
    else:
        table.narrow = -1
        prepare_ghosts(table, table.number, table.pool, origins)


@rule_with_arrays
def draw_determinization(state: Any, seat: int, table: Any, random: Any) -> None:
    """Fill ``state`` up with one determinization, prepared for it or for another copy of the same veiled state."""
    fill(state, seat, table, random)
    while not fits(state, seat, random):
        fill(state, seat, table, random)
    remember(state, seat, random)


@rule_with_arrays
def fill(state: Any, seat: int, table: Any, random: Any) -> None:
    """Put a layout that every single place allows into ``state``, whatever layout was there before."""
    if table.narrow < 0:
        while not lay_out_ghosts(table, table.number, table.pool, random):
            pass
    else:
        rest = fill_narrow(table, table.narrow, table.pool, random)
        attempts = 1
        while rest < 0:
            attempts += 1
            if attempts % ATTEMPTS == 0:
                rest = fill_by_counting(table, table.narrow, table.pool, random)
            else:
                rest = fill_narrow(table, table.narrow, table.pool, random)
        fill_others(table, table.narrow, table.number, rest, random)
    for index in range(table.number):
        place(state, seat, index, table.layout[index], table.sizes[index])


@rule
def sort_places(table: Any, number: int, pool: int) -> int:
    """Order the places, those first that cannot hold every card of the pool; return how many those are."""
    narrow = 0
    for index in range(number):
        table.allowed[index] &= pool
        table.order[index] = index
        if table.allowed[index] == pool or table.sizes[index] == 0:
            continue
        slack = count(table.allowed[index]) - table.sizes[index]
        at = narrow
        table.order[index] = table.order[narrow]
        while at > 0:
            before = table.order[at - 1]
            if count(table.allowed[before]) - table.sizes[before] <= slack:
                break
            table.order[at] = before
            at -= 1
        table.order[at] = index
        narrow += 1
    for at in range(narrow):
        table.most[at] = most_choices(table, at, pool)
    return narrow


@rule
def most_choices(table: Any, at: int, pool: int) -> int:
    """Upper bound of the cards left for a place when those before it in order have been filled."""
    own = table.allowed[table.order[at]]
    taken = 0
    outside = 0
    for before in range(at):
        index = table.order[before]
        taken += max(0, table.sizes[index] - count(table.allowed[index] & ~own))
        outside += table.sizes[index]
    return min(count(own) - taken, count(pool) - outside)


@rule
def fill_narrow(table: Any, narrow: int, pool: int, random: Any) -> int:
    """Choose cards for the narrow places; return the set of those left, or −1 if this layout is not kept."""
    rest = pool
    for at in range(narrow):
        index = table.order[at]
        size = table.sizes[index]
        choice = spread(table.cards, table.allowed[index] & rest)
        if choice < size:
            return -1
        for which in range(size):
            if choice < table.most[at] and not keeps(random, choice - which, table.most[at] - which):
                return -1
            other = which + random_below(random, choice - which)
            card = table.cards[other]
            table.cards[other] = table.cards[which]
            table.layout[index, which] = card
            rest &= ~(1 << card)
    return rest


@rule
def fill_others(table: Any, narrow: int, number: int, rest: int, random: Any) -> None:
    """Deal what is left to the places that can hold any card."""
    left = spread(table.cards, rest)
    shuffle(random, table.cards, 0, left)
    for at in range(narrow, number):
        index = table.order[at]
        for which in range(table.sizes[index]):
            left -= 1
            table.layout[index, which] = table.cards[left]


@compiled
def determinize_many(observed: Any, seat: int, determinizations: Any, table: Any, random: Any) -> None:
    """Fill the array ``determinizations`` with independent determinizations for one veiled state (a record)."""
    prepare_determinization(observed, seat, table)
    for index in range(determinizations.shape[0]):
        determinizations[index] = observed
        draw_determinization(determinizations[index], seat, table, random)


def observed_state(state: Any, seat: int) -> Any:
    """A veiled copy of a state for this seat; ``NOBODY`` sees what is public. Interpreted."""
    observed = copy_state(state)
    hide_unknown(observed, seat, new_table())
    return observed


def new_plain_table() -> SimpleNamespace:
    """What :func:`new_table` gives, quicker to read: for interpreted functions over a :class:`PlainState`."""
    table = np.zeros(1, TABLE)[0]
    return SimpleNamespace(**{name: table[name] for name in TABLE.names or ()})


def observed_plain_state(state: Any, seat: int) -> PlainState:
    """What :func:`observed_state` gives, as a :class:`PlainState`: several times quicker, for views."""
    observed = PlainState.of(state)
    sizes, allowed = np.zeros((2, MAX_PLACES), np.int64)
    hide_unknown(observed, seat, SimpleNamespace(sizes=sizes, allowed=allowed, cards=np.zeros(MAX_CARDS, np.int64)))
    return observed


def determinize(observed: Any, seat: int, random: Any) -> Any:
    """One determinization for a veiled state. Interpreted; for many use :func:`determinize_many`."""
    sampled = copy_state(observed)
    determinize_state(sampled, seat, new_table(), random)
    return sampled
