"""Many games side by side, a step at a time, on all cores: for learning and for study.

Each game has its own stream of chance, so a batch gives the same games whatever the number of threads; game *n* played
by ``play_out`` from the start, or by ``random_actions``, is game *n* of
:func:`parlour.engine.playouts.run_playouts` with the same seed.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.actions import ActionNumbers
from parlour.engine.chance import as_seed, start_stream
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.planes import Cells, Float32s, planes_of
from parlour.engine.playouts import Int64s, cores_for
from parlour.engine.rewards import WIN, rewards_of
from parlour.engine.rules import MAX_SEATS, OVER, new_states
from parlour.engine.setup import Setup
from parlour.engine.shard import Bools, Shard, words_of
from parlour.engine.validation import counted, whole, wholes

_CELLS = np.dtype(np.float32), np.dtype(np.int16)
_LINE = 64
"""Bytes of a line of the cache."""


class Observations(NamedTuple):
    """What one seat of each of *n* games may know, in rows: what an ``Observation`` calls by these names.

    ``tensor`` is n × the setup's ``observation_shape``, ``legal_mask`` n × its ``num_actions``.
    """

    tensor: Cells
    legal_mask: Bools


@dataclass(frozen=True)
class SavedGames:
    """Games of a batch at one moment, independent of the batch: what :meth:`Batch.restore` takes.

    Attributes:
        setup: what is played.
        states: their states, a structured array that may be written to; the whole truth.
        numbers: which game of its run each is.
        streams: the chance of each game, which what happens next depends on.
        seeds: the seed of the run of each game.
        run: the seed of the batch and how many games it had begun; ``None`` where only some games were saved.
    """

    setup: Setup
    states: Any
    numbers: Int64s
    streams: Any
    seeds: Int64s
    run: tuple[Any, int | None] | None

    def __len__(self) -> int:
        return len(self.states)


Which = Sequence[int] | Int64s | Bools
"""Some games of a batch: their indices, or a bool for each game of the batch."""


class Batch:
    """*n* games of one kind, each waiting for a player's decision or over; chance events happen by themselves.

    Attributes:
        setup: what is played.
        seed: of the run; a tuple of *n* seeds where each game has a run of its own.
        numbers: which game of the run each is. What happens in a game depends on the seed, its number and the actions,
            and not on how many games there are beside it, or on how many threads.
    """

    def __init__(self, setup: Setup, games: int, seed: int | Sequence[int] = 0, threads: int | None = None) -> None:
        """Raises :class:`ParlourError` if one of these numbers is none."""
        games = whole("the number of games", games, 1)
        self.setup = setup
        self._states = new_states(setup.game.dtype, games)
        self._streams = np.zeros(games, np.uint64)
        self._words = words_of(self._states)
        size = -(-games // cores_for(threads))
        numbers = ActionNumbers(setup)
        self._parts = [
            Shard(setup, numbers, self._states, self._streams, slice(first, min(first + size, games)))
            for first in range(0, games, size)
        ]
        self._listed = False
        self._mask: Bools | None = None
        self.numbers = np.zeros(games, np.int64)
        self.reset(seed)

    def __getstate__(self) -> dict[str, Any]:
        """Without what lies in the memory of something else, and without threads."""
        return {name: value for name, value in vars(self).items() if name not in ("_words", "_pool")} | {"_mask": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._words = words_of(self._states)
        for part in self._parts:
            part.attach(self._states[part.at], self._streams[part.at])

    def __len__(self) -> int:
        return len(self._states)

    def __repr__(self) -> str:
        over = np.count_nonzero(self.over)
        seed = self.seed if isinstance(self.seed, int) else "of each game"
        return f"<Batch: {self.setup.label}; {counted(len(self), 'game')}, {over} of them over; seed {seed}>"

    @property
    def states(self) -> Any:
        """The *n* states, a structured array that cannot be written to: :meth:`restore` puts states in their place.

        They are the whole truth: :meth:`observe` tells what a seat may know.
        """
        states = self._states.view()
        states.flags.writeable = False
        return states

    def reset(self, seed: int | Sequence[int]) -> None:
        """Begin all games anew, up to the first decision.

        Args:
            seed: of the run; or *n* seeds: then each game is the first one of a run of its own, as
                ``setup.start(seed)`` is, and is followed by the next one of that run.

        Raises:
            ParlourError: a seed is no whole number, or there is not one for each game.
        """
        self._begun: int | None
        self.seed: int | tuple[int, ...]
        if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str | bytes):
            if len(seed) != len(self):
                raise ParlourError(f"{counted(len(seed), 'seed')} for {counted(len(self), 'game')}: one for each")
            self.seed, self._begun = tuple(map(as_seed, seed)), None
            self.numbers = np.full(len(self), -1)
        else:
            self.seed, self._begun = as_seed(seed), 0
        self.seeds = np.full(len(self), self.seed, np.int64)
        self._begin(np.ones(len(self), np.bool_))

    def save(self, which: Which | None = None) -> SavedGames:
        """A copy of these games, all of them if nothing is said, as they stand now: with it :meth:`restore` goes back.

        Args:
            which: their indices, of which one may come several times, or a bool for each game.

        Raises:
            ParlourError: there is no such game.
        """
        at = self._places(which)
        run = (self.seed, self._begun) if which is None else None
        return SavedGames(self.setup, self._states[at], self.numbers[at], self._streams[at], self.seeds[at], run)

    def restore(self, saved: SavedGames, places: Which | None = None, seed: int | None = None) -> None:
        """Put saved games in the places of those that are there now. What follows from a state follows from the saved.

        Args:
            saved: the games, of this batch or of another one of the same setup.
            places: where they go, in their order; all places if nothing is said.
            seed: of new chance for these games, a stream of its own for each place. If nothing is said, the saved
                chance comes along, and what happens by chance after the same actions is what happened before.

        Raises:
            ParlourError: they are games of another setup, there is no such place, a place is named twice, or there is
                not one for each game.
        """
        if saved.setup != self.setup:
            raise ParlourError(f"these are games of {saved.setup.label}, not of {self.setup.label}")
        at = self._places(places)
        if len(at) != len(saved):
            raise ParlourError(f"{counted(len(saved), 'saved game')} for {counted(len(at), 'place')}")
        if len(np.unique(at)) != len(at):
            raise ParlourError("a place is named twice")
        self._states[at] = saved.states
        self._streams[at] = saved.streams
        self.numbers, self.seeds = self.numbers.copy(), self.seeds.copy()
        self.numbers[at], self.seeds[at] = saved.numbers, saved.seeds
        if saved.run is not None and places is None:
            self.seed, self._begun = saved.run
        if seed is not None:
            for place in at:
                start_stream(self._streams[place : place + 1], as_seed(seed), place)
        self._change(Shard.forget_actions)

    def copy(self, which: Which | None = None, seed: int | None = None, threads: int | None = None) -> "Batch":
        """A batch of its own with these games, all of them if nothing is said; one may be there several times.

        Args:
            which: as in :meth:`save`.
            seed: of new chance, as in :meth:`restore`: without one, copies of the same game meet the same chance.
            threads: how many cores play.

        Raises:
            ParlourError: there is no such game.
        """
        saved = self.save(which)
        made = Batch(self.setup, len(saved), 0, threads)
        made.restore(saved, seed=seed)
        made.seed = self.seed if isinstance(self.seed, int) else tuple(saved.seeds.tolist())
        made._begun = self._begun
        return made

    def _places(self, which: Which | None) -> Int64s:
        """The indices of some games. Raises :class:`ParlourError`."""
        if which is None:
            return np.arange(len(self))
        named = np.asarray(which)
        if named.dtype == np.bool_:
            if named.shape != (len(self),):
                raise ParlourError(f"one bool a game is wanted, {len(self)} in all, not an array of {named.shape}")
            return named.nonzero()[0]
        at = wholes("indices of games", which).reshape(-1)
        for index in at[(at < 0) | (at >= len(self))][:1]:
            raise ParlourError(f"there is no game {index}; the games are 0 to {len(self) - 1}")
        return at

    def renew(self, which: Which | None = None) -> Bools:
        """Begin the games anew that are over, or those that are named, each as the next game of the run.

        Returns:
            which those are: *n* bools.
        """
        anew = self.over
        if which is not None:
            anew = np.zeros(len(self), np.bool_)
            anew[self._places(which)] = True
        self._begin(anew)
        return anew

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
        """The seat to act in each game, or ``OVER``: *n* whole numbers."""
        return self._words[:, 0].copy()

    def actor(self, game: int) -> int:
        """The seat to act in one of the games, or ``OVER``."""
        seat: int = self._words.item(game, 0)
        return seat

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
        seats = self.actors if seats is None else self._seats(seats)
        games, size = len(seats), self._cells_of_one
        if tensor is None:
            tensor = np.empty((games, size), np.float32)
        else:
            _check_fit("tensor", tensor, (games, size), _CELLS)
        unmarked = legal_mask is None or legal_mask is not self._mask
        if legal_mask is None:
            legal_mask = np.zeros((games, self._num_actions), np.bool_)
        elif unmarked:
            _check_fit("legal_mask", legal_mask, (games, self._num_actions), (np.dtype(np.bool_),))
            legal_mask[:] = False
        self._mask = legal_mask
        self._list(lambda part, *rows: part.observe(unmarked, *rows), seats, tensor, legal_mask)
        return Observations(tensor, legal_mask)

    def new_tensor(self, dtype: Any = np.float32) -> Cells:
        """Zeros to write observations into, beginning where a line of the cache does: that makes ``observe`` quicker.

        Args:
            dtype: ``float32`` or ``int16``.
        """
        shape, kind = (len(self._words), self._cells_of_one), np.dtype(dtype)
        room = np.zeros(prod(shape) * kind.itemsize + _LINE, np.uint8)
        first = -room.ctypes.data % _LINE
        tensor: Cells = room[first : first + prod(shape) * kind.itemsize].view(kind).reshape(shape)
        return tensor

    def _seats(self, seats: "int | Int64s") -> Int64s:
        named = np.empty(len(self._words), np.int64)
        named[:] = wholes("seats", seats)
        for seat in (seats,) if isinstance(seats, int) else (named.min(), named.max()):
            if not 0 <= seat < self.setup.players:
                raise ParlourError(f"there is no seat {seat}; the seats are 0 to {self.setup.players - 1}")
        return named

    def random_actions(self) -> Int64s:
        """A legal action of each game by its number, each equally likely, from the game's own chance.

        0 in a game that is over.
        """
        self._list()
        chosen = np.zeros(len(self._words), np.int64)
        self._everywhere(Shard.choose, chosen)
        return chosen

    def heuristic_actions(self) -> Int64s:
        """The action of each game that its heuristic likes most, by its number; equals by the game's own chance.

        It is given what the seat to act may know. 0 in a game that is over.
        """
        self._list()
        chosen = np.zeros(len(self._words), np.int64)
        self._everywhere(Shard.advise, chosen)
        return chosen

    def step(self, actions: Int64s) -> None:
        """Play one action in each game that is not over, and the chance events that follow.

        Args:
            actions: their numbers in the setup's action space, *n* of them; of a game that is over it does not matter.

        Raises:
            IllegalError: one of them is not legal; nothing has been played.
            ParlourError: there is not one action a game, or something is no action's number.
        """
        chosen = wholes("actions", actions)
        if chosen.shape != (len(self._words),):
            raise ParlourError(
                f"one action a game is wanted, {len(self._words)} in all, not an array of {chosen.shape}"
            )
        self._list()
        for part, wrong in zip(self._parts, self._everywhere(Shard.find, chosen), strict=True):
            if wrong >= 0:
                game = part.at.start + wrong
                text = self.setup.action_name(int(chosen[game]))
                raise IllegalError(f"{text!r} is not legal in game {game} of the batch")
        self._change(Shard.play)

    def play_others(self, seats: "int | Int64s", by_heuristic: bool = True) -> None:
        """Play on in each game until this seat is to act, or the game is over: the others act by the game's heuristic.

        Args:
            seats: who does not: one seat, or one for each game.
            by_heuristic: or else each legal action is equally likely.

        Raises:
            ParlourError: there is no such seat.
        """
        self._change(lambda part, *rows: part.play_others(by_heuristic, *rows), self._seats(seats))

    def play_out(self) -> None:
        """Play every game to its end, each legal action equally likely."""
        self._change(Shard.play_out)

    def scores(self) -> tuple[Int64s, Int64s]:
        """Each game's scores as they stand (n × players) and its winners (a set of seats)."""
        scores = np.zeros((len(self), MAX_SEATS), np.int64)
        winners = np.zeros(len(self), np.int64)
        self._everywhere(Shard.score, scores, winners)
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
        return int(self._states.nbytes) + sum(part.nbytes for part in self._parts)

    def _list(self, work: Callable[..., bool] = Shard.list_actions, *rows: Any) -> None:
        """See to it that the legal actions are listed, by a piece of work that tells where some have to be asked for.

        One thread asks, and the work is done again.
        """
        if self._listed and not rows:
            return
        while any(stale := self._everywhere(work, *rows)):
            for part, is_stale in zip(self._parts, stale, strict=True):
                if is_stale:
                    part.ask()
        self._listed = True

    def _change(self, work: Callable[..., Any], *rows: Any) -> None:
        """Do a piece of work that changes states, of which the legal actions are no longer those that are listed."""
        self._listed = False
        self._everywhere(work, *rows)

    def _everywhere(self, work: Callable[..., Any], *rows: Any) -> list[Any]:
        """Do a piece of work on every part of the games, one part a thread: of each array it is given their rows."""
        if len(self._parts) == 1:
            return [work(self._parts[0], *rows)]
        return list(self._pool.map(lambda part: work(part, *(each[part.at] for each in rows)), self._parts))

    @cached_property
    def _cells_of_one(self) -> int:
        return planes_of(self.setup).size

    @cached_property
    def _num_actions(self) -> int:
        return self.setup.num_actions

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self._parts))


def _check_fit(name: str, given: Any, shape: tuple[int, ...], kinds: "tuple[np.dtype[Any], ...]") -> None:
    """Raises ``ParlourError`` if an array that is to be written into is not as it must be."""
    if given.shape != shape or given.dtype not in kinds or not given.flags.c_contiguous:
        named = " or ".join(map(str, kinds))
        raise ParlourError(f"{name} must be {named} of shape {shape}, row by row, not {given.dtype} of {given.shape}")
