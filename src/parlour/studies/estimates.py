"""Estimates of a study: all measures of all variations, and the comparisons between variations."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np

from parlour import inference
from parlour.contests.contest import Deal
from parlour.contests.game_results import CURVE_POINTS
from parlour.contests.omniscient import is_omniscient
from parlour.engine.arrays import Floats
from parlour.statistics import Estimate
from parlour.studies import formulas, rulebook
from parlour.studies.comparisons import (
    CLAUSES,
    EFFECTS,
    FIRST,
    GROUPS,
    PAIRS,
    RULES,
    SIGNIFICANCE_LEVEL,
    Difference,
    compare,
    contrast_estimate,
    possible_groups,
)
from parlour.studies.contrasts import Contrast, Grid
from parlour.studies.games import Games, LineUp, games_of, replicated_shares
from parlour.studies.measures import MEASURES, Measure
from parlour.studies.people.people import People
from parlour.studies.plan import Study
from parlour.studies.precision import Precision

_ROUNDING = 1e-9


class StudyEstimates:
    """Estimates from a study's deals."""

    def __init__(
        self, study: Study, deals: Sequence[Deal], precision: Precision | None = None, people: People | None = None
    ) -> None:
        """``precision`` has the targets of ``--until``, ``people`` the recorded games, if the study has any."""
        self.study, self.precision, self.people = study, precision, people
        if precision and deals:
            precision.compute(deals)
        self.deals = len(deals)
        self.games = sum(len(deal.games) for deal in deals)
        self._cells = games_of(study, deals)
        self._replicated_shares = replicated_shares(study, deals) if study.replicated_deals else {}

    @property
    def has_results(self) -> bool:
        """Whether at least one deal has been played."""
        return self.deals > 0

    @property
    def line_ups(self) -> list[LineUp]:
        """Line-ups of a variation: every bot alone, unless it sees all cards; then every challenger with its field."""
        bots = range(len(self.study.bots))
        fair = (bot for bot in bots if not is_omniscient(self.study.bots[bot]))
        return [*((bot,) for bot in fair), *(self.study.head_to_head(bot) for bot in bots if bot)]

    def line_up_text(self, line_up: LineUp) -> str:
        """Return ``"thumb"``, or ``"thumb against random"``."""
        return " against ".join(self.study.bots[bot] for bot in line_up)

    def cell(self, variation: int, line_up: LineUp) -> Games:
        """Return the games of one variation and line-up."""
        return self._cells[variation, line_up]

    def measures_of(self, line_up: LineUp) -> Iterator[Measure]:
        """Return the measures that apply to games of this line-up."""
        evaluated = self.evaluated_deals > 1 and line_up == (self.study.strongest,)
        return (
            each
            for each in MEASURES
            if each.head_to_head == (len(line_up) > 1) and (evaluated or not each.needs_win_probability)
        )

    def sides(self, variation: int) -> int:
        """Return the number of sides of a variation."""
        return len(self.study.contests[variation].sides)

    @property
    def evaluated_deals(self) -> int:
        """Number of deals in which the evaluator estimated win probabilities in the strongest bot's games."""
        return min(self.study.evaluated_deals, self.deals)

    @property
    def has_leads(self) -> bool:
        """Whether any winner among the strongest bots led before the end; otherwise leads by score mean nothing."""
        cells = (self.cell(variation, (self.study.strongest,)) for variation in range(len(self.study.setups)))
        return any((games.statistics["settled"] < 1).any() for games in cells)

    def estimate(self, variation: int, line_up: LineUp, measure: Measure) -> Estimate:
        """Return the estimate of a measure, with its interval."""
        return measure.estimate(self.cell(variation, line_up))

    def curves(self, variation: int) -> Floats:
        """Return the winner's chance from the first decision to the last in each evaluated game with a sole winner."""
        found: Floats = self.cell(variation, (self.study.strongest,)).win_probability["curve"].reshape(-1, CURVE_POINTS)
        return found[~np.isnan(found).any(axis=1)]

    def curve(self, variation: int) -> Floats:
        """Return the mean of :meth:`curves`, or no points if there are no such games."""
        found = self.curves(variation)
        mean: Floats = found.mean(axis=0) if len(found) else np.zeros(0)
        return mean

    @cached_property
    def grid(self) -> Grid:
        """The factors of the variations."""
        return Grid(self.study.setups)

    @cached_property
    def _comparisons(self) -> dict[str, list[Difference]]:
        return compare(self)

    @property
    def differences(self) -> list[Difference]:
        """The comparisons with the first variation, by all measures that have words for a difference (``says``)."""
        return self._comparisons[FIRST]

    @property
    def pairs(self) -> list[Difference]:
        """The comparisons between the other variations by the same measures, each pair once."""
        return self._comparisons[PAIRS]

    @property
    def effects(self) -> list[Difference]:
        """The main effects and interactions by the same measures, if the variations have several factors."""
        return self._comparisons[EFFECTS]

    @property
    def rule_differences(self) -> list[Difference]:
        """The comparisons of sides, places, endings, clauses and sources of points, for every pair of variations."""
        return [each for group in RULES for each in self._comparisons[group]]

    @property
    def result_differences(self) -> list[Difference]:
        """The comparisons of :attr:`rule_differences` without those of clauses."""
        return [each for group in RULES if group != CLAUSES for each in self._comparisons[group]]

    @property
    def conclusive(self) -> bool:
        """Whether the deals suffice for a verdict: a difference that is the same in every deal would be significant."""
        groups = possible_groups(self, self._comparisons)
        share = GROUPS[FIRST] / sum(GROUPS[group] for group in groups) if groups else 1.0
        return inference.least_p_value(self.deals) * len(self.differences) < SIGNIFICANCE_LEVEL * share

    def value_of(self, weights: Sequence[tuple[int, float]], line_up: LineUp, measure: Measure) -> Estimate:
        """Return a weighted sum of variations, taken deal by deal, with its interval."""
        if len(weights) == 1 and weights[0][1] == 1:
            return self.estimate(weights[0][0], line_up, measure)
        found = contrast_estimate(self, Contrast("", tuple(weights)), line_up, measure)
        if abs(sum(weight for _, weight in weights) - 1) > _ROUNDING:
            return found
        limits = [measure.limits(self.cell(number, line_up)) for number, _ in weights]  # a mean of variations
        return found.clipped(min(least for least, _ in limits), max(most for _, most in limits))

    def balance(self, variation: int, line_up: LineUp) -> Estimate:
        """Return the balance: 1 less the largest difference between the win shares of two sides.

        A side is a set of seats.
        """
        shares = self.cell(variation, line_up).shares.mean(axis=1)
        pairs = list(combinations(range(shares.shape[1]), 2))
        found = inference.largest_mean(np.stack([shares[:, one] - shares[:, other] for one, other in pairs], axis=1))
        return Estimate(1 - found.value, 1 - found.high, 1 - found.low)

    def parts(self, variation: int, line_up: LineUp) -> tuple[Estimate, Estimate]:
        """Return the parts of the result's variance that the deal and the players decide, in games between two bots.

        The bootstrap corrects the players' part for its bias: the means of equal bots differ by chance. Both are 0 if
        nothing varies (:meth:`results_vary`).
        """
        games = self.cell(variation, line_up)
        sampled = _bootstrap(games, formulas.parts_of_the_result)
        deal, skill = formulas.parts_of_the_result(games.shares, games.challenger)
        first, alike = inference.distinct_deals(games.shares, games.challenger)
        again = partial(formulas.parts_of_the_result, games.shares[first], games.challenger[first])
        bias = float(inference.bootstrap(alike, again)[:, 1].mean()) - skill
        return (
            inference.covering_interval(deal, [each[:, 0] for each in sampled]),
            inference.covering_interval(skill - bias, [each[:, 1] - bias for each in sampled]).clipped(0, 1),
        )

    def results_vary(self, variation: int, line_up: LineUp) -> bool:
        """Return whether the result differs between any two games; it does not if all games are drawn, for example."""
        return formulas.vary(self.cell(variation, line_up).shares)

    def luck(self, variation: int) -> Estimate | None:
        """Return the part of the variance that the cards decide for the strongest bot.

        It is ``None`` without repetitions, or if their result is always the same.
        """
        shares = self._replicated_shares.get(variation)
        if shares is None or len(shares) < 2 or not formulas.vary(shares):
            return None
        sampled = []
        for extreme, mass in formulas.extreme_repetitions(*shares.shape[1:]):
            prior = np.concatenate([np.ones(len(shares)), mass])
            sampled.append(inference.bootstrap(prior, partial(formulas.luck, np.concatenate([shares, extreme]))))
        return inference.covering_interval(formulas.luck(shares), sampled).clipped(0, 1)

    def duplicate(self, variation: int, line_up: LineUp) -> Estimate:
        """Return the part of the variance of the challenger's wins that playing deals in every seat removes."""
        games = self.cell(variation, line_up)
        value = formulas.duplicate_saves(games.shares, games.challenger)
        return inference.covering_interval(value, _bootstrap(games, formulas.duplicate_saves))

    def side_shares(self, variation: int, line_up: LineUp) -> list[Estimate]:
        """Return the win share of each side, in the order of the seats."""
        return [inference.share_interval(side) for side in formulas.side_shares(self.cell(variation, line_up).shares).T]

    def endings(self, variation: int, line_up: LineUp) -> dict[str, Estimate]:
        """Return the share of games with each ending, the most frequent first."""
        return rulebook.endings(self.cell(variation, line_up).endings)

    @property
    def traced_deals(self) -> int:
        """Number of deals with clause counts."""
        return min(self.study.traced_deals, self.deals)

    def clause_frequencies(self, variation: int, line_up: LineUp) -> dict[str, Estimate]:
        """Return for each clause the mean number of events in a game at which it fired."""
        return rulebook.clause_frequencies([*self.cell(variation, line_up).clause_counts.values()])

    def sources(self, variation: int, line_up: LineUp) -> dict[str, Estimate]:
        """Return the mean absolute points that each source brings a seat in a game."""
        return rulebook.sources([*self.cell(variation, line_up).clause_counts.values()])

    def unfired_clauses(self, variation: int) -> list[str]:
        """Return the clauses of a variation's rules that fired in none of its traced self-play games."""
        alone = (line_up for line_up in self.line_ups if len(line_up) == 1)
        games = (game for line_up in alone for game in self.cell(variation, line_up).clause_counts.values())
        return rulebook.unfired_clauses(self.study.setups[variation].game, games)


def _bootstrap(games: Games, value: Callable[[Floats, Any, Floats], Any]) -> list[Floats]:
    """Bootstrap a statistic of games between two bots, once for each kind of extreme deal added to the sample."""
    found = []
    _, number, sides = games.shares.shape
    first, alike = inference.distinct_deals(games.shares, games.challenger)
    for extreme, mass in formulas.extreme_deals(number, sides, games.challenger[0]):
        shares = np.concatenate([games.shares[first], extreme])
        challenger = np.concatenate([games.challenger[first], np.tile(games.challenger[0], (len(extreme), 1))])
        prior = np.concatenate([alike, mass])
        found.append(inference.bootstrap(prior, partial(value, shares, challenger)))
    return found
