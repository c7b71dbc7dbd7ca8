"""Names, numbers and phrases of a study's findings: variations, measures with intervals, differences."""

import math
from collections.abc import Iterable

from parlour.engine.setup import Setup
from parlour.render.words import with_minus
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
    return with_minus(f"{shown:{'+' if signed and shown else ''}.{places}f}")


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
    bots = findings.line_up_text(difference.line_up)
    words = measure.says[by.value < 0].format(by=number_text(measure, abs(by.value)), challenger=bots)
    return words + _interval_behind(difference)


def amount(difference: Difference) -> str:
    """Return ``"4.2 (3.1 to 5.3)"``, the numbers of :func:`phrase`."""
    return number_text(difference.measure, abs(difference.by.value)) + _interval_behind(difference)


def _interval_behind(difference: Difference) -> str:
    """Return the interval of a difference's size, as ``" (3.1 to 5.3)"``; empty if both ends are displayed alike."""
    by = difference.by
    ends = sorted((by.low, by.high)) if by.value >= 0 else sorted((-by.high, -by.low))
    low, high = (number_text(difference.measure, end) for end in ends)
    return f" ({low} to {high})" if low != high else ""


def merged_paragraphs(
    findings: StudyEstimates, found: Iterable[tuple[str, str, list[Difference]]], most: int
) -> list[str]:
    """Return a paragraph for each list of differences; lists of the same changes of the same measures share one.

    Args:
        findings: the findings of the study.
        found: of each list, its heading at the beginning of a paragraph, its shorter heading within one, and the
            differences, the smallest p-value first.
        most: the maximum number of differences of a list to name.
    """
    alike: dict[frozenset[tuple[Measure, bool]], list[tuple[str, str, list[Difference]]]] = {}
    for each in found:
        alike.setdefault(frozenset(_change_key(difference) for difference in each[2]), []).append(each)
    paragraphs = []
    for (head, _, first), *others in alike.values():
        named, rest = first[:most], f"; and {len(first) - most} more" if len(first) > most else ""
        sentences = [f"{head}: {'; '.join(phrase(findings, each) for each in named)}{rest}."]
        for _, short, same in others:
            by_key = {_change_key(difference): difference for difference in same}
            amounts = "; ".join(amount(by_key[_change_key(each)]) for each in named)
            order = ", in this order" if len(named) > 1 else ""
            sentences.append(f"Likewise {short}{order}: {amounts}{rest}.")
        paragraphs.append(" ".join(sentences))
    return paragraphs


def _change_key(difference: Difference) -> tuple[Measure, bool]:
    return difference.measure, difference.by.value < 0
