"""Results of actions that were tried in the games of a batch."""

from dataclasses import dataclass

import numpy as np

from parlour.engine.arrays import Bools, Float32s, Int64s
from parlour.engine.rewards import WIN, rewards_of
from parlour.engine.rules import MAX_SEATS
from parlour.engine.setup import Setup


@dataclass(frozen=True)
class Trials:
    """The ends of play-outs of *n* games after *k* actions each: the result of :meth:`Batch.try_actions`.

    Attributes:
        setup: the setup of the games.
        all_scores: n × k × ``MAX_SEATS``, of which ``scores`` is the used part.
        winners: n × k sets of seats, a bit for each seat in first place.
        over: n × k bools, False where a round ended, but not the game.
    """

    setup: Setup
    all_scores: Int64s
    winners: Int64s
    over: Bools

    @classmethod
    def of(cls, setup: Setup, games: int, actions: int) -> "Trials":
        """Return trials whose results are all 0, to be filled in."""
        shape = games, actions
        scores, winners = np.zeros((*shape, MAX_SEATS), np.int64), np.zeros(shape, np.int64)
        return cls(setup, scores, winners, np.zeros(shape, np.bool_))

    @property
    def scores(self) -> Int64s:
        """The scores of each seat at the end: n × k × players."""
        return self.all_scores[:, :, : self.setup.players]

    def rewards(self, kind: str = WIN) -> Float32s:
        """Return the rewards of each seat (n × k × players); zeros where the game is not over.

        ``kind`` is ``"win"`` or ``"points"``; :func:`parlour.engine.rewards.rewards_of` defines both.
        """
        shape = *self.winners.shape, self.setup.players
        rewards = rewards_of(self.setup, self.scores.reshape(-1, self.setup.players), self.winners.ravel(), kind)
        rewards = rewards.reshape(shape)
        rewards[~self.over] = 0
        return rewards
