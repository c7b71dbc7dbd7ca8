"""Intervals and p-values of means over deals, valid even where few deals decide the mean.

The games of one deal depend on each other, those of different deals do not. Therefore each deal contributes one value,
regardless of the number of its games.

Student's interval is too narrow where most deals have the same value and a few differ: the frequency and the size of
the differences cannot be estimated from a few observations. These rules replace it:

- If no value differs, or the effective number of differing values is below :data:`FEWEST`, the frequency of differing
  deals has Clopper and Pearson's exact bound (Biometrika 26, 1934; the *rule of three* if none was observed), and each
  of them is assumed to differ by at most ``scale``.
- Otherwise it is Student's interval, whose degrees of freedom are π/2 times the effective number of deals, but at most
  the number of deals, less 1. For *n* deviations *d* from the median the effective number is (Σ|d|)² / Σd²: *m* if *m*
  deals differ by the same amount, and 2/π · *n* for normal values.

p-values are valid at any time: the probability that the p-value of an absent difference *ever* falls below 0.05 while
deals are added is at most 0.05. A study may therefore continue until it shows a difference. This is exact where each
difference is as likely as its opposite, and otherwise approximate.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from parlour.engine.arrays import Floats
from parlour.statistics import CONFIDENCE, Estimate, wilson_interval

FEWEST = 6
"""Minimum number of differing deals for a significant difference: five coins fall alike in 6 of 100 throws."""
RHO_SQUARED = 0.15
"""ρ² of the normal mixture in :func:`p_value`, which is narrowest at about 100 deals and p-values of 0.001."""
FEWEST_FOR_CHECK = 32
"""Number of deals before the first check of :class:`Checks`."""
MOST_DEALS = 10_000_000
"""Largest estimate of :func:`deals_for`."""
_GROWTH = 1.15
"""Factor between the numbers of deals at checks."""
_SAMPLES = 400
_PLACES = 9
"""Decimal places to which values are compared: means of the same results may differ in the last bit."""
_ROUNDING = 1e-12


def effective_deals(deviations: Floats) -> float:
    """Return the effective number of deviations: (Σ|d|)² / Σd²."""
    squares = float((deviations**2).sum())
    return float(np.abs(deviations).sum()) ** 2 / squares if squares > _ROUNDING**2 else 0.0


def differing_deals(differences: Floats) -> int:
    """Return the number of deals in which two variations differ."""
    return int(np.count_nonzero(np.round(differences, _PLACES)))


def observed_range(values: Floats, least: float = 1.0) -> float:
    """Return the largest difference of two deals as observed, but at least ``least``: equal deals are no certainty."""
    return max(least, float(np.ptp(values))) if len(values) else least


def mean_interval(values: Floats, scale: float, confidence: float = CONFIDENCE) -> Estimate:
    """Return the mean of independent values, with an interval that also holds where few of them differ.

    Args:
        values: one for each deal.
        scale: the largest known difference of a deal from the median.
        confidence: the confidence level.
    """
    from scipy.special import stdtrit

    values = np.asarray(values, float)
    number, mean = len(values), float(values.mean()) if len(values) else 0.0
    if number < 2:
        return Estimate(mean, -math.inf, math.inf)
    median, deviations = _deviations(values)
    effective, error = effective_deals(deviations), float(values.std(ddof=1)) / math.sqrt(number)
    few = effective < FEWEST
    freedom = number - 1 if few else min(float(number), effective * math.pi / 2) - 1
    reach = float(stdtrit(freedom, (1 + confidence) / 2)) * error
    if not few:
        return Estimate(mean, mean - reach, mean + reach)
    above, below = _reach_of_few(deviations, scale, lambda hits: share_bound(hits, number, confidence))
    return Estimate(mean, min(mean - reach, median - below), max(mean + reach, median + above))


def _deviations(values: Floats) -> tuple[float, Floats]:
    """Return the median, and the deviations from it, of which those by rounding are 0."""
    median = float(np.median(values))
    return median, np.where(np.abs(values - median) > _ROUNDING, values - median, 0.0)


def _reach_of_few(deviations: Floats, scale: float, bound: Callable[[float], float]) -> tuple[float, float]:
    """Return how far a mean of few differing deals may lie above and below the median.

    Args:
        deviations: the deals' deviations from the median.
        scale: the largest known deviation of a deal.
        bound: returns the upper bound of the frequency of a number of observed deals.
    """
    most = max(scale, float(np.abs(deviations).max()))
    above, below = (most * bound(effective_deals(np.maximum(part, 0))) for part in (deviations, -deviations))
    return above, below


def share_bound(hits: float, number: int, confidence: float = CONFIDENCE) -> float:
    """Return Clopper and Pearson's upper bound of a probability, from ``hits`` in ``number`` independent trials."""
    from scipy.special import betaincinv

    return 1.0 if hits >= number else float(betaincinv(hits + 1, number - hits, (1 + confidence) / 2))


