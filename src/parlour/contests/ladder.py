"""Ladder: ratings of several bots from the games in which they met."""

import math
from dataclasses import dataclass
from typing import Any

import choix
import numpy as np

from parlour.contests.contest_results import ContestResult, amount_text, seats_text, seconds_name, setup_text
from parlour.contests.interval_texts import percent, signed_points
from parlour.engine.arrays import Floats
from parlour.render.words import with_minus
from parlour.statistics import CONFIDENCE, Estimate

_POINTS = 400 / math.log(10)
"""Rating points for a factor e of strength: 400 for a factor of ten, as in chess."""
_DRAWN = 0.5
"""Games that each bot of a pair is ahead in the added drawn game; also the parameters of the prior for its division."""
_LEAST = 1e-4
"""Lower bound of a score share; without it, ratings would be infinite."""
_REPLICATES = 400
"""Number of bootstrap samples."""


def ratings_of(ahead: Floats) -> Floats:
    """Return maximum-likelihood ratings from pairwise results; their mean is 0, and 400 points are odds of ten to one.

    The model is that of Plackett and Luce: a bot of strength *w* finishes first with a probability proportional to *w*,
    and so on for second place; for two bots it is Bradley and Terry's. Every finishing order is split into all its
    pairs, because the two models agree on pairs. A tie counts half each way. The estimate is consistent (Azari
    Soufiani, Chen, Parkes, Xia, "Generalized method-of-moments for rank aggregation", NIPS 2013). One drawn game is
    added for each pair of bots, so that ratings stay finite.

    Args:
        ahead: n × n, the number of meetings in which the bot of the row was ahead of that of the column.
    """
    drawn = _DRAWN * (1 - np.eye(len(ahead)))
    return _ratings(ahead + drawn)


def _ratings(ahead: Floats) -> Floats:
    """Return ratings; every entry of ``ahead`` off the diagonal must be positive."""
    strengths = choix.ilsr_pairwise_dense(ahead)
    ratings: Floats = _POINTS * (strengths - strengths.mean())
    return ratings


def estimate_ratings(ahead: Floats, seed: int = 0) -> list[Estimate]:
    """Return ratings with bootstrap intervals over deals (Efron's percentiles); ``ahead`` is deals × n × n.

    Percentiles of few deals are too narrow, so their distances from the rating grow as those of Student's interval do
    (Hesterberg, American Statistician 69, 2015, section 5.3); the interval of a single deal is infinite.

    Each sample divides the added game of each pair of bots at random. Otherwise the interval of a bot that always wins
    would have width 0, because all samples of its deals are equal.
    """
    deals, bots, _ = ahead.shape
    random = np.random.default_rng(seed)
    flat = ahead.reshape(deals, bots * bots)
    found = np.empty((_REPLICATES, bots))
    for replicate in range(_REPLICATES):
        drawn = np.bincount(random.integers(deals, size=deals), minlength=deals)
        found[replicate] = _ratings((drawn @ flat).reshape(bots, bots) + _random_draws(bots, random))
    low, high = np.quantile(found, ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2), axis=0)
    values, factor = ratings_of(ahead.sum(axis=0)), _factor_for(deals)
    bounds = zip(values, values - factor * (values - low), values + factor * (high - values), strict=True)
    return [Estimate(*map(float, row)) for row in bounds]


def _factor_for(deals: int) -> float:
    """Return the factor from a bootstrap's distances to those that hold for few deals."""
    from scipy.special import ndtri, stdtrit

    if deals < 2:
        return math.inf
    tail = (1 + CONFIDENCE) / 2
    return float(stdtrit(deals - 1, tail) / ndtri(tail)) * math.sqrt(deals / (deals - 1))


def _random_draws(bots: int, random: np.random.Generator) -> Floats:
    """Divide one game between each pair of bots at random, by Jeffreys' prior: Beta(1/2, 1/2)."""
    shares = np.triu(random.beta(_DRAWN, _DRAWN, (bots, bots)).clip(_LEAST, 1 - _LEAST), 1)
    divided: Floats = shares + np.tril(1 - shares.T, -1)
    return divided


