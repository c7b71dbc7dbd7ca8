"""Batches of games that advance together, one step at a time, on all cores: for learning and for studies.

Each game has a random stream of its own, so the games do not depend on the number of threads. Game *n* played by
``play_out`` from the start, or by ``random_actions``, is game *n* of
:func:`parlour.engine.simulation.playouts.run_playouts` with the same seed.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.arrays import Int64s
from parlour.engine.chance import as_seed, start_stream
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.information.planes import Cells, Float32s, planes_of
from parlour.engine.moves import Action
from parlour.engine.rewards import WIN, rewards_of
from parlour.engine.rules import MAX_SEATS, OVER, new_states
from parlour.engine.setup import Setup
from parlour.engine.simulation.actions import WAITING, ActionNumbers
from parlour.engine.simulation.playouts import cores_for
from parlour.engine.simulation.shard import Bools, Shard, words_of
from parlour.engine.validation import counted, whole, wholes

_CELLS = np.dtype(np.float32), np.dtype(np.int16)
_LINE = 64
"""Length of a cache line, in bytes."""


class Observations(NamedTuple):
    """The observations of one seat in each of *n* games, one row for each game; the fields are as in ``Observation``.

    ``tensor`` is n × the setup's ``observation_shape``, ``legal_mask`` n × its ``num_actions``.
    """

    tensor: Cells
    legal_mask: Bools


@dataclass(frozen=True)
class SavedGames:
    """A snapshot of games of a batch, independent of the batch; the argument of :meth:`Batch.restore`.

    Attributes:
        setup: the setup of the games.
        states: the true states, a writable structured array.
        numbers: the number of each game in its run.
        streams: the random stream of each game, which determines its next chance events.
        seeds: the seed of the run of each game.
        run: the seed of the batch and the number of games it had begun; ``None`` if only some games were saved.
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
"""A selection of games of a batch: their indices, or a bool for each game of the batch."""


