"""Rounding of displayed numbers in one place, so that lists and sentences agree."""

from collections.abc import Sequence

from parlour.languages import gettext, npgettext
from parlour.render.words import points_text

WHOLE = 1000
"""Thousandths in a probability of 1; probabilities of a review are whole thousandths, so that sums are exact."""


def whole_points(share: float) -> int:
    """Return a share from −1 to 1 in whole percentage points; halves round up."""
    return int((100 * share + 1000.5) // 1) - 1000


def percent(share: float) -> str:
    """Return a share in whole percent: ``"63 %"``."""
    return percent_text(whole_points(share))


def percent_text(points: int) -> str:
    """Return whole percent as text: ``"63 %"``."""
    return gettext("{number} %", number=points)


def counted_points(points: int) -> str:
    """Return points in words, without their sign: ``"1 point"``, ``"4 points"``."""
    # Translators: percentage points of the chance to win
    return npgettext("chance to win", "{number} point", "{number} points", abs(points))


def span(low: float, high: float, around: int) -> str:
    """Return an interval in whole points that contains the rounded number ``around``: ``"45 to 49"``."""
    lowest, highest = points_text(min(whole_points(low), around)), points_text(max(whole_points(high), around))
    # Translators: an interval of percent or points
    return gettext("{low} to {high}", low=lowest, high=highest)


def parts_of(shown: int, share: float, shift: float) -> tuple[int, int]:
    """Return a displayed mean's two parts in whole points, the first of the share; the mean is between them.

    Args:
        shown: the displayed mean.
        share: the share of the first part.
        shift: the first part's mean minus the second's.
    """
    return shown + whole_points((1 - share) * shift), shown + whole_points(-share * shift)


def running_points(start: int, changes: Sequence[int]) -> list[int]:
    """Return changes in thousandths as whole points, whose running sums are the rounded probabilities."""
    points, at = [], start
    for change in changes:
        points.append(whole_points((at + change) / WHOLE) - whole_points(at / WHOLE))
        at += change
    return points
