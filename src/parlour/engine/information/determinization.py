"""Observed states and determinizations. This module alone decides what a seat may know of a state.

An *observed* state is a copy of a state without the information that a seat lacks: unknown cards, other seats' memory,
secret choices. Observations, determinizations and the decisions of bots follow from observed states alone, so none of
them can reveal more. A *determinization* completes an observed state: it looks the same to that seat and is consistent
with all events so far, and each such layout of the unknown cards is equally likely. Only seats have determinizations:
a spectator makes no decisions and needs none.
"""

from threading import local
from types import SimpleNamespace
from typing import TypeVar

import numpy as np

from parlour.cards import count
from parlour.engine.arrays import States, Stream
from parlour.engine.chance import keeps, random_below, shuffle, spread
from parlour.engine.compiled import compiled, inlined_rule, named_type, rule, rule_with_arrays
from parlour.engine.errors import GameError
from parlour.engine.information.layout_counts import fill_by_counting
from parlour.engine.information.sampling_table import SamplingTable
from parlour.engine.information.unknown_origin import AMBIGUOUS_FIELDS, lay_out_ambiguous, prepare_ambiguous
from parlour.engine.rules import (
    CERTAIN,
    MAX_CARDS,
    MAX_SEATS,
    MAX_SLOTS,
    PlainState,
    assign,
    cards_of_unknown_origin,
    copy_state,
    hidden_slots,
    hide_rest,
    is_consistent,
    known_to,
    likelihood,
    sample_rest,
    whole_deck,
)
from parlour.engine.typed_state import AnyState

TABLE = named_type(
    np.dtype(
        [
            ("sizes", np.int64, (MAX_SLOTS,)),  # of each slot, the number of cards to be placed there
            ("allowed", np.int64, (MAX_SLOTS,)),  # of each slot, the set of cards that may lie there
            ("most", np.int64, (MAX_SLOTS,)),  # by index in ``order``, the result of most_choices
            ("order", np.int64, (MAX_SLOTS,)),  # the slots, narrow ones first
            ("cards", np.int64, (MAX_CARDS,)),  # scratch space for a list of cards
            ("layout", np.int64, (MAX_SLOTS, MAX_CARDS)),  # of each slot, the cards placed there
            ("number", np.int64),  # number of slots
            # number of slots that cannot hold every unknown card; −1 if cards of unknown origin exist
            ("narrow", np.int64),
            ("pool", np.int64),  # the unknown cards
            *AMBIGUOUS_FIELDS,
        ],
        align=True,
    )
)
"""The type of the scratch space for hiding and sampling, so that neither allocates memory."""

S = TypeVar("S", bound=AnyState)

MOST_SAMPLES = 200
"""Maximum number of samples, of which the last is accepted, when determinizations are sampled by likelihood."""
ATTEMPTS = 200
"""Number of attempts at a layout of which the last one counts the layouts and the others sample by rejection."""
MOST_ATTEMPTS = 1_000_000
"""Number of rejected layouts after which a game's hidden slots or its ``is_consistent`` must be faulty."""


def new_table() -> SamplingTable:
    """Return new scratch space for :func:`hide_unknown` and :func:`determinize_state`."""
    table: SamplingTable = np.zeros(1, TABLE)[0]
    return table


_of_thread = local()


def scratch_table() -> SamplingTable:
    """Return this thread's scratch table, for use within one call; allocating its two megabytes takes time."""
    if not hasattr(_of_thread, "table"):
        _of_thread.table = new_table()
    table: SamplingTable = _of_thread.table
    return table


@rule
def hide_unknown(state: AnyState, seat: int, table: SamplingTable) -> None:
    """Remove from ``state`` everything that ``seat`` may not know (``SPECTATOR``: all that is not public)."""
    number = hidden_slots(state, seat, table.sizes, table.allowed)
    for index in range(number):
        assign(state, seat, index, table.cards, 0)
    hide_rest(state, seat)
    for other in range(MAX_SEATS):
        if other != seat:
            state.private[other] = 0


@rule_with_arrays
def determinize_state(state: AnyState, seat: int, table: SamplingTable, random: Stream) -> None:
    """Complete an observed ``state`` with a layout that is possible for ``seat``; each layout is equally likely.

    Slots that cannot hold every unknown card are filled one after another, the narrowest first, each with a random
    choice of the remaining cards allowed there. A choice among few cards makes its layout too likely, so a layout is
    accepted with a probability in proportion to the choices it had, and otherwise sampled again (rejection sampling).
    Each :data:`ATTEMPTS`-th attempt counts the layouts instead (:mod:`parlour.engine.information.layout_counts`), which
    is slower but rejects none; where the table of counts would be too large, rejection sampling goes on. The game's
    ``is_consistent`` checks conditions on several slots together. Cards whose origin matters are assigned by
    :mod:`parlour.engine.information.unknown_origin`.
    """
    prepare_determinization(state, seat, table)
    draw_determinization(state, seat, table, random)


@rule
def hidden_from(state: AnyState, seat: int) -> int:
    """Return the set of cards in layouts: those whose location ``seat`` does not know, or whose origin is unknown."""
    return (whole_deck(state) & ~known_to(state, seat)) | cards_of_unknown_origin(state, seat)


@rule
def prepare_determinization(state: AnyState, seat: int, table: SamplingTable) -> None:
    """Compute what all determinizations of an observed ``state`` share. Raises ``ValueError`` for a spectator."""
    if seat < 0:
        raise ValueError("determinizations are for seats; a spectator has none")
    table.pool = whole_deck(state) & ~known_to(state, seat)
    table.number = hidden_slots(state, seat, table.sizes, table.allowed)
    origins = cards_of_unknown_origin(state, seat)
    if origins == 0:
        table.narrow = sort_slots(table, table.number, table.pool)
    else:
        table.narrow = -1
        prepare_ambiguous(table, table.number, table.pool, origins)


