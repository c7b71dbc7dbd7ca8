"""Measures from the literature under their published names, each with its source and definition.

Most are measures of :mod:`parlour.studies.measures`, some of them transformed; the others are computed here. All
describe the strongest bot's games against itself, except the order, which describes games against random players.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from parlour import inference
from parlour.engine.arrays import Floats
from parlour.statistics import Estimate
from parlour.studies import formulas
from parlour.studies.estimates import StudyEstimates
from parlour.studies.games import Games
from parlour.studies.measures import MEASURES
from parlour.studies.rulebook import FORFEIT

BROWNE = "Browne, Automatic Generation and Evaluation of Recombination Games, 2008"
LUDII = "Ludii (Piette and others, ECAI 2020)"
CARDSTOCK = "CardStock (Bell and Goadrich, Game & Puzzle Design 2, 2016)"
TAG = "TAG (Gaina and others, EXAG 2020)"
RANDOM = "random"
_BY_NAME = {measure.name: measure for measure in MEASURES}

Value = Callable[[Games], Estimate]


@dataclass(frozen=True)
class PublishedMeasure:
    """A published measure.

    Attributes:
        name: the published name.
        source: the publication.
        definition: a few words; ``ours`` for a measure of :mod:`parlour.studies.measures` under another name.
        value: the function that computes the measure from games.
        needs_win_probability: whether the measure needs win probabilities, and so applies to evaluated deals only.
        needs_winner: whether it applies to games with a sole winner only.
    """

    name: str
    source: str
    definition: str
    value: Value
    needs_win_probability: bool = False
    needs_winner: bool = False


def cardstock_fairness(share: float, sides: int) -> float:
    """Return CardStock's fairness of the first player's side: 1 if its win share is even, 0 if it is all or nothing."""
    return share * sides if share <= 1 / sides else (1 - share) * sides / (sides - 1)


def threshold(sides: int) -> float:
    """Return CardStock's chance to win below which a winner is behind: ½ (1 + (P − 2) / (P − 1))."""
    return (1 + (sides - 2) / (sides - 1)) / 2


def cardstock_drama(curve: Floats, sides: int) -> float:
    """Return CardStock's drama of a winner's chances: the mean of √(θ − V) where V is below θ, or 0."""
    behind = np.maximum(0.0, threshold(sides) - np.asarray(curve, float))
    behind = behind[behind > 0]
    return float(np.sqrt(behind).mean()) if len(behind) else 0.0


def cardstock_security(curve: Floats, sides: int) -> float:
    """Return CardStock's security of a winner's chances: the part of the chances at or above θ."""
    return float(np.mean(np.asarray(curve, float) >= threshold(sides)))


def uniformity(shares: Floats) -> float:
    """Return Ludii's outcome uniformity: 1 less the mean over the sides of the variance of their results."""
    results = shares.reshape(-1, shares.shape[2])
    return float(1 - results.var(axis=0).mean())


def _own_measure(name: str, change: Callable[[float, int], float] = lambda value, sides: value) -> Value:
    """Return our measure of this name, transformed by a monotone function of the value and the number of sides."""

    def value(games: Games) -> Estimate:
        found, sides = _BY_NAME[name].estimate(games), games.shares.shape[2]
        middle, *ends = (change(each, sides) for each in (found.value, found.low, found.high))
        return Estimate(middle, min(ends), max(ends))

    return value


def _mean_over_deals(of_game: Callable[[Games], Floats]) -> Value:
    """Return the mean over deals of a share."""
    return lambda games: inference.mean_interval(of_game(games), 1.0).clipped(0, 1)


def _fairness(games: Games) -> Estimate:
    sides = games.shares.shape[2]
    share = inference.share_interval(formulas.mean_of_games(formulas.share_of(games.shares, games.first)))
    ends = [cardstock_fairness(each, sides) for each in (share.low, share.high)]
    most = 1.0 if share.low <= 1 / sides <= share.high else max(ends)
    return Estimate(cardstock_fairness(share.value, sides), min(ends), most)


def _completion(games: Games) -> Estimate:
    return inference.share_interval(
        np.array([sum(each != FORFEIT for each in deal) / len(deal) for deal in games.endings])
    )


