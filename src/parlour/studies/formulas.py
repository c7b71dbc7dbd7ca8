"""Formulas of measures, over plain arrays; docs/measures.md has their definitions and sources.

Arrays are by deal, then by game of the deal, then by side. Estimates are means over deals: each function returns one
value for each deal, whose mean is the measure. The deals' spread gives the interval, and two variations can be
compared deal by deal. Functions that return a single number say so.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from parlour.engine.arrays import Bools, Floats

SECONDS_A_CHOICE, SECONDS_A_FORCED_ONE, SECONDS_A_CHANCE_EVENT = 8.0, 3.0, 20.0
"""Assumed seconds that people take for a choice among several actions, a forced action, and a chance event."""
ASSUMED_SECONDS = (
    f"{SECONDS_A_CHOICE:g} seconds for a choice among several actions, {SECONDS_A_FORCED_ONE:g} for a forced action, "
    f"{SECONDS_A_CHANCE_EVENT:g} for a chance event"
)


_ROUNDING = 1e-9
"""Difference of two sums below which they count as equal."""
_NO_VARIANCE = 1e-24
"""Variance of win shares below which all shares count as equal: it is rounding."""


def mean_of_games(values: Floats) -> Floats:
    """Return the mean over the games of each deal."""
    found: Floats = np.asarray(values, float).mean(axis=1)
    return found


def ratio(parts: Floats, wholes: Floats) -> Floats:
    """Return the ratio of the sums of two numbers over all games, linearized so that each deal has a value.

    The value of a deal is R + (part − R · whole) / mean whole, where R is the ratio. Their mean is R, and their spread
    gives its standard error (Cochran, Sampling Techniques, 1977, section 6.3). R is 0 if all ``wholes`` are 0.
    """
    part, whole = np.asarray(parts, float).sum(axis=1), np.asarray(wholes, float).sum(axis=1)
    if not whole.any():
        return np.zeros(len(whole))
    value = part.sum() / whole.sum()
    found: Floats = value + (part - value * whole) / whole.mean()
    return found


def ratio_contrast(parts: Sequence[Floats], wholes: Sequence[Floats], weights: Sequence[float]) -> Floats:
    """Return a weighted sum of ratios deal by deal; the weights add up to 0.

    The linear values of :func:`ratio` depend on all deals, so that they differ a little even where the games of a deal
    are identical. A deal of which each part and whole occurs with a total weight of 0 has the value 0. The sum of what
    the linear values of these deals would add is distributed over the others, so the mean stays that of the ratios.

    Args:
        parts: the numerators of :func:`ratio` of each variation.
        wholes: the denominators of each variation.
        weights: of the variations.
    """
    sums = np.array([[np.sum(each, axis=1) for each in pair] for pair in zip(parts, wholes, strict=True)])
    totals = [np.tensordot(weights, (np.abs(sums - one) < _ROUNDING).all(axis=1), 1) for one in sums]
    alike = (np.abs(totals) < _ROUNDING).all(axis=0)
    linear = [weight * ratio(*each) for *each, weight in zip(parts, wholes, weights, strict=True)]
    found: Floats = np.sum(linear, axis=0)
    if not alike.all():
        found += found[alike].sum() / (~alike).sum()
    found[alike] = 0.0
    return found


def ratio_of_each(parts: Floats, wholes: Floats) -> Floats:
    """Return the ratio of the sums over the games of each deal; 0 where the whole is 0."""
    part, whole = np.asarray(parts, float).sum(axis=1), np.asarray(wholes, float).sum(axis=1)
    found: Floats = np.divide(part, whole, out=np.zeros_like(part), where=whole != 0)
    return found


def share_of(shares: Floats, side: Any) -> Floats:
    """Return the win share of one side in each game: deals × games. ``side`` is its number, by deal and game."""
    found: Floats = np.take_along_axis(shares, np.asarray(side, int)[:, :, None], axis=2)[:, :, 0]
    return found


def edge_of(shares: Floats, side: Any) -> Floats:
    """Return the edge of one side: its win share minus the even share. ``side`` is its number, by deal and game."""
    found: Floats = mean_of_games(share_of(shares, side)) - 1 / shares.shape[2]
    return found


def side_shares(shares: Floats) -> Floats:
    """Return each side's win share: deals × sides."""
    found: Floats = shares.mean(axis=1)
    return found


def vary(shares: Floats) -> bool:
    """Return whether any side's win share differs between two games; otherwise nothing decides the result."""
    return bool(np.ptp(shares, axis=(0, 1)).any())


def balance(means: Floats) -> float:
    """Return one number: 1 less the largest difference between the win shares of two sides (Ludii)."""
    return float(1 - (means.max() - means.min()))


def tie_share(shares: Floats, forfeited: Bools) -> Floats:
    """Return the share of games in which several sides share first place.

    A forfeited game, deals × games, is no tie: all sides but one share its first place, whatever they played.
    """
    return mean_of_games(((shares > 0).sum(axis=2) > 1) & ~forfeited)


def margin(points: Floats) -> Floats:
    """Return the best side's points minus the second best's."""
    ordered = np.sort(points, axis=2)
    return mean_of_games(ordered[:, :, -1] - ordered[:, :, -2])


def spread(points: Floats) -> Floats:
    """Return the best side's points minus the worst's."""
    return mean_of_games(points.max(axis=2) - points.min(axis=2))


def minutes(decisions: Floats, forced: Floats, chance_events: Floats) -> Floats:
    """Return the estimated minutes that people need for a game, from the assumed seconds for each kind of event."""
    seconds = SECONDS_A_CHOICE * (decisions - forced) + SECONDS_A_FORCED_ONE * forced
    return mean_of_games((seconds + SECONDS_A_CHANCE_EVENT * chance_events) / 60)


