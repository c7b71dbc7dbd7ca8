"""Names, numbers and phrases of a study's findings: variations, measures with intervals, differences."""

import math
from collections.abc import Iterable

from parlour.engine.setup import Setup
from parlour.statistics import Estimate
from parlour.studies.comparisons import Difference
from parlour.studies.estimates import StudyEstimates
from parlour.studies.measures import MEAN, Measure

MOST_NAMED = 6
"""Maximum number of differences named in one paragraph."""


def number_text(measure: Measure, value: float, signed: bool = False) -> str:
    """Return a measure's value as displayed: ``"52.1"``, ``"−0.3"``."""
    if not math.isfinite(value):
        return "−∞" if value < 0 else "∞"
    shown = measure.scale * value
    places = 1 if measure.kind != MEAN or abs(shown) >= 10 else 2
    shown = round(shown, places) + 0.0  # turns −0.0 into 0
    return f"{shown:{'+' if signed and shown else ''}.{places}f}".replace("-", "−")


def interval_text(measure: Measure, estimate: Estimate, signed: bool = False) -> str:
    """Return ``"52.1 (49.8 to 54.4)"``."""
    value, low, high = (number_text(measure, each, signed) for each in (estimate.value, estimate.low, estimate.high))
    return f"{value} ({low} to {high})"


def short_name(setup: Setup, among: Iterable[Setup]) -> str:
    """Return a variation's options that differ from the defaults: ``"rounds=2"``, or ``"defaults"``.

    The number of players precedes them if it is not the same in all variations: ``"3 players, rounds=2"``.
    """
    players, _, options = setup.variation.partition(", ")
    if len({other.players for other in among}) == 1:
        return options or "defaults"
    return f"{players}, {options}" if options else players


def names(findings: StudyEstimates) -> list[str]:
    """Return the short names of the variations."""
    setups = findings.study.setups
    return [short_name(setup, setups) for setup in setups]


def listed(texts: Iterable[str]) -> str:
    """Join texts by commas, or by semicolons if one of them has a comma, like ``"rounds=2, exchange=true"``."""
    every = list(texts)
    return ("; " if any("," in each for each in every) else ", ").join(every)


def phrase(findings: StudyEstimates, difference: Difference) -> str:
    """Return ``"a game has 4.2 decisions fewer (3.1 to 5.3)"``; no interval if both ends are displayed alike."""
    measure, by = difference.measure, difference.by
    assert measure.says is not None
    ends = sorted((by.low, by.high)) if by.value >= 0 else sorted((-by.high, -by.low))
    bots = findings.line_up_text(difference.line_up)
    words = measure.says[by.value < 0].format(by=number_text(measure, abs(by.value)), challenger=bots)
    low, high = (number_text(measure, end) for end in ends)
    return f"{words} ({low} to {high})" if low != high else words
