"""How true the chances are that a search foresees, held against what came of the games.

Values, hints and reviews are chances to win if everyone goes on by the heuristic. So games are played by it, some
decisions of each are drawn, and what a search foresees there of the heuristic's action is put beside the outcome.
Where the two differ, determinizations are drawn from a wrong likelihood, or standings between rounds are weighed
wrongly.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from parlour.bots import CompiledObservation, compiled_observation_of, find_bot
from parlour.bots.levels import search_for
from parlour.bots.lookahead import standing
from parlour.bots.protocol import Asking
from parlour.contests.contest_results import beyond, percent
from parlour.engine.chance import new_stream
from parlour.engine.game_loop import drive
from parlour.engine.match import Match
from parlour.engine.randomness import StreamRandomness
from parlour.engine.rules import MAX_SEATS
from parlour.engine.setup import Setup
from parlour.engine.steps import COMPILED
from parlour.jobs.pool import Where, do_jobs
from parlour.jobs.setup_work import SetupWork, be_ready
from parlour.statistics import Estimate, estimate_mean_by_group, estimate_share_by_group

PLAYED_BY = "thumb"
TENTHS = 10
LONGEST = 5000
"""Decisions after which an unfinished game is left out."""


@dataclass(frozen=True)
class Foresight:
    """What was foreseen at one decision, and what came: both the share of the first place, from 0 to 1."""

    game: int
    foreseen: float
    came: float


@dataclass(frozen=True)
class Row:
    """Some decisions: how many, of how many games, and the means of what was foreseen and what came."""

    decisions: int
    games: int
    foreseen: float
    came: Estimate

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "decisions": self.decisions,
            "games": self.games,
            "foreseen": round(self.foreseen, 6),
            "came": self.came.to_json(),
        }


def look_back(setup: Setup, seed: int, number: int, every: int, determinizations: int) -> list[Foresight]:
    """Play one game by the heuristic, and foresee one in ``every`` decisions.

    Each decision is drawn by itself, before it is known how the game goes on. To draw some of each game would not be
    fair: games that end soon, which whoever is to act then has often won, would have more of theirs drawn.
    """
    match = Match(setup, COMPILED, watched=False)
    cards, thinking = StreamRandomness(new_stream(seed, 2 * number)), new_stream(seed, 2 * number + 1)
    bot, drawing = find_bot(PLAYED_BY), np.random.default_rng([seed, number])
    found: list[tuple[int, float]] = []

    def choose(match: Match) -> int:
        observation = compiled_observation_of(match, thinking)
        action = bot.choose(observation)
        if len(observation.actions) > 1 and drawing.integers(every) == 0:
            found.append((observation.seat, foresee(observation, action, determinizations)))
        return action

    made = 0
    for event in drive(match, choose, cards):
        made += event.by >= 0
        if made > LONGEST:
            return []
    scores = np.zeros(MAX_SEATS, np.int64)
    return [Foresight(number, foreseen, standing(match.state, seat, scores)[0]) for seat, foreseen in found]


def foresee(observation: CompiledObservation, action: int, determinizations: int) -> float:
    """The chance to win by an action, if everyone goes on by the heuristic: the mean over determinizations."""
    values, _ = search_for(observation).compare([action], determinizations)
    return float(values.mean())


def by_game(some: Iterable[Foresight]) -> list[list[Foresight]]:
    """What was foreseen, game by game: the decisions of a game share its outcome."""
    games = defaultdict[int, list[Foresight]](list)
    for each in some:
        games[each.game].append(each)
    return list(games.values())


def row_of(some: Sequence[Foresight]) -> Row:
    """A row of at least one decision."""
    games = by_game(some)
    came = estimate_share_by_group([[each.came for each in group] for group in games])
    return Row(len(some), len(games), float(np.mean([each.foreseen for each in some])), came)


@dataclass
class ForesightResult:
    """What was found so far: of how many games, and each decision that was foreseen."""

    setup: Setup
    games: int = 0
    found: list[Foresight] = field(default_factory=list)

    def rows(self) -> dict[int, Row]:
        """By tenth of what was foreseen, if there was such a decision."""
        tenths = defaultdict[int, list[Foresight]](list)
        for each in self.found:
            tenths[min(int(each.foreseen * TENTHS), TENTHS - 1)].append(each)
        return {tenth: row_of(tenths[tenth]) for tenth in sorted(tenths)}

    def bias(self) -> Estimate:
        """How much more came than was foreseen, over all decisions."""
        return estimate_mean_by_group([[each.came - each.foreseen for each in group] for group in by_game(self.found)])

    @property
    def begun(self) -> bool:
        """Whether there is anything to tell yet."""
        return bool(self.found)

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            **self.setup.to_json(),
            "games": self.games,
            "bias": self.bias().to_json(),
            "tenths": {str(tenth): row.to_json() for tenth, row in self.rows().items()},
        }

    def text(self) -> str:
        """As a table."""
        lines = [
            f"{self.setup.label}: {len(self.found)} decisions of {self.games} games",
            "  foreseen      decisions  on average  came",
        ]
        for tenth, row in self.rows().items():
            span = f"{10 * tenth}–{10 * tenth + 10}%"
            lines.append(f"  {span:12}  {row.decisions:9,}  {100 * row.foreseen:9.1f}%  {percent(row.came, 6)}")
        lines.append(f"  over all, {beyond(self.bias())} percentage points more came than was foreseen")
        return "\n".join(lines)


@dataclass(frozen=True)
class Looking(SetupWork):
    """Looking back on games.

    Attributes:
        every: how many decisions there are for one that is foreseen.
        determinizations: how many are made of each.
    """

    every: int
    determinizations: int

    def open(self) -> Callable[[int, Asking], list[Foresight]]:
        """Get ready to look back on games."""
        be_ready(self.setup.game)
        return lambda number, stopped: look_back(self.setup, self.seed, number, self.every, self.determinizations)


def measure(
    standing: ForesightResult,
    games: int,
    work: Looking,
    where: Where,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Play and add games."""
    numbers: Iterator[int] = iter(range(standing.games, standing.games + games))
    with closing(do_jobs(work, numbers, where)) as looked:
        for _, found in looked:
            standing.found += found
            standing.games += 1
            progress(1)