def share_interval(values: Floats) -> Estimate:
    """Return the mean of independent shares from 0 to 1, one for each deal, with Wilson's interval.

    Where few deals differ the variance is no reliable estimate of the number of independent games: each deal counts as
    one, and the interval is Clopper and Pearson's, since Wilson's lower bound of a rare event is too high.
    """
    from scipy.special import stdtrit

    values = np.asarray(values, float)
    number, mean = len(values), min(1.0, max(0.0, float(values.mean())))
    if number < 2:
        return Estimate(mean, 0.0, 1.0)
    deviations = values - np.median(values)
    effective, squared_error = effective_deals(deviations), float(values.var(ddof=1)) / number
    if effective < FEWEST or squared_error < _ROUNDING**2:
        low, high = 1 - share_bound((1 - mean) * number, number), share_bound(mean * number, number)
        return Estimate(mean, min(mean, low), max(mean, high))
    freedom = min(float(number), effective * math.pi / 2) - 1
    errors = float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
    return wilson_interval(mean, mean * (1 - mean) / squared_error, errors)


def edge_interval(edges: Floats, even: float) -> Estimate:
    """Return the mean of independent shares less the even share, with the interval of :func:`share_interval`."""
    share = share_interval(np.asarray(edges, float) + even)
    return Estimate(share.value - even, share.low - even, share.high - even)


def largest_mean(values: Floats) -> Estimate:
    """Return the largest absolute mean of several numbers from −1 to 1, which each deal has.

    The bootstrap corrects it for its bias: of equal numbers one seems largest by chance. The interval comes from
    simultaneous intervals of all numbers (Bonferroni), so it may be wider than needed.

    Args:
        values: deals × numbers.
    """
    confidence = 1 - (1 - CONFIDENCE) / values.shape[1]
    found = [mean_interval(each, 1.0, confidence) for each in values.T]
    most = min(1.0, max(max(abs(each.low), abs(each.high)) for each in found))
    least = max(0.0, *(max(each.low, -each.high) for each in found))
    first, number = distinct_deals(values)
    sampled = bootstrap(number, lambda weights: np.abs(weights @ values[first]).max())
    seen = float(np.abs(values.mean(axis=0)).max())
    return Estimate(min(most, max(least, 2 * seen - float(sampled.mean()))), least, most)


def p_value(differences: Floats, least: float = 0.0) -> float:
    """Return the anytime-valid p-value of a mean difference of 0, two-sided.

    It is 1 / E for Robbins' normal mixture (Annals of Mathematical Statistics 41, 1970), as in the asymptotic
    confidence sequences of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of Statistics 52, 2024), with the
    sum of squares Σd² in place of the variance (de la Peña, Annals of Probability 27, 1999: exact for a fixed scale
    where each difference is as likely as its opposite).

    A further difference against the sum of the others is assumed, as large as the largest one: where many small
    differences have one sign, a few large ones of the other sign may not have occurred yet. This makes no p-value
    smaller. With m equal differences among n deals it is
    √(1 + ρ²n) · exp(−(m − 1)² / 2(m + 1) · ρ²n / (1 + ρ²n)), so a few deals can never show a difference.

    Args:
        differences: one for each deal.
        least: the least size of the further difference.
    """
    differences = np.asarray(differences, float)
    squares, total = float((differences**2).sum()), abs(float(differences.sum()))
    if squares <= _ROUNDING**2:
        return 1.0
    further = max(least, float(np.abs(differences).max()))
    return _anytime(len(differences), max(0.0, total - further) ** 2 / (squares + further**2))


