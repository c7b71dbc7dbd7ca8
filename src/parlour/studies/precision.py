"""Precision of a study: play until measures are known, with targets such as ``win share within 1 point``.

Repeated checks need intervals that are valid at all numbers of deals together
(:func:`parlour.inference.anytime_interval`). The checks come at fixed numbers of deals, so that an interrupted study
ends at the same deal as an uninterrupted one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from parlour import inference
from parlour.contests.anytime_intervals import AnytimeInterval, PrecisionState
from parlour.contests.contest import Deal
from parlour.contests.precision import refuse_decimal_commas
from parlour.engine.errors import ParlourError
from parlour.statistics import Estimate
from parlour.studies.games import Games, games_of
from parlour.studies.measures import MEAN, MEASURES, Measure
from parlour.studies.plan import Study
from parlour.studies.rule_measures import SideMeasure, SidesMeasure, TracedMeasure, side_measure
from parlour.studies.tune.goal import UnknownCriterion, criteria_of, measure_words

_WIN_SHARES = re.compile(
    r"(win shares?|wins|sides?) within (?P<by>\d+(?:\.\d+)?) ?(?:%|percent|points?|points? of 100)?"
)


@dataclass(frozen=True)
class Target:
    """A required precision of a measure, for each variation.

    Attributes:
        text: the target in the user's words.
        measure: the measure.
        within: the required half-width of the interval, in the measure's displayed unit.
    """

    text: str
    measure: Measure
    within: float

    @property
    def scale(self) -> float:
        """Factor from a value of a deal to the displayed unit."""
        return self.measure.scale

    @property
    def rho_squared(self) -> float:
        """ρ² of the mixture; for a share, the interval is narrowest at the number of deals needed for a share of ½."""
        if self.measure.kind == MEAN:
            return inference.RHO_SQUARED
        return inference.rho_squared_for_share(self.within / self.scale)


@dataclass(frozen=True)
class TargetInterval(AnytimeInterval[Target]):
    """The interval for a target in one variation."""

    variation: int


def targets_of(text: str, study: Study) -> list[Target]:
    """Return the targets of ``"win share within 1 point, decisions within 2"``. Raises :class:`ParlourError`."""
    refuse_decimal_commas(text)
    found: list[Target] = []
    most_sides = max(len(contest.sides) for contest in study.contests)
    for part in (each.strip() for each in text.split(",") if each.strip()):
        if shares := _WIN_SHARES.fullmatch(part.lower()):
            found += [Target(part, side_measure(side), float(shares["by"])) for side in range(most_sides)]
            continue
        measures = [each for each in MEASURES if study.strongest or not each.head_to_head]
        try:
            [criterion] = criteria_of(part, measures, study.game)
        except UnknownCriterion:
            words = measure_words([each for each in measures if not each.needs_win_probability])
            raise ParlourError(
                f"{part!r} is not understood: write 'win share within 1 point' or 'decisions within 2'; the measures "
                f"are win share, 'side 1' and {words}"
            ) from None
        if "within" not in part or criterion.sense:
            raise ParlourError(f"{part!r} is not a precision: write 'win share within 1 point' or 'decisions within 2'")
        found.append(Target(part, criterion.measure, criterion.high))
    for target in found:
        if isinstance(target.measure, SideMeasure) and target.measure.side >= most_sides:
            raise ParlourError(f"{target.text!r}: no variation has this side; there are {most_sides} sides at most")
        if target.within <= 0:
            raise ParlourError(f"{target.text!r}: the precision must be greater than 0")
        if target.measure.needs_win_probability or isinstance(target.measure, TracedMeasure | SidesMeasure):
            raise ParlourError(
                f"{target.text!r}: --until cannot use this measure; it comes from few deals or from all sides"
            )
    if not found:
        raise ParlourError("--until is empty; write 'win share within 1 point' or 'decisions within 2'")
    return found


class Precision(PrecisionState[TargetInterval]):
    """Targets of a study, with their intervals.

    Attributes:
        text: the required precisions in the user's words.
        targets: the required precisions.
    """

    def __init__(self, text: str, study: Study) -> None:
        """Raises :class:`ParlourError` if the text is not a list of targets for this study."""
        super().__init__()
        self._study, self.text, self.targets = study, text, targets_of(text, study)

    def check(self, deals: Sequence[Deal]) -> bool:
        """Compute the intervals if a check is due. Return whether a check was due and all targets are reached."""
        if not self._checks.due(len(deals)):
            return False
        self.compute(deals)
        return self.is_reached

    def compute(self, deals: Sequence[Deal]) -> None:
        """Compute the intervals from these deals."""
        strongest = self._study.strongest
        met = self._study.head_to_head(strongest)
        line_ups = {target: met if target.measure.head_to_head else (strongest,) for target in self.targets}
        keys = {(number, line_up) for number in range(len(self._study.setups)) for line_up in line_ups.values()}
        cells = games_of(self._study, deals, keys)
        self.intervals = [
            TargetInterval(target, _interval(cells[number, line_ups[target]], target), number)
            for target in self.targets
            for number in range(len(self._study.setups))
            if target.measure.applies(cells[number, line_ups[target]])
        ]
        self.needed = max(
            _deals_needed(cells[each.variation, line_ups[each.target]], each.target) for each in self.intervals
        )


def _interval(games: Games, target: Target) -> Estimate:
    values = target.measure.values(games)
    found = inference.anytime_interval(values, target.measure.reach(values), rho_squared=target.rho_squared)
    return target.measure.clip(found, games)


def _deals_needed(games: Games, target: Target) -> int:
    """Return the number of deals needed for a target at the present standard deviation."""
    deviation = float(target.measure.values(games).std()) * target.scale
    return inference.deals_for(deviation, target.within, target.rho_squared)
