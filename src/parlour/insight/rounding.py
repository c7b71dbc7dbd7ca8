"""How numbers are told: rounded in one place, so that what stands in a list and in a sentence beside it is the same."""

from collections.abc import Sequence

MINUS = "\N{MINUS SIGN}"
WHOLE = 1000
"""Chances of a review are whole thousandths, so that sums are exact."""


def whole_points(share: float) -> int:
    """A chance to win, or a difference of two, from −1 to 1, in whole percentage points; halves go up."""
    return int((100 * share + 1000.5) // 1) - 1000


def percent(share: float) -> str:
    """``"63 %"``"""
    return f"{whole_points(share)} %"


def signed(points: int) -> str:
    """``"+5"``, ``"−3"``, ``"0"``"""
    return f"{'+' if points > 0 else MINUS if points < 0 else ''}{abs(points)}"


def counted_points(points: int) -> str:
    """``"1 point"``, ``"4 points"``: of the chance to win, whichever sign they have."""
    return f"{abs(points)} {'point' if abs(points) == 1 else 'points'}"


def span(low: float, high: float, around: int) -> str:
    """``"45 to 49"``: an interval in whole points, around a number that was rounded already."""
    return f"{number(min(whole_points(low), around))} to {number(max(whole_points(high), around))}"


def number(points: int) -> str:
    """``"3"``, ``"−3"``"""
    return f"{MINUS if points < 0 else ''}{abs(points)}"


def running(start: int, changes: Sequence[int]) -> list[int]:
    """Changes of a chance in thousandths as whole points that lead from one rounded chance to the next."""
    told, at = [], start
    for change in changes:
        told.append(whole_points((at + change) / WHOLE) - whole_points(at / WHOLE))
        at += change
    return told
