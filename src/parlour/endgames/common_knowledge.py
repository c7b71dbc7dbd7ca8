"""All the states that players must think possible who know what both of them know: where a shrunken game begins.

A seat cannot tell its state from those that look the same to it, in each of which the other seat cannot tell it from
others again; whatever can be reached by going on so is possible by common knowledge, and nothing else is. (Aumann,
"Agreeing to disagree", 1976; as the root of a subgame: Burch, Johanson, Bowling, "Solving imperfect information games
using decomposition", AAAI 2014.) All layouts that a seat must think possible are equally likely
(:mod:`parlour.engine.determinization`), and so are all *worlds* that hang together in this way.

Worlds that differ only in cards which nobody will ever see are one: the order of what is left of a stock, say. A *spot*
of a place *counts* if the other seat knows its card, or if anybody comes to know it in the game that follows; what lies
at the others is laid out once, in the order of the cards, instead of in all ways. The same cards may lie at each of
them, so every world stands for equally many layouts. Which spots count the tree itself tells
(:func:`parlour.endgames.endgame_tree.endgame_tree_of`).

Where it matters for what is hidden from where a card came that now lies open (:mod:`parlour.engine.unknown_origin`),
both are told so: those origins alone can be more than can be listed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from parlour.cards import cards_of, set_of
from parlour.engine.chance import new_stream, start_stream
from parlour.engine.compiled import compiled
from parlour.engine.determinization import (
    draw_determinization,
    hidden_from,
    hide_unknown,
    new_table,
    prepare_determinization,
)
from parlour.engine.rules import MAX_PLACES, array_of, fits, ghosts, known_to, new_states, place, places, remember

SEATS = 2
TRIALS = 256
"""A layout that can come about in n ways is kept by the rules once in n times (``fits``): it is tried so often."""
STEPS_A_WORLD = 10
"""Maximum number of tries per possible world."""
RULED_OUT, KEPT, UNSURE = range(3)

CardSlot = tuple[int, int, int]
"""A seat, a place as that seat counts them, and an index in it."""


class TooLargeError(Exception):
    """There is more to list than was allowed."""


@compiled
def lay_out(observed: Any, seat: int, layouts: Any, states: Any, verdicts: Any, table: Any, random: Any) -> None:
    """Fill each of ``states`` with the one of ``observed`` and a row of ``layouts``: the cards of all places in turn.

    ``verdicts`` tells what was KEPT, what is RULED_OUT by what several places must fulfil together, and what is UNSURE
    because more is hidden than cards.
    """
    number = places(observed[0], seat, table.sizes, table.allowed)
    for index in range(states.shape[0]):
        states[index] = observed[0]
        at = 0
        for which in range(number):
            for spot in range(table.sizes[which]):
                table.layout[which, spot] = layouts[index, at]
                at += 1
            place(states[index], seat, which, table.layout[which], table.sizes[which])
        verdicts[index] = RULED_OUT
        for trial in range(TRIALS):
            start_stream(random, trial, 0)
            before = random[0]
            if fits(states[index], seat, random):
                verdicts[index] = KEPT
                break
            if random[0] == before:
                break
        before = random[0]
        remember(states[index], seat, random)
        if random[0] != before:
            verdicts[index] = UNSURE


@compiled
def hide_unknown_in_all(states: Any, seat: int, table: Any) -> None:
    """Take out of each state what the seat may not know."""
    for index in range(states.shape[0]):
        hide_unknown(states[index], seat, table)


@compiled
def _draw_layout(observed: Any, seat: int, table: Any, random: Any) -> None:
    prepare_determinization(observed[0], seat, table)
    draw_determinization(observed[0], seat, table, random)


def some_layout(observed: Any, seat: int, table: Any, random: Any) -> tuple[list[CardSlot], list[int], Any]:
    """The spots, the cards that each may hold as a set, and a layout of them; ``observed`` is left as it is."""
    sizes, allowed = np.zeros((2, MAX_PLACES), np.int64)
    number = int(places(observed[0], seat, sizes, allowed))
    _draw_layout(array_of(observed[0]), seat, table, random)
    spots = [(seat, which, index) for which in range(number) for index in range(sizes[which])]
    return (
        spots,
        [int(allowed[which]) for _, which, _ in spots],
        [int(table.layout[which, at]) for _, which, at in spots],
    )


def tell_origins(state: Any, seat: int, random: Any) -> tuple[Any, dict[CardSlot, int]]:
    """A state that may as well be the true one, for the two seats in turn, and from where its open cards came."""
    told: dict[CardSlot, int] = {}
    states = array_of(state)
    for looking in (seat, 1 - seat):
        states = _sights(states, looking)
        table = new_table()
        spots, _, base = some_layout(states, looking, table, random)
        origins = int(ghosts(states[0], looking))
        told.update((spot, card) for spot, card in zip(spots, base, strict=True) if origins >> card & 1)
        filled, _ = fill(states, looking, np.array([base], np.int64), table, random)
        states = filled
    return states[0], told


def fill(observed: Any, seat: int, layouts: Any, table: Any, random: Any) -> tuple[Any, Any]:
    """The states with these layouts, and the verdicts (:func:`lay_out`)."""
    states, verdicts = new_states(observed.dtype, len(layouts)), np.zeros(len(layouts), np.int64)
    lay_out(observed, seat, layouts, states, verdicts, table, random)
    return states, verdicts


@dataclass(frozen=True)
class CommonKnowledge:
    """Equally likely states, no two of which everybody can tell apart for certain by common knowledge.

    Attributes:
        states: *n* of them.
        layouts: for each seat n × m card numbers, what lies at each spot that this seat does not know.
        spots: for each seat its m spots, in the order of ``layouts``.
        loose: for each seat which of its spots do not count, m truth values.
    """

    states: Any
    layouts: tuple[Any, ...]
    spots: tuple[list[CardSlot], ...]
    loose: tuple[Any, ...]

    @property
    def hidden(self) -> bool:
        """Whether the worlds differ in a card that now is hidden from a seat, not only in when open cards had come."""
        known = [tuple(int(known_to(state, seat)) for seat in range(SEATS)) for state in self.states]
        if len(set(known)) > 1:
            return True
        (first, second), [state] = known[0], self.states[:1]
        secret = int(hidden_from(state, 0)) & ~(first | second | int(ghosts(state, 0)))
        masked = [tuple(card if secret >> card & 1 else -1 for card in row) for row in self.layouts[0].tolist()]
        return len(set(masked)) > 1

    def seen_spots(self, seen: Any) -> set[CardSlot]:
        """The spots that count after all, given which cards somebody came to know in each world (n sets)."""
        found = set()
        for layouts, spots, loose in zip(self.layouts, self.spots, self.loose, strict=True):
            for column in np.flatnonzero(loose):
                if np.any(seen >> layouts[:, column] & 1):
                    found.add(spots[column])
        return found


class _Lister:
    """Lists what a seat must think possible, given its sight, and that it is ``told`` what is at some spots."""

    def __init__(self, counting: set[CardSlot], told: dict[CardSlot, int], most: int) -> None:
        self.counting = counting
        self.told = told
        self.most = most
        self.steps = 0
        self.table = new_table()
        self.random = new_stream(0)

    def possible(self, observed: Any, seat: int) -> tuple[Any, Any, list[CardSlot], Any]:
        """States, layouts, spots and which of these do not count. Raises :class:`TooLargeError`, ``ValueError``."""
        spots, allowed, base = some_layout(observed, seat, self.table, self.random)
        runs = self._runs(observed, seat, spots, base)
        self._note_known(observed, seat, spots, base)
        pool = int(hidden_from(observed[0], seat)) & ~set_of(
            card for spot, card in self.told.items() if spot[0] == seat
        )
        idle = [run for run in runs if not any(spots[at] in self.counting for at in run)]
        common = Counter(allowed[run[0]] & pool for run in idle for _ in run).most_common(1)
        loose = np.zeros(len(spots), bool)
        for run in idle:
            loose[run] = allowed[run[0]] & pool == common[0][0]
        tight = [(run, allowed[run[0]]) for run in runs if not loose[run[0]]]
        rows = []
        for row, rest in self._choices(tight, [self.told.get(spot, 0) for spot in spots], pool):
            if rest and rest & ~common[0][0]:
                continue
            for at, card in zip(np.flatnonzero(loose), cards_of(rest), strict=True):
                row[at] = card
            rows.append(tuple(row))
            if len(rows) > self.most:
                raise TooLargeError
        layouts = np.array(rows, np.int64).reshape(len(rows), len(spots))
        states, verdicts = fill(observed, seat, layouts, self.table, self.random)
        if np.any(verdicts == UNSURE):
            raise ValueError("more is hidden here than cards, so what is possible cannot be listed")
        return states[verdicts == KEPT], layouts[verdicts == KEPT], spots, loose

    def _runs(self, observed: Any, seat: int, spots: list[CardSlot], base: Any) -> list[list[int]]:
        """The spots in runs within which it does not matter which card is where: a hand is one, a stock is many."""
        layouts = np.tile(base, (max(1, len(spots)), 1))
        for at in range(1, len(spots)):
            layouts[at, [at - 1, at]] = layouts[at, [at, at - 1]]
        states, _ = fill(observed, seat, layouts, self.table, self.random)
        runs: list[list[int]] = []
        for at, spot in enumerate(spots):
            if spot in self.told:
                continue
            alike = bool(runs) and runs[-1][-1] == at - 1 and spots[at - 1][1] == spot[1]
            alike = alike and states[at].tobytes() == states[0].tobytes()
            if alike:
                runs[-1].append(at)
            else:
                runs.append([at])
        return runs

    def _note_known(self, observed: Any, seat: int, spots: list[CardSlot], base: Any) -> None:
        """The spots of which the other seat knows the card count."""
        states, _ = fill(observed, seat, np.array([base]), self.table, self.random)
        known = int(known_to(states[0], 1 - seat))
        self.counting.update(spot for spot, card in zip(spots, base, strict=True) if known >> int(card) & 1)

    def _choices(
        self, tight: list[tuple[list[int], int]], row: list[int], left: int
    ) -> Iterator[tuple[list[int], int]]:
        """Every way to fill the runs from the cards left, each with what is left then; ``row`` is used again."""
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
    state: Any, seat: int, counting: set[CardSlot], told: dict[CardSlot, int], most: int
) -> CommonKnowledge:
    """Every world that is possible by common knowledge in a state of a game of two seats.

    Args:
        state: the true one.
        seat: where to begin; it makes no difference to what is found.
        told: what both are told to lie at some spots, besides what they know.
        counting: the spots that count; those whose cards the other seat knows are added to them.
        most: how many worlds at most.

    Raises:
        TooLargeError: there are more.
        ValueError: they cannot be listed: more is hidden than cards, or the seats do not agree on what is possible.
    """
    lister = _Lister(counting, told, most)
    states: list[Any] = []
    numbers: dict[bytes, int] = {}
    rows: list[dict[int, Any]] = [{}, {}]
    spots: list[list[CardSlot]] = [[], []]
    loose: list[Any] = [None, None]
    begun: set[tuple[int, bytes]] = set()
    waiting = [(seat, _sights(array_of(state), seat))]
    while waiting:
        looking, observations = waiting.pop()
        found = []
        for observation in observations:
            key = (looking, observation.tobytes())
            if key in begun:
                continue
            begun.add(key)
            possible, layouts, spots[looking], loose[looking] = lister.possible(array_of(observation), looking)
            for world, layout in zip(possible, layouts, strict=True):
                number = numbers.setdefault(world.tobytes(), len(states))
                rows[looking][number] = layout
                if number == len(states):
                    states.append(world)
                    found.append(world)
            if len(states) > most:
                raise TooLargeError
        if found:
            array = np.array(found, state.dtype)
            waiting += [(other, _sights(array, other)) for other in range(SEATS)]
    if any(len(known) != len(states) for known in rows):
        raise ValueError("a world that one seat must think possible is none for the other")
    everything = np.array(states, state.dtype)
    layouts = tuple(np.array([known[number] for number in range(len(states))]) for known in rows)
    return CommonKnowledge(everything, layouts, tuple(spots), tuple(loose))


def _sights(states: Any, seat: int) -> Any:
    """What a seat sees of each state; a new array."""
    observed = states.copy()
    hide_unknown_in_all(observed, seat, new_table())
    return observed
