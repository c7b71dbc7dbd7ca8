"""Common-knowledge sets: the states that both seats must consider possible, as the root of an endgame tree.

A seat cannot distinguish states with the same observation; for each of these the other seat cannot distinguish further
states. The closure under both relations is the set of states possible by common knowledge (Aumann, "Agreeing to
disagree", 1976; as the root of a subgame: Burch, Johanson, Bowling, "Solving imperfect information games using
decomposition", AAAI 2014). All layouts consistent with a seat's observation are equally likely
(:mod:`parlour.engine.information.determinization`), and so are all states of the set, called *worlds*.

Worlds that differ only in cards which no seat will ever see are merged, for instance in the order of a stock's
remaining cards. A *card slot* is *relevant* if the other seat knows its card, or if any seat comes to know it in the
rest of the game. Irrelevant slots are filled once, in the order of the cards, instead of in all ways; the same cards
may lie at each of them, so every world stands for the same number of layouts. The endgame tree determines which slots
are relevant (:func:`parlour.endgames.endgame_tree.endgame_tree_of`).

Where hidden information depends on the origin of a card that now lies open
(:mod:`parlour.engine.information.unknown_origin`), both seats are assumed to know the origin, since there can be too
many origins to list.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from parlour.cards import cards_of, set_of
from parlour.engine.arrays import Bools, Int64s, States, Stream
from parlour.engine.chance import new_stream, start_stream
from parlour.engine.compiled import compiled
from parlour.engine.information.determinization import (
    draw_determinization,
    hidden_from,
    hide_unknown,
    new_table,
    prepare_determinization,
)
from parlour.engine.information.sampling_table import SamplingTable
from parlour.engine.rules import (
    MAX_SLOTS,
    array_of,
    assign,
    cards_of_unknown_origin,
    hidden_slots,
    is_consistent,
    known_to,
    new_states,
    sample_rest,
)
from parlour.engine.typed_state import AnyState, OwnState

SEATS = 2
TRIALS = 256
"""Number of tries per layout: ``is_consistent`` accepts a layout that can arise in n ways once in n tries."""
STEPS_A_WORLD = 10
"""Maximum number of choices of cards that are tried, per world of the limit of worlds."""
RULED_OUT, KEPT, UNSURE = range(3)
"""Verdicts on a layout (:func:`fill_layouts`)."""

CardSlot = tuple[int, int, int]
"""Card slot: a seat, the number of one of its hidden slots, and an index in that."""


class TooLargeError(Exception):
    """Enumeration beyond a limit."""


@compiled
def fill_layouts(
    observed: States, seat: int, layouts: Int64s, states: States, verdicts: Int64s, table: SamplingTable, random: Stream
) -> None:
    """Fill each of ``states`` with the state ``observed`` and a row of ``layouts``: the cards of all slots in turn.

    ``verdicts`` receives KEPT for a possible state, RULED_OUT for one that violates a constraint across several slots,
    and UNSURE if information other than cards is hidden.
    """
    number = hidden_slots(observed[0], seat, table.sizes, table.allowed)
    for index in range(states.shape[0]):
        states[index] = observed[0]
        at = 0
        for which in range(number):
            for slot in range(table.sizes[which]):
                table.layout[which, slot] = layouts[index, at]
                at += 1
            assign(states[index], seat, which, table.layout[which], table.sizes[which])
        verdicts[index] = RULED_OUT
        for trial in range(TRIALS):
            start_stream(random, trial, 0)
            before = random[0]
            if is_consistent(states[index], seat, random):
                verdicts[index] = KEPT
                break
            if random[0] == before:
                break
        before = random[0]
        sample_rest(states[index], seat, random)
        if random[0] != before:
            verdicts[index] = UNSURE


@compiled
def hide_unknown_in_all(states: States, seat: int, table: SamplingTable) -> None:
    """Mask in each state the cards that the seat does not know."""
    for index in range(states.shape[0]):
        hide_unknown(states[index], seat, table)


@compiled
def _draw_layout(observed: States, seat: int, table: SamplingTable, random: Stream) -> None:
    prepare_determinization(observed[0], seat, table)
    draw_determinization(observed[0], seat, table, random)


def sample_layout(
    observed: States, seat: int, table: SamplingTable, random: Stream
) -> tuple[list[CardSlot], list[int], list[int]]:
    """Return the card slots, the set of cards that each may hold, and one layout; ``observed`` stays unchanged."""
    sizes, allowed = np.zeros((2, MAX_SLOTS), np.int64)
    number = int(hidden_slots(observed[0], seat, sizes, allowed))
    _draw_layout(array_of(observed[0]), seat, table, random)
    slots = [(seat, which, index) for which in range(number) for index in range(sizes[which])]
    return (
        slots,
        [int(allowed[which]) for _, which, _ in slots],
        [int(table.layout[which, at]) for _, which, at in slots],
    )


def reveal_origins(state: AnyState, seat: int, random: Stream) -> tuple[OwnState, dict[CardSlot, int]]:
    """Return a state consistent with both seats' observations, and the cards at the origins of its open cards."""
    revealed: dict[CardSlot, int] = {}
    states = array_of(state)
    for observer in (seat, 1 - seat):
        states = _observed_states(states, observer)
        table = new_table()
        slots, _, base = sample_layout(states, observer, table, random)
        origins = int(cards_of_unknown_origin(states[0], observer))
        revealed.update((slot, card) for slot, card in zip(slots, base, strict=True) if origins >> card & 1)
        filled, _ = states_of_layouts(states, observer, np.array([base], np.int64), table, random)
        states = filled
    return states[0], revealed


