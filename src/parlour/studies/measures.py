"""Measures of a study: definition, values, unit, wording and interval of each.

A new measure is one entry in ``MEASURES`` and a test in tests/studies/test_formulas.py. Its ``values`` is a function of
:class:`Games` that returns one value for each deal; a ratio of sums is an entry by ``_ratio``. ``Games`` has arrays of
deals × games: ``decisions``, ``chance_events``, ``first``, ``challenger``; by side ``shares`` and ``points``; and by
the names of ``GameStatistics`` and ``WinProbabilityCurve`` (contests/game_results.py) ``statistics[…]`` and
``win_probability[…]``. Report, answer, JSON and ``tune`` include a new measure without further changes; ``make docs``
writes its row of docs/measures.md. Count a value that ``Games`` lacks in contests/arena.py, and store it in
contests/game_results.py.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour import inference
from parlour.engine.arrays import Floats
from parlour.statistics import Estimate
from parlour.studies import formulas
from parlour.studies.games import Games

MEAN, PART, SHARE, EDGE = "mean", "part", "share", "edge"
"""Kinds of measure: mean; mean shown in percent; proportion from 0 to 1; win share minus 1 / sides."""
FURTHER_DEVIATIONS = 2.0
"""Size of the further difference that a p-value assumes at least, in standard deviations of a measure's deals."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Measure:
    """Measure of games.

    Attributes:
        name: the name in results and in docs/measures.md.
        title: the title in reports.
        unit: unit of the displayed number; shares are displayed in percent.
        values: computes one value for each deal.
        kind: ``MEAN``, ``PART``, ``SHARE`` or ``EDGE``.
        says: the words for a higher and for a lower value than another variation's, with ``{by}`` for the difference
            and ``{challenger}`` for the two bots; ``None`` if variations are not compared by it.
        grain: the smallest possible difference between two deals' values, assumed if all observed values are closer.
        head_to_head: whether the measure applies to games between two bots, not to self-play games.
        needs_win_probability: whether the measure needs win probabilities, and so applies to evaluated games only.
        group: the section of docs/measures.md that has the measure's row.
        definition: the definition in that row.
        source: the source of the definition, or the measure's name in its source; empty for our own definitions.
    """

    name: str
    title: str
    unit: str
    values: Callable[[Games], Floats]
    kind: str = MEAN
    says: tuple[str, str] | None = None
    grain: float = 1.0
    head_to_head: bool = False
    needs_win_probability: bool = False
    group: str = ""
    definition: str = ""
    source: str = ""

    @property
    def scale(self) -> float:
        """Factor from a value to the displayed number."""
        return 1.0 if self.kind == MEAN else 100.0

    def estimate(self, games: Games) -> Estimate:
        """Return the measure with its 95 % interval: Student's, or Wilson's for ``SHARE`` and ``EDGE``.

        If few deals differ, the intervals of :mod:`parlour.inference` take their place.
        """
        values = self.values(games)
        if self.kind in (MEAN, PART):
            return self.clip(inference.mean_interval(values, self.reach(values)), games)
        return inference.edge_interval(values, self._even(games))

    def _even(self, games: Games) -> float:
        """Return the even share that is subtracted from shares."""
        return 1 / games.shares.shape[2] if self.kind == EDGE else 0.0

    def limits(self, games: Games) -> tuple[float, float]:
        """Return the least and the greatest possible value."""
        even = self._even(games)
        return 0.0 - even, math.inf if self.kind == MEAN else 1 - even

    def clip(self, estimate: Estimate, games: Games) -> Estimate:
        """Return an estimate with its interval cut to the measure's possible values; few deals leave it wider."""
        return estimate.clipped(*self.limits(games))

    def differences(self, games: Games, others: Games) -> Floats:
        """Return the measure's differences from other games, deal by deal."""
        return self.contrast([(games, 1.0), (others, -1.0)])

    def estimate_difference(self, games: Games, others: Games) -> Estimate:
        """Return the mean difference with its 95 % interval."""
        return self.estimate_contrast([(games, 1.0), (others, -1.0)])

    def contrast(self, weighted: Sequence[tuple[Games, float]]) -> Floats:
        """Return a weighted sum of the measure in several variations, deal by deal."""
        found: Floats = np.sum([weight * self.values(games) for games, weight in weighted], axis=0)
        return found

    def contrast_of_each(self, weighted: Sequence[tuple[Games, float]]) -> Floats:
        """Return the weighted sum that each deal has by itself, as its games show it."""
        return self.contrast(weighted)

    def estimate_contrast(self, weighted: Sequence[tuple[Games, float]]) -> Estimate:
        """Return the mean of a weighted sum with its 95 % interval."""
        return self._estimate(self.contrast(weighted), weighted)

    def _estimate(self, contrast: Floats, weighted: Sequence[tuple[Games, float]]) -> Estimate:
        reach = max(self.reach(self.values(games)) for games, _ in weighted)
        return inference.mean_interval(contrast, _differences_in(weighted) * reach)

    def further_difference(self, weighted: Sequence[tuple[Games, float]]) -> float:
        """Return the least size of the further difference that a p-value assumes, in a weighted sum of variations."""
        spread = max(float(self.values(games).std()) for games, _ in weighted)
        return _differences_in(weighted) * FURTHER_DEVIATIONS * spread

    def applies(self, games: Games) -> bool:
        """Return whether the measure is defined for these games."""
        return True

    def reach(self, values: Floats) -> float:
        """Return the largest difference of two deals: 1 for shares, otherwise as observed, but at least ``grain``."""
        return inference.observed_range(values, self.grain) if self.kind == MEAN else 1.0


