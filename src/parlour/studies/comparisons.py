"""Comparisons of variations by measures, effects of options and rule statistics, with jointly adjusted p-values.

The questions of a study form groups. Each group has a share of the permitted error, fixed in advance; the comparisons
of measures with the first variation have half of the error. Within a group all questions have equal weights, except
the questions about endings and sources of points. It is not known in advance which endings and sources occur: of the
part of its contrast and line-up, the question about the *k*-th to occur has the share 1 / (k (k + 1)). The rest of the
part is left for those that have not occurred, so that their occurrence would change no other weight.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, Protocol

from parlour import inference
from parlour.contests.clause_counts import citations_of
from parlour.engine.arrays import Floats
from parlour.statistics import Estimate
from parlour.studies.contrasts import Contrast, Grid, other_pairs, pair
from parlour.studies.games import Games, LineUp
from parlour.studies.measures import Measure
from parlour.studies.plan import Study
from parlour.studies.rule_measures import (
    clause_measure,
    ending_measure,
    place_measure,
    side_measure,
    source_measure,
)

SIGNIFICANCE_LEVEL = 0.05
"""Significance level: the upper bound of the adjusted p-value of a significant difference."""
FIRST, PAIRS, EFFECTS, SIDES, ENDINGS, SOURCES, CLAUSES = (
    "first", "pairs", "effects", "sides", "endings", "sources", "clauses",
)  # fmt: skip
GROUPS = {FIRST: 1 / 2, PAIRS: 1 / 8, EFFECTS: 1 / 8, SIDES: 1 / 8, ENDINGS: 1 / 16, SOURCES: 1 / 32, CLAUSES: 1 / 32}
"""Share of the permitted error, by group; the groups of :func:`possible_groups` divide the shares of the others."""
RULES = (SIDES, ENDINGS, SOURCES, CLAUSES)
"""Groups of questions about single sides, endings, sources of points and clauses."""

Question = tuple[Contrast, LineUp, Measure, float]
"""A contrast of variations, the line-up, the compared measure, and the question's weight within its group."""


@dataclass(frozen=True)
class Difference:
    """Difference of a measure between variations, paired by deal.

    Attributes:
        contrast: the variations: a pair, a main effect or an interaction.
        line_up: the players: one bot in all seats, or a challenger and the field.
        measure: the compared measure.
        by: the mean difference, with an interval that is not adjusted for the other comparisons.
        deals: the number of deals in which the measure differs.
        p_value: the p-value of the hypothesis that there is no difference, valid after any number of deals
            (:func:`parlour.inference.p_value`).
        adjusted_p_value: the p-value adjusted for all comparisons in the study (Holm, weighted).
    """

    contrast: Contrast
    line_up: LineUp
    measure: Measure
    by: Estimate
    deals: int
    p_value: float
    adjusted_p_value: float

    @property
    def variation(self) -> int:
        """The compared variation of a pair."""
        return self.contrast.variation

    @property
    def base(self) -> int:
        """The reference variation of a pair."""
        return self.contrast.base

    @property
    def significant(self) -> bool:
        """Whether the difference is significant."""
        return self.adjusted_p_value < SIGNIFICANCE_LEVEL


def sort_by_p_value(differences: Iterable[Difference]) -> list[Difference]:
    """Return the differences in ascending order of their adjusted p-values, then of their p-values."""
    return sorted(differences, key=lambda each: (each.adjusted_p_value, each.p_value))


class ComparableStudy(Protocol):
    """The part of a study's estimates that :func:`compare` needs."""

    study: Study

    @property
    def grid(self) -> Grid:
        """The factors of the variations."""

    @property
    def line_ups(self) -> list[LineUp]:
        """The line-ups that play each variation."""

    @property
    def traced_deals(self) -> int:
        """The number of deals with clause counts."""

    def cell(self, variation: int, line_up: LineUp) -> Games:
        """Return the games of one variation and line-up."""

    def measures_of(self, line_up: LineUp) -> Iterator[Measure]:
        """Return the measures that apply to games of a line-up."""

    def sides(self, variation: int) -> int:
        """Return the number of sides of a variation."""


def compare(estimates: ComparableStudy) -> dict[str, list[Difference]]:
    """Return the comparisons, by group of questions."""
    variations = len(estimates.study.setups)
    with_first = [pair(number) for number in range(1, variations)]
    questions_of: dict[str, list[Question]] = {
        FIRST: _measure_questions(estimates, with_first),
        PAIRS: _measure_questions(estimates, list(other_pairs(variations))),
        EFFECTS: _measure_questions(estimates, estimates.grid.effects()),
        SIDES: _side_questions(estimates),
        ENDINGS: _ending_questions(estimates),
        SOURCES: _source_questions(estimates),
        CLAUSES: _clause_questions(estimates),
    }
    values = {
        group: [contrast_values(estimates, *question[:3]) for question in questions]
        for group, questions in questions_of.items()
    }
    p_values = {
        group: [_p_value(estimates, *each) for each in zip(questions, values[group], strict=True)]
        for group, questions in questions_of.items()
    }
    parts = _parts(estimates)
    weights = {group: weights_of(group, questions, parts) for group, questions in questions_of.items()}
    total = sum(GROUPS[group] for group in possible_groups(estimates, questions_of))
    adjusted = iter(inference.holm([*chain(*p_values.values())], [*chain(*weights.values())], total))
    return {
        group: [
            Difference(
                contrast,
                line_up,
                measure,
                contrast_estimate(estimates, contrast, line_up, measure),
                inference.differing_deals(each),
                p_value,
                next(adjusted),
            )
            for (contrast, line_up, measure, _), each, p_value in zip(
                questions, values[group], p_values[group], strict=True
            )
        ]
        for group, questions in questions_of.items()
    }


