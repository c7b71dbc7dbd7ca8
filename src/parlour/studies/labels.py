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


_MOST_FURTHER = 3
"""Maximum number of further decimal places of small numbers."""


def number_text(measure: Measure, value: float, signed: bool = False, further: int = 0) -> str:
    """Return a measure's value as displayed: ``"52.1"``, ``"−0.3"``; ``further`` decimal places more than usual."""
    if not math.isfinite(value):
        return "−∞" if value < 0 else "∞"
    shown = measure.scale * value
    places = (1 if measure.kind != MEAN or abs(shown) >= 10 else 2) + further
    shown = round(shown, places) + 0.0  # turns −0.0 into 0
    return with_minus(f"{shown:{'+' if signed and shown else ''}.{places}f}")


def numbers_text(measure: Measure, estimate: Estimate, signed: bool = False) -> tuple[str, str, str]:
    """Return a value and its bounds as displayed, ``"52.1"``, ``"49.8"`` and ``"54.4"``.

    They have further decimal places if the interval excludes 0 and an end of it would be displayed as 0.
    """
    ends, further = (estimate.low, estimate.high), 0
    excludes_0 = estimate.low > 0 or estimate.high < 0
    while excludes_0 and further < _MOST_FURTHER and any(_looks_like_0(measure, end, further) for end in ends):
        further += 1
    value, low, high = (number_text(measure, each, signed, further) for each in (estimate.value, *ends))
    return value, low, high


def _looks_like_0(measure: Measure, value: float, further: int) -> bool:
    return number_text(measure, value, further=further) == number_text(measure, 0.0, further=further)


def interval_text(measure: Measure, estimate: Estimate, signed: bool = False) -> str:
    """Return ``"52.1 (49.8 to 54.4)"``."""
    value, low, high = numbers_text(measure, estimate, signed)
    return f"{value} ({low} to {high})"


def absolute(estimate: Estimate) -> Estimate:
    """Return the size of a difference with its interval, which is negative where the difference has the other sign."""
    return estimate if estimate.value >= 0 else Estimate(-estimate.value, -estimate.high, -estimate.low)


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


def listed_names(variations: Iterable[str]) -> str:
    """Return names of variations as part of a sentence: ``"(rounds=2, exchange=true), rounds=3 and defaults"``."""
    *others, last = [f"({name})" if "," in name else name for name in variations]
    return f"{', '.join(others)} and {last}" if others else last


def phrase(findings: StudyEstimates, difference: Difference) -> str:
    """Return ``"a game has 4.2 decisions fewer (3.1 to 5.3)"``; no interval if both ends are displayed alike."""
    measure = difference.measure
    assert measure.says is not None
    bots = findings.line_up_text(difference.line_up)
    value, interval = _size_texts(difference)
    return measure.says[difference.by.value < 0].format(by=value, challenger=bots) + interval


def amount(difference: Difference) -> str:
    """Return ``"4.2 (3.1 to 5.3)"``, the numbers of :func:`phrase`."""
    return "".join(_size_texts(difference))


def _size_texts(difference: Difference) -> tuple[str, str]:
    """Return the size of a difference, and its interval as ``" (3.1 to 5.3)"``, empty if both ends look alike."""
    value, low, high = numbers_text(difference.measure, absolute(difference.by))
    return value, f" ({low} to {high})" if low != high else ""


def merged_paragraphs(
    findings: StudyEstimates, found: Iterable[tuple[str, str, list[Difference]]], most: int
) -> list[str]:
    """Return a paragraph for each list of differences; lists of the same changes of the same measures share one.

    A list with the numbers of the first one in its paragraph does not repeat them.

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
        sentences, equal = [f"{head}: {'; '.join(phrase(findings, each) for each in named)}{rest}."], []
        for _, short, same in others:
            by_key = {_change_key(difference): difference for difference in same}
            amounts = [amount(by_key[_change_key(each)]) for each in first]
            order = ", in this order" if len(named) > 1 else ""
            if amounts == list(map(amount, first)):
                equal.append(short)
            else:
                sentences.append(f"Likewise {short}{order}: {'; '.join(amounts[:most])}{rest}.")
        if equal:
            sentences.insert(1, f"The numbers are the same for {listed_names(equal)}.")
        paragraphs.append(" ".join(sentences))
    return paragraphs


def _change_key(difference: Difference) -> tuple[Measure, bool]:
    return difference.measure, difference.by.value < 0
