"""How sure one can be of a mean, and when one may stop: intervals over deals and a sequential test.

The games of one deal are not independent of each other, those of different deals are. So each deal is one value here,
however many games were played of it.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SURE = 0.95
"""How often an interval holds what it is meant to hold."""


@dataclass(frozen=True)
class Estimate:
    """A mean and the interval that holds the true one in 95 of 100 cases."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float | None]:
        """As JSON values, in which there is no infinity."""
        return {
            "value": round(self.value, 6),
            "low": round(self.low, 6) if math.isfinite(self.low) else None,
            "high": round(self.high, 6) if math.isfinite(self.high) else None,
        }


def _spread(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean, its squared standard error and how many of these errors the interval goes to each side (Student)."""
    number = len(values)
    mean = math.fsum(values) / number
    if number < 2:
        return mean, math.inf, math.inf
    squared_error = math.fsum((value - mean) ** 2 for value in values) / (number - 1) / number
    return mean, squared_error, _student(number - 1, (1 + SURE) / 2)


def _student(freedom: float, share: float) -> float:
    """Below which so large a share of Student's distribution lies."""
    from scipy.special import stdtrit  # a quarter of a second, which a server that starts has no use for

    return float(stdtrit(freedom, share))


def estimate_mean(values: Sequence[float]) -> Estimate:
    """The mean of independent values, with Student's interval. One value has an endless one."""
    return _mean(*_spread(values))


def _mean(mean: float, squared_error: float, errors: float) -> Estimate:
    reach = errors * math.sqrt(squared_error)
    return Estimate(mean, mean - reach, mean + reach)


def estimate_difference(values: Sequence[float], others: Sequence[float]) -> Estimate:
    """The mean of some values less that of others, all independent, which may spread differently.

    Welch's interval ("The generalization of Student's problem", Biometrika 34, 1947). One value has an endless one.
    """
    (mean, error, _), (other, other_error, _) = _spread(values), _spread(others)
    squared = error + other_error
    if not 0 < squared < math.inf:
        reach = squared
    else:
        freedom = squared**2 / (error**2 / (len(values) - 1) + other_error**2 / (len(others) - 1))
        reach = _student(freedom, (1 + SURE) / 2) * math.sqrt(squared)
    return Estimate(mean - other, mean - other - reach, mean - other + reach)


def estimate_share(values: Sequence[float]) -> Estimate:
    """The mean of independent shares from 0 to 1, with an interval that stays between these.

    Wilson's interval (JASA 22, 1927) for as many games as would have this standard error if each were won or lost by
    itself: Kish's effective sample size (Survey Sampling, 1965). Where all values are the same there is no spread to
    tell it, and each deal counts as one game.
    """
    return _share(*_spread(values), len(values))


def estimate_share_by_group(groups: Sequence[Sequence[float]]) -> Estimate:
    """The mean of shares from 0 to 1 that come in groups, with an interval: those of a group depend on each other.

    As :func:`estimate_share`, with the standard error of a ratio (Cochran, Sampling Techniques, 1977, section 6.3).
    """
    return _share(*_spread_by_group(groups), len(groups))


def estimate_mean_by_group(groups: Sequence[Sequence[float]]) -> Estimate:
    """The mean of values that come in groups, with Student's interval: those of a group depend on each other."""
    return _mean(*_spread_by_group(groups))


def _spread_by_group(groups: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """As :func:`_spread`, of groups of values."""
    number, values = len(groups), sum(map(len, groups))
    mean = math.fsum(map(math.fsum, groups)) / values
    if number < 2:
        return mean, math.inf, math.inf
    beyond = (math.fsum(group) - mean * len(group) for group in groups)
    squared_error = math.fsum(each**2 for each in beyond) * number / (number - 1) / values**2
    return mean, squared_error, _student(number - 1, (1 + SURE) / 2)


_NO_SPREAD = 1e-24
"""What is below this is the rounding of values that are the same."""


def _share(mean: float, squared_error: float, errors: float, number: int) -> Estimate:
    if number < 2:
        return Estimate(mean, 0.0, 1.0)
    games = mean * (1 - mean) / squared_error if squared_error > _NO_SPREAD else number
    weight = errors**2 / games
    middle = (mean + weight / 2) / (1 + weight)
    reach = math.sqrt(weight * (mean * (1 - mean) + weight / 4)) / (1 + weight)
    return Estimate(mean, max(0.0, middle - reach), min(1.0, middle + reach))


BETTER, NOT_BETTER = "better", "not better"
FEWEST_DEALS = 16
"""Nothing is decided after fewer deals than this: the spread of so few says little."""
FEWEST_DIFFERING = 8
"""Nothing is decided before this many deals differ from the most frequent value: until then the spread is a
determinization.
"""
_PLACES = 9
"""Decimal places to which values are compared: means of the same results may differ in the last bit."""


class SequentialTest:
    """Decides between two means as soon as the values allow: a generalised sequential probability ratio test.

    Wald's test (Annals of Mathematical Statistics 16, 1945) with the likelihood ratio maximised over what is not asked
    for (Li, Liu, Ying, "Generalized sequential probability ratio test for separate families of hypotheses", Sequential
    Analysis 33, 2014), here the spread: values are taken as normal with an unknown one, which gives
    *n* / 2 · ln((s² + (m − low)²) / (s² + (m − high)²)) for the mean *m* and the spread *s* of *n* values. Computer
    chess decides about its programs so, one pair of games with the same opening being one value; here a deal is.

    Where most deals come out alike, as between bots that mostly play alike, the deals that do not decide what the mean
    is, and as long as there are hardly any the spread is taken for much less than it is. So some are waited for.

    Attributes:
        low: the mean if the challenger is not better.
        high: the mean if it is better.
        error: how often, at most, either is believed where the other holds (to the precision of the approximation).
        decision: ``BETTER``, ``NOT_BETTER``, or ``None`` as long as it is open.
    """

    def __init__(self, low: float, high: float, error: float = 0.05) -> None:
        if not low < high:
            raise ValueError(f"low is {low:g} and high {high:g}, but low must be below high")
        self.low, self.high, self.error = low, high, error
        self.decision: str | None = None
        self._number, self._mean, self._squares = 0, 0.0, 0.0
        self._often = Counter[float]()

    @property
    def bound(self) -> float:
        """The log-likelihood ratio that decides, on either side of 0."""
        return math.log((1 - self.error) / self.error)

    @property
    def differing(self) -> int:
        """How many deals differ from the most frequent value."""
        return self._number - max(self._often.values(), default=0)

    @property
    def ripe(self) -> bool:
        """Whether there are enough deals, and enough that differ, for the ratio to be believed."""
        return self._number >= FEWEST_DEALS and self.differing >= FEWEST_DIFFERING

    @property
    def log_ratio(self) -> float:
        """The log-likelihood ratio of ``high`` over ``low``."""
        if self._number == 0:
            return 0.0
        variance = self._squares / self._number
        over, under = variance + (self._mean - self.low) ** 2, variance + (self._mean - self.high) ** 2
        if over == 0 or under == 0:
            return math.inf if under == 0 else -math.inf
        return self._number / 2 * math.log(over / under)

    def add(self, value: float) -> None:
        """Take in the value of one more deal; nothing changes any more once there is a decision."""
        if self.decision:
            return
        self._number += 1
        before = value - self._mean  # Welford's running mean and sum of squares
        self._mean += before / self._number
        self._squares += before * (value - self._mean)
        self._often[round(value, _PLACES)] += 1
        if abs(self.log_ratio) >= self.bound and self.ripe:
            self.decision = BETTER if self.log_ratio > 0 else NOT_BETTER

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        ratio = self.log_ratio
        return {
            "low": self.low,
            "high": self.high,
            "error": self.error,
            "log_ratio": round(ratio, 3) if math.isfinite(ratio) else None,
            "differing": self.differing,
            "decision": self.decision,
        }