def _differences_in(weighted: Sequence[tuple[Games, float]]) -> float:
    """Return the number of differences between two variations in a weighted sum: 2 in an interaction."""
    return max(1.0, sum(abs(weight) for _, weight in weighted) / 2)


@dataclass(frozen=True)
class RatioMeasure(Measure):
    """Measure that is the ratio of two sums over all games; its ``values`` are linear (:func:`formulas.ratio`).

    Attributes:
        parts: computes numerator and denominator, deals × games each.
    """

    parts: Callable[[Games], tuple[Floats, Floats]] = lambda games: (games.decisions, games.decisions)

    def contrast(self, weighted: Sequence[tuple[Games, float]]) -> Floats:
        """Return a weighted sum of the ratios; a deal with the same games in all variations has no difference."""
        if abs(sum(weight for _, weight in weighted)) > _ROUNDING:
            return super().contrast(weighted)
        parts, wholes = zip(*(self.parts(games) for games, _ in weighted), strict=True)
        return formulas.ratio_contrast(parts, wholes, [weight for _, weight in weighted])

    def estimate_contrast(self, weighted: Sequence[tuple[Games, float]]) -> Estimate:
        """Return the mean of a weighted sum with an interval that covers two.

        That of :meth:`contrast` holds where few deals differ. That of the linear values holds where the deals that do
        not differ are of different lengths: they have no difference, but dilute that of the others.
        """
        few, linear = (self._estimate(each, weighted) for each in (self.contrast(weighted), super().contrast(weighted)))
        return Estimate(few.value, min(few.low, linear.low), max(few.high, linear.high))

    def contrast_of_each(self, weighted: Sequence[tuple[Games, float]]) -> Floats:
        """Return the weighted sum of the ratios of each deal."""
        found: Floats = np.sum(
            [weight * formulas.ratio_of_each(*self.parts(games)) for games, weight in weighted], axis=0
        )
        return found


def _ratio(name: str, title: str, unit: str, parts: Callable[[Games], tuple[Floats, Floats]], **texts: Any) -> Measure:
    return RatioMeasure(name, title, unit, lambda games: formulas.ratio(*parts(games)), parts=parts, **texts)


def _statistic_value(name: str) -> Callable[[Games], Floats]:
    return lambda games: formulas.mean_of_games(games.statistics[name])


def _probability_value(name: str) -> Callable[[Games], Floats]:
    return lambda games: formulas.mean_of_games(games.win_probability[name])


