"""What is measured of games, as functions over plain arrays; docs/metrics.md has their definitions and sources.

Arrays are by deal, then by game of the deal, then by side. What is estimated is a mean over deals: each function gives
a value for every deal, whose mean is the metric, so that the deals' spread tells how sure it is, and two variations can
be compared deal by deal. Functions that give one number say so.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from parlour.statistics import SURE, Estimate

Floats = np.ndarray[Any, np.dtype[np.float64]]

SECONDS_A_CHOICE, SECONDS_A_FORCED_ONE, SECONDS_A_CHANCE_EVENT = 8.0, 3.0, 20.0
"""What people are taken to need: to choose among several actions, to do the only one, to shuffle and deal."""
_SAMPLES = 400


def mean_of_games(values: Floats) -> Floats:
    """Of a number for each game: its mean over the games of each deal."""
    found: Floats = np.asarray(values, float).mean(axis=1)
    return found


def ratio(parts: Floats, wholes: Floats) -> Floats:
    """Of two numbers for each game, the one's sum over all games by the other's.

    Linear in the deals near the truth: R + (part − R · whole) / mean whole, whose spread is that of a ratio (Cochran,
    Sampling Techniques, 1977, section 6.3). If there is no whole at all, the ratio is 0.
    """
    part, whole = np.asarray(parts, float).sum(axis=1), np.asarray(wholes, float).sum(axis=1)
    if not whole.any():
        return np.zeros(len(whole))
    value = part.sum() / whole.sum()
    found: Floats = value + (part - value * whole) / whole.mean()
    return found


def edge_of_first(shares: Floats, first: Any) -> Floats:
    """What the side that decides first wins beyond the even share. ``first`` is its number, by deal and game."""
    own = np.take_along_axis(shares, np.asarray(first)[:, :, None], axis=2)[:, :, 0]
    found: Floats = own.mean(axis=1) - 1 / shares.shape[2]
    return found


def side_shares(shares: Floats) -> Floats:
    """What each side wins: deals × sides."""
    found: Floats = shares.mean(axis=1)
    return found


def balance(shares: Floats) -> float:
    """One number: 1 less the greatest difference between what two sides win (Ludii)."""
    means = shares.mean(axis=(0, 1))
    return float(1 - (means.max() - means.min()))


def drawn(shares: Floats) -> Floats:
    """The share of games in which several sides share first place."""
    return mean_of_games((shares > 0).sum(axis=2) > 1)


def margin(points: Floats) -> Floats:
    """How far the best side's points are above the second best's."""
    ordered = np.sort(points, axis=2)
    return mean_of_games(ordered[:, :, -1] - ordered[:, :, -2])


def spread(points: Floats) -> Floats:
    """How far the best side's points are above the worst's."""
    return mean_of_games(points.max(axis=2) - points.min(axis=2))


def minutes(decisions: Floats, forced: Floats, chance_events: Floats) -> Floats:
    """About how long people play, by taking so many seconds for each kind of event."""
    seconds = SECONDS_A_CHOICE * (decisions - forced) + SECONDS_A_FORCED_ONE * forced
    return mean_of_games((seconds + SECONDS_A_CHANCE_EVENT * chance_events) / 60)


def challenger_share(shares: Floats, challenger: Any) -> Floats:
    """What the challenger's side wins. ``challenger`` is its number, by deal and game."""
    own = np.take_along_axis(shares, np.asarray(challenger)[:, :, None], axis=2)[:, :, 0]
    return mean_of_games(own)


def order(share: float, sides: int) -> float:
    """A share of wins as a part of the way from an even share, 0, to all of them, 1 (TAG)."""
    even = 1 / sides
    return (share - even) / (1 - even)


def parts_of_the_result(shares: Floats, challenger: Any) -> tuple[float, float]:
    """Two numbers: the parts of the result's variance that the deal decides, and that the better player does.

    Each deal is played with the seats turned. What a seat wins differs by who sits there, by its cards, and by all
    else. The first part is the covariance of what the same seat wins in two games of a deal, after the mean for the
    bot that sits there has been taken off; the second is the variance of these means; both by the whole variance.
    Over deals that nobody can influence the first is Var(E[u | deal]) / Var(u) (Cloud and Laber, arXiv 2009.04834).
    """
    _, games, sides = shares.shape
    there = np.asarray(challenger)[:, :, None] == np.arange(sides)
    rest, skill = np.array(shares, float), np.zeros_like(shares)
    for side in range(sides):
        for role in (there[:, :, side], ~there[:, :, side]):
            if role.any():
                mean = shares[:, :, side][role].mean()
                rest[:, :, side][role] -= mean
                skill[:, :, side][role] = mean
    middle = shares.mean(axis=(0, 1))
    whole = float(((shares - middle) ** 2).mean())
    if games < 2 or whole == 0:
        return 0.0, 0.0
    pairs = (rest.sum(axis=1) ** 2 - (rest**2).sum(axis=1)) / (games * (games - 1))
    return float(pairs.mean()) / whole, float(((skill - middle) ** 2).mean()) / whole


def duplicate_saves(shares: Floats, challenger: Any) -> float:
    """One number: how much of the variance of the challenger's wins goes away because deals are played in every seat.

    1 less the variance of a deal's mean by what it would be if its games did not depend on each other.
    """
    own = np.take_along_axis(shares, np.asarray(challenger)[:, :, None], axis=2)[:, :, 0]
    apart = float(own.var()) / own.shape[1]
    return 1 - float(own.mean(axis=1).var()) / apart if apart else 0.0


def bootstrap(deals: int, value: Any, seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of one number that ``value`` makes of the numbers of some deals: Efron's percentiles."""
    random = np.random.default_rng(seed)
    found = [value(random.integers(deals, size=deals)) for _ in range(_SAMPLES)]
    low, high = np.quantile(found, ((1 - SURE) / 2, (1 + SURE) / 2))
    return float(low), float(high)


def doubt(difference: Estimate, deals: int) -> float:
    """How likely a mean difference at least so far from 0 would be if there were none: Student's two-sided test."""
    reach = (difference.high - difference.low) / 2
    if difference.value == 0 or not np.isfinite(reach):
        return 1.0
    if reach == 0:
        return 0.0
    error = reach / float(stdtrit(deals - 1, (1 + SURE) / 2))
    return float(2 * stdtr(deals - 1, -abs(difference.value) / error))


def holm(doubts: Sequence[float]) -> list[float]:
    """The same chances, so corrected that one below 5 % is wrong in 5 of 100 studies, however many there are.

    Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.
    """
    found, worst = [0.0] * len(doubts), 0.0
    for place, number in enumerate(sorted(range(len(doubts)), key=lambda each: doubts[each])):
        worst = max(worst, min(1.0, (len(doubts) - place) * doubts[number]))
        found[number] = worst
    return found
