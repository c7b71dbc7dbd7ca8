"""Student's and Wilson's intervals, also of values in groups, and a sequential test between two means.

Contests and studies, whose deals may be alike except for a few, have the intervals of :mod:`parlour.inference`.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

CONFIDENCE = 0.95
"""Usual confidence level of intervals."""
_NO_SPREAD = 1e-24
"""Squared standard error below which all values count as equal: the difference is rounding."""


@dataclass(frozen=True)
class Estimate:
    """A value with a lower and an upper bound.

    The level of the interval, and how it was made, are the caller's: most are of :data:`CONFIDENCE`, those of several
    questions at once are wider. A bound is infinite where the value has none.
    """

    value: float
    low: float
    high: float

    def clipped(self, least: float, most: float) -> "Estimate":
        """Return the estimate with its interval cut to the possible values; the interval still contains the value."""
        return Estimate(self.value, min(self.value, max(self.low, least)), max(self.value, min(self.high, most)))

    def to_json(self) -> dict[str, float | None]:
        """Return JSON values; infinite bounds become ``None``."""
        return {
            "value": round(self.value, 6),
            "low": round(self.low, 6) if math.isfinite(self.low) else None,
            "high": round(self.high, 6) if math.isfinite(self.high) else None,
        }


def _spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean, its squared standard error, and the half-width of Student's interval in standard errors."""
    number = len(values)
    mean = math.fsum(values) / number
    if number < 2:
        return mean, math.inf, math.inf
    squared_error = math.fsum((value - mean) ** 2 for value in values) / (number - 1) / number
    return mean, squared_error, _student(number - 1, (1 + CONFIDENCE) / 2)


def _student(freedom: float, share: float) -> float:
    """Return the quantile ``share`` of Student's distribution with ``freedom`` degrees of freedom."""
    from scipy.special import stdtrit  # imported on first use: the import would delay the server's start by 0.25 s

    return float(stdtrit(freedom, share))


