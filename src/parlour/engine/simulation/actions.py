"""Legal actions of many games at once, as indices in the action space.

A game's rules encode an action as an integer of their own choice, its code, and the same code may mean different
actions at different stages. The index of an action in the action space is the index of its text in
:attr:`parlour.engine.setup.Setup.actions`. Only the game's ``name`` maps a code to its text, and compiled loops cannot
call it. They read a hash table of earlier results instead, whose key is the code and those words of the state
that ``name`` has read in any earlier call; Python code resolves and adds the missing entries. A game with very many
actions may compute their indices instead (:func:`parlour.engine.rules.action_number`).
"""

from functools import lru_cache
from math import prod
from threading import Lock
from typing import Any, TypeAlias

import numpy as np

from parlour.engine.arrays import Bools, Int8s, Int32s, Int64s, States, Streams
from parlour.engine.chance import random_below
from parlour.engine.compiled import compiled, rule, unsigned
from parlour.engine.fields import fields_of
from parlour.engine.rules import ACTION_ROOM, LOOKED_UP, action_number, legal
from parlour.engine.setup import Setup
from parlour.engine.typed_state import AnyState

ActionTable: TypeAlias = tuple[Int64s, Int64s, Int64s]
"""``reads``, ``contexts`` and ``rows`` of :class:`ActionNumbers`."""
ActionLists: TypeAlias = tuple[Int64s, Int32s, Int64s, Bools, Int64s]
"""``codes``, ``listed``, ``counts``, ``stale`` of :class:`Listing`, and scratch space."""
Marks: TypeAlias = tuple[Int64s, Int32s]
"""The number of marks in each game, and the marked indices."""

UNASKED = -1
"""The mark of a free table row, and of an action whose index is not in the table."""
WAITING = -(1 << 40)
"""The choice in a game that waits while others are played."""
_INITIAL_CAPACITY = 32
"""Initial capacity of an action list, in actions. Rows of the maximum length would exceed the processor's cache of
addresses (TLB)."""
_RESOLVED_AT_ONCE = 64
"""Batch size, in games, for resolving unknown actions; a few games usually fill the table for the rest."""
_ROW_PADDING = 8
"""Padding of a row, in actions. Rows whose length is a power of two would all begin in the same few cache lines."""
_MIX = 0x9E3779B1
_LOW_BITS = (1 << 30) - 1
_CONTEXT_SHIFT = 32
"""The lowest bit of the context in the second word of a table row; the bits below hold the action's index."""


@rule
def place_in_table(code: int, size: int) -> int:
    """Return the row at which the search for a code begins, in a table of ``size`` rows, a power of two."""
    return ((code & _LOW_BITS) * _MIX + (code >> 30) * (_MIX >> 1)) >> 12 & size - 1


@rule
def place_of_context(words: "Int64s | tuple[int, ...]", reads: Int64s, contexts: Int64s) -> int:
    """Return the row of ``contexts`` that holds the words of a state at ``reads``, or a free row for them."""
    folded = 0
    for read in range(reads.shape[0]):
        folded = folded * 31 + words[unsigned(reads[read])] & _LOW_BITS
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
def place_of_action(code: int, context: int, rows: Int64s) -> int:
    """Return the row of the table that holds an action in a context, or a free row for it."""
    at = place_in_table(code + context * _MIX, rows.shape[0])
    while rows[unsigned(at), 1] != UNASKED and (
        rows[unsigned(at), 0] != code or rows[unsigned(at), 1] >> _CONTEXT_SHIFT != context
    ):
        at = at + 1 & rows.shape[0] - 1
    return at


class _Reader:
    """A wrapper around a state that records the names of the fields read from it."""

    def __init__(self, state: AnyState) -> None:
        self._state = state
        self.dtype = state.dtype
        self.read: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return getattr(self._state, name)


