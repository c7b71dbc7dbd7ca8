"""Batches of games that advance together, one step at a time, on all cores: for learning and for studies.

Each game has a random stream of its own, so the games do not depend on the number of threads. Game *n* played by
``play_out`` from the start, or by ``random_actions``, is game *n* of
:func:`parlour.engine.simulation.playouts.run_playouts` with the same seed.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np

from parlour.engine.arrays import Bools, Cells, Float32s, Int64s
from parlour.engine.errors import GameError, IllegalError, ParlourError
from parlour.engine.information.planes import planes_of
from parlour.engine.moves import Action
from parlour.engine.observation import EVERYTHING, Observation, check_viewer, observe
from parlour.engine.rewards import WIN, rewards_of
from parlour.engine.rules import CHANCE, MAX_SEATS
from parlour.engine.simulation.actions import WAITING
from parlour.engine.simulation.output_arrays import Observations, aligned, check_fit
from parlour.engine.simulation.play_out_policies import (
    GAME,
    HEURISTIC,
    RANDOM,
    Player,
    by_heuristic,
    chooser,
    is_by_round,
    rate_of,
)
from parlour.engine.simulation.playouts import endless
from parlour.engine.simulation.saved_games import Which
from parlour.engine.simulation.shard import Shard, Way
from parlour.engine.simulation.sharded_games import ShardedGames
from parlour.engine.simulation.trials import Trials
from parlour.engine.validation import shown, wholes

_CELLS = np.dtype(np.float32), np.dtype(np.int16)


class Batch(ShardedGames):
    """*n* games of one setup, each waiting for a player's decision or over.

    Chance events are played automatically; only ``until="round"`` leaves games waiting for the deal of another round.

    Attributes:
        setup: the setup of the games.
        seed: the seed of the run; a tuple of *n* seeds if each game has a run of its own.
        numbers: the number of each game in its run. The course of a game depends on the seed, this number and the calls
            for it, but not on the number of games in the batch or of threads. :meth:`random_actions`,
            :meth:`heuristic_actions` and :meth:`play_others` draw from the game's stream, and so do later deals.
    """

    def legal_actions(self) -> list[list[Action]]:
        """Return the legal actions of each game as indices in the action space, in the order of the rules."""
        self._alone(self._list)
        return self._listed_actions()

    def _listed_actions(self) -> list[list[Action]]:
        return [
            row[:count].tolist()
            for shard in self._shards
            for row, count in zip(shard.listing.listed, shard.listing.counts, strict=True)
        ]

    def listings(self) -> list[tuple[slice, Any, Int64s]]:
        """Return the legal actions of each shard of games, without a copy: its slice, lists, and their lengths.

        The lists are rows of indices in the action space; as many entries of a row are valid as its length says.
        """
        self._alone(self._list)
        return [(shard.at, shard.listing.listed, shard.listing.counts) for shard in self._shards]

    def observe(
        self, seats: "int | Int64s | None" = None, tensor: Cells | None = None, legal_mask: Bools | None = None
    ) -> Observations:
        """Return the observation of one seat in each game, with the same numbers as ``Match.observation(seat)``.

        Args:
            seats: the observing seats; by default the seat to act, with zeros where no seat is to act.
            tensor: the output array, n × the setup's ``observation_shape``, ``float32`` or ``int16``
                (:meth:`new_tensor`); ``int16`` is faster and holds the same numbers. By default a new ``float32``
                array. The arrays made here begin with a cache line, so that JAX reads them without a copy.
            legal_mask: the output array of the legal actions, n × the setup's ``num_actions`` bools. If it is the
                unmodified array of the previous call, only the changes are written.

        Raises:
            ParlourError: a seat is out of range, the number of seats is wrong, or an array has the wrong shape, type or
                memory order.
        """
        seats = self.actors if seats is None else self._seats(seats)
        games, size = len(seats), self._cells_of_one
        if tensor is None:
            tensor = self.new_tensor()
        else:
            check_fit("tensor", tensor, (games, size), _CELLS)
        unmarked = legal_mask is None or legal_mask is not self._mask
        if legal_mask is None:
            legal_mask = aligned((games, self._num_actions), np.dtype(np.bool_))
        elif unmarked:
            check_fit("legal_mask", legal_mask, (games, self._num_actions), (np.dtype(np.bool_),))
            legal_mask[:] = False
        self._mask = legal_mask
        self._alone(self._list, lambda shard, *rows: shard.observe(unmarked, *rows), seats, tensor, legal_mask)
        return Observations(tensor, legal_mask)

    def new_tensor(self, dtype: "type[np.float32 | np.int16]" = np.float32) -> Cells:
        """Return an array of zeros for :meth:`observe`, aligned to a cache line, which makes ``observe`` faster.

        Args:
            dtype: ``float32`` or ``int16``.

        Raises:
            ParlourError: it is another type.
        """
        return aligned((len(self), self._cells_of_one), _cell_type(dtype))

    def new_state_tensor(self, dtype: "type[np.float32 | np.int16]" = np.float32) -> Cells:
        """Return an array of zeros for :meth:`state_tensor`, as :meth:`new_tensor` does for :meth:`observe`."""
        return aligned((len(self), *self.setup.state_shape), _cell_type(dtype))

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
            check_fit("tensor", tensor, shape, _CELLS)
        self._alone(self._on_all_shards, Shard.lay_open, self._seats(seats), tensor)
        return tensor

    def _seats(self, seats: "int | Int64s") -> Int64s:
        given, games = wholes("seats", seats), len(self._words)
        if given.shape not in ((), (games,)):
            raise ParlourError(f"seats are one for all games, or {games} of them, not an array of {given.shape}")
        named = np.empty(games, np.int64)
        named[:] = given
        for seat in (seats,) if isinstance(seats, int) else (named.min(), named.max()):
            if not 0 <= seat < self.setup.players:
                raise ParlourError(f"there is no seat {seat}; the seats are 0 to {self.setup.players - 1}")
        return named

    def random_actions(self) -> Int64s:
        """Return a uniformly random legal action of each game, drawn from the game's stream; 0 if no seat is to act."""
        return self._alone(self._chosen, Shard.choose)

    def heuristic_actions(self) -> Int64s:
        """Return the action in each game that its heuristic rates highest; 0 if no seat is to act.

        The heuristic receives the observed state of the seat to act. The game's random stream breaks ties.
        """
        return self._alone(self._chosen, Shard.advise)

    def _chosen(self, choose: Callable[[Shard, Int64s], None]) -> Int64s:
        self._list()
        chosen = np.zeros(len(self._words), np.int64)
        self._on_all_shards(choose, chosen)
        return chosen

    def step(self, actions: Int64s | Sequence[int], which: Which | None = None, until: str = GAME) -> None:
        """Play one action in each game in which a seat is to act, and the chance events that follow.

        Args:
            actions: *n* indices in the setup's action space; those of games in which no seat is to act are ignored.
            which: the games to play, as in :meth:`save`; the others stay as they are. All games by default.
            until: ``"round"`` to stop before the deal of another round, which the next call with ``"game"`` draws.

        Raises:
            IllegalError: an action is not legal; no action has been played.
            ParlourError: the number of actions is not the number of games, an action is not an index, or an index of
                ``which`` is out of range.
        """
        by_round = is_by_round(until)
        chosen = wholes("actions", actions)
        if chosen.shape != (len(self._words),):
            raise ParlourError(
                f"one action per game is required, {len(self._words)} in all, not an array of {chosen.shape}"
            )
        if which is not None:
            played = self._places(which)
            waiting = np.full(len(self), WAITING)
            waiting[played] = chosen[played]
            chosen = waiting
        self._alone(self._play, chosen, by_round)

    def _play(self, chosen: Int64s, by_round: bool) -> None:
        if not self._listed:
            self._list()
        self._refuse(self._on_all_shards(Shard.find, chosen), chosen[:, None])
        self._change(lambda shard: shard.play(by_round))

    def _refuse(self, wrong: Sequence[int], chosen: Int64s) -> None:
        """Raise :class:`IllegalError` if a shard has found an illegal action in one of its games."""
        if max(wrong) < 0:
            return
        game = next(shard.at.start + index for shard, index in zip(self._shards, wrong, strict=True) if index >= 0)
        legal = self._listed_actions()[game]
        text = self.setup.action_name(next(int(each) for each in chosen[game] if each not in legal))
        raise IllegalError(f"{text!r} is not legal in game {game} of the batch")

    def play_others(self, seats: "int | Int64s", by_heuristic: bool = True, until: str = GAME) -> None:
        """Play the actions of the other seats in each game until the given seat is to act or the game is over.

        A game that waits for the deal of another round goes on with it, unless ``until`` is ``"round"``.

        Args:
            seats: the seat that does not play: one for all games, or one for each game.
            by_heuristic: True to play by the game's heuristic, False to play uniformly at random.
            until: ``"round"`` to stop also before the deal of another round.

        Raises:
            ParlourError: a seat is out of range.
            GameError: a game is endless, or its heuristic returned an invalid index.
        """
        by_round = is_by_round(until)
        way = bool(by_heuristic), by_round
        self._alone(self._change, lambda shard, *rows: shard.play_others(*way, *rows), self._seats(seats))

    def play_out(
        self, by: Player = RANDOM, until: str = GAME, careless: float = 0.0, result_only: bool = False
    ) -> None:
        """Play every game to its end, compiled if ``by`` is a text.

        Args:
            by: ``"random"`` for uniformly random actions; ``"heuristic"``, the game's heuristic; a function that takes
                the batch and returns an action for each game; or a bot, which receives an observation without past
                events for each decision.
            until: ``"game"``, or ``"round"`` to stop before the deal of another round: ``actors`` is then ``CHANCE``.
            careless: the share of random actions among those of the heuristic, from 0 to 1.
            result_only: True to maintain only what the result depends on, which is faster: afterwards only
                :meth:`scores` and :meth:`rewards` are valid.

        Raises:
            ParlourError: an argument is invalid.
            IllegalError: the function or bot chose an illegal action.
            GameError: a game is endless.
        """
        by_round = is_by_round(until)
        if isinstance(by, str) and by in (RANDOM, HEURISTIC):
            way = by_heuristic(by), rate_of(careless), by_round
            self._alone(self._change, lambda shard: shard.play_out(way, bool(result_only)))
            return
        choose, steps, limit = chooser(by), 0, self.setup.game.max_events
        while (self._words[:, 0] >= 0).any() or (not by_round and (self._words[:, 0] == CHANCE).any()):
            if steps == limit:
                raise GameError(endless(self.setup, limit))
            self.step(choose(self), until=until)
            steps += 1

    def try_actions(
        self, actions: Int64s | Sequence[int], by: str = RANDOM, until: str = GAME, careless: float = 0.0
    ) -> Trials:
        """Play out a copy of each game after each of several actions: a search of one ply.

        All actions of a game are tried with the same random numbers, so that chance affects them alike.

        Args:
            actions: *k* actions that are legal in every game, or n × k, those of each game.
            by: ``"random"`` or ``"heuristic"``, as in :meth:`play_out`.
            until: as in :meth:`play_out`.
            careless: as in :meth:`play_out`.

        Raises:
            IllegalError: one of the actions is not legal, or in one of the games no seat is to act.
            ParlourError: an argument is invalid.
        """
        tried = wholes("actions", actions)
        if tried.shape[-1:] in ((), (0,)) or tried.shape not in (tried.shape[-1:], (len(self), *tried.shape[-1:])):
            raise ParlourError(f"actions to try are k for all games or {len(self)} × k, not {tried.shape}")
        tried = np.ascontiguousarray(np.broadcast_to(tried, (len(self), tried.shape[-1])))
        way = by_heuristic(by), rate_of(careless), is_by_round(until)
        if len(idle := np.flatnonzero(self._words[:, 0] < 0)):
            raise IllegalError(f"in game {idle[0]} of the batch no seat is to act, so no action can be tried")
        trials = Trials.of(self.setup, *tried.shape)
        self._alone(self._try, way, tried, trials)
        return trials

    def _try(self, way: Way, tried: Int64s, trials: Trials) -> None:
        self._list()
        rows = tried, trials.all_scores, trials.winners, trials.over
        self._refuse(self._on_all_shards(lambda shard, *rows: shard.try_actions(way, *rows), *rows), tried)

    def observation(self, game: int, seat: int | None = None) -> Observation:
        """Return the observation of a seat, by default the one to act, in one of the games.

        A batch stores no events, so ``events`` is empty and ``information_state`` is ``None``. Raises
        :class:`ParlourError` if there is no such game or seat, or no seat is to act.
        """
        (at,) = self._places([game])
        state = self._states[at]
        viewer = check_viewer(self.setup, int(state.actor) if seat is None else seat)
        if viewer == EVERYTHING:
            raise ParlourError("an observation is that of a seat or a spectator; batch.states has all cards")
        texts = [self.setup.action_name(each) for each in self.legal_actions()[at]] if viewer == state.actor else []
        return observe(self.setup, state, viewer, (), sorted(texts))

    def scores(self) -> tuple[Int64s, Int64s]:
        """Return the current scores of each game (n × players) and its winners (*n* sets of seats)."""
        scores = np.zeros((len(self), MAX_SEATS), np.int64)
        winners = np.zeros(len(self), np.int64)
        self._alone(self._on_all_shards, Shard.score, scores, winners)
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

    @cached_property
    def _cells_of_one(self) -> int:
        return planes_of(self.setup).size

    @cached_property
    def _num_actions(self) -> int:
        return self.setup.num_actions


def _cell_type(dtype: Any) -> "np.dtype[Any]":
    """Return the type of a tensor's cells. Raises :class:`ParlourError` for another one."""
    with suppress(TypeError):
        for kind in _CELLS:
            if np.dtype(dtype) == kind:
                return kind
    raise ParlourError(f"the type of a tensor is {' or '.join(map(str, _CELLS))}, not {shown(dtype)}")
