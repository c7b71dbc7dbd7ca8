"""Training of a linear policy from self-play and play against the heuristic: a natural policy gradient.

The policy is a softmax over the logits of the actions, and starts close to the heuristic. In half of the games of an
iteration it plays all seats. In the other half it plays one side against the heuristic, in each deal every side once.
The advantage of a decision is the seat's reward in the game minus a linear function of its lead at the decision, so
that earlier luck does not count. The gradient is divided by the Fisher information of whole games (Kakade, "A natural
policy gradient", NeurIPS 2001; Peters and Schaal, "Natural actor-critic", Neurocomputing 71, 2008), so that a step
changes the play by a certain amount, however the features are scaled. The learning curve measures the mean of recent
policies, and the best of these means is kept.

All chance comes from streams of the seed, numbered by game, so that an iteration depends on earlier iterations only,
not on time.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from parlour import inference
from parlour.engine.arrays import Float32s, Floats, Int64s
from parlour.engine.chance import new_stream, random_below
from parlour.engine.compiled import interpreted
from parlour.engine.errors import GameError
from parlour.engine.rewards import sides_of
from parlour.engine.rules import ACTION_ROOM, CHANCE, MAX_CARDS, OVER, action_value, legal, new_states, play
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import endless, take_chance
from parlour.learning.policy_loop import (
    BEST,
    HEURISTIC,
    POLICY,
    new_buffers,
    new_scratch,
    number_of_features,
    play_policy_games,
)
from parlour.render.words import with_minus

FIRST_WEIGHT = 2.5
"""Initial weight of the feature ``BEST``: the heuristic's choice is then twelve times as likely as any other. The other
weights begin at 0.
"""
GAMES = 1024
"""Number of games of an iteration."""
ITERATIONS_PER_POINT = 25
"""Iterations between two points of the learning curve."""
LEAD_REWARD = 0.3
"""Reward for a final lead of one unit, in addition to that for winning, since a lead carries more information."""
MOST_LEAD = 3.0
"""Greatest final lead that counts, in units."""
STEP, MOST_CHANGE = 4.0, 0.3
"""Length of the first step, and the maximum change of play by a step (Kullback-Leibler divergence of a seat's game)."""
HALF_STEP = 150
"""The iteration whose step has half the length of the first."""
DAMPING = 0.005
"""Addition to the Fisher information, relative to its mean diagonal."""
MOMENTUM, MEMORY, RECENT = 0.8, 0.9, 0.95
"""Weights of the past in the gradient, in the Fisher information, and in the mean of recent policies."""
FISHER_ROWS = 1024
"""Maximum number of seats' games in an iteration from which the Fisher information is estimated."""
SCALE_GAMES = 400
"""Maximum number of games by the heuristic from which the unit of leads is estimated."""
SCALE_STREAM, _CURVE_STREAM, _CHECK_STREAM = 1 << 60, 1 << 61, 1 << 62
"""Numbers added to the seed for games outside of training: for the units, the learning curve and the check."""


@dataclass(frozen=True)
class PolicyScore:
    """Result of the policy against the heuristic: every deal played from each side.

    Attributes:
        games: number of games.
        wins: share of the wins, with its 95 % interval over deals.
        even: the even share.
        points: mean lead at the end of a game, with its interval.
    """

    games: int
    wins: tuple[float, float, float]
    even: float
    points: tuple[float, float, float]

    def to_json(self) -> dict[str, Any]:
        """Return JSON values, rounded."""
        return {key: np.round(value, 4).tolist() for key, value in asdict(self).items()}

    def text(self) -> str:
        """Return wins and points with their intervals."""
        value, low, high = (100 * share for share in self.wins)
        points, least, most = self.points
        return (
            f"{value:.1f}% ({low:.1f}% to {high:.1f}%) of {self.games:,} games won, "
            f"an even share is {100 * self.even:.1f}%; "
            + with_minus(f"{points:+z.2f} points ({least:+z.2f} to {most:+z.2f})")
        )

    @property
    def is_stronger(self) -> bool:
        """Return whether the whole interval of the share of wins lies above the even share."""
        return self.wins[1] > self.even


@dataclass(frozen=True)
class CurvePoint:
    """A point of the learning curve.

    Attributes:
        iteration, games, minutes: the iterations, games and CPU minutes so far.
        score: the result against the heuristic; all points have the same deals.
    """

    iteration: int
    games: int
    minutes: float
    score: PolicyScore

    def to_json(self) -> dict[str, Any]:
        """Return short JSON values."""
        wins, points = self.score.wins[0], self.score.points[0]
        return {
            "games": self.games,
            "minutes": round(self.minutes, 2),
            "wins": round(wins, 4),
            "points": round(points, 3),
        }

    def text(self) -> str:
        """Return the point as a line of the curve."""
        return f"{self.minutes:6.1f} min {self.games:9,} games: {self.score.text()}"

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "CurvePoint":
        """Return the point from a dictionary of its fields."""
        score = values["score"]
        wins, points = tuple(score["wins"]), tuple(score["points"])
        return cls(**{**values, "score": PolicyScore(score["games"], wins, score["even"], points)})


class PolicyGames:
    """Games of a setup with a policy in some seats.

    Attributes:
        setup: the setup.
        features: the number of features of an action.
        scales: the units of heuristic values and of leads: the median spread of the values in a decision, and the
            spread of the leads after a game.
        sides: the seats of each side.
    """

    def __init__(self, setup: Setup, interpret: bool = False) -> None:
        """``interpret`` runs the same source in the interpreter, a thousand times slower."""
        self.setup, self.scales = setup, np.ones(2)
        self._loop = interpreted(play_policy_games) if interpret else play_policy_games
        self._start, self._work = new_states(setup.game.dtype, 1), new_states(setup.game.dtype, 1)
        self._start[0] = setup.new_state()
        self._scratch, self._buffers = new_scratch(setup), new_buffers()
        self.features = number_of_features(setup)
        self.sides = sides_of(setup)

    def play(
        self, seed: int, deals: Int64s, players: Int64s, weights: Float32s, learn: bool = False
    ) -> tuple[Floats, Floats, Floats, Float32s]:
        """Play a game for each deal; return rewards, leads, sums and gradients (:func:`play_policy_games`).

        Raises :class:`GameError` if a game does not end.
        """
        shape = len(deals), self.setup.players
        results = np.zeros(shape), np.zeros(shape), np.zeros((*shape, 3))
        gradients = np.zeros((shape[0] if learn else 0, shape[1], 2, self.features), np.float32)
        most = self.setup.game.max_events
        ended = self._loop(
            self._start, self._work, seed, deals, players, weights, self.scales, self._scratch, self._buffers, results,
            gradients, most,
        )  # fmt: skip
        if not ended:
            raise GameError(endless(self.setup, most))
        return *results, gradients

    def warm_up(self) -> None:
        """Compile the loop, by a game of the heuristic."""
        players = np.full((1, self.setup.players), HEURISTIC)
        self.play(0, np.arange(1), players, np.zeros(self.features, np.float32))

    def measure_scales(self, seed: int, games: int) -> None:
        """Set :attr:`scales` by ``games`` games of the heuristic and the decisions of a random game."""
        players = np.full((games, self.setup.players), HEURISTIC)
        _, leads, _, _ = self.play(seed, np.arange(games), players, np.zeros(self.features, np.float32))
        spreads = _value_spreads(self._start.copy(), seed)
        self.scales = np.array([float(np.median(spreads or [1.0])), max(float(leads.std()), 1e-6)])

    def seats_of(self, which: int, player: int) -> Int64s:
        """Return the player of each seat: ``player`` for the side with this number, the heuristic for the others."""
        players = np.full(self.setup.players, HEURISTIC)
        players[list(self.sides[which % len(self.sides)])] = player
        return players

    def score(self, weights: Float32s, seed: int, deals: int) -> PolicyScore:
        """Return the result of these weights against the heuristic."""
        sides = len(self.sides)
        games = np.repeat(np.arange(deals), sides)
        players = np.stack([self.seats_of(game, POLICY) for game in range(deals * sides)])
        rewards, leads, _, _ = self.play(seed, games, players, weights)
        return score_of(results_by_deal(players, rewards, leads, sides), sides)


def results_by_deal(players: Int64s, rewards: Floats, leads: Floats, sides: int) -> Floats:
    """Return the policy's share of the wins and its lead for each deal, deals × 2; a deal is ``sides`` games."""
    own = np.argmax(players == POLICY, axis=1)[:, None]
    shares = (1 + np.take_along_axis(rewards, own, axis=1)[:, 0]) / 2
    differences = np.take_along_axis(leads, own, axis=1)[:, 0]
    return np.stack([each.reshape(-1, sides).mean(axis=1) for each in (shares, differences)], axis=1)


def score_of(results: Floats, sides: int) -> PolicyScore:
    """Return the score of :func:`results_by_deal`."""
    shares, leads = results.T
    won = inference.share_interval(shares)
    lead = inference.mean_interval(leads, inference.observed_range(leads))
    wins, points = (won.value, won.low, won.high), (lead.value, lead.low, lead.high)
    return PolicyScore(len(results) * sides, wins, 1 / sides, points)


def _value_spreads(states: Any, seed: int) -> list[float]:
    """Return the spread of heuristic values in the decisions of a random game."""
    state, random, spreads = states[0], new_stream(seed), list[float]()
    actions, deck = np.zeros(ACTION_ROOM, np.int64), np.zeros(MAX_CARDS, np.int64)
    while state.actor != OVER:
        if state.actor == CHANCE:
            take_chance(state, deck, random)
            continue
        moves = [int(action) for action in actions[: legal(state, actions)]]
        spread = float(np.std([int(action_value(state, move)) for move in moves]))
        spreads += [spread] if spread > 0 else []
        play(state, moves[random_below(random, len(moves))])
    return spreads


class PlayedGames(NamedTuple):
    """Games of an iteration, each array games × seats.

    Attributes:
        players: who plays each seat, the policy or its opponent.
        rewards: the seats' results, from −1 to 1.
        leads: the seats' final leads in points.
        sums: the sums of each seat's decisions: their number, leads and squared leads.
        gradients: the sums of each seat's gradients, × 2 × features.
        began: the clock's seconds before the games.
    """

    players: Int64s
    rewards: Floats
    leads: Floats
    sums: Floats
    gradients: Float32s
    began: float


@dataclass
class Training:
    """A policy in training.

    Attributes:
        games: the games that are played.
        seed: the seed of all chance.
        size: games of an iteration.
        curve_deals: deals of a point of the curve.
        self_play: share of the games of an iteration in which the policy plays all seats.
        most_change: the greatest change of play by an iteration.
        every: iterations between two points of the learning curve.
        first: the weights before the first iteration; by default those of :func:`close_to_heuristic`.
        clock: returns the seconds that count as time of training.
        iteration: number of iterations so far.
        minutes: minutes of training so far, by ``clock``.
        curve: the learning curve.
        best: the weights with most wins in the curve.
    """

    games: PolicyGames
    seed: int
    size: int = GAMES
    curve_deals: int = 500
    self_play: float = 0.5
    most_change: float = MOST_CHANGE
    every: int = ITERATIONS_PER_POINT
    first: Float32s | None = None
    clock: Callable[[], float] = time.process_time
    iteration: int = 0
    minutes: float = 0.0
    curve: list[CurvePoint] = field(default_factory=list)
    best: Float32s = field(init=False)

    def __post_init__(self) -> None:
        self._first = close_to_heuristic(self.games.features) if self.first is None else self.first.copy()
        self.best = self._first.copy()
        parameters = self.games.features
        self._parameters, self._gradient = np.zeros((2, parameters), np.float32)
        self._fisher = np.zeros((parameters, parameters), np.float32)
        self._recent = self._first.copy()

    def prepare(self) -> None:
        """Compile the loop and, before the first iteration, measure :attr:`PolicyGames.scales`.

        The seconds of both do not count as time of training.
        """
        self.games.warm_up()
        if not self.iteration:
            self.games.measure_scales(self.seed + SCALE_STREAM, min(SCALE_GAMES, self.size))

    def play(self) -> PlayedGames:
        """Play the games of an iteration, and change nothing; call :meth:`prepare` before."""
        began = self.clock()
        deals, players = self._line_up()
        weights = (self._first + self._parameters).astype(np.float32)
        played = self.games.play(self.seed, deals, players, weights, learn=True)
        return PlayedGames(players, *played, began)

    def improve(self, played: PlayedGames) -> None:
        """Improve the policy by the games of an iteration."""
        mine = played.players == POLICY
        final = np.clip(played.leads[mine] / self.games.scales[1], -MOST_LEAD, MOST_LEAD)
        alone = np.nonzero(mine)[0] < self._games_alone
        advantages = _advantages(played.rewards[mine] + LEAD_REWARD * final, played.sums[mine], alone)
        self._learn(played.gradients[mine], *advantages)
        self.minutes += (self.clock() - played.began) / 60

    @property
    def _games_alone(self) -> int:
        return int(self.size * self.self_play)

    def _line_up(self) -> tuple[Int64s, Int64s]:
        """Return the deals and players of an iteration: self-play, then one side against the heuristic."""
        sides, alone = len(self.games.sides), self._games_alone
        first = self.iteration * self.size
        against = np.arange(self.size - alone)
        deals = np.concatenate([first + np.arange(alone), first + alone + against // sides])
        each = [np.full(self.games.setup.players, POLICY)] * alone
        return deals, np.stack([*each, *(self.games.seats_of(int(game), POLICY) for game in against)])

    def _learn(self, gradients: Float32s, constants: Float32s, slopes: Float32s) -> None:
        """Make a step with the advantages of :func:`_advantages` for the rows of the gradients."""
        mean = (gradients[:, 0] * constants[:, None] + gradients[:, 1] * slopes[:, None]).mean(axis=0)
        rows = gradients[:FISHER_ROWS, 0]
        fisher = rows.T @ rows / len(rows)
        past = (MOMENTUM, MEMORY, RECENT) if self.iteration else (0.0, 0.0, 0.0)
        self._gradient = (past[0] * self._gradient + (1 - past[0]) * mean).astype(np.float32)
        self._fisher = (past[1] * self._fisher + (1 - past[1]) * fisher).astype(np.float32)
        damping = max(DAMPING * float(np.trace(self._fisher)) / len(self._fisher), 1e-9)
        step = np.linalg.solve(self._fisher + damping * np.eye(len(self._fisher), dtype=np.float32), self._gradient)
        length = STEP / (1 + self.iteration / HALF_STEP)
        change = max(0.5 * float(step @ self._fisher @ step), 1e-12)
        self._parameters = self._parameters + np.float32(min(length, (self.most_change / change) ** 0.5)) * step
        weights = self._first + self._parameters
        self._recent = (past[2] * self._recent + (1 - past[2]) * weights).astype(np.float32)
        self.iteration += 1

    def measure(self) -> CurvePoint:
        """Add a point to the learning curve, and keep the policy if it is the best so far."""
        began = self.clock()
        score = self._score_policy()
        self.minutes += (self.clock() - began) / 60
        if all(score.wins[0] > point.score.wins[0] for point in self.curve):
            self.best = self._candidate().copy()
        self.curve.append(CurvePoint(self.iteration, self.iteration * self.size, self.minutes, score))
        return self.curve[-1]

    def _score_policy(self) -> PolicyScore:
        return self.games.score(self._recent, self.seed + _CURVE_STREAM, self.curve_deals)

    def _candidate(self) -> Float32s:
        """Return the policy that the next point of the curve measures."""
        return self._recent

    def arrays(self) -> dict[str, Any]:
        """Return all that further iterations depend on, and the best policy."""
        return {
            "iteration": np.array(self.iteration), "scales": self.games.scales, "parameters": self._parameters,
            "gradient": self._gradient, "fisher": self._fisher, "recent": self._recent, "best": self.best,
        }  # fmt: skip

    def restore(self, arrays: dict[str, Any], curve: list[CurvePoint], minutes: float) -> None:
        """Continue from the :meth:`arrays`, the curve and the minutes of an earlier training."""
        self.iteration, self.games.scales = int(arrays["iteration"]), arrays["scales"]
        self._parameters, self._gradient, self._fisher = (arrays[key] for key in ("parameters", "gradient", "fisher"))
        self._recent, self.best, self.curve, self.minutes = arrays["recent"], arrays["best"], curve, minutes

    def check(self, deals: int) -> PolicyScore:
        """Return the result of the best policy in deals that served neither to train nor to choose it."""
        return self.games.score(self.best, self.seed + _CHECK_STREAM, deals)


def close_to_heuristic(features: int, weight: float = FIRST_WEIGHT) -> Float32s:
    """Return weights of 0 except that of the feature ``BEST``."""
    weights = np.zeros(features, np.float32)
    weights[BEST] = weight
    return weights


def _advantages(rewards: Floats, sums: Floats, alone: Any) -> tuple[Float32s, Float32s]:
    """Return for each row two numbers, in units of the rewards' spread: the constant and the slope of its advantage.

    The advantage of a decision is the constant plus the slope times the lead at the decision. The expected reward is a
    linear regression on the lead over all decisions, one for self-play and one for games against the heuristic.
    """
    constants, slopes = rewards.copy(), np.zeros_like(rewards)
    for which in (alone, ~alone):
        number, lead, squares = sums[which].sum(axis=0)
        right = np.array([(sums[which, 0] * rewards[which]).sum(), (sums[which, 1] * rewards[which]).sum()])
        constant, slope = np.linalg.solve(np.array([[number, lead], [lead, squares]]) + np.eye(2), right)
        constants[which] -= constant
        slopes[which] = -slope
    spread = max(float(rewards.std()), 1e-6)
    return (constants / spread).astype(np.float32), (slopes / spread).astype(np.float32)
