"""Results of a contest: shares of wins, points, and their confidence intervals."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from parlour import inference
from parlour.contests.contest import Contest, Deal
from parlour.contests.game_results import GameResult
from parlour.contests.interval_texts import percent, signed_points
from parlour.contests.precision import ContestPrecision
from parlour.engine.errors import GameError
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import run_playouts
from parlour.engine.validation import counted
from parlour.render.words import with_minus
from parlour.statistics import FEWEST_DECISIVE_DEALS, FEWEST_DIFFERING, Estimate, SequentialTest

Sides = Sequence[Sequence[int]]

_RANDOM_GAMES = 1000


@dataclass(frozen=True)
class Outcome:
    """Result of a game for one side.

    Attributes:
        bot: the number of the side's bot.
        win_share: the side's share of first place, which tied sides divide equally.
        lead: the side's mean score minus the mean score of all other seats. In a forfeited game the side of the forfeit
            has −1 as its score and all others have 0, in units of :attr:`ContestTally.greatest_loss`.
        rank_key: the sort key of the result; a better result has a greater key: first place, then the score.
    """

    bot: int
    win_share: float
    lead: float
    rank_key: tuple[bool, float]


def win_shares(winners: Collection[int], sides: Sides) -> list[float]:
    """Return each side's share of first place, which the sides with seats among ``winners`` divide equally."""
    first = [not set(side).isdisjoint(winners) for side in sides]
    return [won / sum(first) for won in first]


def outcomes(game: GameResult, sides: Sides) -> list[Outcome]:
    """Return the result of a game for each side."""
    scores, found = counted_scores(game, sides), []
    for side, share in zip(sides, win_shares(game.winners, sides), strict=True):
        own = sum(scores[seat] for seat in side) / len(side)
        others = [score for seat, score in enumerate(scores) if seat not in side]
        won = share > 0
        found.append(
            Outcome(
                game.bots[side[0]],
                share,
                own - sum(others) / len(others),
                (won, 0.0 if won else own),
            )
        )
    return found


def counted_scores(game: GameResult, sides: Sides) -> Sequence[int]:
    """Return the scores of a complete game; after a forfeit −1 for its side and 0 for all others."""
    if not game.forfeit:
        return game.scores
    lost = next(side for side in sides if game.forfeit.seat in side)
    return [-1 if seat in lost else 0 for seat in range(len(game.scores))]


@lru_cache(maxsize=64)
def loss_at_random(setup: Setup) -> float:
    """Return the greatest loss of a side in 1,000 random games, in points, and at least 1.

    Needed because a bot may forfeit every game in which it is behind: the complete games then contain no great loss.
    """
    try:
        scores = run_playouts(setup, _RANDOM_GAMES, seed=0, threads=1).scores
    except GameError:  # a game of another package that random play does not end
        return 1.0
    leads = [np.delete(scores, side, axis=1).mean(axis=1) - scores[:, side].mean(axis=1) for side in sides_of(setup)]
    return max(1.0, float(np.max(leads)))


