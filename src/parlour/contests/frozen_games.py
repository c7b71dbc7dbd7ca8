"""Games of a policy in training against a frozen bot, which does not learn."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from parlour.bots import BuiltinBot
from parlour.bots.compiled_observation import CompiledObservation
from parlour.bots.external import AnyBot
from parlour.bots.policies import drawn_move
from parlour.bots.protocol import MOVE_TIME
from parlour.contests.arena import Arena
from parlour.contests.contest_results import counted_scores, loss_at_random, win_shares
from parlour.contests.game_results import GameResult
from parlour.engine.arrays import Float32s, Floats, Int64s
from parlour.engine.events import current_result
from parlour.engine.moves import Move
from parlour.engine.rewards import sides_of
from parlour.engine.rules import ACTION_ROOM, array_of
from parlour.engine.setup import Setup
from parlour.learning.policy_loop import CANDIDATES, new_scratch, number_of_features, weigh_actions
from parlour.learning.training import PolicyGames


@dataclass
class Learner:
    """Policy that plays seats in an arena, and adds up the gradients of its choices.

    It chooses from observations, which contain no hidden cards.

    Attributes:
        setup: the setup.
        weights, scales: the weights of the policy, and the units of heuristic values and of leads.
        gradients: seats × 2 × features: the sum of the score functions (the gradients of the logarithms of the
            probabilities of the chosen actions), and the sum of their products with the lead.
        sums: seats × 3: the number of decisions, the sum of the leads, and the sum of the squared leads.
    """

    setup: Setup
    weights: Float32s = field(init=False)
    scales: Floats = field(init=False)
    gradients: Float32s = field(init=False)
    sums: Floats = field(init=False)

    def __post_init__(self) -> None:
        self._scratch = new_scratch(self.setup)
        self._actions = np.zeros(ACTION_ROOM, np.int64)
        self.begin()

    def begin(self) -> None:
        """Set the sums to 0 before a game."""
        self.gradients = np.zeros((self.setup.players, 2, number_of_features(self.setup)), np.float32)
        self.sums = np.zeros((self.setup.players, 3))

    def choose(self, observation: CompiledObservation) -> Move:
        """Return a move drawn from the policy."""
        moves, seat, number = observation.moves, observation.seat, len(observation.moves)
        if number == 1:
            return Move(moves[0])
        self._actions[:number], chances = moves, np.zeros(number)
        weigh_actions(
            array_of(observation.state), seat, self._actions, number, observation.random, self.weights, self.scales,
            self._scratch, chances,
        )  # fmt: skip
        candidates = min(number, CANDIDATES)
        features, chosen = self._scratch.features[:candidates], self._scratch.chosen[:candidates]
        probabilities = chances[chosen]
        move = drawn_move(moves[chosen], probabilities, observation.random)
        score_function = features[int(np.flatnonzero(moves[chosen] == move)[0])] - probabilities @ features
        lead = _lead(self.setup, seat, current_result(observation.state).scores) / self.scales[1]
        self.gradients[seat] += np.array([[1.0], [lead]]) * score_function
        self.sums[seat] += 1.0, lead, lead * lead
        return move


class FrozenGames(PolicyGames):
    """Games of a policy against a frozen bot, which plays the seats that :class:`PolicyGames` gives to the heuristic.

    Attributes:
        bot: the frozen bot.
        forfeits: the number of games that the bot has forfeited; they count as lost for its side.
        reason: the reason of the bot's last forfeit.
    """

    def __init__(self, setup: Setup, bot: AnyBot, move_time: float = MOVE_TIME) -> None:
        super().__init__(setup)
        self.bot, self.forfeits, self.reason = bot, 0, ""
        self._learner, self._move_time = Learner(setup), move_time

    def warm_up(self) -> None:
        """Compile the code of the policy and, unless the bot is external, of the bot."""
        self._learner.weights, self._learner.scales = np.zeros(self.features, np.float32), self.scales
        self._arena(0).warm_up()

    def _arena(self, seed: int) -> Arena:
        learner = BuiltinBot("learner", "Learner", "a policy in training", self._learner.choose)
        return Arena(self.setup, [self.bot, learner], seed, self._move_time)

    def play(
        self, seed: int, deals: Int64s, players: Int64s, weights: Float32s, learn: bool = False
    ) -> tuple[Floats, Floats, Floats, Float32s]:
        """Play a game for each deal; return rewards, leads, sums and gradients, as :meth:`PolicyGames.play` does.

        The side of a forfeit loses by the greatest loss in the other games, and at least in 1,000 random games.
        """
        learner, arena, shape = self._learner, self._arena(seed), players.shape
        learner.weights, learner.scales = weights, self.scales
        rewards, leads, sums = np.zeros(shape), np.zeros(shape), np.zeros((*shape, 3))
        gradients = np.zeros((shape[0] if learn else 0, shape[1], 2, self.features), np.float32)
        forfeited = np.zeros(shape[0], bool)
        for game, (deal, row) in enumerate(zip(deals.tolist(), players.tolist(), strict=True)):
            learner.begin()
            result = arena.play(deal, row)
            forfeited[game] = self._note_forfeit(result)
            scores = counted_scores(result, self.sides)
            for seat in range(shape[1]):
                rewards[game, seat] = self._reward(seat, result.winners)
                leads[game, seat] = _lead(self.setup, seat, scores)
            sums[game] = learner.sums
            if learn:
                gradients[game] = learner.gradients
        if forfeited.any():  # the leads of these games are in units of the greatest loss
            leads[forfeited] *= max(loss_at_random(self.setup), -leads[~forfeited].min(initial=0.0))
        return rewards, leads, sums, gradients

    def _note_forfeit(self, result: GameResult) -> bool:
        """Count the forfeit of a game, if any; return whether there is one."""
        if not result.forfeit:
            return False
        self.forfeits, self.reason = self.forfeits + 1, result.forfeit.reason
        return True

    def _reward(self, seat: int, winners: tuple[int, ...]) -> float:
        """Return the share of first place of the seat's side, scaled from 0 … 1 to −1 … 1."""
        shares = zip(self.sides, win_shares(winners, self.sides), strict=True)
        return next(2 * share - 1 for side, share in shares if seat in side)


def _lead(setup: Setup, seat: int, scores: Sequence[int]) -> float:
    """Return the seat's score less the mean score of the seats on other sides."""
    own = next(side for side in sides_of(setup) if seat in side)
    others = [score for other, score in enumerate(scores) if other not in own]
    return scores[seat] - sum(others) / max(len(others), 1)
