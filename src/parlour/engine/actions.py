"""Legal actions of many games at once, by their numbers in the action space.

The rules number actions as suits them, and a number may mean two things at two stages; an action's number in the action
space is the place of its text among all (:attr:`parlour.engine.setup.Setup.actions`). What text an action has is said
once, by the game's ``name``. Compiled loops cannot ask it, so they look it up in a table of what has been asked before,
by the action and those of the state's numbers that ``name`` has ever read; what they do not find there is asked. A game
with very many actions may work their numbers out instead (:func:`parlour.engine.rules.action_number`).
"""

from math import prod
from typing import Any

import numpy as np

from parlour.engine.chance import random_below
from parlour.engine.compiled import compiled, rule, unsigned
from parlour.engine.fields import fields_of
from parlour.engine.rules import LOOKED_UP, MAX_ACTIONS, action_number, legal
from parlour.engine.setup import Setup

Int64s = np.ndarray[Any, np.dtype[np.int64]]

UNASKED = -1
_ROOM = 32
"""So many actions a game has room for in a listing at first. Room for the most that there can be would be spread over
more pages of memory than a processor keeps the places of."""
_ASKED_AT_ONCE = 64
"""So many games are asked about before all are listed again, of which most need not be asked then."""
_APART = 8
"""Rows of a power of two would all begin in the same few lines of a processor's cache."""
_MIX = 0x9E3779B1
_LOW = (1 << 30) - 1
_ABOVE = 32
"""In a row of the table an action's context stands beside its number, from this bit on."""


@rule
def place_in_table(code: int, size: int) -> int:
    """Where to begin looking for an action; ``size`` is a power of two."""
    return ((code & _LOW) * _MIX + (code >> 30) * (_MIX >> 1)) >> 12 & size - 1


@rule
def place_of_context(words: Any, reads: Any, contexts: Any) -> int:
    """The row of ``contexts`` for those of a state's words that are read: the one that holds them, or a free one."""
    folded = 0
    for read in range(reads.shape[0]):
        folded = folded * 31 + words[unsigned(reads[read])] & _LOW
    at = place_in_table(folded, contexts.shape[0])
    while contexts[unsigned(at), 0] != UNASKED:
        same = True
        for read in range(reads.shape[0]):
            same = same and contexts[unsigned(at), 1 + read] == words[unsigned(reads[read])]
        if same:
            break
        at = at + 1 & contexts.shape[0] - 1
    return at


@rule
def place_of_action(code: int, context: int, rows: Any) -> int:
    """The row of the table for an action in a context: the one that holds it, or a free one."""
    at = place_in_table(code + context * _MIX, rows.shape[0])
    while rows[unsigned(at), 1] != UNASKED and (
        rows[unsigned(at), 0] != code or rows[unsigned(at), 1] >> _ABOVE != context
    ):
        at = at + 1 & rows.shape[0] - 1
    return at


class _Reader:
    """A state that notes which of its fields are read."""

    def __init__(self, state: Any) -> None:
        self._state = state
        self.dtype = state.dtype
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return getattr(self._state, name)


