"""Texts of estimates with their intervals: shares of wins, percentage points and points."""

from parlour.render.words import with_minus
from parlour.statistics import Estimate


def percent(share: Estimate, width: int = 1) -> str:
    """Return a share with its interval: ``"52.0% (49.1% to 54.9%)"``; ``width`` is the first number's."""
    return f"{share.value:{width}.1%} ({share.low:.1%} to {share.high:.1%})"


def signed_percent(share: Estimate, width: int = 1) -> str:
    """Return percentage points with their interval: ``"+5.1 (−2.3 to +12.6)"``; ``width`` as in :func:`percent`."""
    return with_minus(f"{100 * share.value:+z{width}.1f} ({100 * share.low:+z.1f} to {100 * share.high:+z.1f})")


def signed_points(points: Estimate) -> str:
    """Return points with their interval: ``"+1.30 (−0.17 to +2.77)"``."""
    return with_minus(f"{points.value:+z.2f} ({points.low:+z.2f} to {points.high:+z.2f})")
