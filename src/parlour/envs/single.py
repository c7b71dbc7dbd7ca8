"""One game at a time, compiled, which can be looked at as a match."""

import secrets
from typing import Any

import numpy as np

from parlour.engine.actions import ActionNumbers
from parlour.engine.chance import as_seed, new_stream
from parlour.engine.errors import IllegalError
from parlour.engine.match import Match
from parlour.engine.playouts import Int64s
from parlour.engine.randomness import StreamRandomness
from parlour.engine.rewards import check_rewards, rewards_of
from parlour.engine.rules import MAX_SEATS, OVER, new_states
from parlour.engine.setup import Setup
from parlour.engine.shard import ILLEGAL, NOTHING_CHOSEN, STALE, Shard
from parlour.engine.validation import whole

Int8s = np.ndarray[Any, np.dtype[np.int8]]
Float32s = np.ndarray[Any, np.dtype[np.float32]]
_THIS = np.ones(1, np.bool_)


class SingleGame:
    """One game after another of a run, each compiled, and each a match for whoever asks for it.

    Attributes:
        setup: what is played.
        seed: of the run, of which ``number`` is the game that is played now.
    """

    def __init__(self, setup: Setup, rewards: str) -> None:
        """``rewards`` are ``"win"`` or ``"points"``. Raises :class:`ParlourError`."""
        check_rewards(rewards)
        self.setup, self._kind = setup, rewards
        self._part: Shard | None = None
        self._match: Match | None = None
        self._actions: list[int] = []
        self._shapes = (1, *setup.observation_shape), (1, setup.num_actions)
        self._seats, self._chosen = np.zeros((2, 1), np.int64)
        self._ahead: tuple[Float32s, Int8s] | None = None
        self.seed = self.number = 0

    def begin(self, seed: int | None = None) -> None:
        """Begin the first game of the run with this seed; without one the next of the run, the first time of any run.

        Game 0 of a run is ``setup.start(seed)``. Raises :class:`ParlourError` if the seed is no whole number.
        """
        if self._part is not None and seed is None:
            self.number += 1
        else:
            self.seed, self.number = secrets.randbits(63) if seed is None else as_seed(seed), 0
        if self._part is None:
            states, streams = new_states(self.setup.game.dtype, 1), np.zeros(1, np.uint64)
            self._part = Shard(self.setup, ActionNumbers(self.setup), states, streams, slice(0, 1))
        self._part.begin(_THIS, np.array([self.seed]), np.array([self.number]))
        self._match, self._actions, self._ahead = None, [], None

    @property
    def _game(self) -> Shard:
        assert self._part is not None, "no game has begun"
        return self._part

    @property
    def actor(self) -> int:
        """The seat to act, or ``OVER``."""
        seat: int = self._game.words.item(0)
        return seat

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == OVER

    def observe(self, seat: int) -> tuple[Float32s, Int8s]:
        """What a seat may know, and 1 for each legal action if it is to act: arrays of their own."""
        if self._ahead is not None and seat == self.actor:
            ahead, self._ahead = self._ahead, None
            return ahead
        self._seats[0] = seat
        return self._look(NOTHING_CHOSEN)

    def act(self, action: Any) -> None:
        """Carry out an action of the seat to act by its number.

        Raises:
            ParlourError: it is no whole number; nothing has been played.
            IllegalError: it is not legal.
        """
        number = whole("an action", action)
        if self._game.listing.stale[0]:
            self.observe(self.actor)
        self._chosen[0] = number
        self._ahead = self._look(self._chosen)
        self._actions.append(number)

    def _look(self, chosen: Int64s) -> tuple[Float32s, Int8s]:
        """What a seat may know; if something is chosen, what the seat may know that is to act then.

        That is what is asked for next, and one call takes half the time of two.
        """
        tensor, mask = np.empty(self._shapes[0], np.float32), np.zeros(self._shapes[1], np.bool_)
        told = self._game.observe_unchecked(True, self._seats, tensor, mask, chosen)
        if told == ILLEGAL:
            raise IllegalError(f"{self.setup.action_name(int(chosen[0]))!r} is not legal now")
        while told == STALE:
            self._game.ask()
            told = self._game.observe_unchecked(True, self._seats, tensor, mask, NOTHING_CHOSEN)
        return tensor[0], mask[0].view(np.int8)

    def rewards(self) -> list[float]:
        """What the end is worth to each seat."""
        scores, winners = np.zeros((1, MAX_SEATS), np.int64), np.zeros(1, np.int64)
        self._game.score(scores, winners)
        rewards: list[float] = rewards_of(self.setup, scores[:, : self.setup.players], winners, self._kind)[0].tolist()
        return rewards

    @property
    def match(self) -> Match:
        """The game as a match that nobody else plays on."""
        if self._match is None:
            chance = StreamRandomness(new_stream(self.seed, self.number))
            self._match = Match(self.setup, chance=chance, recall=True)
        for action in self._actions:
            self._match.act(action)
        self._actions = []
        return self._match
