"""Games of one setup in shards, one for each thread: their beginning, snapshots and copies."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, Self

import numpy as np

from parlour.engine.arrays import Bools, Int64s, States, Streams
from parlour.engine.chance import as_seed, is_seed_list, start_stream
from parlour.engine.errors import ParlourError
from parlour.engine.rules import OVER, new_states
from parlour.engine.setup import Setup, as_setup
from parlour.engine.simulation.actions import numbers_of
from parlour.engine.simulation.one_thread import OneThread
from parlour.engine.simulation.playouts import cores_for
from parlour.engine.simulation.saved_games import SavedGames, Which, places_of
from parlour.engine.simulation.shard import Shard, words_of
from parlour.engine.validation import MOST_GAMES, counted, shown, whole


class ShardedGames(OneThread):
    """*n* games of one setup in shards, one for each thread.

    The attributes are those of :class:`parlour.engine.simulation.batch.Batch`.
    """

    def __init__(self, setup: Setup, games: int, seed: int | Sequence[int] = 0, threads: int | None = None) -> None:
        """Begin ``games`` games. Raises :class:`ParlourError` for an argument of another type or out of range."""
        setup, games = as_setup(setup), whole("the number of games", games, 1, MOST_GAMES)
        self._lay_out(setup, new_states(setup.game.dtype, games), np.zeros(games, np.uint64), cores_for(threads))
        self.reset(seed)

    def _lay_out(self, setup: Setup, states: States, streams: Streams, threads: int) -> None:
        """Set all attributes for these states, which may be in the middle of games, and random streams."""
        super().__init__()
        games = len(states)
        self.setup, self._threads = setup, threads
        self._states, self._streams, self._words = states, streams, words_of(states)
        size = -(-games // threads)
        numbers = numbers_of(setup)
        self._shards = [
            Shard(setup, numbers, states, streams, slice(first, min(first + size, games)))
            for first in range(0, games, size)
        ]
        self._listed = False
        self._mask: Bools | None = None
        self.seed: int | tuple[int, ...] = 0
        self._begun: int | None = games
        self.numbers, self.seeds = np.arange(games), np.zeros(games, np.int64)

    @classmethod
    def of_states(cls, setup: Setup, states: States, streams: Streams, seed: int, threads: int | None = 1) -> Self:
        """Return games in progress, which take over both arrays.

        Args:
            setup: the setup of the games.
            states: *n* states, a structured array.
            streams: *n* random streams.
            seed: the seed of the games with which :meth:`renew` replaces them.
            threads: the number of threads.
        """
        made = cls.__new__(cls)
        made._lay_out(setup, states, streams, cores_for(threads))
        made.seed, made.seeds = seed, np.full(len(states), seed, np.int64)
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes except threads and arrays that share the memory of others."""
        return {name: value for name, value in vars(self).items() if name not in ("_words", "_pool")} | {
            "_mask": None,
            "_idle": [True],
        }

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        vars(self).update(pickled)
        self._words = words_of(self._states)
        for shard in self._shards:
            shard.attach(self._states[shard.at], self._streams[shard.at])

    def __copy__(self) -> Self:
        return self.copy()

    def __len__(self) -> int:
        return len(self._states)

    def __repr__(self) -> str:
        over = np.count_nonzero(self.over)
        seed = self.seed if isinstance(self.seed, int) else "of each game"
        games = f"{counted(len(self), 'game')}, {over} of them over"
        return f"<{type(self).__name__}: {self.setup.label}; {games}; seed {seed}>"

    @property
    def states(self) -> Any:
        """The *n* true states, a read-only structured array; :meth:`restore` replaces states.

        They contain hidden information; :meth:`observe` returns what a seat may know.
        """
        states = self._states.view()
        states.flags.writeable = False
        return states

    def reset(self, seed: int | Sequence[int]) -> None:
        """Begin all games anew, up to the first decision.

        Args:
            seed: the seed of the run. With *n* seeds, each game is the first one of a run of its own, like
                ``setup.start(seed)``, and :meth:`renew` replaces it by the next game of that run.

        Raises:
            ParlourError: a seed is not an integer, or the number of seeds is not the number of games.
        """
        if is_seed_list(seed):
            if len(seed) != len(self):
                raise ParlourError(f"{counted(len(seed), 'seed')} for {counted(len(self), 'game')}: one for each")
            self.seed, self._begun = tuple(map(as_seed, seed)), None
            self.numbers = np.full(len(self), -1)
        else:
            self.seed, self._begun = as_seed(seed), 0
        self.seeds = np.full(len(self), self.seed, np.int64)
        self._alone(self._begin, np.ones(len(self), np.bool_))

    def save(self, which: Which | None = None) -> SavedGames:
        """Return a snapshot of the selected games, all of them by default, for :meth:`restore`.

        Args:
            which: the indices of the games, which may repeat, or a bool for each game.

        Raises:
            ParlourError: an index is out of range.
        """
        at = self._places(which)
        run = (self.seed, self._begun) if which is None else None
        states, streams = self._alone(self._copied, at)
        return SavedGames(self.setup, states, self.numbers[at], streams, self.seeds[at], run)

    def restore(self, saved: SavedGames, places: Which | None = None, seed: int | None = None) -> None:
        """Replace games of this batch by saved games.

        Args:
            saved: the games, of this batch or of another one of the same setup.
            places: the indices of the games to replace, in the order of ``saved``; all games by default.
            seed: the seed of new random streams, one for each place. By default the saved streams are restored, so
                that the same actions lead to the same chance events as before. :meth:`renew` goes on with the run of
                the saved game: in a batch with a seed for each game, copies of one game have the same next game.

        Raises:
            ParlourError: ``saved`` is no :class:`SavedGames`, or its setup or version of the rules is another one; an
                index is out of range or repeated, the numbers of places and saved games differ, or the seed is not an
                integer.
        """
        if not isinstance(saved, SavedGames):
            raise ParlourError(f"restore takes what save() has returned, not {shown(saved)}")
        if saved.setup != self.setup:
            raise ParlourError(f"these are games of {saved.setup.label}, not of {self.setup.label}")
        if getattr(saved.states, "dtype", None) != self._states.dtype:  # NumPy would assign the fields by position
            raise ParlourError("the saved states have other fields: another version of the rules has saved them")
        at = self._places(places)
        if len(at) != len(saved):
            raise ParlourError(f"{counted(len(saved), 'saved game')} for {counted(len(at), 'place')}")
        if len(np.unique(at)) != len(at):
            raise ParlourError("a place is named twice")
        self._alone(self._restore, saved, at, places is None, None if seed is None else as_seed(seed))

    def _restore(self, saved: SavedGames, at: Int64s, whole_run: bool, seed: int | None) -> None:
        self._states[at] = saved.states
        self._streams[at] = saved.streams
        self.numbers, self.seeds = self.numbers.copy(), self.seeds.copy()
        self.numbers[at], self.seeds[at] = saved.numbers, saved.seeds
        if saved.run is not None and whole_run:
            self.seed, self._begun = saved.run
        if seed is not None:
            self._draw_streams(at, seed)
        self._change(Shard.forget_actions)

    def copy(self, which: Which | None = None, seed: int | None = None, threads: int | None = None) -> Self:
        """Return a new, independent batch with copies of the selected games, all of them by default.

        Args:
            which: the games to copy, as in :meth:`save`.
            seed: the seed of new random streams, as in :meth:`restore`; by default copies of one game have the same
                chance events.
            threads: the number of threads of the new batch; by default that of this one.

        Raises:
            ParlourError: an index is out of range, none is selected, or a number is not valid.
        """
        at = self._places(which)
        if len(at) == 0:
            raise ParlourError("a copy has one game at least, but none is selected")
        made = type(self).__new__(type(self))
        states, streams = self._alone(self._copied, at)
        made._lay_out(self.setup, states, streams, self._threads if threads is None else cores_for(threads))
        made.numbers, made.seeds = self.numbers[at], self.seeds[at]
        made.seed = self.seed if isinstance(self.seed, int) else tuple(made.seeds.tolist())
        made._begun = self._begun
        if seed is not None:
            made._draw_streams(range(len(at)), seed)
        return made

    def _draw_streams(self, places: Iterable[int], seed: int) -> None:
        """Begin new random streams for the games at these places, numbered by place."""
        for place in places:
            start_stream(self._streams[place : place + 1], as_seed(seed), place)

    def _places(self, which: Which | None) -> Int64s:
        return np.arange(len(self)) if which is None else places_of(which, len(self))

    def _copied(self, at: Int64s) -> tuple[States, Streams]:
        """Return copies of the states and random streams at these places."""
        states = new_states(self._states.dtype, len(at))
        np.take(self._words, at, axis=0, out=words_of(states))  # faster than records
        return states, self._streams[at]

    def renew(self, which: Which | None = None) -> Bools:
        """Replace the selected games, by default those that are over, by the next games of the run.

        Returns:
            *n* bools, True for each replaced game.
        """
        renewed = self.over
        if which is not None:
            renewed = np.zeros(len(self), np.bool_)
            renewed[self._places(which)] = True
        self._alone(self._begin, renewed)
        return renewed

    def _begin(self, which: Bools) -> None:
        (games,) = which.nonzero()
        if len(games) == 0:
            return
        self.numbers = self.numbers.copy()
        if self._begun is None:
            self.numbers[games] += 1
        else:
            self.numbers[games] = range(self._begun, self._begun + len(games))
            self._begun += len(games)
            self.seeds = self.seeds.copy()
            self.seeds[games] = self.seed
        self._change(Shard.begin, which, self.seeds, self.numbers)

    @property
    def actors(self) -> Int64s:
        """The seat to act in each game, ``OVER``, or ``CHANCE`` between two rounds: *n* integers."""
        return self._words[:, 0].copy()

    def actor(self, game: int) -> int:
        """Return the seat to act in one of the games, ``OVER``, or ``CHANCE`` between two rounds."""
        seat: int = self._words.item(game, 0)
        return seat

    @property
    def over(self) -> Bools:
        """*n* bools, True for each game that has ended."""
        return np.equal(self._words[:, 0], OVER)

    def _list(self, work: Callable[..., bool] = Shard.list_actions, *rows: Any) -> None:
        """Run ``work`` on all shards until all legal actions are listed.

        ``work`` returns True if a shard has unknown actions. This thread alone resolves those between two runs.
        """
        if self._listed and not rows:
            return
        while any(stale := self._on_all_shards(work, *rows)):
            for shard, is_stale in zip(self._shards, stale, strict=True):
                if is_stale:
                    shard.ask()
        self._listed = True

    def _change(self, work: Callable[..., Any], *rows: Any) -> None:
        """Run ``work``, which changes states, on all shards, and mark the lists of legal actions as stale."""
        self._listed = False
        self._on_all_shards(work, *rows)

    def _on_all_shards(self, work: Callable[..., Any], *rows: Any) -> list[Any]:
        """Run ``work`` on all shards, one thread each, with the rows of each array that belong to the shard."""
        if len(self._shards) == 1:
            return [work(self._shards[0], *rows)]
        return list(
            self._threads_here().map(lambda shard: work(shard, *(each[shard.at] for each in rows)), self._shards)
        )

    def _threads_here(self) -> ThreadPoolExecutor:
        """Return the threads of this process: a forked process has a copy of this batch, but none of its threads."""
        process, pool = self._pool
        if process != os.getpid():
            self._pool = process, pool = os.getpid(), ThreadPoolExecutor(len(self._shards))
        return pool

    @cached_property
    def _pool(self) -> tuple[int, ThreadPoolExecutor]:
        return os.getpid(), ThreadPoolExecutor(len(self._shards))