def states_of_layouts(
    observed: States, seat: int, layouts: Int64s, table: SamplingTable, random: Stream
) -> tuple[States, Int64s]:
    """Return the states with these layouts, and the verdicts (:func:`fill_layouts`)."""
    states, verdicts = new_states(observed.dtype, len(layouts)), np.zeros(len(layouts), np.int64)
    fill_layouts(observed, seat, layouts, states, verdicts, table, random)
    return states, verdicts


@dataclass(frozen=True)
class CommonKnowledge:
    """Common-knowledge set: equally likely states that the seats cannot rule out by common knowledge.

    Attributes:
        states: *n* states.
        layouts: for each seat n × m card numbers, the cards at the slots that this seat does not know.
        slots: for each seat its m card slots, in the order of ``layouts``.
        irrelevant: for each seat a mask of its irrelevant slots, of length m.
    """

    states: States
    layouts: tuple[Int64s, ...]
    slots: tuple[list[CardSlot], ...]
    irrelevant: tuple[Bools, ...]

    @property
    def hidden(self) -> bool:
        """Return whether the worlds differ in a card hidden from a seat now, beyond the origins of open cards."""
        known = [tuple(int(known_to(state, seat)) for seat in range(SEATS)) for state in self.states]
        if len(set(known)) > 1:
            return True
        (first, second), [state] = known[0], self.states[:1]
        secret = int(hidden_from(state, 0)) & ~(first | second | int(cards_of_unknown_origin(state, 0)))
        masked = [tuple(card if secret >> card & 1 else -1 for card in row) for row in self.layouts[0].tolist()]
        return len(set(masked)) > 1

    def find_relevant_slots(self, seen: Int64s) -> set[CardSlot]:
        """Return the slots that prove relevant, from the cards that any seat came to know in each world (n sets)."""
        found = set()
        for layouts, slots, irrelevant in zip(self.layouts, self.slots, self.irrelevant, strict=True):
            for column in np.flatnonzero(irrelevant):
                if np.any(seen >> layouts[:, column] & 1):
                    found.add(slots[column])
        return found