MEASURES = (
    Measure(
        "first_player",
        "First player's wins beyond even",
        "points of 100 games",
        lambda games: formulas.edge_of(games.shares, games.first),
        EDGE,
        ("the first player wins {by} more of 100 games", "the first player wins {by} fewer of 100 games"),
        group="Seats",
        definition="share of first places of the side that decides first, less the even share",
        source=(
            "seat edge, as in CardStock and Ludii, but by turn order: the dealer is drawn, so a seat's number "
            "says little"
        ),
    ),
    Measure(
        "draws",
        "Drawn games",
        "% of games",
        lambda games: formulas.tie_share(games.shares, games.forfeited),
        SHARE,
        ("{by} more of 100 games are drawn", "{by} fewer of 100 games are drawn"),
        group="Seats",
        definition="games in which several sides share first place; a forfeited game counts as decided",
        source="Ludii",
    ),
    Measure(
        "minutes",
        "Length for people, estimated",
        "minutes",
        lambda games: formulas.minutes(games.decisions, games.statistics["forced"], games.chance_events),
        says=("a game is about {by} minutes longer", "a game is about {by} minutes shorter"),
        grain=formulas.SECONDS_A_CHOICE / 60,
        group="Length",
        definition=(
            f"{formulas.ASSUMED_SECONDS}. The seconds are assumptions: it compares variations rather than plans an "
            "evening"
        ),
    ),
    Measure(
        "decisions",
        "Decisions",
        "a game",
        lambda games: formulas.mean_of_games(games.decisions),
        says=("a game has {by} decisions more", "a game has {by} decisions fewer"),
        group="Length",
        definition="players' actions, forced ones included",
    ),
    Measure(
        "events",
        "Events, chance among them",
        "a game",
        _statistic_value("events"),
        group="Length",
        definition="players' actions and chance events",
    ),
    Measure(
        "rounds",
        "Deals of the whole deck",
        "a game",
        _statistic_value("rounds"),
        group="Length",
        definition="chance events that deal the same cards as the first deal",
    ),
    _ratio(
        "forced",
        "Forced decisions",
        "% of decisions",
        lambda games: (games.statistics["forced"], games.decisions),
        kind=SHARE,
        says=("{by} more of 100 decisions are forced", "{by} fewer of 100 decisions are forced"),
        group="Choice",
        definition="decisions with one legal action, divided by all decisions",
        source='1 less Ludii\'s "decision moves"',
    ),
    _ratio(
        "branching",
        "Legal actions",
        "a decision",
        lambda games: (games.statistics["choices"], games.decisions),
        group="Choice",
        definition="legal actions divided by decisions",
        source="branching factor",
    ),
    _ratio(
        "choice",
        "Legal actions where there is a choice",
        "a decision",
        lambda games: (
            games.statistics["choices"] - games.statistics["forced"],
            games.decisions - games.statistics["forced"],
        ),
        says=(
            "there are {by} more actions to choose from where there is a choice",
            "there are {by} fewer actions to choose from where there is a choice",
        ),
        group="Choice",
        definition="the same over decisions with several actions",
        source='"decision factor" in Ludii',
    ),
    Measure(
        "digits",
        "Ways to play a deal",
        "decimal digits",
        _statistic_value("log_choices"),
        grain=0.3,
        group="Choice",
        definition="sum of the decimal logarithms of the numbers of legal actions",
        source="size of the game tree along the line of play",
    ),
    Measure(
        "lead_changes",
        "Changes of the lead",
        "a game",
        _statistic_value("lead_changes"),
        says=("the lead changes hands {by} times more a game", "the lead changes hands {by} times less a game"),
        group="Course of the game",
        definition="number of times that a side led alone after another side had led alone",
        source="Browne's lead change; ties in between and the first leader do not count",
    ),
    Measure(
        "settled",
        "When the winner leads for good",
        "% of the decisions",
        _statistic_value("settled"),
        SHARE,
        (
            "the winner leads for good later, by {by} of 100 decisions",
            "the winner leads for good earlier, by {by} of 100 decisions",
        ),
        group="Course of the game",
        definition=(
            "part of the decisions after which the winning side led alone for good; 1 if it did not lead before "
            "the end, or if there is no sole winner"
        ),
        source="after Browne's decisiveness, by score",
    ),
    Measure(
        "trailed",
        "Another than the winner leads",
        "% of the decisions",
        _statistic_value("trailed"),
        SHARE,
        group="Course of the game",
        definition="share of the decisions at which a side other than the winner led alone",
        source="after Browne's drama, by score",
    ),
    Measure(
        "margin",
        "Points of the best above the next",
        "points",
        lambda games: formulas.margin(games.points),
        says=("the best side is {by} points farther ahead", "the best side is {by} points less far ahead"),
        group="Course of the game",
        definition="points of the best side less those of the next; a side's points are the mean of its seats",
    ),
    Measure(
        "spread",
        "Points of the best above the worst",
        "points",
        lambda games: formulas.spread(games.points),
        group="Course of the game",
        definition="points of the best side less those of the worst",
    ),
    Measure(
        "skill",
        "Challenger's wins beyond even",
        "points of 100 games",
        lambda games: formulas.edge_of(games.shares, games.challenger),
        EDGE,
        ("{challenger} wins {by} more of 100 games", "{challenger} wins {by} fewer of 100 games"),
        head_to_head=True,
        group="Skill and cards",
        definition=(
            "wins of a bot, the challenger, against a field of the bot listed before it, in every seat in turn, "
            "less the even share"
        ),
        source="strength against strength, as in TAG (Gaina and others, *TAG: a Tabletop Games Framework*, 2020)",
    ),
    Measure(
        "drama",
        "Drama: how far the winner is behind",
        "points of the chance to win",
        _probability_value("drama"),
        PART,
        ("the winner is {by} points of chance farther behind", "the winner is {by} points of chance less far behind"),
        needs_win_probability=True,
        group="Chances to win",
        definition=(
            "greatest chance of a side less the winner's, as the mean over the decisions. One half of the "
            "determinizations selects the side and the other half measures its lead, because among equal sides "
            "one seems ahead by luck; a little below 0 by chance"
        ),
        source="Ludii's drama; the halves are ours",
    ),
    _ratio(
        "stakes",
        "Best choice above the worst",
        "points of the chance to win",
        lambda games: (games.win_probability["spread"], games.win_probability["weighed"]),
        kind=PART,
        says=(
            "the best choice is {by} points of chance farther above the worst",
            "the best choice is {by} points of chance less far above the worst",
        ),
        needs_win_probability=True,
        group="Chances to win",
        definition=(
            "greatest chance after an action less the least, by decisions. One half of the determinizations "
            "selects these actions, the other half measures their distance; a little too small with few "
            "determinizations"
        ),
        source="spread of choices; the halves are ours",
    ),
    _ratio(
        "narrowness",
        "Good choices, near the best",
        "% of the actions",
        lambda games: (games.win_probability["good"], games.win_probability["weighed"]),
        kind=SHARE,
        says=("{by} more of 100 actions are good choices", "{by} fewer of 100 actions are good choices"),
        needs_win_probability=True,
        group="Chances to win",
        definition=(
            "part of the actions whose chance is at least the mean plus three quarters of the distance from the "
            "mean to the best, by decisions. Too small with few determinizations if actions are alike, because "
            "one of them is lucky"
        ),
        source="Ludii's clarity narrowness",
    ),
    Measure(
        "decisive",
        "Decided for good, by chances to win",
        "% of the decisions",
        _probability_value("decisive"),
        SHARE,
        ("a game is decided later, by {by} of 100 decisions", "a game is decided earlier, by {by} of 100 decisions"),
        needs_win_probability=True,
        group="Chances to win",
        definition=(
            "part of the decisions after which the winner's chance exceeded the maximum of every other side; 1 if "
            "it never did. Too late with few determinizations, because the maximum of many estimates is too high"
        ),
        source="Browne's decisiveness threshold",
    ),
    Measure(
        "comeback",
        "Comebacks from half an even chance",
        "% of games",
        _probability_value("comeback"),
        SHARE,
        ("{by} more of 100 games are comebacks", "{by} fewer of 100 games are comebacks"),
        needs_win_probability=True,
        group="Chances to win",
        definition="games in which the winner's chance was at most half an even share half-way through the decisions",
    ),
)
"""All measures, in the order of reports."""
