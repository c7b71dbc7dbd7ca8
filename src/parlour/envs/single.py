"""A single compiled game that converts to a match on demand."""

import secrets
from typing import Any

import numpy as np

from parlour.engine.arrays import Int64s
from parlour.engine.chance import as_seed, new_stream
from parlour.engine.errors import IllegalError
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rewards import check_rewards, rewards_of
from parlour.engine.rules import MAX_SEATS, OVER, new_states
from parlour.engine.setup import Setup
from parlour.engine.simulation.actions import ActionNumbers
from parlour.engine.simulation.shard import ILLEGAL, NOTHING_CHOSEN, STALE, Shard
from parlour.engine.validation import whole

Int8s = np.ndarray[Any, np.dtype[np.int8]]
Float32s = np.ndarray[Any, np.dtype[np.float32]]
_ALL = np.ones(1, np.bool_)


class SingleGame:
    """The successive games of a run, each compiled and available as a match.

    Attributes:
        setup: the game, number of players and options.
        seed: the run's seed.
        number: the number of the current game in the run.
    """

    def __init__(self, setup: Setup, rewards: str) -> None:
        """``rewards`` are ``"win"`` or ``"points"``. Raises :class:`ParlourError`."""
        check_rewards(rewards)
        self.setup, self._kind = setup, rewards
        self._shard: Shard | None = None
        self._match: Match | None = None
        self._actions: list[int] = []
        self._shapes = (1, *setup.observation_shape), (1, setup.num_actions)
        self._seats, self._chosen = np.zeros((2, 1), np.int64)
        self._prefetched: tuple[Float32s, Int8s] | None = None
        self.seed = self.number = 0

    def begin(self, seed: int | None = None) -> None:
        """Begin the first game of the run with this seed; without one the next game, or the first of a random run.

        Game 0 of a run is ``setup.start(seed)``. Raises :class:`ParlourError` if the seed is not an integer.
        """
        if self._shard is not None and seed is None:
            self.number += 1
        else:
            self.seed, self.number = secrets.randbits(63) if seed is None else as_seed(seed), 0
        if self._shard is None:
            states, streams = new_states(self.setup.game.dtype, 1), np.zeros(1, np.uint64)
            self._shard = Shard(self.setup, ActionNumbers(self.setup), states, streams, slice(0, 1))
        self._shard.begin(_ALL, np.array([self.seed]), np.array([self.number]))
        self._match, self._actions, self._prefetched = None, [], None

    @property
    def _game(self) -> Shard:
        assert self._shard is not None, "no game has begun"
        return self._shard

    @property
    def actor(self) -> int:
        """The seat to act, or ``OVER``."""
        seat: int = self._game.words.item(0)
        return seat

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.actor == OVER

    def observe(self, seat: int) -> tuple[Float32s, Int8s]:
        """Return a seat's tensor and action mask in new arrays; the mask is all 0 unless the seat is to act."""
        if self._prefetched is not None and seat == self.actor:
            prefetched, self._prefetched = self._prefetched, None
            return prefetched
        self._seats[0] = seat
        return self._observe(NOTHING_CHOSEN)

    def act(self, action: Any) -> None:
        """Carry out an action of the seat to act by its number.

        Raises:
            ParlourError: the action is not an integer; the game is unchanged.
            IllegalError: the action is not legal.
        """
        number = whole("an action", action)
        if self._game.listing.stale[0]:
            self.observe(self.actor)
        self._chosen[0] = number
        self._prefetched = self._observe(self._chosen)
        self._actions.append(number)

    def _observe(self, chosen: Int64s) -> tuple[Float32s, Int8s]:
        """Return the tensor and mask of the seat in ``_seats``; after a chosen action those of the seat to act then.

        The caller needs these next, and one call takes half the time of two.
        """
        tensor, mask = np.empty(self._shapes[0], np.float32), np.zeros(self._shapes[1], np.bool_)
        outcome = self._game.observe_unchecked(True, self._seats, tensor, mask, chosen)
        if outcome == ILLEGAL:
            raise IllegalError(f"{self.setup.action_name(int(chosen[0]))!r} is not legal now")
        while outcome == STALE:
            self._game.ask()
            outcome = self._game.observe_unchecked(True, self._seats, tensor, mask, NOTHING_CHOSEN)
        return tensor[0], mask[0].view(np.int8)

    def state_tensor(self) -> Float32s:
        """Return the tensor of the full state, seen from seat 0."""
        tensor = np.empty((1, *self.setup.state_shape), np.float32)
        self._game.lay_open(np.zeros(1, np.int64), tensor)
        full: Float32s = tensor[0]
        return full

    def rewards(self) -> list[float]:
        """Return the reward of each seat at the end of the game."""
        scores, winners = np.zeros((1, MAX_SEATS), np.int64), np.zeros(1, np.int64)
        self._game.score(scores, winners)
        rewards: list[float] = rewards_of(self.setup, scores[:, : self.setup.players], winners, self._kind)[0].tolist()
        return rewards

    @property
    def match(self) -> Match:
        """The game as a match, brought up to date by replaying new actions."""
        if self._match is None:
            chance = StreamRandomness(new_stream(self.seed, self.number))
            self._match = Match(self.setup, chance=chance, recall=True)
        for action in self._actions:
            self._match.act(action)
        self._actions = []
        return self._match