class Batch:
    """*n* games of one setup, each waiting for a player's decision or over; chance events are played automatically.

    Attributes:
        setup: the setup of the games.
        seed: the seed of the run; a tuple of *n* seeds if each game has a run of its own.
        numbers: the number of each game in its run. The course of a game depends on the seed, this number and the
            actions, but not on the number of games in the batch or of threads.
    """

    def __init__(self, setup: Setup, games: int, seed: int | Sequence[int] = 0, threads: int | None = None) -> None:
        """Begin ``games`` games. Raises :class:`ParlourError` for an argument that is not a valid number."""
        games = whole("the number of games", games, 1)
        self.setup = setup
        self._states = new_states(setup.game.dtype, games)
        self._streams = np.zeros(games, np.uint64)
        self._words = words_of(self._states)
        size = -(-games // cores_for(threads))
        numbers = ActionNumbers(setup)
        self._shards = [
            Shard(setup, numbers, self._states, self._streams, slice(first, min(first + size, games)))
            for first in range(0, games, size)
        ]
        self._listed = False
        self._mask: Bools | None = None
        self.numbers = np.zeros(games, np.int64)
        self.reset(seed)

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes except threads and arrays that share the memory of others."""
        return {name: value for name, value in vars(self).items() if name not in ("_words", "_pool")} | {"_mask": None}

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        vars(self).update(pickled)
        self._words = words_of(self._states)
        for shard in self._shards:
            shard.attach(self._states[shard.at], self._streams[shard.at])

    def __len__(self) -> int:
        return len(self._states)

    def __repr__(self) -> str:
        over = np.count_nonzero(self.over)
        seed = self.seed if isinstance(self.seed, int) else "of each game"
        return f"<Batch: {self.setup.label}; {counted(len(self), 'game')}, {over} of them over; seed {seed}>"

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
        """Return a snapshot of the selected games, all of them by default, for :meth:`restore`.

        Args:
            which: the indices of the games, which may repeat, or a bool for each game.

        Raises:
            ParlourError: an index is out of range.
        """
        at = self._places(which)
        run = (self.seed, self._begun) if which is None else None
        return SavedGames(self.setup, self._states[at], self.numbers[at], self._streams[at], self.seeds[at], run)

    def restore(self, saved: SavedGames, places: Which | None = None, seed: int | None = None) -> None:
        """Replace games of this batch by saved games.

        Args:
            saved: the games, of this batch or of another one of the same setup.
            places: the indices of the games to replace, in the order of ``saved``; all games by default.
            seed: the seed of new random streams, one for each place. By default the saved streams are restored, so
                that the same actions lead to the same chance events as before.

        Raises:
            ParlourError: the saved games are of another setup, an index is out of range or repeated, or the numbers of
                places and saved games differ.
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
        """Return a new, independent batch with copies of the selected games, all of them by default.

        Args:
            which: the games to copy, as in :meth:`save`.
            seed: the seed of new random streams, as in :meth:`restore`; by default copies of one game have the same
                chance events.
            threads: the number of threads of the new batch.

        Raises:
            ParlourError: an index is out of range.
        """
        saved = self.save(which)
        made = Batch(self.setup, len(saved), 0, threads)
        made.restore(saved, seed=seed)
        made.seed = self.seed if isinstance(self.seed, int) else tuple(saved.seeds.tolist())
        made._begun = self._begun
        return made

    def _places(self, which: Which | None) -> Int64s:
        """Return the indices of a selection of games. Raises :class:`ParlourError`."""
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
        """Replace the selected games, by default those that are over, by the next games of the run.

        Returns:
            *n* bools, True for each replaced game.
        """
        renewed = self.over
        if which is not None:
            renewed = np.zeros(len(self), np.bool_)
            renewed[self._places(which)] = True
        self._begin(renewed)
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
        """The seat to act in each game, or ``OVER``: *n* integers."""
        return self._words[:, 0].copy()

    def actor(self, game: int) -> int:
        """Return the seat to act in one of the games, or ``OVER``."""
        seat: int = self._words.item(game, 0)
        return seat

    @property
    def over(self) -> Bools:
        """*n* bools, True for each game that has ended."""
        return np.equal(self._words[:, 0], OVER)

    def legal_actions(self) -> list[list[Action]]:
        """Return the legal actions of each game as indices in the action space, in the order of the rules."""
        self._list()
        return [
            row[:count].tolist()
            for shard in self._shards
            for row, count in zip(shard.listing.listed, shard.listing.counts, strict=True)
        ]

    def listings(self) -> list[tuple[slice, Any, Int64s]]:
        """Return the legal actions of each shard of games, without a copy: its slice, lists, and their lengths.

        The lists are rows of indices in the action space, of which the first ones are valid.
        """
        self._list()
        return [(shard.at, shard.listing.listed, shard.listing.counts) for shard in self._shards]

    def observe(
        self, seats: "int | Int64s | None" = None, tensor: Cells | None = None, legal_mask: Bools | None = None
    ) -> Observations:
        """Return the observation of one seat in each game, with the same numbers as ``Match.observation(seat)``.

        Args:
            seats: the observing seats; by default the seat to act, with zeros for games that are over.
            tensor: the output array, n × the setup's ``observation_shape``, ``float32`` or ``int16``
                (:meth:`new_tensor`); ``int16`` is faster and holds the same numbers. By default a new ``float32``
                array.
            legal_mask: the output array of the legal actions, n × the setup's ``num_actions`` bools. If it is the
                unmodified array of the previous call, only the changes are written.

        Raises:
            ParlourError: a seat is out of range, or an array has the wrong shape, type or memory order.
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
        self._list(lambda shard, *rows: shard.observe(unmarked, *rows), seats, tensor, legal_mask)
        return Observations(tensor, legal_mask)

    def new_tensor(self, dtype: Any = np.float32) -> Cells:
        """Return an array of zeros for :meth:`observe`, aligned to a cache line, which makes ``observe`` faster.

        Args:
            dtype: ``float32`` or ``int16``.
        """
        return _aligned((len(self._words), self._cells_of_one), np.dtype(dtype))

    def new_state_tensor(self, dtype: Any = np.float32) -> Cells:
        """Return an array of zeros for :meth:`state_tensor`, aligned to a cache line; ``float32`` or ``int16``."""
        return _aligned((len(self._words), *self.setup.state_shape), np.dtype(dtype))

    def state_tensor(self, seats: "int | Int64s" = 0, tensor: Cells | None = None) -> Cells:
        """Return the tensors of the full states, with all cards open: the input of a centralized critic, not of a seat.

        Args:
            seats: the seats that planes by seat, chair or side start with, for example those of the critic's actors.
            tensor: the output array, n × the setup's ``state_shape``, ``float32`` or ``int16``; a new ``float32`` array
                by default.

        Raises:
            ParlourError: a seat is out of range, or the array has the wrong shape, type or memory order.
        """
        shape = len(self), *self.setup.state_shape
        if tensor is None:
            tensor = np.empty(shape, np.float32)
        else:
            _check_fit("tensor", tensor, shape, _CELLS)
        self._on_all_shards(Shard.lay_open, self._seats(seats), tensor)
        return tensor

    def _seats(self, seats: "int | Int64s") -> Int64s:
        named = np.empty(len(self._words), np.int64)
        named[:] = wholes("seats", seats)
        for seat in (seats,) if isinstance(seats, int) else (named.min(), named.max()):
            if not 0 <= seat < self.setup.players:
                raise ParlourError(f"there is no seat {seat}; the seats are 0 to {self.setup.players - 1}")
        return named

    def random_actions(self) -> Int64s:
        """Return a uniformly random legal action of each game, drawn from the game's stream; 0 if the game is over."""
        self._list()
        chosen = np.zeros(len(self._words), np.int64)
        self._on_all_shards(Shard.choose, chosen)
        return chosen

    def heuristic_actions(self) -> Int64s:
        """Return the action in each game that its heuristic rates highest; 0 if the game is over.

        The heuristic receives the observed state of the seat to act. The game's random stream breaks ties.
        """
        self._list()
        chosen = np.zeros(len(self._words), np.int64)
        self._on_all_shards(Shard.advise, chosen)
        return chosen

    def step(self, actions: Int64s, which: Which | None = None) -> None:
        """Play one action in each game that is not over, and the chance events that follow.

        Args:
            actions: *n* indices in the setup's action space; those of games that are over are ignored.
            which: the games to play, as in :meth:`save`; the actions of others are ignored. All games by default.

        Raises:
            IllegalError: one of them is not legal; no action has been played.
            ParlourError: the number of actions is not the number of games, one is not an index, or an index of
                ``which`` is out of range.
        """
        chosen = wholes("actions", actions)
        if chosen.shape != (len(self._words),):
            raise ParlourError(
                f"one action a game is wanted, {len(self._words)} in all, not an array of {chosen.shape}"
            )
        if which is not None:
            played = self._places(which)
            waiting = np.full(len(self), WAITING)
            waiting[played] = chosen[played]
            chosen = waiting
        self._list()
        for shard, wrong in zip(self._shards, self._on_all_shards(Shard.find, chosen), strict=True):
            if wrong >= 0:
                game = shard.at.start + wrong
                text = self.setup.action_name(int(chosen[game]))
                raise IllegalError(f"{text!r} is not legal in game {game} of the batch")
        self._change(Shard.play)

    def play_others(self, seats: "int | Int64s", by_heuristic: bool = True) -> None:
        """Play the actions of the other seats in each game until the given seat is to act or the game is over.

        Args:
            seats: the seat that does not play: one for all games, or one for each game.
            by_heuristic: True to play by the game's heuristic, False to play uniformly at random.

        Raises:
            ParlourError: a seat is out of range.
        """
        self._change(lambda shard, *rows: shard.play_others(by_heuristic, *rows), self._seats(seats))

    def play_out(self) -> None:
        """Play every game to its end with uniformly random legal actions."""
        self._change(Shard.play_out)

    def scores(self) -> tuple[Int64s, Int64s]:
        """Return the current scores of each game (n × players) and its winners (*n* sets of seats)."""
        scores = np.zeros((len(self), MAX_SEATS), np.int64)
        winners = np.zeros(len(self), np.int64)
        self._on_all_shards(Shard.score, scores, winners)
        return scores[:, : self.setup.players], winners

    def rewards(self, kind: str = WIN) -> Float32s:
        """Return the rewards of each seat (n × players); zeros for games that are not over.

        ``kind`` is ``"win"`` or ``"points"``; :func:`parlour.engine.rewards.rewards_of` defines both.
        """
        rewards = rewards_of(self.setup, *self.scores(), kind)
        rewards[~self.over] = 0
        return rewards

    @property
    def nbytes(self) -> int:
        """Memory of the games, in bytes, without the output arrays of :meth:`observe`."""
        return int(self._states.nbytes) + sum(shard.nbytes for shard in self._shards)

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
        return list(self._pool.map(lambda shard: work(shard, *(each[shard.at] for each in rows)), self._shards))

    @cached_property
    def _cells_of_one(self) -> int:
        return planes_of(self.setup).size

    @cached_property
    def _num_actions(self) -> int:
        return self.setup.num_actions

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self._shards))


def _aligned(shape: tuple[int, int], kind: "np.dtype[Any]") -> Cells:
    """Return an array of zeros that begins with a cache line."""
    room = np.zeros(prod(shape) * kind.itemsize + _LINE, np.uint8)
    first = -room.ctypes.data % _LINE
    tensor: Cells = room[first : first + prod(shape) * kind.itemsize].view(kind).reshape(shape)
    return tensor


def _check_fit(name: str, array: Any, shape: tuple[int, ...], kinds: "tuple[np.dtype[Any], ...]") -> None:
    """Raise ``ParlourError`` if an output array has the wrong shape, type or memory order."""
    if array.shape != shape or array.dtype not in kinds or not array.flags.c_contiguous:
        named = " or ".join(map(str, kinds))
        raise ParlourError(f"{name} must be {named} of shape {shape}, row by row, not {array.dtype} of {array.shape}")
