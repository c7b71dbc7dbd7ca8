"""Kinds of layouts: the place of one hidden card on which a value depends most.

Each determinization has a value. One half of the determinizations selects the card and its place; the other half
measures the effect, so the measurement has no selection bias. The two means are placed around the mean of all
determinizations, so that together they make it.
"""

from dataclasses import dataclass

import numpy as np

from parlour.cards import card_name
from parlour.engine.arrays import Floats
from parlour.insight.position import Place, Whereabouts
from parlour.statistics import Estimate, estimate_difference, estimate_mean

MIN_DIFFERENCE = 0.01
"""Minimum reported difference of probabilities of winning: one percentage point."""
FEWEST = 12
"""Minimum number of determinizations of the kind, and of the others, in each of the halves."""


@dataclass(frozen=True)
class LayoutKind:
    """Layouts in which a card lies in a place, and their difference from the others.

    Attributes:
        card: its text.
        place: the card's place.
        share: the share of these layouts among all.
        there, elsewhere: the mean in these layouts, and in the others: ``shift`` apart, and weighted by ``share``
            the mean of all layouts. Their intervals have the widths of those in the measuring half.
        shift: the measured difference; at least ``MIN_DIFFERENCE``, and its interval does not contain 0.
    """

    card: str
    place: Place
    share: Estimate
    there: Estimate
    elsewhere: Estimate
    shift: Estimate


def most_significant_kind(values: Floats, whereabouts: Whereabouts) -> LayoutKind | None:
    """Return the kind of layout that explains most of the values' variance; ``None`` if its effect is not significant.

    Explained variance weighs a difference by its layouts' share: a great difference in few layouts matters less than a
    smaller one in half of them.
    """
    choosing, measuring = slice(0, None, 2), slice(1, None, 2)
    best, chosen = 0.0, None
    for column in range(len(whereabouts.cards)):
        where = whereabouts.where[:, column]
        for place in np.unique(where):
            if place >= 0 and min(_smaller(where[choosing] == place), _smaller(where[measuring] == place)) >= FEWEST:
                explained = _explained_variance(values[choosing], where[choosing] == place)
                if explained > best:
                    best, chosen = explained, (column, int(place))
    if chosen is None:
        return None
    column, place = chosen
    there = whereabouts.where[measuring, column] == place
    inside, outside = values[measuring][there].tolist(), values[measuring][~there].tolist()
    shift = estimate_difference(inside, outside)
    if shift.low <= 0 <= shift.high or abs(shift.value) < MIN_DIFFERENCE:
        return None
    share = estimate_mean((whereabouts.where[:, column] == place).astype(float).tolist())
    return LayoutKind(
        card_name(whereabouts.cards[column]),
        whereabouts.place(place),
        share,
        _moved(estimate_mean(inside), values, (1 - share.value) * shift.value),
        _moved(estimate_mean(outside), values, -share.value * shift.value),
        shift,
    )


def _moved(estimate: Estimate, values: Floats, distance: float) -> Estimate:
    """Return an estimate moved to a distance from the mean of all values, but not beyond the values themselves."""
    value = float(np.clip(values.mean() + distance, values.min(), values.max()))
    return Estimate(value, value - (estimate.value - estimate.low), value + (estimate.high - estimate.value))


def _smaller(part: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> int:
    """Return the size of a part or of the rest, whichever is smaller."""
    inside = int(part.sum())
    return min(inside, len(part) - inside)


def _explained_variance(values: Floats, part: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> float:
    """Return the variance of the values between a part and the rest."""
    share = float(part.mean())
    return share * (1 - share) * float(values[part].mean() - values[~part].mean()) ** 2
