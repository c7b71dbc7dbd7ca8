"""Legal actions of many games at once, by their numbers in the action space.

The rules number actions as suits them, and a number may mean two things at two stages; an action's number in the action
space is the place of its text among all (:attr:`parlour.engine.setup.Setup.actions`). What text an action has is said
once, by the game's ``name``. Compiled loops cannot ask it, so they look it up in a table of what has been asked before,
by the action and those of the state's numbers that ``name`` has ever read; what they do not find there is asked.
"""

from math import prod
from typing import Any

import numpy as np

from parlour.engine.chance import random_below
from parlour.engine.compiled import compiled, rule
from parlour.engine.fields import fields_of
from parlour.engine.rules import MAX_ACTIONS, legal
from parlour.engine.setup import Setup

Int64s = np.ndarray[Any, np.dtype[np.int64]]

UNASKED = -1
_APART = 8
"""Rows of a power of two would all begin in the same few lines of a processor's cache."""
_MIX = 0x9E3779B1
_LOW = (1 << 30) - 1


@rule
def place_in_table(code: int, size: int) -> int:
    """Where to begin looking for an action; ``size`` is a power of two."""
    return ((code & _LOW) * _MIX + (code >> 30) * (_MIX >> 1)) >> 12 & size - 1


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

    Attributes:
        reads: the places, among a state's words, of all that the game's ``name`` has ever read.
        keys: an action and these words; a row for each place in the table.
        numbers: the numbers in the action space, ``UNASKED`` where the table is free.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._read: set[str] = set()
        self._empty(1 << 10)

    def _empty(self, size: int) -> None:
        places: list[int] = []
        start = 0
        for field in fields_of(self._setup.game.dtype.names or ()):
            end = start + prod(field.axes)
            places += range(start, end) if field.name in self._read else ()
            start = end
        self.reads = np.array(places, np.int64)
        self.keys = np.zeros((size, 1 + len(places)), np.int64)
        self.numbers = np.full(size, UNASKED, np.int64)
        self._known: dict[tuple[int, ...], int] = {}

    def ask(self, state: Any, words: Any, codes: Any) -> None:
        """Put what is not known yet of these actions, all of one state, into the table.

        Raises:
            ParlourError: the game does not list its actions.
        """
        for code in codes:
            if (int(code), *words[self.reads].tolist()) not in self._known:
                reader = _Reader(state)
                number = self._setup.action_numbers[self._setup.game.name(reader, int(code))]
                if not reader.read <= self._read:
                    self._read |= reader.read
                    self._empty(len(self.numbers))
                elif 2 * len(self._known) > len(self.numbers):
                    known = self._known
                    self._empty(2 * len(self.numbers))
                    for key, its_number in known.items():
                        self._put(key, its_number)
                self._put((int(code), *words[self.reads].tolist()), number)

    def _put(self, key: tuple[int, ...], number: int) -> None:
        at = place_in_table(key[0], len(self.numbers))
        while self.numbers[at] != UNASKED:
            at = (at + 1) % len(self.numbers)
        self.keys[at], self.numbers[at] = key, number
        self._known[key] = number


# Many games


@compiled
def _list(states: Any, words: Any, table: Any, codes: Any, listed: Any, counts: Any, unasked: Any) -> bool:
    """List each game's legal actions by both their numbers; notes games with one not asked yet, tells if any has."""
    reads, keys, numbers = table
    any_unasked = False
    for index in range(states.shape[0]):
        counts[index] = legal(states[index], codes[index]) if states[index].actor >= 0 else 0
        unasked[index] = False
        for which in range(counts[index]):
            at = place_in_table(codes[index, which], numbers.shape[0])
            while numbers[at] != UNASKED:
                same = keys[at, 0] == codes[index, which]
                for read in range(reads.shape[0]):
                    same = same and keys[at, 1 + read] == words[index, reads[read]]
                if same:
                    break
                at = at + 1 & numbers.shape[0] - 1
            listed[index, which] = numbers[at]
            unasked[index] = unasked[index] or numbers[at] == UNASKED
        any_unasked = any_unasked or unasked[index]
    return any_unasked


@compiled
def _find(chosen: Any, listed: Any, counts: Any, found: Any) -> int:
    """Which of the listed actions is the chosen one; tells a game in which it is none of them, −1 if there is none."""
    wrong = -1
    for index in range(chosen.shape[0]):
        which = 0
        while which < counts[index] and listed[index, which] != chosen[index]:
            which += 1
        found[index] = which
        if which == counts[index] and which > 0:
            wrong = index
    return wrong


@compiled
def _choose(listed: Any, counts: Any, streams: Any, chosen: Any) -> None:
    for index in range(chosen.shape[0]):
        if counts[index] > 0:
            chosen[index] = listed[index, random_below(streams[index : index + 1], counts[index])]


@compiled
def _mark(mask: Any, marks: Any, marked: Any, listed: Any, counts: Any, wanted: Any) -> None:
    """Take away the marks that were made last time, and make those of now."""
    for index in range(mask.shape[0]):
        for which in range(marked[index]):
            mask[index, marks[index, which]] = False
        marked[index] = counts[index] if wanted[index] else 0
        for which in range(marked[index]):
            marks[index, which] = listed[index, which]
            mask[index, listed[index, which]] = True


class Listing:
    """The legal actions of *n* games as they stand.

    Attributes:
        codes: by the rules' own numbers, n × ``MAX_ACTIONS`` of which the first ``counts`` hold.
        listed: by their numbers in the action space, likewise.
        counts: how many there are in each game; 0 if no seat is to act.
        found: where among them the actions stand that :meth:`find` has looked for.
    """

    def __init__(self, numbers: ActionNumbers, games: int) -> None:
        self._numbers = numbers
        self.codes = np.zeros((games, MAX_ACTIONS + _APART), np.int64)
        self.listed, self._marks = np.zeros((2, games, MAX_ACTIONS + 2 * _APART), np.int32)
        self.counts, self.found, self._marked = np.zeros((3, games), np.int64)
        self._unasked = np.zeros(games, np.bool_)

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return sum(array.nbytes for array in vars(self).values() if isinstance(array, np.ndarray))

    def update(self, states: Any, words: Int64s) -> bool:
        """List the actions of these states, of which ``words`` are the numbers; tells if some are not known yet."""
        table = self._numbers.reads, self._numbers.keys, self._numbers.numbers
        return _list(states, words, table, self.codes, self.listed, self.counts, self._unasked)

    def ask(self, states: Any, words: Int64s) -> None:
        """Have the game name the actions that are not known yet."""
        for index in np.flatnonzero(self._unasked):
            self._numbers.ask(states[index], words[index], self.codes[index, : self.counts[index]])

    def find(self, chosen: Int64s) -> int:
        """Look for an action in each game; tells a game in which it is not legal, −1 if there is none."""
        return _find(chosen, self.listed, self.counts, self.found)

    def choose(self, streams: Any, chosen: Int64s) -> None:
        """Choose an action in each game, each equally likely."""
        _choose(self.listed, self.counts, streams, chosen)

    def mark(self, mask: Any, wanted: Any, unmarked: bool) -> None:
        """Mark the actions of those games that are wanted in a mask, which has the last marks or is ``unmarked``."""
        if unmarked:
            self._marked[:] = 0
        _mark(mask, self._marks, self._marked, self.listed, self.counts, wanted)