@rule_with_arrays
def draw_determinization(state: AnyState, seat: int, table: SamplingTable, random: Stream) -> None:
    """Complete ``state`` with one determinization; ``table`` was prepared for it or for a copy of the same state.

    Raises :class:`GameError` after :data:`MOST_ATTEMPTS` layouts that are not consistent.
    """
    fill(state, seat, table, random)
    attempts = 1
    while not is_consistent(state, seat, random):
        if attempts == MOST_ATTEMPTS:
            raise GameError("is_consistent rejected 1,000,000 layouts of the unknown cards in a row")
        attempts += 1
        fill(state, seat, table, random)
    sample_rest(state, seat, random)


@rule_with_arrays
def fill(state: AnyState, seat: int, table: SamplingTable, random: Stream) -> None:
    """Replace the layout in ``state`` by a random one that each slot allows; ``is_consistent`` is not checked.

    Raises :class:`GameError` if no layout fits, at the latest after :data:`MOST_ATTEMPTS` attempts.
    """
    attempts = 1
    if table.narrow < 0:
        while not lay_out_ambiguous(table, table.number, table.pool, random):
            attempts += 1
            if attempts > MOST_ATTEMPTS:
                raise GameError("no layout of the unknown cards fits hidden_slots")
    else:
        rest = fill_narrow(table, table.narrow, table.pool, random)
        while rest < 0:
            attempts += 1
            if attempts > MOST_ATTEMPTS:
                raise GameError("no layout of the unknown cards fits hidden_slots")
            if attempts % ATTEMPTS == 0:
                rest = fill_by_counting(table, table.narrow, table.pool, random)
            else:
                rest = fill_narrow(table, table.narrow, table.pool, random)
        fill_others(table, table.narrow, table.number, rest, random)
    for index in range(table.number):
        assign(state, seat, index, table.layout[index], table.sizes[index])


@rule
def sort_slots(table: SamplingTable, number: int, pool: int) -> int:
    """Order the slots, first those that cannot hold every card of the pool; return the number of those."""
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
def most_choices(table: SamplingTable, at: int, pool: int) -> int:
    """Return an upper bound of the cards left for the slot at ``at`` in the order, once those before it are filled."""
    own = table.allowed[table.order[at]]
    taken = 0
    outside = 0
    for before in range(at):
        index = table.order[before]
        taken += max(0, table.sizes[index] - count(table.allowed[index] & ~own))
        outside += table.sizes[index]
    return min(count(own) - taken, count(pool) - outside)


@inlined_rule
def fill_narrow(table: SamplingTable, narrow: int, pool: int, random: Stream) -> int:
    """Choose cards for the narrow slots; return the set of remaining cards, or −1 if the layout is rejected."""
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


@inlined_rule
def fill_others(table: SamplingTable, narrow: int, number: int, rest: int, random: Stream) -> None:
    """Deal the cards of ``rest`` to the slots that can hold any card."""
    left = spread(table.cards, rest)
    shuffle(random, table.cards, 0, left)
    for at in range(narrow, number):
        index = table.order[at]
        for which in range(table.sizes[index]):
            left -= 1
            table.layout[index, which] = table.cards[left]


@rule_with_arrays
def likely_determinization(state: States, observed: States, seat: int, table: SamplingTable, random: Stream) -> None:
    """Fill ``state[0]`` with a determinization, sampled by the likelihood of the others' hidden actions."""
    for _ in range(MOST_SAMPLES):
        state[0] = observed[0]
        draw_determinization(state[0], seat, table, random)
        if keeps(random, likelihood(state[0], seat), CERTAIN):
            break


@compiled
def determinize_many(
    observed: AnyState, seat: int, determinizations: States, table: SamplingTable, random: Stream
) -> None:
    """Fill the array ``determinizations`` with independent determinizations of one observed state (a record)."""
    prepare_determinization(observed, seat, table)
    for index in range(determinizations.shape[0]):
        determinizations[index] = observed
        draw_determinization(determinizations[index], seat, table, random)


def observed_state(state: S, seat: int) -> S:
    """Return the observed state of this seat, a copy; for ``SPECTATOR`` only public information. Interpreted."""
    observed = copy_state(state)
    hide_unknown(observed, seat, scratch_table())
    return observed


def new_plain_table() -> SimpleNamespace:
    """Return scratch space like :func:`new_table`, faster to read for interpreted functions over a ``PlainState``."""
    table = np.zeros(1, TABLE)[0]
    return SimpleNamespace(**{name: table[name] for name in TABLE.names or ()})


def observed_plain_state(state: AnyState, seat: int) -> PlainState:
    """Return :func:`observed_state` as a :class:`PlainState`, which is several times faster; for observations."""
    observed = PlainState.of(state)
    sizes, allowed = np.zeros((2, MAX_SLOTS), np.int64)
    hide_unknown(observed, seat, SimpleNamespace(sizes=sizes, allowed=allowed, cards=np.zeros(MAX_CARDS, np.int64)))
    return observed


def determinize(observed: S, seat: int, random: Stream) -> S:
    """Return one determinization of an observed state. Interpreted; for many use :func:`determinize_many`."""
    sampled = copy_state(observed)
    determinize_state(sampled, seat, scratch_table(), random)
    return sampled
