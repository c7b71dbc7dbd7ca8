"""What is measured of games, as functions over plain arrays; docs/metrics.md has their definitions and sources.

Arrays are by deal, then by game of the deal, then by side. What is estimated is a mean over deals: each function gives
a value for every deal, whose mean is the metric, so that the deals' spread tells how sure it is, and two variations can
be compared deal by deal. Functions that give one number say so.
"""

from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]

SECONDS_A_CHOICE, SECONDS_A_FORCED_ONE, SECONDS_A_CHANCE_EVENT = 8.0, 3.0, 20.0
"""What people are taken to need: to choose among several actions, to do the only one, to shuffle and deal."""


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


def balance(means: Floats) -> float:
    """One number: 1 less the largest difference between the shares of two sides (Ludii)."""
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


def parts_of_the_result(shares: Floats, challenger: Any, weights: Floats | None = None) -> tuple[float, float]:
    """Two numbers: the parts of the result's variance that the deal decides, and that the players decide.

    Each deal is played with the seats turned. What a seat wins differs by the bot that sits there, by its cards, and by
    all else. The first part is the covariance of what the same seat wins in two games of a deal, after the mean for the
    bot that sits there has been taken off; the second is the variance of these means; both by the whole variance. Over
    deals that no player can influence the first is Var(E[u | deal]) / Var(u) (Cloud and Laber, arXiv 2009.04834).

    Args:
        shares: deals × games × sides.
        challenger: the challenger's side, by deal and game.
        weights: of the deals; they add up to 1. Equal ones without it.
    """
    deals, games, sides = shares.shape
    weights = np.full(deals, 1 / deals) if weights is None else weights
    by_game = np.broadcast_to(weights[:, None], (deals, games))
    there = np.asarray(challenger)[:, :, None] == np.arange(sides)
    rest, skill = np.array(shares, float), np.zeros_like(shares, float)
    for side in range(sides):
        for role in (there[:, :, side], ~there[:, :, side]):
            mass = by_game[role].sum()
            if mass > 0:
                mean = (shares[:, :, side] * by_game)[role].sum() / mass
                rest[:, :, side][role] -= mean
                skill[:, :, side][role] = mean
    middle = weights @ shares.mean(axis=1)
    whole = float(weights @ ((shares - middle) ** 2).mean(axis=(1, 2)))
    if games < 2 or whole <= 0:
        return 0.0, 0.0
    pairs = (rest.sum(axis=1) ** 2 - (rest**2).sum(axis=1)) / (games * (games - 1))
    return float(weights @ pairs.mean(axis=1)) / whole, float(
        weights @ ((skill - middle) ** 2).mean(axis=(1, 2))
    ) / whole


def duplicate_saves(shares: Floats, challenger: Any, weights: Floats | None = None) -> float:
    """One number: the part of the variance of the challenger's wins that playing deals in every seat removes.

    1 less the variance of a deal's mean by what it would be if its games did not depend on each other. ``weights`` are
    as in :func:`parts_of_the_result`.
    """
    own = np.take_along_axis(shares, np.asarray(challenger)[:, :, None], axis=2)[:, :, 0]
    weights = np.full(len(own), 1 / len(own)) if weights is None else weights
    of_deal = own.mean(axis=1)
    mean = float(weights @ of_deal)
    apart = float(weights @ ((own - mean) ** 2).mean(axis=1)) / own.shape[1]
    return 1 - float(weights @ (of_deal - mean) ** 2) / apart if apart > 1e-24 else 0.0


def extreme_deals(games: int, sides: int, challenger: Any) -> list[tuple[Floats, Floats]]:
    """Deals that are possible even if none was played, by kind: shares, and the prior mass of each.

    In the first kind the challenger wins all games or none, in the second one side does. A kind weighs as much as one
    deal, which keeps the intervals of one-sided meetings from having no width.

    Args:
        games: the number of games of a deal.
        sides: the number of sides.
        challenger: the challenger's side in each game of a deal.
    """
    turned, even = np.asarray(challenger), np.eye(sides)
    by_player = np.array([even[turned], even[(turned + 1) % sides]])
    by_side = np.repeat(even[:, None, :], games, axis=1)
    return [(each, np.full(len(each), 1 / len(each))) for each in (by_player, by_side)]
