"""Calibration of a search's predicted probabilities of winning against the results of games.

Values, hints and reviews are probabilities of winning if all seats continue by the heuristic. To check these, the
heuristic plays games. At some decisions of each game, a search predicts the probability of winning after the
heuristic's action, and the prediction is compared with the result. A difference means that determinizations are drawn
from a wrong likelihood, or that scores between rounds are valued wrongly.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from parlour.bots import CompiledObservation, compiled_observation_of, find_bot
from parlour.bots.levels import search_for
from parlour.bots.lookahead import share_and_lead
from parlour.bots.protocol import CancelCheck
from parlour.contests.interval_texts import percent, signed_percent
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.moves import Move
from parlour.engine.rules import MAX_SEATS
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import drive
from parlour.engine.validation import counted
from parlour.jobs.pool import do_jobs
from parlour.jobs.setup_work import SetupWork, compile_search
from parlour.jobs.tasks import Placement
from parlour.statistics import Estimate, estimate_mean_by_group, estimate_share_by_group

PLAYED_BY = "thumb"
"""Id of the bot that plays the games."""
TENTHS = 10
"""Number of rows of predictions."""
LONGEST = 5000
"""Maximum number of decisions; longer games are left out."""


@dataclass(frozen=True)
class Prediction:
    """Predicted and observed share of first place, from 0 to 1, of the deciding seat."""

    game: int
    predicted: float
    observed: float


@dataclass(frozen=True)
class PredictionGroup:
    """Group of decisions: the numbers of decisions and of games, and the means of predictions and results."""

    decisions: int
    games: int
    predicted: float
    observed: Estimate

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "decisions": self.decisions,
            "games": self.games,
            "predicted": round(self.predicted, 6),
            "observed": self.observed.to_json(),
        }


def sample_predictions(setup: Setup, seed: int, number: int, every: int, determinizations: int) -> list[Prediction]:
    """Play one game by the heuristic, and predict the result at one in ``every`` decisions.

    Each decision is sampled independently of the game's continuation. A fixed number per game would be biased: it
    would sample a larger part of the decisions in short games, which the seat to act often wins.
    """
    match = Match(setup, COMPILED, observed=False)
    cards, thinking = StreamRandomness(new_stream(seed, 2 * number)), new_stream(seed, 2 * number + 1)
    bot, drawing = find_bot(PLAYED_BY), np.random.default_rng([seed, number])
    found: list[tuple[int, float]] = []

    def choose(match: Match) -> Move:
        observation = compiled_observation_of(match, thinking)
        move = bot.choose(observation)
        if len(observation.moves) > 1 and drawing.integers(every) == 0:
            found.append((observation.seat, predict(observation, move, determinizations)))
        return move

    made = 0
    for event in drive(match, choose, cards):
        made += event.by >= 0
        if made > LONGEST:
            return []
    scores = np.zeros(MAX_SEATS, np.int64)
    return [Prediction(number, predicted, share_and_lead(match.state, seat, scores)[0]) for seat, predicted in found]


def predict(observation: CompiledObservation, move: Move, determinizations: int) -> float:
    """Return the mean probability of winning after a move if all seats continue by the heuristic."""
    values, _ = search_for(observation).compare([move], determinizations)
    return float(values.mean())


def group_by_game(some: Iterable[Prediction]) -> list[list[Prediction]]:
    """Return the predictions grouped by game: the decisions of a game share its result."""
    games = defaultdict[int, list[Prediction]](list)
    for each in some:
        games[each.game].append(each)
    return list(games.values())


def group_of(some: Sequence[Prediction]) -> PredictionGroup:
    """Return the group of these decisions, at least one."""
    games = group_by_game(some)
    observed = estimate_share_by_group([[each.observed for each in group] for group in games])
    return PredictionGroup(len(some), len(games), float(np.mean([each.predicted for each in some])), observed)


@dataclass
class ForesightResult:
    """Predictions and results so far: the number of games, and each sampled decision."""

    setup: Setup
    games: int = 0
    found: list[Prediction] = field(default_factory=list)

    def rows(self) -> dict[int, PredictionGroup]:
        """Return rows by tenth of the prediction, without empty tenths."""
        tenths = defaultdict[int, list[Prediction]](list)
        for each in self.found:
            tenths[min(int(each.predicted * TENTHS), TENTHS - 1)].append(each)
        return {tenth: group_of(tenths[tenth]) for tenth in sorted(tenths)}

    def bias(self) -> Estimate:
        """Return the mean result minus the mean prediction, over all decisions."""
        return estimate_mean_by_group(
            [[each.observed - each.predicted for each in group] for group in group_by_game(self.found)]
        )

    @property
    def has_results(self) -> bool:
        """Return whether any decision has been sampled."""
        return bool(self.found)

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            **self.setup.to_json(),
            "games": self.games,
            "bias": self.bias().to_json(),
            "tenths": {str(tenth): row.to_json() for tenth, row in self.rows().items()},
        }

    def text(self) -> str:
        """Return the result as a text table."""
        lines = [
            f"{self.setup.label}: {counted(len(self.found), 'decision')} of {counted(self.games, 'game')}",
            "  predicted     decisions     average    seen",
        ]
        for tenth, row in self.rows().items():
            span = f"{10 * tenth}–{10 * tenth + 10}%"
            lines.append(f"  {span:12}  {row.decisions:9,}  {100 * row.predicted:9.1f}%  {percent(row.observed, 6)}")
        lines.append(f"  observed minus predicted: {signed_percent(self.bias())} percentage points")
        return "\n".join(lines)


@dataclass(frozen=True)
class ForesightWork(SetupWork):
    """Work that plays games and predicts their results.

    Attributes:
        every: the mean number of decisions per prediction.
        determinizations: the number of determinizations per prediction.
    """

    every: int
    determinizations: int

    def open(self) -> Callable[[int, CancelCheck], list[Prediction]]:
        """Prepare the search; return a function that plays a game."""
        compile_search(self.setup.game)
        return lambda number, stopped: sample_predictions(
            self.setup, self.seed, number, self.every, self.determinizations
        )


def measure(
    result: ForesightResult,
    games: int,
    work: ForesightWork,
    where: Placement,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Play games and add them to the result."""
    numbers: Iterator[int] = iter(range(result.games, result.games + games))
    with closing(do_jobs(work, numbers, where)) as results:
        for _, found in results:
            result.found += found
            result.games += 1
            progress(1)
