"""One game at a time, compiled, which can be looked at as a match."""

import secrets
from typing import Any

import numpy as np

from parlour.engine.batch import Batch
from parlour.engine.chance import new_stream
from parlour.engine.match import Match, StreamRandomness
from parlour.engine.rewards import check_rewards
from parlour.engine.setup import Setup

Int8s = np.ndarray[Any, np.dtype[np.int8]]
Float32s = np.ndarray[Any, np.dtype[np.float32]]


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
        self._batch: Batch | None = None
        self._match: Match | None = None
        self._actions: list[int] = []
        self.seed = 0

    def begin(self, seed: int | None = None) -> None:
        """Begin the first game of the run with this seed; without one the next of the run, the first time of any run.

        Game 0 of a run is ``setup.start(seed)``.
        """
        if self._batch is not None and seed is None:
            self._batch.renew(np.ones(1, np.bool_))
        else:
            self.seed = secrets.randbits(63) if seed is None else seed
            if self._batch is None:
                self._batch = Batch(self.setup, 1, self.seed, threads=1)
            else:
                self._batch.reset(self.seed)
        self._match, self._actions = None, []

    @property
    def batch(self) -> Batch:
        """The game, as a batch of one."""
        assert self._batch is not None, "no game has begun"
        return self._batch

    @property
    def number(self) -> int:
        """Which game of the run is played."""
        return int(self.batch.numbers[0])

    @property
    def actor(self) -> int:
        """The seat to act, or ``OVER``."""
        return int(self.batch.actors[0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.batch.over[0])

    def observe(self, seat: int) -> tuple[Float32s, Int8s]:
        """What a seat may know, and 1 for each legal action if it is to act: arrays of their own."""
        seen = self.batch.observe(seat)
        return seen.tensor[0], seen.legal_mask[0].view(np.int8)

    def act(self, action: int) -> None:
        """Carry out an action of the seat to act by its number. Raises :class:`IllegalError`."""
        self.batch.step(np.array([action]))
        self._actions.append(action)

    def rewards(self) -> list[float]:
        """What the end is worth to each seat; zeros while the game goes on."""
        rewards: list[float] = self.batch.rewards(self._kind)[0].tolist()
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