class _WorldLister:
    """Enumeration of the states consistent with a seat's observation and with ``revealed`` cards at some slots."""

    def __init__(self, relevant: set[CardSlot], revealed: dict[CardSlot, int], most: int) -> None:
        self.relevant = relevant
        self.revealed = revealed
        self.most = most
        self.steps = 0
        self.table = new_table()
        self.random = new_stream(0)

    def possible(self, observed: States, seat: int) -> tuple[States, Int64s, list[CardSlot], Bools]:
        """Return states, layouts, slots and the mask of irrelevant slots.

        Raises :class:`TooLargeError` or ``ValueError``.
        """
        slots, allowed, base = sample_layout(observed, seat, self.table, self.random)
        runs = self._runs(observed, seat, slots, base)
        self._mark_known(observed, seat, slots, base)
        pool = int(hidden_from(observed[0], seat)) & ~set_of(
            card for slot, card in self.revealed.items() if slot[0] == seat
        )
        idle = [run for run in runs if not any(slots[at] in self.relevant for at in run)]
        common = Counter(allowed[run[0]] & pool for run in idle for _ in run).most_common(1)
        irrelevant = np.zeros(len(slots), bool)
        for run in idle:
            irrelevant[run] = allowed[run[0]] & pool == common[0][0]
        tight = [(run, allowed[run[0]]) for run in runs if not irrelevant[run[0]]]
        rows = []
        for row, rest in self._choices(tight, [self.revealed.get(slot, 0) for slot in slots], pool):
            if rest and rest & ~common[0][0]:
                continue
            for at, card in zip(np.flatnonzero(irrelevant), cards_of(rest), strict=True):
                row[at] = card
            rows.append(tuple(row))
            if len(rows) > self.most:
                raise TooLargeError
        layouts = np.array(rows, np.int64).reshape(len(rows), len(slots))
        states, verdicts = states_of_layouts(observed, seat, layouts, self.table, self.random)
        if np.any(verdicts == UNSURE):
            raise ValueError("information other than cards is hidden, so the possible states cannot be listed")
        return states[verdicts == KEPT], layouts[verdicts == KEPT], slots, irrelevant

    def _runs(self, observed: States, seat: int, slots: list[CardSlot], base: list[int]) -> list[list[int]]:
        """Group the slots in runs within which the order of the cards has no effect.

        A hand is one run; a stock has one for each card.
        """
        layouts = np.tile(base, (max(1, len(slots)), 1))
        for at in range(1, len(slots)):
            layouts[at, [at - 1, at]] = layouts[at, [at, at - 1]]
        states, _ = states_of_layouts(observed, seat, layouts, self.table, self.random)
        runs: list[list[int]] = []
        for at, slot in enumerate(slots):
            if slot in self.revealed:
                continue
            alike = bool(runs) and runs[-1][-1] == at - 1 and slots[at - 1][1] == slot[1]
            alike = alike and states[at].tobytes() == states[0].tobytes()
            if alike:
                runs[-1].append(at)
            else:
                runs.append([at])
        return runs

    def _mark_known(self, observed: States, seat: int, slots: list[CardSlot], base: list[int]) -> None:
        """Mark the slots whose cards the other seat knows as relevant."""
        states, _ = states_of_layouts(observed, seat, np.array([base]), self.table, self.random)
        known = int(known_to(states[0], 1 - seat))
        self.relevant.update(slot for slot, card in zip(slots, base, strict=True) if known >> int(card) & 1)

    def _choices(
        self, tight: list[tuple[list[int], int]], row: list[int], left: int
    ) -> Iterator[tuple[list[int], int]]:
        """Yield every way to fill the runs from the cards left, each with the remaining cards; ``row`` is reused."""
        if not tight:
            yield row, left
            return
        (run, allowed), *others = tight
        for chosen in combinations(cards_of(left & allowed), len(run)):
            self.steps += 1
            if self.steps > STEPS_A_WORLD * self.most:
                raise TooLargeError
            for at, card in zip(run, chosen, strict=True):
                row[at] = card
            yield from self._choices(others, row, left & ~set_of(chosen))


def common_knowledge_of(
    state: AnyState, seat: int, relevant: set[CardSlot], revealed: dict[CardSlot, int], most: int
) -> CommonKnowledge:
    """Return the common-knowledge set of a state of a game of two seats.

    Args:
        state: the true state.
        seat: the first seat of the enumeration; the result does not depend on it.
        relevant: the relevant slots; slots whose cards the other seat knows are added.
        revealed: cards at some slots that both seats are assumed to know in addition.
        most: the maximum number of worlds.

    Raises:
        TooLargeError: there are more worlds.
        ValueError: they cannot be listed: information other than cards is hidden, or the seats disagree on what is
            possible.
    """
    lister = _WorldLister(relevant, revealed, most)
    states: list[OwnState] = []
    numbers: dict[bytes, int] = {}
    rows: list[dict[int, Int64s]] = [{}, {}]
    slots: list[list[CardSlot]] = [[], []]
    irrelevant: list[Any] = [None, None]
    done: set[tuple[int, bytes]] = set()
    waiting = [(seat, _observed_states(array_of(state), seat))]
    while waiting:
        observer, observations = waiting.pop()
        found = []
        for observation in observations:
            key = (observer, observation.tobytes())
            if key in done:
                continue
            done.add(key)
            possible, layouts, slots[observer], irrelevant[observer] = lister.possible(array_of(observation), observer)
            for world, layout in zip(possible, layouts, strict=True):
                number = numbers.setdefault(world.tobytes(), len(states))
                rows[observer][number] = layout
                if number == len(states):
                    states.append(world)
                    found.append(world)
            if len(states) > most:
                raise TooLargeError
        if found:
            array = np.array(found, state.dtype)
            waiting += [(other, _observed_states(array, other)) for other in range(SEATS)]
    if any(len(known) != len(states) for known in rows):
        raise ValueError("one seat considers a world possible that the other seat excludes")
    everything = np.array(states, state.dtype)
    by_seat = tuple(np.array([known[number] for number in range(len(states))]) for known in rows)
    return CommonKnowledge(everything, by_seat, tuple(slots), tuple(irrelevant))


def _observed_states(states: States, seat: int) -> States:
    """Return a new array with the seat's observation of each state."""
    observed = states.copy()
    hide_unknown_in_all(observed, seat, new_table())
    return observed