class ContestTally:
    """Running totals of a contest: each bot's values by deal.

    Attributes:
        deals: the number of deals.
        games: the number of games in these deals.
        shares, leads: for each bot, its mean share of first place and its mean lead in points, by deal.
        greatest_loss: the loss in points that a forfeit counts as: the greatest loss in a complete game so far. After a
            forfeit it is at least :func:`loss_at_random`. So no bot gains by a forfeit.
        ahead: for each deal, bots × bots: the number of times that the bot of the row was ahead of that of the column.
        forfeits: for each bot, the number of forfeited games, by reason.
    """

    def __init__(self, contest: Contest) -> None:
        bots = range(len(contest.bots))
        self.contest = contest
        self.deals = self.games = 0
        self.shares: list[list[float]] = [[] for _ in bots]
        self.leads: list[list[float]] = [[] for _ in bots]
        self.greatest_loss = 0.0
        self._losses: list[list[float]] = [[] for _ in bots]
        """The part of each lead that comes from forfeited games, in units of ``greatest_loss``."""
        self.ahead: list[list[list[float]]] = []
        self.forfeits = [Counter[str]() for _ in bots]
        self._decisions, self._seconds = [0 for _ in bots], [0.0 for _ in bots]

    def add(self, deal: Deal) -> None:
        """Add a deal: each bot's means over its sides in all games, and its number of games ahead of each other bot."""
        bots = range(len(self.contest.bots))
        complete, forfeited = ([list[Outcome]() for _ in bots] for _ in range(2))
        ahead = [[0.0 for _ in bots] for _ in bots]
        for game in deal.games:
            reached = outcomes(game, self.contest.sides)
            for outcome in reached:
                (forfeited if game.forfeit else complete)[outcome.bot].append(outcome)
            add_places(ahead, reached)
            if game.forfeit:
                self.forfeits[game.bots[game.forfeit.seat]][game.forfeit.reason] += 1
            for seat, bot in enumerate(game.bots):
                self._decisions[bot] += game.decisions[seat]
                self._seconds[bot] += game.seconds[seat]
        known = loss_at_random(self.contest.setup) if any(forfeited) else 0.0
        self._raise_loss(max((-outcome.lead for found in complete for outcome in found), default=0.0), known)
        for bot in bots:
            found = complete[bot] + forfeited[bot]
            self.shares[bot].append(sum(outcome.win_share for outcome in found) / len(found))
            self._losses[bot].append(sum(outcome.lead for outcome in forfeited[bot]) / len(found))
            lead = sum(outcome.lead for outcome in complete[bot]) / len(found)
            self.leads[bot].append(lead + self.greatest_loss * self._losses[bot][-1])
        self.ahead.append(ahead)
        self.deals += 1
        self.games += len(deal.games)

    def _raise_loss(self, *losses_so_far: float) -> None:
        """Raise the loss that forfeits count as to the greatest of ``losses_so_far``, also for the deals so far."""
        loss = max(losses_so_far)
        if loss <= self.greatest_loss:
            return
        more, self.greatest_loss = loss - self.greatest_loss, loss
        for leads, losses in zip(self.leads, self._losses, strict=True):
            leads[:] = [lead + more * part if part else lead for lead, part in zip(leads, losses, strict=True)]

    @property
    def even_share(self) -> float:
        """Share of first places if all sides were equal."""
        return 1 / len(self.contest.sides)

    def win_share(self, bot: int) -> Estimate:
        """Return a bot's share of first places per side."""
        return inference.share_interval(np.array(self.shares[bot]))

    def points(self, bot: int) -> Estimate:
        """Return a bot's mean lead over the other seats, in the game's points; a forfeit is the greatest loss."""
        leads = np.array(self.leads[bot])
        return inference.mean_interval(leads, inference.observed_range(leads))

    def seconds_a_decision(self, bot: int) -> float:
        """Return a bot's mean seconds per decision."""
        return self._seconds[bot] / max(1, self._decisions[bot])

    def to_json(self) -> dict[str, Any]:
        """Return the values common to all kinds of contests, as JSON."""
        return {
            **{key: value for key, value in self.contest.header().items() if key not in ("format", "code")},
            "deals": self.deals,
            "games": self.games,
            "sides": [list(side) for side in self.contest.sides],
            "even_share": round(self.even_share, 6),
            **(self._forfeits_json() if any(self.forfeits) else {}),
        }

    def _forfeits_json(self) -> dict[str, Any]:
        forfeits = [
            {"bot": self.contest.bots[bot], "reason": reason, "games": games}
            for bot, reasons in enumerate(self.forfeits)
            for reason, games in reasons.most_common()
        ]
        return {"forfeits": forfeits, "greatest_loss": round(self.greatest_loss, 6)}

    def forfeits_text(self) -> list[str]:
        """Return the loss in points that forfeits count as, and the lines of :func:`forfeit_lines`; or no line."""
        if not any(self.forfeits):
            return []
        loss = f"{self.greatest_loss:.6g} {'point' if self.greatest_loss == 1 else 'points'}"
        return [f"  Each forfeited game counts as a loss by {loss}:", *forfeit_lines(self.contest.bots, self.forfeits)]


def forfeit_lines(bots: Sequence[str], forfeits: Sequence[Counter[str]]) -> list[str]:
    """Return a line for each bot that forfeited games: the number, and the reasons.

    In a match of a bot with itself the second bot is called the field.
    """
    names = [f"{bot} (field)" if bot in bots[:place] else bot for place, bot in enumerate(bots)]
    return [
        f"  {name}: {counted(reasons.total(), 'game')} forfeited: {_reasons(reasons)}"
        for name, reasons in zip(names, forfeits, strict=True)
        if reasons
    ]


_MOST_REASONS = 3


def _reasons(reasons: Counter[str]) -> str:
    """Return the most frequent reasons, and the number of games with other reasons."""
    shown = reasons.most_common(_MOST_REASONS)
    rest = reasons.total() - sum(games for _, games in shown)
    parts = [reason if len(reasons) == 1 else f"{games} {reason}" for reason, games in shown]
    return "; ".join([*parts, *([f"{rest} for other reasons"] if rest else [])])


def add_places(ahead: list[list[float]], reached: Iterable[Outcome]) -> None:
    """For every pair of sides with different bots, count the better side; a tie counts half for each side."""
    reached = list(reached)
    for one in reached:
        for other in reached:
            if one.bot != other.bot and one.rank_key >= other.rank_key:
                ahead[one.bot][other.bot] += 0.5 if one.rank_key == other.rank_key else 1.0


class ContestResult(ABC):
    """Result of a contest so far.

    Args:
        contest: the contest.
        precision: the required precision of bots' wins or points.
    """

    def __init__(self, contest: Contest, precision: ContestPrecision | None = None) -> None:
        self.tally = ContestTally(contest)
        self.precision = precision

    def __str__(self) -> str:
        return self.text() if self.has_results else f"{setup_text(self.tally.contest)}: no deal has been played"

    def add(self, deal: Deal) -> None:
        """Add a deal."""
        self.tally.add(deal)
        if self.precision:
            self.precision.check(self.tally)

    @property
    def has_results(self) -> bool:
        """Return whether any deal has been added."""
        return self.tally.deals > 0

    @abstractmethod
    def text(self) -> str:
        """Return the result as text, once there is one."""


