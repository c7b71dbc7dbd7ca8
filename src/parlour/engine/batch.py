"""Many games side by side, a step at a time, on all cores: for learning and for study.

Each game has its own stream of chance, so a batch gives the same games whatever the number of threads; game *n* played
by ``play_out`` from the start, or by ``random_actions``, is game *n* of
:func:`parlour.engine.playouts.run_playouts` with the same seed.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.actions import ActionNumbers, Listing
from parlour.engine.chance import random_below, start_stream
from parlour.engine.compiled import compiled, rule
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.planes import Cells, Float32s, Planes, fill_planes, new_flags, new_wheels, planes_of, turn_wheels
from parlour.engine.playouts import Int64s, play_out, take_chance
from parlour.engine.rewards import WIN, rewards_of
from parlour.engine.rules import (
    CHANCE,
    MAX_ACTIONS,
    MAX_CARDS,
    MAX_SEATS,
    NOBODY,
    OVER,
    heuristic_choice,
    legal,
    new_states,
    play,
    score,
)
from parlour.engine.setup import Setup
from parlour.engine.sight import TABLE, veil_state

_AT_A_TIME = 16
"""So many games are observed at a time: enough that calls take no time, few enough for the nearest cache."""
_CELLS = "float32", "int16"
_LINE = 64
"""Bytes of a line of the cache."""
Bools = np.ndarray[Any, np.dtype[np.bool_]]


@rule
def _take_all_chance(state: Any, deck: Any, stream: Any) -> None:
    while state.actor == CHANCE:
        take_chance(state, deck, stream)


@compiled
def _start(states: Any, which: Any, start: Any, streams: Any, seed: int, numbers: Any, deck: Any) -> None:
    for index in range(states.shape[0]):
        if which[index]:
            states[index] = start[0]
            start_stream(streams[index : index + 1], seed, numbers[index])
            _take_all_chance(states[index], deck, streams[index : index + 1])


@compiled
def _step(states: Any, codes: Any, found: Any, streams: Any, deck: Any) -> None:
    for index in range(states.shape[0]):
        if states[index].actor >= 0:
            play(states[index], codes[index, found[index]])
        _take_all_chance(states[index], deck, streams[index : index + 1])


@rule
def _liked(state: Any, actions: Any, number: int, stream: Any, own: Any) -> int:
    """Which of the actions the heuristic likes most, given what the seat to act may know."""
    veiled, tables = own
    veiled[0] = state
    veil_state(veiled[0], state.actor, tables[0])
    return heuristic_choice(veiled[0], actions, number, stream)


@compiled
def _play_others(states: Any, seats: Any, by_heuristic: bool, streams: Any, scratch: Any) -> None:
    actions, deck, veiling = scratch
    for index in range(states.shape[0]):
        stream = streams[index : index + 1]
        while states[index].actor >= 0 and states[index].actor != seats[index]:
            number = legal(states[index], actions)
            if by_heuristic:
                chosen = _liked(states[index], actions, number, stream, veiling)
            else:
                chosen = random_below(stream, number)
            play(states[index], actions[chosen])
            _take_all_chance(states[index], deck, stream)


@compiled
def _advise(states: Any, listed: Any, chosen: Any, streams: Any, veiling: Any) -> None:
    codes, numbers, counts = listed
    for index in range(states.shape[0]):
        if states[index].actor >= 0:
            best = _liked(states[index], codes[index], counts[index], streams[index : index + 1], veiling)
            chosen[index] = numbers[index, best]


@compiled
def _fill(states: Any, seats: Any, tensor: Any, planes: Any, own: Any) -> None:
    """Veil copies of the states, as views do, and write those into the tensor: nothing else of the states is read."""
    recipe, ends = planes
    veiled, words, table, wheels, flags = own
    for first in range(0, states.shape[0], veiled.shape[0]):
        last = min(first + veiled.shape[0], states.shape[0])
        for index in range(first, last):
            veiled[index - first] = states[index]
            veil_state(veiled[index - first], max(seats[index], NOBODY), table[0])
        turn_wheels(veiled, seats[first:last], wheels)
        fill_planes(words[: last - first], recipe, ends, wheels, flags, tensor[first:last])
    for index in range(states.shape[0]):
        if seats[index] < 0:
            tensor[index] = 0.0


@compiled
def _finish(states: Any, streams: Any, actions: Any, deck: Any) -> None:
    for index in range(states.shape[0]):
        play_out(states[index], actions, deck, streams[index : index + 1])


@compiled
def _score(states: Any, scores: Any, winners: Any) -> None:
    for index in range(states.shape[0]):
        winners[index] = score(states[index], scores[index])


class Observations(NamedTuple):
    """What one seat of each of *n* games may know, in rows: what an ``Observation`` calls by these names.

    ``tensor`` is n × the setup's ``observation_shape``, ``legal_mask`` n × its ``num_actions``.
    """

    tensor: Cells
    legal_mask: Bools


class _Part:
    """The games of one thread, and its scratch space."""

    def __init__(self, setup: Setup, numbers: ActionNumbers, states: Any, at: slice) -> None:
        self.at = at
        self.states = states[at]
        self.words = words_of(self.states)
        self.streams = np.zeros(len(self.states), np.uint64)
        self.listing = Listing(numbers, len(self.states))
        self.deck = np.zeros(MAX_CARDS, np.int64)
        self.actions = np.zeros(MAX_ACTIONS, np.int64)
        veiled = new_states(setup.game.dtype, _AT_A_TIME)
        flags = new_flags(_AT_A_TIME, planes_of(setup).size)
        table = new_states(TABLE, 1)
        self.veiling = veiled, words_of(veiled), table, new_wheels(_AT_A_TIME), flags


def words_of(states: Any) -> Int64s:
    """The numbers of an array of states, a row for each: in the same memory."""
    numbers: Int64s = states.view(np.int64)
    return numbers.reshape(len(states), -1)


class Batch:
    """*n* games of one kind, each waiting for a player's decision or over; chance events happen by themselves.

    Attributes:
        setup: what is played.
        states: the *n* states, a structured array. The whole truth: :meth:`observe` tells what a seat may know.
        seed: of the run.
        numbers: which game of the run each is. What happens in a game depends on the seed, its number and the actions,
            and not on how many games there are beside it, or on how many threads.
    """

    def __init__(self, setup: Setup, games: int, seed: int = 0, threads: int | None = None) -> None:
        self.setup = setup
        self.seed = seed
        self.states = new_states(setup.game.dtype, games)
        self._words = words_of(self.states)
        self._start = new_states(setup.game.dtype, 1)
        self._start[0] = setup.new_state()
        size = -(-games // (threads or os.cpu_count() or 1))
        numbers = ActionNumbers(setup)
        self._parts = [
            _Part(setup, numbers, self.states, slice(first, min(first + size, games)))
            for first in range(0, games, size)
        ]
        self._mask: Bools | None = None
        self.numbers = np.zeros(games, np.int64)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin all games anew, up to the first decision."""
        self.seed = seed
        self._begun = 0
        self._begin(np.ones(len(self.states), np.bool_))

    def renew(self, which: Bools | None = None) -> Bools:
        """Begin the games anew that are over, or those that are named, each as the next game of the run.

        Returns:
            which those are: *n* bools.
        """
        anew = self.over if which is None else np.asarray(which, np.bool_)
        if anew.any():
            self._begin(anew)
        return anew

    def _begin(self, which: Bools) -> None:
        self.numbers = numbers = np.where(which, self._begun - 1 + np.cumsum(which), self.numbers)
        self._begun += int(which.sum())
        self._everywhere(
            lambda part: _start(
                part.states, which[part.at], self._start, part.streams, self.seed, numbers[part.at], part.deck
            )
        )
        self._listed = False

    @property
    def actors(self) -> Int64s:
        """The seat to act in each game, or ``OVER``: *n* whole numbers."""
        return self._words[:, 0].copy()

    @property
    def over(self) -> Bools:
        """Which games have ended."""
        return np.equal(self._words[:, 0], OVER)

    def legal(self) -> list[list[int]]:
        """Each game's legal actions by their numbers in the setup's action space, in the rules' order."""
        self._list()
        return [
            row[:count].tolist()
            for part in self._parts
            for row, count in zip(part.listing.listed, part.listing.counts, strict=True)
        ]

    def observe(
        self, seats: "int | Int64s | None" = None, tensor: Cells | None = None, legal_mask: Bools | None = None
    ) -> Observations:
        """What a seat of each game may know: the same numbers as ``Match.observation(seat)`` gives.

        Args:
            seats: whose observations; if nothing is said, of the seat to act, and zeros where the game is over.
            tensor: where to write them, n × the setup's ``observation_shape``, ``float32`` or ``int16``, which is
                quicker and holds the same numbers (:meth:`new_tensor`); if not given, new memory of ``float32``.
            legal_mask: where to mark the legal actions, n × the setup's ``num_actions`` bools. If you hand in the one
                of the last call, unchanged, only what has changed is written.

        Raises:
            ParlourError: there is no such seat, or an array has another shape, type or order in memory.
        """
        actors = self.actors
        seats = actors if seats is None else self._seats(seats)
        games, planes = len(actors), self._planes
        cells = self.new_tensor() if tensor is None else _fitting("tensor", tensor, (games, planes.size), _CELLS)
        mask_shape = games, self._num_actions
        mask = (
            np.zeros(mask_shape, np.bool_)
            if legal_mask is None
            else _fitting("legal_mask", legal_mask, mask_shape, ("bool",))
        )
        self._mark(mask, np.equal(seats, actors), legal_mask is None)
        self._everywhere(
            lambda part: _fill(part.states, seats[part.at], cells[part.at], (planes.recipe, planes.ends), part.veiling)
        )
        return Observations(cells, mask)

    def new_tensor(self, dtype: Any = np.float32) -> Cells:
        """Zeros to write observations into, beginning where a line of the cache does: that makes ``observe`` quicker.

        Args:
            dtype: ``float32`` or ``int16``.
        """
        shape, kind = (len(self._words), self._planes.size), np.dtype(dtype)
        room = np.zeros(prod(shape) * kind.itemsize + _LINE, np.uint8)
        first = -room.ctypes.data % _LINE
        tensor: Cells = room[first : first + prod(shape) * kind.itemsize].view(kind).reshape(shape)
        return tensor

    def _seats(self, seats: "int | Int64s") -> Int64s:
        named = np.empty(len(self._words), np.int64)
        named[:] = seats
        wrong = (named < 0) | (named >= self.setup.players)
        if wrong.any():
            raise ParlourError(f"there is no seat {named[wrong][0]}; the seats are 0 to {self.setup.players - 1}")
        return named

    def _mark(self, mask: Bools, wanted: Bools, new: bool) -> None:
        self._list()
        other = mask is not self._mask
        if other and not new:
            mask[:] = False
        self._mask = mask
        self._everywhere(lambda part: part.listing.mark(mask[part.at], wanted[part.at], other))

    def random_actions(self) -> Int64s:
        """A legal action of each game by its number, each equally likely, from the game's own chance.

        0 in a game that is over.
        """
        self._list()
        chosen = np.zeros(len(self.states), np.int64)
        self._everywhere(lambda part: part.listing.choose(part.streams, chosen[part.at]))
        return chosen

    def heuristic_actions(self) -> Int64s:
        """The action of each game that its heuristic likes most, by its number; equals by the game's own chance.

        It is given what the seat to act may know. 0 in a game that is over.
        """
        self._list()
        chosen = np.zeros(len(self.states), np.int64)
        self._everywhere(
            lambda part: _advise(
                part.states,
                (part.listing.codes, part.listing.listed, part.listing.counts),
                chosen[part.at],
                part.streams,
                (part.veiling[0], part.veiling[2]),
            )
        )
        return chosen

    def step(self, actions: Int64s) -> None:
        """Play one action in each game that is not over, and the chance events that follow.

        Args:
            actions: their numbers in the setup's action space, *n* of them; of a game that is over it does not matter.

        Raises:
            IllegalError: one of them is not legal; nothing has been played.
            ParlourError: there is not one action a game.
        """
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (len(self._words),):
            raise ParlourError(
                f"one action a game is wanted, {len(self._words)} in all, not an array of {chosen.shape}"
            )
        self._list()
        found = self._everywhere(lambda part: part.listing.find(chosen[part.at]))
        for part, wrong in zip(self._parts, found, strict=True):
            if wrong >= 0:
                game = part.at.start + wrong
                text = self.setup.action_name(int(chosen[game]))
                raise IllegalError(f"{text!r} is not legal in game {game} of the batch")
        self._everywhere(
            lambda part: _step(part.states, part.listing.codes, part.listing.found, part.streams, part.deck)
        )
        self._listed = False

    def play_others(self, seats: "int | Int64s", by_heuristic: bool = True) -> None:
        """Play on in each game until this seat is to act, or the game is over: the others act by the game's heuristic.

        Args:
            seats: who does not: one seat, or one for each game.
            by_heuristic: or else each legal action is equally likely.

        Raises:
            ParlourError: there is no such seat.
        """
        named = self._seats(seats)
        self._everywhere(
            lambda part: _play_others(
                part.states,
                named[part.at],
                by_heuristic,
                part.streams,
                (part.actions, part.deck, (part.veiling[0], part.veiling[2])),
            )
        )
        self._listed = False

    def play_out(self) -> None:
        """Play every game to its end, each legal action equally likely."""
        self._everywhere(lambda part: _finish(part.states, part.streams, part.actions, part.deck))
        self._listed = False

    def scores(self) -> tuple[Int64s, Int64s]:
        """Each game's scores as they stand (n × players) and its winners (a set of seats)."""
        scores = np.zeros((len(self.states), MAX_SEATS), np.int64)
        winners = np.zeros(len(self.states), np.int64)
        self._everywhere(lambda part: _score(part.states, scores[part.at], winners[part.at]))
        return scores[:, : self.setup.players], winners

    def rewards(self, kind: str = WIN) -> Float32s:
        """What the games that are over are worth to each seat (n × players), zeros for the others.

        ``kind`` is ``"win"`` or ``"points"``; :func:`parlour.engine.rewards.rewards_of` says what they are.
        """
        rewards = rewards_of(self.setup, *self.scores(), kind)
        rewards[~self.over] = 0
        return rewards

    @property
    def nbytes(self) -> int:
        """The memory that the games take, in bytes, without the arrays that observations are written to."""
        return int(self.states.nbytes) + sum(part.streams.nbytes + part.listing.nbytes for part in self._parts)

    def _list(self) -> None:
        """See to it that the legal actions are listed; what is not known of them is asked by one thread."""
        while not self._listed:
            unasked = self._everywhere(lambda part: part.listing.update(part.states, part.words))
            for part, any_unasked in zip(self._parts, unasked, strict=True):
                if any_unasked:
                    part.listing.ask(part.states, part.words)
            self._listed = not any(unasked)

    def _everywhere(self, work: Callable[[_Part], Any]) -> list[Any]:
        """Do a piece of work on every part of the games, one part a thread."""
        if len(self._parts) == 1:
            return [work(self._parts[0])]
        return list(self._pool.map(work, self._parts))

    @cached_property
    def _planes(self) -> Planes:
        return planes_of(self.setup)

    @cached_property
    def _num_actions(self) -> int:
        return self.setup.num_actions

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self._parts))


def _fitting(name: str, given: Any, shape: tuple[int, ...], kinds: tuple[str, ...]) -> Any:
    """The array that was given to be written into. Raises ``ParlourError`` if it is not as it must be."""
    if given.shape != shape or given.dtype.name not in kinds or not given.flags.c_contiguous:
        raise ParlourError(
            f"{name} must be {' or '.join(kinds)} of shape {shape}, row by row, not {given.dtype} of {given.shape}"
        )
    return given