def possible_groups(estimates: ComparableStudy, found: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the groups with questions, and those of endings and sources even before a question about them comes up."""
    later = [ENDINGS, *([SOURCES] if estimates.traced_deals > 1 else [])] if _parts(estimates) else []
    return [group for group, questions in found.items() if questions or group in later]


def _parts(estimates: ComparableStudy) -> int:
    """Return the number of pairs of variations and line-ups that have endings."""
    return len(_all_pairs(estimates)) * len(_self_play_line_ups(estimates))


def _p_value(estimates: ComparableStudy, question: Question, values: Floats) -> float:
    contrast, line_up, measure, _ = question
    if not len(values):
        return 1.0
    return inference.p_value(values, measure.further_difference(_weighted_games(estimates, contrast, line_up)))


def _weighted_games(estimates: ComparableStudy, contrast: Contrast, line_up: LineUp) -> list[tuple[Games, float]]:
    return [(estimates.cell(number, line_up), weight) for number, weight in contrast.weights]


def weights_of(group: str, questions: Sequence[Question], parts: int) -> list[float]:
    """Return the shares of the permitted error of a group's questions; ``parts`` pairs and line-ups have endings."""
    total = parts if group in (ENDINGS, SOURCES) else sum(weight for *_, weight in questions)
    return [GROUPS[group] * weight / total for *_, weight in questions]


def contrast_values(estimates: ComparableStudy, contrast: Contrast, line_up: LineUp, measure: Measure) -> Floats:
    """Return a measure's contrast, one value for each deal."""
    return measure.contrast(_weighted_games(estimates, contrast, line_up))


def contrast_of_each(estimates: ComparableStudy, contrast: Contrast, line_up: LineUp, measure: Measure) -> Floats:
    """Return a measure's contrast as each deal has it by itself."""
    return measure.contrast_of_each(_weighted_games(estimates, contrast, line_up))


def contrast_estimate(estimates: ComparableStudy, contrast: Contrast, line_up: LineUp, measure: Measure) -> Estimate:
    """Return a measure's mean contrast, with an interval that is not adjusted for other comparisons."""
    return measure.estimate_contrast(_weighted_games(estimates, contrast, line_up))


def _measure_questions(estimates: ComparableStudy, contrasts: Sequence[Contrast]) -> list[Question]:
    return [
        (contrast, line_up, measure, 1.0)
        for contrast in contrasts
        for line_up in estimates.line_ups
        for measure in estimates.measures_of(line_up)
        if measure.says
    ]


def _all_pairs(estimates: ComparableStudy) -> list[Contrast]:
    return [pair(later, earlier) for earlier, later in combinations(range(len(estimates.study.setups)), 2)]


def _self_play_line_ups(estimates: ComparableStudy) -> list[LineUp]:
    return [line_up for line_up in estimates.line_ups if len(line_up) == 1]


def _side_questions(estimates: ComparableStudy) -> list[Question]:
    """Return the questions about sides, and about places in the order of play for three or more sides of one player."""
    questions = []
    for contrast in _all_pairs(estimates):
        one, other = contrast.variation, contrast.base
        sides = estimates.sides(one)
        if sides != estimates.sides(other):
            continue
        measures = [side_measure(side) for side in range(sides)]
        if sides > 2 and all(estimates.study.setups[each].players == sides for each in (one, other)):
            measures += [place_measure(place) for place in range(1, sides)]
        questions += [
            (contrast, line_up, measure, 1.0) for line_up in _self_play_line_ups(estimates) for measure in measures
        ]
    return questions


def _ending_questions(estimates: ComparableStudy) -> list[Question]:
    questions: list[Question] = []
    for contrast in _all_pairs(estimates):
        for line_up in _self_play_line_ups(estimates):
            games = [estimates.cell(number, line_up).endings for number, _ in contrast.weights]
            by_deal = zip(*games, strict=True)
            ways = dict.fromkeys(way for deal in by_deal for of_variation in deal for way in of_variation)
            questions += [
                (contrast, line_up, ending_measure(way), 1 / (place * (place + 1)))
                for place, way in enumerate(ways if len(ways) > 1 else (), 1)
            ]
    return questions


def _source_questions(estimates: ComparableStudy) -> list[Question]:
    questions: list[Question] = []
    for contrast in _all_pairs(estimates) if estimates.traced_deals > 1 else ():
        for line_up in _self_play_line_ups(estimates):
            games = [estimates.cell(number, line_up).clause_counts for number, _ in contrast.weights]
            sources = dict.fromkeys(
                source for deal in sorted({*games[0], *games[1]}) for counts in games if deal in counts
                for source in counts[deal].points
            )  # fmt: skip
            questions += [
                (contrast, line_up, source_measure(source), 1 / (place * (place + 1)))
                for place, source in enumerate(sources, 1)
            ]
    return questions


def _clause_questions(estimates: ComparableStudy) -> list[Question]:
    """Return the questions about the clauses that the rules of both variations of a pair cite."""
    cited = [citations_of(setup.game).clauses for setup in estimates.study.setups]
    return [
        (contrast, line_up, clause_measure(clause), 1.0)
        for contrast in (_all_pairs(estimates) if estimates.traced_deals > 1 else ())
        for line_up in _self_play_line_ups(estimates)
        for clause in cited[contrast.base]
        if clause in cited[contrast.variation]
    ]