class MatchResult(ContestResult):
    """Result of a match so far: the challenger's wins and points, and an optional sequential test.

    Args:
        contest: a match, with the challenger first.
        test: a test of the wins above the even share, in percentage points, or of the points.
        on_points: whether to test the points instead of the wins.
        precision: the required precision of the challenger's wins or points.
    """

    def __init__(
        self,
        contest: Contest,
        test: SequentialTest | None = None,
        on_points: bool = False,
        precision: ContestPrecision | None = None,
    ) -> None:
        super().__init__(contest, precision)
        self.test = test
        self.on_points = on_points

    def add(self, deal: Deal) -> None:
        """Add a deal."""
        super().add(deal)
        if self.test:
            share = 100 * (self.tally.shares[0][-1] - self.tally.even_share)
            self.test.add(self.tally.leads[0][-1] if self.on_points else share)

    @property
    def wins(self) -> Estimate:
        """Return the challenger's share of first places per side."""
        return self.tally.win_share(0)

    @property
    def points(self) -> Estimate:
        """Return the challenger's mean lead over the other seats, in the game's points."""
        return self.tally.points(0)

    @property
    def is_decided(self) -> bool:
        """Return whether the test has reached a decision, or the precision has reached its targets."""
        if self.precision:
            return self.precision.is_reached
        return self.test is not None and self.test.decision is not None

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        tally = self.tally
        values = {
            **tally.to_json(),
            "win_share": self.wins.to_json(),
            "points": self.points.to_json(),
            "seconds_a_decision": [round(tally.seconds_a_decision(bot), 9) for bot in (0, 1)],
        }
        if self.test:
            values["sprt"] = {"measure": "points" if self.on_points else "wins", **self.test.to_json()}
        if self.precision:
            values["until"] = self.precision.to_json(tally)
        return values

    def progress_text(self) -> str:
        """Return the result so far in a few words."""
        return f"wins {percent(self.wins)}"

    def text(self) -> str:
        """Return the result as a text table."""
        tally = self.tally
        challenger, field = tally.contest.bots
        share, points = self.wins, self.points
        times = [seconds_name(tally.seconds_a_decision(bot)) for bot in (0, 1)]
        lines = [
            f"{challenger} against {field}: {setup_text(tally.contest)}",
            f"  {amount_text(tally)}, {challenger} {seats_text(tally.contest)} in turn",
            f"  wins    {percent(share):28} an even share is {tally.even_share:.1%}",
            f"  points  {signed_points(points):28} per game above the others",
            f"  time    {times[0]} a decision, {field} {times[1]}",
        ]
        if self.test:
            lines.append(f"  test    {self._test_text(challenger)}")
        if self.precision:
            lines += self.precision.text(tally)
        return "\n".join([*lines, *tally.forfeits_text()])

    def _test_text(self, challenger: str) -> str:
        assert self.test is not None
        unit = "points per game" if self.on_points else "percentage points of wins above even"
        asked = with_minus(f"{self.test.high:+g} rather than {self.test.low:+g} {unit}")
        if self.test.decision is None and not self.test.has_enough_deals:
            differ = f"{self.test.differing_values} of {self.tally.deals:,} deals differ from the most frequent result"
            return f"open: {asked}; {differ}, and {FEWEST_DIFFERING} of at least {FEWEST_DECISIVE_DEALS} are required"
        if self.test.decision is None:
            ratio = with_minus(f"{self.test.log_ratio:+.2f}")
            return f"open: {asked}; log-likelihood ratio {ratio}, decided at ±{self.test.bound:.2f}"
        return (
            f"{challenger} is {self.test.decision}: {asked}, wrong in about {self.test.error:.0%} at most\n"
            "          (after an early stop the intervals above overstate the difference)"
        )


def setup_text(contest: Contest) -> str:
    """Return the game, the number of players and the options: ``"some-game, 4 players, long_run=true"``."""
    return f"{contest.setup.game.id}, {contest.setup.variation}"


def amount_text(tally: ContestTally) -> str:
    """Return the amount played: ``"1,000 deals, 4,000 games"``."""
    return f"{counted(tally.deals, 'deal')}, {counted(tally.games, 'game')}"


def seats_text(contest: Contest) -> str:
    """Return ``"in every seat"``, or ``"on every side"`` for games with partners."""
    return "in every seat" if len(contest.sides) == contest.setup.players else "on every side"


def seconds_name(seconds: float) -> str:
    """Return a duration: ``"1.2 s"``, ``"35 ms"`` or ``"0.4 µs"``."""
    rounded = float(f"{seconds:.3g}")  # before the unit is chosen: 999.6 ms are 1 s
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if rounded >= size or unit == "µs":
            return f"{rounded / size:.6g} {unit}"
    raise AssertionError