def order(share: float, sides: int) -> float:
    """Return one number: a win share rescaled so that an even share is 0 and all wins are 1 (CardStock)."""
    even = 1 / sides
    return (share - even) / (1 - even)


def parts_of_the_result(shares: Floats, challenger: Any, weights: Floats | None = None) -> tuple[float, float]:
    """Return two numbers: the parts of the result's variance that the deal and the players decide.

    Each deal is played with the seats turned. A seat's win share varies with the bot in the seat, with the seat's
    cards, and with all else. The first part is the covariance of the same seat's win shares in two games of a deal,
    after subtracting the mean of the bot in the seat; the second is the variance of these means. Both are divided by
    the total variance. If players cannot influence the deals, the first part is Var(E[u | deal]) / Var(u) (Cloud and
    Laber, arXiv 2009.04834).

    Args:
        shares: deals × games × sides.
        challenger: the challenger's side, by deal and game.
        weights: of the deals; they add up to 1. Equal by default.
    """
    deals, games, sides = shares.shape
    weights = np.full(deals, 1 / deals) if weights is None else weights
    by_game = np.broadcast_to(weights[:, None], (deals, games))
    is_challenger = np.asarray(challenger)[:, :, None] == np.arange(sides)
    rest, skill = np.array(shares, float), np.zeros_like(shares, float)
    for side in range(sides):
        for role in (is_challenger[:, :, side], ~is_challenger[:, :, side]):
            mass = by_game[role].sum()
            if mass > 0:
                mean = (shares[:, :, side] * by_game)[role].sum() / mass
                rest[:, :, side][role] -= mean
                skill[:, :, side][role] = mean
    mean_shares = weights @ shares.mean(axis=1)
    whole = float(weights @ ((shares - mean_shares) ** 2).mean(axis=(1, 2)))
    if games < 2 or whole < _NO_VARIANCE:
        return 0.0, 0.0
    pairs = (rest.sum(axis=1) ** 2 - (rest**2).sum(axis=1)) / (games * (games - 1))
    return float(weights @ pairs.mean(axis=1)) / whole, float(
        weights @ ((skill - mean_shares) ** 2).mean(axis=(1, 2))
    ) / whole


def luck(shares: Floats, weights: Floats | None = None) -> float:
    """Return one number: the part of the result's variance that the cards decide for these players in these seats.

    Var(E[u | deal]) / Var(u) (Cloud and Laber, arXiv 2009.04834) by one-way analysis of variance: each deal was played
    several times, with the same cards and other random streams of the players. It is summed over the sides; by chance
    it may be a little below 0.

    Args:
        shares: deals × repetitions × sides.
        weights: of the deals; they add up to 1. Equal by default.
    """
    deals, games, _ = shares.shape
    weights = np.full(deals, 1 / deals) if weights is None else weights
    of_deal = shares.mean(axis=1)
    within = float(weights @ shares.var(axis=1, ddof=1).sum(axis=1))
    between = float(weights @ ((of_deal - weights @ of_deal) ** 2).sum(axis=1)) * deals / (deals - 1)
    by_deal = between - within / games
    return by_deal / (by_deal + within) if by_deal + within > _NO_VARIANCE else 0.0


def duplicate_saves(shares: Floats, challenger: Any, weights: Floats | None = None) -> float:
    """Return one number: the part of the challenger's variance that is saved by playing every deal in all seats.

    It is 1 less the ratio of two variances: that of a deal's mean, and that of the mean of as many independent games.
    ``weights`` are as in :func:`parts_of_the_result`.
    """
    own = share_of(shares, challenger)
    weights = np.full(len(own), 1 / len(own)) if weights is None else weights
    of_deal = own.mean(axis=1)
    mean = float(weights @ of_deal)
    independent = float(weights @ ((own - mean) ** 2).mean(axis=1)) / own.shape[1]
    return 1 - float(weights @ (of_deal - mean) ** 2) / independent if independent > _NO_VARIANCE else 0.0


def extreme_deals(games: int, sides: int, challenger: Any) -> list[tuple[Floats, Floats]]:
    """Return extreme deals, which are possible even if none was played: the win shares and prior masses of two kinds.

    In the first kind the challenger wins all games or the next side does, in the second kind one side wins all. The
    deals of a kind together have the weight of one deal, so that the intervals of one-sided contests have a width.

    Args:
        games: the number of games of a deal.
        sides: the number of sides.
        challenger: the challenger's side in each game of a deal.
    """
    challengers, wins = np.asarray(challenger), np.eye(sides)
    by_player = np.array([wins[challengers], wins[(challengers + 1) % sides]])
    kinds = by_player, one_winner(games, sides)
    return [(each, np.full(len(each), 1 / len(each))) for each in kinds]


def extreme_repetitions(games: int, sides: int) -> list[tuple[Floats, Floats]]:
    """Return extreme deals for :func:`luck`, with masses as in :func:`extreme_deals`.

    In the first kind one side wins all repetitions of a deal, in the second kind the sides win in turn.
    """
    in_turn = np.array([np.eye(sides)[(np.arange(games) + side) % sides] for side in range(sides)])
    return [(each, np.full(sides, 1 / sides)) for each in (one_winner(games, sides), in_turn)]


def one_winner(games: int, sides: int) -> Floats:
    """Return a deal for each side, in which it wins all games."""
    return np.repeat(np.eye(sides)[:, None, :], games, axis=1)