def estimate_mean(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values with Student's interval; for a single value it is infinite."""
    return _mean(*_spread(values))


def _mean(mean: float, squared_error: float, errors: float) -> Estimate:
    half_width = errors * math.sqrt(squared_error)
    return Estimate(mean, mean - half_width, mean + half_width)


def estimate_difference(values: Sequence[float], others: Sequence[float]) -> Estimate:
    """Return the mean of ``values`` minus that of ``others``; all are independent, the variances may differ.

    Welch's interval ("The generalization of Student's problem", Biometrika 34, 1947), infinite if either has a single
    value.
    """
    (mean, error, _), (other, other_error, _) = _spread(values), _spread(others)
    squared = error + other_error
    if not 0 < squared < math.inf:
        half_width = squared
    else:
        freedom = squared**2 / (error**2 / (len(values) - 1) + other_error**2 / (len(others) - 1))
        half_width = _student(freedom, (1 + CONFIDENCE) / 2) * math.sqrt(squared)
    return Estimate(mean - other, mean - other - half_width, mean - other + half_width)


def estimate_share_by_group(groups: Sequence[Sequence[float]]) -> Estimate:
    """Return the mean of shares from 0 to 1 in groups, with an interval; shares of one group depend on each other.

    It is :func:`wilson_interval` with the standard error of a ratio (Cochran, Sampling Techniques, 1977, section 6.3).
    If all values are equal, the number of independent games cannot be estimated, and each group counts as one.
    """
    mean, squared_error, errors = _spread_by_group(groups)
    if len(groups) < 2:
        return Estimate(mean, 0.0, 1.0)
    equal = squared_error <= _NO_SPREAD
    return wilson_interval(mean, len(groups) if equal else mean * (1 - mean) / squared_error, errors)


def wilson_interval(share: float, games: float, errors: float) -> Estimate:
    """Return a share with Wilson's interval (JASA 22, 1927), which stays between 0 and 1.

    Args:
        share: the observed share.
        games: the number of independent games, each won or lost, that would have the share's standard error: Kish's
            effective sample size (Survey Sampling, 1965).
        errors: the half-width of the interval in standard errors.
    """
    weight = errors**2 / games
    middle = (share + weight / 2) / (1 + weight)
    half_width = math.sqrt(weight * (share * (1 - share) + weight / 4)) / (1 + weight)
    return Estimate(share, max(0.0, middle - half_width), min(1.0, middle + half_width))


def estimate_mean_by_group(groups: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Estimate:
    """Return the mean of values in groups, with Student's interval; values of one group depend on each other."""
    return _mean(*_spread_by_group(groups, confidence))


def _spread_by_group(groups: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Return the results of :func:`_spread` for groups of values."""
    number, values = len(groups), sum(map(len, groups))
    mean = math.fsum(map(math.fsum, groups)) / values
    if number < 2:
        return mean, math.inf, math.inf
    residuals = (math.fsum(group) - mean * len(group) for group in groups)
    squared_error = math.fsum(each**2 for each in residuals) * number / (number - 1) / values**2
    return mean, squared_error, _student(number - 1, (1 + confidence) / 2)


BETTER, NOT_BETTER = "better", "not better"
FEWEST_DECISIVE_DEALS = 16
"""Minimum number of deals before a test decides; with fewer, the estimate of the spread is unreliable."""
FEWEST_DIFFERING = 8
"""Minimum number of deals that differ from the most frequent value before a test decides; with fewer, the estimate of
the spread is unreliable.
"""
_PLACES = 9
"""Decimal places to which values are rounded for comparison: means of the same results may differ in the last bit."""


class SequentialTest:
    """A generalised sequential probability ratio test between two means.

    Wald's test (Annals of Mathematical Statistics 16, 1945) with the likelihood ratio maximised over the nuisance
    parameter (Li, Liu, Ying, "Generalized sequential probability ratio test for separate families of hypotheses",
    Sequential Analysis 33, 2014), here the standard deviation. Values are taken as normal with an unknown standard
    deviation, which gives *n* / 2 · ln((s² + (m − low)²) / (s² + (m − high)²)) for the mean *m* and the standard
    deviation *s* of *n* values. Chess programs are tested in the same way; there a value is a pair of games with the
    same opening, here it is a deal.

    Where most deals have equal values, as between similar bots, the few other deals determine the mean. Without some of
    them the estimate of the standard deviation is much too low, so the test waits for :data:`FEWEST_DIFFERING` of them.

    Attributes:
        low: the mean if the challenger is not better.
        high: the mean if it is better.
        error: the maximum probability of either wrong decision (to the precision of the approximation).
        decision: ``BETTER``, ``NOT_BETTER``, or ``None`` while the test is undecided.
    """

    def __init__(self, low: float, high: float, error: float = 0.05) -> None:
        if not low < high:
            raise ValueError(f"low is {low:g} and high {high:g}, but low must be below high")
        self.low, self.high, self.error = low, high, error
        self.decision: str | None = None
        self._number, self._mean, self._squares = 0, 0.0, 0.0
        self._frequencies = Counter[float]()

    @property
    def bound(self) -> float:
        """The absolute value of the log-likelihood ratio at which the test decides."""
        return math.log((1 - self.error) / self.error)

    @property
    def differing_values(self) -> int:
        """The number of deals that differ from the most frequent value."""
        return self._number - max(self._frequencies.values(), default=0)

    @property
    def has_enough_deals(self) -> bool:
        """Whether there are enough deals, and enough differing ones, for a decision."""
        return self._number >= FEWEST_DECISIVE_DEALS and self.differing_values >= FEWEST_DIFFERING

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
        """Add the value of one more deal; has no effect after the decision."""
        if self.decision:
            return
        self._number += 1
        before = value - self._mean  # Welford's running mean and sum of squares
        self._mean += before / self._number
        self._squares += before * (value - self._mean)
        self._frequencies[round(value, _PLACES)] += 1
        if abs(self.log_ratio) >= self.bound and self.has_enough_deals:
            self.decision = BETTER if self.log_ratio > 0 else NOT_BETTER

    def to_json(self) -> dict[str, Any]:
        """Return JSON values; an infinite ratio becomes ``None``."""
        ratio = self.log_ratio
        return {
            "low": self.low,
            "high": self.high,
            "error": self.error,
            "log_ratio": round(ratio, 3) if math.isfinite(ratio) else None,
            "differing": self.differing_values,
            "decision": self.decision,
        }