class ActionNumbers:
    """The table of a setup: what has been asked so far.

    A *context* is what the game's ``name`` reads of a state, the same for all actions of a moment.

    Attributes:
        reads: the places, among a state's words, of all that ``name`` has ever read.
        contexts: a row for each context: its number, ``UNASKED`` where the row is free, and the words that were read.
        rows: of each action its code, and its context and its number in the action space together, so that both lie
            side by side in memory; ``UNASKED`` where the row is free.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._read: set[str] = set()
        self._begin()

    def _begin(self) -> None:
        """Nothing is known, but what ``name`` has read."""
        places: list[int] = []
        start = 0
        for field in fields_of(self._setup.game.dtype.names or ()):
            end = start + prod(field.axes)
            places += range(start, end) if field.name in self._read else ()
            start = end
        self.reads = np.array(places, np.int64)
        self._known: dict[tuple[int, int], int] = {}
        self._contexts: dict[tuple[int, ...], int] = {}
        self._lay_out_contexts(1 << 4)
        self._lay_out(1 << 10)

    def _lay_out_contexts(self, size: int) -> None:
        self.contexts = np.full((size, 1 + len(self.reads)), UNASKED, np.int64)
        for words, context in self._contexts.items():
            self._put_context(words, context)

    def _lay_out(self, size: int) -> None:
        self.rows = np.full((size, 2), UNASKED, np.int64)
        for (code, context), number in self._known.items():
            self._put(code, context, number)

    def ask(self, state: Any, words: Any, codes: Any) -> None:
        """Put what is not known yet of these actions, all of one state, into the table.

        Raises:
            ParlourError: the game does not list its actions.
        """
        for code in map(int, codes):
            if (code, self._context_of(words)) not in self._known:
                reader = _Reader(state)
                number = self._setup.action_numbers[self._setup.game.name(reader, code)]
                if not reader.read <= self._read:
                    self._read |= reader.read
                    self._begin()
                context = self._context_of(words)
                self._known[code, context] = number
                if 2 * len(self._known) > len(self.rows):
                    self._lay_out(2 * len(self.rows))
                else:
                    self._put(code, context, number)

    def _context_of(self, words: Any) -> int:
        read = tuple(words[self.reads].tolist())
        if read not in self._contexts:
            self._contexts[read] = len(self._contexts)
            if 2 * len(self._contexts) > len(self.contexts):
                self._lay_out_contexts(2 * len(self.contexts))
            else:
                self._put_context(read, self._contexts[read])
        return self._contexts[read]

    def _put_context(self, words: tuple[int, ...], context: int) -> None:
        at = place_of_context(words, np.arange(len(words)), self.contexts)
        self.contexts[at] = context, *words

    def _put(self, code: int, context: int, number: int) -> None:
        at = place_of_action(code, context, self.rows)
        self.rows[at] = code, context << _ABOVE | number


# Many games


@rule
def list_stale(states: Any, words: Any, table: Any, lists: Any, first: int, last: int) -> bool:
    """List the legal actions of those of the games ``first`` to ``last`` whose lists are stale, by both their numbers.

    A list with an action that has not been asked for stays stale, and so does one for which there is no room; tells if
    there is any.
    """
    reads, contexts, rows = table
    codes, listed, counts, stale, scratch = lists
    any_stale = False
    for index in range(first, last):
        if stale[index]:
            counts[index] = legal(states[index], scratch) if states[index].actor >= 0 else 0
            stale[index] = counts[index] > codes.shape[1]
            context = contexts[place_of_context(words[index], reads, contexts), 0]
            for which in range(0 if stale[index] else counts[index]):
                code = scratch[which]
                number = action_number(states[index], code)
                if number == LOOKED_UP:
                    row = rows[unsigned(place_of_action(code, context, rows)), 1]
                    number = UNASKED if row == UNASKED else row & (1 << _ABOVE) - 1
                    stale[index] = stale[index] or row == UNASKED
                codes[index, unsigned(which)] = code
                listed[index, unsigned(which)] = number
            any_stale = any_stale or stale[index]
    return any_stale


@rule
def mark_legal(
    states: Any, seats: Any, mask: Any, unmarked: bool, lists: Any, marks: Any, first: int, last: int
) -> None:
    """Mark the actions of those of the games ``first`` to ``last`` in which the seat is to act.

    The marks of last time are taken away first, unless the mask has none.
    """
    listed, counts = lists[1], lists[2]
    marked, numbers = marks
    for index in range(first, last):
        if not unmarked:
            for which in range(marked[index]):
                mask[index, unsigned(numbers[index, which])] = False
        marked[index] = counts[index] if seats[index] == states[index].actor else 0
        for which in range(marked[index]):
            number = listed[index, which]
            numbers[index, which] = number
            mask[index, unsigned(number)] = True


@compiled
def _list(states: Any, words: Any, table: Any, lists: Any) -> bool:
    return list_stale(states, words, table, lists, 0, states.shape[0])


@rule
def find_chosen(chosen: Any, lists: Any, found: Any) -> int:
    """Which of the listed actions is the chosen one; tells a game in which it is none of them, −1 if there is none."""
    listed, counts = lists[1], lists[2]
    wrong = -1
    for index in range(chosen.shape[0]):
        which = found[index]  # where the one chosen at random stands
        if which < counts[index] and listed[index, which] == chosen[index]:
            continue
        which = 0
        while which < counts[index] and listed[index, which] != chosen[index]:
            which += 1
        found[index] = which
        if which == counts[index] and which > 0:
            wrong = index
    return wrong


@compiled
def _find(chosen: Any, lists: Any, found: Any) -> int:
    return find_chosen(chosen, lists, found)


@compiled
def _choose(lists: Any, streams: Any, chosen: Any, found: Any) -> None:
    listed, counts = lists[1], lists[2]
    for index in range(chosen.shape[0]):
        if counts[index] > 0:
            found[index] = random_below(streams[index : index + 1], counts[index])
            chosen[index] = listed[index, found[index]]


class Listing:
    """The legal actions of *n* games as they stand, and the marks that were made of them last.

    Attributes:
        codes: by the rules' own numbers, a row for each game of which the first ``counts`` hold.
        listed: by their numbers in the action space, likewise.
        counts: how many there are in each game; 0 if no seat is to act.
        stale: whether the game has gone on since its actions were listed.
        found: where among them the actions stand that :meth:`choose` has chosen, or :meth:`find` has looked for.
        lists: of these the first four, and scratch space, for :func:`list_stale`.
        marks: how many were made in each game, and of which numbers, for :func:`mark_legal`.
    """

    def __init__(self, numbers: ActionNumbers, games: int) -> None:
        self._numbers = numbers
        self.counts, self.found, self._marked = np.zeros((3, games), np.int64)
        self.stale = np.ones(games, np.bool_)
        self._scratch = np.zeros(MAX_ACTIONS, np.int64)
        self.codes = np.zeros((games, 0), np.int64)
        self.listed, self._marks = np.zeros((2, games, 0), np.int32)
        self._make_room(_ROOM)

    def _make_room(self, actions: int) -> None:
        """Let each game have so many."""
        wider = (0, 0), (0, actions + _APART - self.codes.shape[1])
        self.codes = np.pad(self.codes, wider)
        self.listed, self._marks = np.pad(self.listed, wider), np.pad(self._marks, wider)
        self.lists = self.codes, self.listed, self.counts, self.stale, self._scratch
        self.marks = self._marked, self._marks

    @property
    def nbytes(self) -> int:
        """The memory that it takes for the games."""
        return sum(array.nbytes for array in (*self.lists[:4], *self.marks, self.found))

    @property
    def table(self) -> tuple[Int64s, Int64s, Int64s]:
        """What has been asked so far, for :func:`list_stale`."""
        return self._numbers.reads, self._numbers.contexts, self._numbers.rows

    def update(self, states: Any, words: Int64s) -> bool:
        """List what is stale, for these states, of which ``words`` are the numbers; tells if something stays so."""
        return _list(states, words, self.table, self.lists)

    def ask(self, states: Any, words: Int64s) -> None:
        """Make room for the lists that stayed stale, or have the game name the actions that are not known yet."""
        most = int(self.counts.max())
        if most > self.codes.shape[1]:
            self._make_room(2 * most)
            return
        for index in np.flatnonzero(self.stale)[:_ASKED_AT_ONCE]:
            self._numbers.ask(states[index], words[index], self.codes[index, : self.counts[index]])

    def find(self, chosen: Int64s) -> int:
        """Look for an action in each game; tells a game in which it is not legal, −1 if there is none."""
        return _find(chosen, self.lists, self.found)

    def choose(self, streams: Any, chosen: Int64s) -> None:
        """Choose an action in each game, each equally likely."""
        _choose(self.lists, streams, chosen, self.found)