@dataclass(frozen=True)
class Rung:
    """Rung of the ladder: a bot's number in the contest, and its results."""

    bot: int
    rating: Estimate
    win_share: Estimate
    points: Estimate
    seconds_a_decision: float


class LadderResult(ContestResult):
    """Result of a ladder so far; a required precision is that of every bot's wins or points."""

    @property
    def is_decided(self) -> bool:
        """Return whether the precision has reached its targets; without one a ladder plays all its deals."""
        return self.precision is not None and self.precision.is_reached

    def rungs(self) -> list[Rung]:
        """Return the bots with their ratings, the best first."""
        tally = self.tally
        ratings = estimate_ratings(np.array(tally.ahead), tally.contest.seed)
        rungs = [
            Rung(bot, rating, tally.win_share(bot), tally.points(bot), tally.seconds_a_decision(bot))
            for bot, rating in enumerate(ratings)
        ]
        return sorted(rungs, key=lambda rung: -rung.rating.value)

    def shares_ahead(self) -> Floats:
        """Return the share of meetings, from 0 to 1, in which the bot of the row was ahead of that of the column."""
        ahead = np.array(self.tally.ahead).sum(axis=0)
        meetings = ahead + ahead.T
        shares: Floats = np.divide(ahead, meetings, out=np.full_like(ahead, np.nan), where=meetings > 0)
        return shares

    def to_json(self) -> dict[str, Any]:
        """Return JSON values; ``ahead`` holds for each bot, best first, its share ahead of each other bot."""
        rungs, shares = self.rungs(), self.shares_ahead()
        names = self.tally.contest.bots
        return {
            **self.tally.to_json(),
            "ladder": [
                {
                    "bot": names[rung.bot],
                    "rating": rung.rating.to_json(),
                    "win_share": rung.win_share.to_json(),
                    "points": rung.points.to_json(),
                    "seconds_a_decision": round(rung.seconds_a_decision, 9),
                    "ahead": {
                        names[other.bot]: round(float(shares[rung.bot, other.bot]), 6)
                        for other in rungs
                        if other is not rung
                    },
                }
                for rung in rungs
            ],
            **({"until": self.precision.to_json(self.tally)} if self.precision else {}),
        }

    def progress_text(self) -> str:
        """Return the result so far in a few words."""
        means = [sum(leads) / len(leads) for leads in self.tally.leads]
        best = max(range(len(means)), key=lambda bot: means[bot])
        return f"{self.tally.contest.bots[best]} leads by {with_minus(f'{means[best]:+.2f}')}"

    def text(self) -> str:
        """Return the ladder as a text table."""
        tally, rungs, shares = self.tally, self.rungs(), self.shares_ahead()
        names = tally.contest.bots
        wide = max(map(len, names))
        numbers = "".join(f"{number:>5}." for number in range(1, len(rungs) + 1))
        lines = [
            f"{len(names)} bots: {setup_text(tally.contest)}",
            f"  {amount_text(tally)}, every bot {seats_text(tally.contest)} in turn;"
            f" an even share is {tally.even_share:.1%}",
            "",
            f"      {'bot':{wide}}  {'rating':20}  {'wins':23}  {'points':25}  {'a decision':10}  ahead of{numbers}",
        ]
        for number, rung in enumerate(rungs, 1):
            others = (f"{shares[rung.bot, other.bot]:6.0%}" if other is not rung else "     ·" for other in rungs)
            lines.append(
                f"  {number:2}. {names[rung.bot]:{wide}}  {_rating(rung.rating):20}  {percent(rung.win_share):23}  "
                f"{signed_points(rung.points):25}  {seconds_name(rung.seconds_a_decision):10}"
                f"          {''.join(others)}"
            )
        if self.precision:
            lines += ["", *self.precision.text(tally)]
        return "\n".join([*lines, *([""] if any(tally.forfeits) else []), *tally.forfeits_text()])


def _rating(rating: Estimate) -> str:
    return with_minus(f"{rating.value:+z5.0f} ({rating.low:+z.0f} to {rating.high:+z.0f})")
