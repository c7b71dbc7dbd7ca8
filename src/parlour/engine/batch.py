"""Many games side by side, a step at a time: for learning and for study.

Each game has its own stream of chance, so a batch gives the same games whatever the number of threads; game *n* played
by ``play_out`` from the start is game *n* of :func:`parlour.engine.playouts.run_playouts` with the same seed.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from parlour.engine.chance import start_stream
from parlour.engine.compiled import compiled
from parlour.engine.playouts import Int64s, play_out, take_chance
from parlour.engine.rules import CHANCE, MAX_ACTIONS, MAX_CARDS, MAX_SEATS, OVER, legal, new_states, play, score
from parlour.engine.setup import Setup


@compiled
def _start(states: Any, start: Any, streams: Any, seed: int, first: int, deck: Any) -> None:
    for index in range(states.shape[0]):
        states[index] = start[0]
        stream = streams[index : index + 1]
        start_stream(stream, seed, first + index)
        while states[index].actor == CHANCE:
            take_chance(states[index], deck, stream)


@compiled
def _list_legal(states: Any, actions: Any, counts: Any) -> None:
    for index in range(states.shape[0]):
        counts[index] = legal(states[index], actions[index]) if states[index].actor >= 0 else 0


@compiled
def _step(states: Any, chosen: Any, streams: Any, deck: Any) -> None:
    for index in range(states.shape[0]):
        if states[index].actor >= 0:
            play(states[index], chosen[index])
        while states[index].actor == CHANCE:
            take_chance(states[index], deck, streams[index : index + 1])


@compiled
def _finish(states: Any, streams: Any, actions: Any, deck: Any) -> None:
    for index in range(states.shape[0]):
        play_out(states[index], actions, deck, streams[index : index + 1])


@compiled
def _score(states: Any, scores: Any, winners: Any) -> None:
    for index in range(states.shape[0]):
        winners[index] = score(states[index], scores[index])


class Batch:
    """*n* games of one kind, each waiting for a player's decision or over; chance events happen by themselves.

    Attributes:
        setup: what is played.
        states: the *n* states, a structured array. The whole truth: veil a state before you show it to a seat.
        seed: of the run.
    """

    def __init__(self, setup: Setup, games: int, seed: int = 0, threads: int | None = None) -> None:
        self.setup = setup
        self.seed = seed
        self.states = new_states(setup.game.dtype, games)
        self._streams = np.zeros(games, np.uint64)
        self._threads = threads or os.cpu_count() or 1
        self._start = new_states(setup.game.dtype, 1)
        self._start[0] = setup.new_state()
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin all games anew, up to the first decision."""
        self.seed = seed
        self._everywhere(
            lambda part, deck: _start(self.states[part], self._start, self._streams[part], seed, part.start, deck)
        )

    @property
    def actors(self) -> Int64s:
        """The seat to act in each game, or ``OVER``: *n* whole numbers."""
        actors: Int64s = self.states.view(np.ndarray)["actor"].copy()
        return actors

    @property
    def over(self) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        """Which games have ended."""
        return np.equal(self.actors, OVER)

    def legal(self) -> tuple[Int64s, Int64s]:
        """The legal actions of each game (n × MAX_ACTIONS numbers; the first of them hold), and how many."""
        actions = np.zeros((len(self.states), MAX_ACTIONS), np.int64)
        counts = np.zeros(len(self.states), np.int64)
        self._everywhere(lambda part, deck: _list_legal(self.states[part], actions[part], counts[part]))
        return actions, counts

    def step(self, chosen: Int64s) -> None:
        """Play one action in each game that is not over. It is not checked that the actions are legal."""
        self._everywhere(lambda part, deck: _step(self.states[part], chosen[part], self._streams[part], deck))

    def play_out(self) -> None:
        """Play every game to its end, each legal action equally likely."""
        self._everywhere(
            lambda part, deck: _finish(self.states[part], self._streams[part], np.zeros(MAX_ACTIONS, np.int64), deck)
        )

    def scores(self) -> tuple[Int64s, Int64s]:
        """Each game's scores as they stand (n × players) and its winners (a set of seats)."""
        scores = np.zeros((len(self.states), MAX_SEATS), np.int64)
        winners = np.zeros(len(self.states), np.int64)
        self._everywhere(lambda part, deck: _score(self.states[part], scores[part], winners[part]))
        return scores[:, : self.setup.players], winners

    def _everywhere(self, work: Callable[[slice, Int64s], None]) -> None:
        """Do a piece of work on every part of the games, one part a thread."""
        games = len(self.states)
        size = -(-games // self._threads)
        parts = [slice(first, min(first + size, games)) for first in range(0, games, size)]
        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(lambda part: work(part, np.zeros(MAX_CARDS, np.int64)), parts))