def _curve_value(of_curve: Callable[[Floats, int], float]) -> Value:
    """Return the mean over the games with a sole winner; in others the curve is of no player."""

    def of_deal(games: Games) -> Floats:
        curves, sides = games.win_probability["curve"], games.shares.shape[2]
        won = np.isfinite(curves[:, :, 0])
        values = np.zeros(won.shape)
        values[won] = [of_curve(curve, sides) for curve in curves[won]]
        return formulas.ratio(values, won.astype(float))

    return _mean_over_deals(of_deal)


def _uniformity(games: Games) -> Estimate:
    deals, number, sides = games.shares.shape
    shares = np.concatenate([games.shares, formulas.one_winner(number, sides)])
    squares, means = (shares**2).mean(axis=1), shares.mean(axis=1)
    prior = np.concatenate([np.ones(deals), np.full(sides, 1 / sides)])  # so that equal results have a width
    samples = inference.bootstrap(prior, lambda weights: 1 - np.mean(weights @ squares - (weights @ means) ** 2))
    low, high = inference.quantiles(samples)
    value = uniformity(games.shares)
    return Estimate(value, min(value, low), max(value, high))


PUBLISHED = (
    PublishedMeasure("Completion", f"{BROWNE}; {LUDII}", "games that the rules ended, not a forfeit", _completion),
    PublishedMeasure("Drawishness", LUDII, "ours: draws", _own_measure("draws")),
    PublishedMeasure("AdvantageP1", LUDII, "share of first places of the side that decides first",
              _own_measure("first_player", lambda edge, sides: edge + 1 / sides)),
    PublishedMeasure("Outcome uniformity", LUDII, "1 less the mean variance of a side's results", _uniformity),
    PublishedMeasure("Duration", f"{BROWNE}; {LUDII}", "ours: decisions", _own_measure("decisions")),
    PublishedMeasure("DecisionMoves", LUDII, "decisions with a choice: 1 less forced",
              _own_measure("forced", lambda forced, sides: 1 - forced)),
    PublishedMeasure("BranchingFactor", f"{LUDII}; {TAG}", "ours: branching", _own_measure("branching")),
    PublishedMeasure("DecisionFactor", LUDII, "ours: choice", _own_measure("choice")),
    PublishedMeasure("GameTreeComplexity", LUDII, "ours: digits", _own_measure("digits")),
    PublishedMeasure("Lead change", BROWNE, "changes of the sole leader, by decisions",
              _mean_over_deals(lambda games: formulas.ratio(games.statistics["lead_changes"], games.decisions))),
    PublishedMeasure("Score spread", TAG, "ours: spread", _own_measure("spread")),
    PublishedMeasure("Fairness", CARDSTOCK, "1 if the first player wins an even share, 0 if all or nothing", _fairness),
    PublishedMeasure("Drama (CardStock)", CARDSTOCK,
              "mean of √(θ − V) over the moments with V below θ, at eleven places",
              _curve_value(cardstock_drama), True, True),
    PublishedMeasure("Security", CARDSTOCK, "part of the moments with V not below θ, at eleven places",
              _curve_value(cardstock_security), True, True),
    PublishedMeasure("Drama (Ludii)", LUDII, "ours: drama", _own_measure("drama"), True),
    PublishedMeasure("DecisivenessMoves", f"{BROWNE}; {LUDII}", "ours: decisive", _own_measure("decisive"), True),
    PublishedMeasure("ClarityNarrowness", LUDII, "ours: narrowness", _own_measure("narrowness"), True),
)  # fmt: skip
"""Published measures, in the order of the report."""
ORDER = "Order"


def published_values(estimates: StudyEstimates, variation: int) -> Iterator[tuple[PublishedMeasure, Estimate]]:
    """Yield the published measures of a variation, with their intervals, but those without any games."""
    games = estimates.cell(variation, (estimates.study.strongest,))
    evaluated = estimates.evaluated_deals > 1
    won = evaluated and len(estimates.curves(variation)) > 0
    for each in PUBLISHED:
        if won if each.needs_winner else evaluated or not each.needs_win_probability:
            yield each, each.value(games)
    bots = estimates.study.bots
    if len(bots) > 1 and bots[0] == RANDOM:
        order = _own_measure("skill", lambda edge, sides: edge / (1 - 1 / sides))
        cell = estimates.cell(variation, (1, 0))
        definition = f"way of {bots[1]} from an even share to all wins, against random players"
        yield PublishedMeasure(ORDER, CARDSTOCK, definition, order), order(cell)