class ActionNumbers:
    """A hash table from the moves of a setup to their indices in the action space.

    A *context* is the tuple of words that the game's ``name`` reads from a state; all actions of one state share it.
    Threads may share a table: arrays are replaced, not changed, when entries are added.

    Attributes:
        reads: the indices, among a state's words, of all fields that ``name`` has ever read.
        contexts: one row for each context: its number, or ``UNASKED`` in a free row, and the words.
        rows: one row for each action: its code, and one word that holds both its context and its index in the action
            space; ``UNASKED`` in a free row.
        table: the three arrays, which fit one another; the argument of :func:`list_stale`.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._lock = Lock()
        self._read: set[str] = set()
        self._clear()
        self.table = self.reads, self.contexts, self.rows

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the setup alone: another process has a table of its own."""
        return numbers_of, (self._setup,)

    def _clear(self) -> None:
        """Empty the table, and lay it out for the fields that ``name`` has read."""
        places: list[int] = []
        start = 0
        for field in fields_of(self._setup.game.dtype.names):
            end = start + prod(field.axes)
            places += range(start, end) if field.name in self._read else ()
            start = end
        self.reads = np.array(places, np.int64)
        self._indices: dict[tuple[int, int], int] = {}
        self._contexts: dict[tuple[int, ...], int] = {}
        self._rebuild_contexts(1 << 4)
        self._rebuild_rows(1 << 10)

    def _rebuild_contexts(self, size: int) -> None:
        self.contexts = np.full((size, 1 + len(self.reads)), UNASKED, np.int64)
        for words, context in self._contexts.items():
            self._put_context(words, context)

    def _rebuild_rows(self, size: int) -> None:
        self.rows = np.full((size, 2), UNASKED, np.int64)
        for (code, context), number in self._indices.items():
            self._put_action(code, context, number)

    def ask(self, state: AnyState, words: Int64s, codes: Int64s) -> None:
        """Add to the table the actions that it lacks; all of them are actions of one state.

        Raises:
            ParlourError: the game does not list its actions.
        """
        with self._lock:
            self.contexts, self.rows = self.contexts.copy(), self.rows.copy()
            self._add(state, words, codes)
            self.table = self.reads, self.contexts, self.rows

    def _add(self, state: AnyState, words: Int64s, codes: Int64s) -> None:
        for code in map(int, codes):
            if (code, self._context_of(words)) not in self._indices:
                reader = _Reader(state)
                number = self._setup.action_numbers[self._setup.game.name(reader, code)]
                if not reader.read <= self._read:
                    self._read |= reader.read
                    self._clear()
                context = self._context_of(words)
                self._indices[code, context] = number
                if 2 * len(self._indices) > len(self.rows):
                    self._rebuild_rows(2 * len(self.rows))
                else:
                    self._put_action(code, context, number)

    def _context_of(self, words: Int64s) -> int:
        read = tuple(words[self.reads].tolist())
        if read not in self._contexts:
            self._contexts[read] = len(self._contexts)
            if 2 * len(self._contexts) > len(self.contexts):
                self._rebuild_contexts(2 * len(self.contexts))
            else:
                self._put_context(read, self._contexts[read])
        return self._contexts[read]

    def _put_context(self, words: tuple[int, ...], context: int) -> None:
        at = place_of_context(words, np.arange(len(words)), self.contexts)
        self.contexts[at] = context, *words

    def _put_action(self, code: int, context: int, number: int) -> None:
        at = place_of_action(code, context, self.rows)
        self.rows[at] = code, context << _CONTEXT_SHIFT | number


@lru_cache(maxsize=32)
def numbers_of(setup: Setup) -> ActionNumbers:
    """Return the table of a setup, which all batches of this process share."""
    return ActionNumbers(setup)


# Many games


@rule
def list_stale(states: States, words: Int64s, table: ActionTable, lists: ActionLists, first: int, last: int) -> bool:
    """List the legal actions of the games from ``first`` to ``last - 1`` whose lists are stale, as codes and indices.

    A list stays stale if it is longer than the capacity or contains an action that is not in the table. Returns True
    if any list stays stale.
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
                    number = UNASKED if row == UNASKED else row & (1 << _CONTEXT_SHIFT) - 1
                    stale[index] = stale[index] or row == UNASKED
                codes[index, unsigned(which)] = code
                listed[index, unsigned(which)] = number
            any_stale = any_stale or stale[index]
    return any_stale


@rule
def mark_legal(
    states: States,
    seats: Int64s,
    mask: Bools | Int8s,
    unmarked: bool,
    lists: ActionLists,
    marks: Marks,
    first: int,
    last: int,
) -> None:
    """Mark the legal actions of the games from ``first`` to ``last - 1`` in which the given seat is to act.

    Clears the marks of the previous call first, unless ``unmarked`` says that the mask has none.
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
def _list(states: States, words: Int64s, table: ActionTable, lists: ActionLists) -> bool:
    return list_stale(states, words, table, lists, 0, states.shape[0])


