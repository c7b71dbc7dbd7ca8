"""Kinds of layouts: the place of one hidden card on which a value depends most.

Each determinization has a value. One half of the determinizations selects the card and its place; the other half
measures the effect, so the measurement has no selection bias.
"""

import math
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
        there, elsewhere: the mean in these layouts, and in the others.
        shift: ``there`` minus ``elsewhere``; at least ``MIN_DIFFERENCE``, and its interval does not contain 0.
    """

    card: str
    place: Place
    share: Estimate
    there: Estimate
    elsewhere: Estimate
    shift: Estimate


def most_significant_kind(values: Floats, whereabouts: Whereabouts) -> LayoutKind | None:
    """Return the kind of layout in which the values differ most significantly; ``None`` if there is none."""
    choosing, measuring = slice(0, None, 2), slice(1, None, 2)
    best, chosen = 0.0, None
    for column in range(len(whereabouts.cards)):
        where = whereabouts.where[:, column]
        for place in np.unique(where):
            if place >= 0 and min(_smaller(where[choosing] == place), _smaller(where[measuring] == place)) >= FEWEST:
                surprise = abs(_welch_t(values[choosing], where[choosing] == place))
                if surprise > best:
                    best, chosen = surprise, (column, int(place))
    if chosen is None:
        return None
    column, place = chosen
    there = whereabouts.where[measuring, column] == place
    inside, outside = values[measuring][there].tolist(), values[measuring][~there].tolist()
    shift = estimate_difference(inside, outside)
    if shift.low <= 0 <= shift.high or abs(shift.value) < MIN_DIFFERENCE:
        return None
    share = estimate_mean((whereabouts.where[:, column] == place).astype(float).tolist())
    card = card_name(whereabouts.cards[column])
    return LayoutKind(card, whereabouts.place(place), share, estimate_mean(inside), estimate_mean(outside), shift)


def _smaller(part: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> int:
    """Return the size of a part or of the rest, whichever is smaller."""
    inside = int(part.sum())
    return min(inside, len(part) - inside)


def _welch_t(values: Floats, part: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> float:
    """Return Welch's t of the values inside and outside a part."""
    inside, outside = values[part], values[~part]
    error = math.sqrt(inside.var(ddof=1) / len(inside) + outside.var(ddof=1) / len(outside))
    apart = float(inside.mean() - outside.mean())
    return apart / error if error else math.copysign(math.inf, apart) if apart else 0.0