def anytime_interval(values: Floats, scale: float, rho_squared: float = RHO_SQUARED) -> Estimate:
    """Return the mean of independent values with an interval that holds at all numbers of deals together.

    The interval is a confidence sequence: the means for which the p-value of :func:`p_value`, without its further
    difference, is at least ``1 - CONFIDENCE``. Solved for the mean, the mixture's bound c on (Σd)² / Σd² gives a
    half-width of s · √(c / (n − c)), where s² is the variance of *n* values. If few deals differ, the bound of their
    frequency is that of the beta-binomial mixture (Robbins, 1970; Howard, Ramdas, McAuliffe and Sekhon, Annals of
    Statistics 49, 2021), as Clopper and Pearson's is for a fixed number of deals.

    Args:
        values: one for each deal.
        scale: the largest known difference of a deal from the median.
        rho_squared: ρ² of the mixture; the interval is narrowest at about 8 / ρ² deals.
    """
    values = np.asarray(values, float)
    number, mean = len(values), float(values.mean())
    bound = _mixture_bound(number, rho_squared)
    if number <= bound:
        return Estimate(mean, -math.inf, math.inf)
    reach = float(values.std()) * math.sqrt(bound / (number - bound))
    median, deviations = _deviations(values)
    if effective_deals(deviations) >= FEWEST:
        return Estimate(mean, mean - reach, mean + reach)
    above, below = _reach_of_few(deviations, scale, lambda hits: anytime_share_bound(hits, number))
    return Estimate(mean, min(mean - reach, median - below), max(mean + reach, median + above))


def _mixture_bound(deals: int, rho_squared: float) -> float:
    """Return the largest (Σd)² / Σd² for which the mixture's p-value is not below ``1 - CONFIDENCE``."""
    ratio = rho_squared * deals
    return 2 * (1 + ratio) / ratio * (math.log1p(ratio) / 2 - math.log(1 - CONFIDENCE))


def rho_squared_for_share(within: float) -> float:
    """Return the ρ² whose interval is narrowest when a share of ½ has the half-width ``within``."""
    return 8.0 / (1.5 / within) ** 2


def deals_for(deviation: float, within: float, rho_squared: float) -> int:
    """Return the number of deals at which :func:`anytime_interval` has a half-width of ``within``.

    It is at least :data:`FEWEST_FOR_CHECK` and at most :data:`MOST_DEALS`.

    Args:
        deviation: the standard deviation of a deal.
        within: the half-width.
        rho_squared: ρ² of the mixture.
    """

    def wide(deals: int) -> bool:
        bound = _mixture_bound(deals, rho_squared)
        return deals <= bound or deviation * math.sqrt(bound / (deals - bound)) > within

    least, most = FEWEST_FOR_CHECK, MOST_DEALS
    while least < most:
        middle = (least + most) // 2
        least, most = (middle + 1, most) if wide(middle) else (least, middle)
    return least


def anytime_share_bound(hits: float, number: int) -> float:
    """Return an upper bound of a probability, valid simultaneously at all numbers of trials, with half of the error.

    It is the largest p for which the uniform mixture of the likelihood is not 2 / (1 − CONFIDENCE) times that of p.
    """
    from scipy.optimize import brentq
    from scipy.special import betaln

    if hits >= number:
        return 1.0
    mixed = float(betaln(hits + 1, number - hits + 1)) + math.log((1 - CONFIDENCE) / 2)

    def above(p: float) -> float:
        return mixed - (hits * math.log(p) if hits else 0.0) - (number - hits) * math.log1p(-p)

    least = max(hits / number, 1e-12)
    return float(brentq(above, least, 1 - 1e-12)) if above(least) < 0 else least