@rule
def find_chosen(chosen: Int64s, lists: ActionLists, found: Int64s) -> int:
    """Write into ``found`` the position of each chosen action in its list, or ``WAITING``.

    Returns a game whose chosen action is not legal, or −1 if there is none.
    """
    listed, counts = lists[1], lists[2]
    wrong = -1
    for index in range(chosen.shape[0]):
        which = found[index]  # the position of the action chosen at random
        if 0 <= which < counts[index] and listed[index, which] == chosen[index]:
            continue
        if chosen[index] == WAITING:
            found[index] = WAITING
            continue
        which = 0
        while which < counts[index] and listed[index, which] != chosen[index]:
            which += 1
        found[index] = which
        if which == counts[index] and which > 0:
            wrong = index
    return wrong


@compiled
def _find(chosen: Int64s, lists: ActionLists, found: Int64s) -> int:
    return find_chosen(chosen, lists, found)


@compiled
def _choose(lists: ActionLists, streams: Streams, chosen: Int64s, found: Int64s) -> None:
    listed, counts = lists[1], lists[2]
    for index in range(chosen.shape[0]):
        if counts[index] > 0:
            found[index] = random_below(streams[index : index + 1], counts[index])
            chosen[index] = listed[index, found[index]]


class Listing:
    """The legal actions of *n* games, and the marks that the last call of :func:`mark_legal` made.

    Attributes:
        codes: the moves, one row for each game; the first ``counts`` of a row are valid.
        listed: the same actions as indices in the action space.
        counts: the number of legal actions in each game; 0 if no seat is to act.
        stale: whether the state of the game has changed since its actions were listed.
        found: the position, in each game's list, of the action that :meth:`choose` chose or :meth:`find` found.
        lists: ``codes``, ``listed``, ``counts``, ``stale`` and scratch space, the arguments of :func:`list_stale`.
        marks: the number of marks in each game and the marked indices, the arguments of :func:`mark_legal`.
    """

    def __init__(self, numbers: ActionNumbers, games: int) -> None:
        self._numbers = numbers
        self.counts, self.found, self._marked = np.zeros((3, games), np.int64)
        self.stale = np.ones(games, np.bool_)
        self._scratch = np.zeros(ACTION_ROOM, np.int64)
        self.codes = np.zeros((games, 0), np.int64)
        self.listed, self._marks = np.zeros((2, games, 0), np.int32)
        self._widen(_INITIAL_CAPACITY)

    def _widen(self, actions: int) -> None:
        """Widen the arrays to hold ``actions`` for each game."""
        wider = (0, 0), (0, actions + _ROW_PADDING - self.codes.shape[1])
        self.codes = np.pad(self.codes, wider)
        self.listed, self._marks = np.pad(self.listed, wider), np.pad(self._marks, wider)
        self.lists = self.codes, self.listed, self.counts, self.stale, self._scratch
        self.marks = self._marked, self._marks

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, in bytes."""
        return sum(array.nbytes for array in (*self.lists[:4], *self.marks, self.found))

    @property
    def table(self) -> ActionTable:
        """The arrays of :class:`ActionNumbers`, for :func:`list_stale`."""
        return self._numbers.table

    def update(self, states: States, words: Int64s) -> bool:
        """Update the stale lists for these states, whose memory ``words`` shares; return True if one stays stale."""
        return _list(states, words, self.table, self.lists)

    def ask(self, states: States, words: Int64s) -> None:
        """Widen the lists that are too short, or else add unknown actions of some stale games to the table."""
        most = int(self.counts.max())
        if most > self.codes.shape[1]:
            self._widen(2 * most)
            return
        for index in np.flatnonzero(self.stale)[:_RESOLVED_AT_ONCE]:
            self._numbers.ask(states[index], words[index], self.codes[index, : self.counts[index]])

    def find(self, chosen: Int64s) -> int:
        """Find the chosen action of each game; return a game in which it is not legal, or −1 if there is none."""
        return _find(chosen, self.lists, self.found)

    def choose(self, streams: Streams, chosen: Int64s) -> None:
        """Choose a legal action in each game uniformly at random."""
        _choose(self.lists, streams, chosen, self.found)