class Checks:
    """Schedule of checks by the number of deals: an interrupted run ends at the same deal as an uninterrupted one."""

    def __init__(self) -> None:
        self._numbers = _check_numbers()
        self._next = next(self._numbers)

    def due(self, deals: int) -> bool:
        """Return whether a check is due now; each is due once."""
        if deals < self._next:
            return False
        while self._next <= deals:
            self._next = next(self._numbers)
        return True


def _check_numbers() -> Iterator[int]:
    deals = FEWEST_FOR_CHECK
    while True:
        yield deals
        deals = math.ceil(deals * _GROWTH)


def least_p_value(deals: int) -> float:
    """Return the p-value of a difference that is the same in each of ``deals`` deals."""
    return _anytime(deals, (deals - 1) ** 2 / (deals + 1))


def _anytime(deals: int, squared: float) -> float:
    ratio = RHO_SQUARED * deals
    return min(1.0, math.exp(math.log1p(ratio) / 2 - ratio / (1 + ratio) * squared / 2))


def holm(p_values: Sequence[float], weights: Sequence[float] | None = None, total: float | None = None) -> list[float]:
    """Return adjusted p-values: in at most 5 of 100 studies any of those below 0.05 is wrong.

    The method is that of Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6, 1979, with the weights of its section 4: the permitted error of a question is proportional to its
    weight.

    Args:
        p_values: one for each question.
        weights: one for each question; by default all the same.
        total: the sum of the weights of all questions, if it includes weights left for questions that have not come up.
    """
    shares = np.ones(len(p_values)) if weights is None else np.asarray(weights, float)
    ratios = np.asarray(p_values, float) / shares
    found, worst, left = [0.0] * len(p_values), 0.0, float(shares.sum()) if total is None else total
    for number in np.argsort(ratios, kind="stable").tolist():
        worst = max(worst, min(1.0, left * float(ratios[number])))
        found[number] = worst
        left -= float(shares[number])
    return found


def bootstrap(prior: Floats, value: Callable[[Floats], Any]) -> Floats:
    """Return ``value`` of sampled weights of the deals: the Bayesian bootstrap (Rubin, Annals of Statistics 9, 1981).

    Args:
        prior: the mass of each deal: 1, or less for a deal that was not played but is possible.
        value: maps the deals' weights, which add up to 1, to one number or several.

    Returns:
        samples × values.
    """
    random = np.random.default_rng(0)
    weights = random.standard_gamma(prior, size=(_SAMPLES, len(prior)))
    return np.array([value(each / each.sum()) for each in weights])


def distinct_deals(*results: Any) -> tuple[Any, Floats]:
    """Return the first of all deals with the same results, as indices, and the number of these deals.

    A bootstrap of deals that are alike is one of a single deal with their mass. Few deals differ in first places, so
    this takes a hundredth of the time in a study of thousands of deals.
    """
    rows = np.concatenate([np.reshape(each, (len(each), -1)) for each in results], axis=1)
    _, first, number = np.unique(rows, axis=0, return_index=True, return_counts=True)
    return first, number.astype(float)


def quantiles(samples: Floats) -> tuple[float, float]:
    """Return the 95 % interval that leaves out as many samples below as above."""
    low, high = np.quantile(samples, ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2))
    return float(low), float(high)


def covering_interval(value: float, sampled: Sequence[Floats]) -> Estimate:
    """Return a value with the smallest interval that covers it and the intervals of all samples."""
    ends = [quantiles(samples) for samples in sampled]
    return Estimate(value, min(value, *(low for low, _ in ends)), max(value, *(high for _, high in ends)))
