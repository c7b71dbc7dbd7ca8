"""Kinds of layouts: which card's place tells most about a number that was found in every determinization.

The card is chosen on one half of the determinizations and its effect measured on the other. Whatever is the greatest of
many is so by luck as well; the other half knows nothing of that luck.
"""

import math
from dataclasses import dataclass

import numpy as np

from parlour.bots.search import Floats
from parlour.cards import card_name
from parlour.insight.position import Place, Whereabouts
from parlour.statistics import Estimate, estimate_difference, estimate_mean

TRIFLE = 0.01
"""Differences of the chance to win that are less than this are not worth a word: one percentage point."""
FEWEST = 12
"""A kind of layouts that occurs in fewer determinizations of either half is not looked at, nor if all others are so
few.
"""


@dataclass(frozen=True)
class Kind:
    """The layouts in which a card lies in a place, and how they differ from the others.

    Attributes:
        card: its text.
        place: where it lies in them.
        share: of all layouts.
        there, elsewhere: the mean in these layouts, and in the others.
        shift: ``there`` less ``elsewhere``; it is more than a trifle, and its interval does not hold 0.
    """

    card: str
    place: Place
    share: Estimate
    there: Estimate
    elsewhere: Estimate
    shift: Estimate


def telling_kind(values: Floats, whereabouts: Whereabouts) -> Kind | None:
    """The kind of layouts in which a number differs most surely; ``None`` if there is none beyond doubt."""
    choosing, measuring = slice(0, None, 2), slice(1, None, 2)
    best, chosen = 0.0, None
    for column in range(len(whereabouts.cards)):
        where = whereabouts.where[:, column]
        for place in np.unique(where):
            if place >= 0 and min(_least(where[choosing] == place), _least(where[measuring] == place)) >= FEWEST:
                surprise = abs(_surprise(values[choosing], where[choosing] == place))
                if surprise > best:
                    best, chosen = surprise, (column, int(place))
    if chosen is None:
        return None
    column, place = chosen
    there = whereabouts.where[measuring, column] == place
    inside, outside = values[measuring][there].tolist(), values[measuring][~there].tolist()
    shift = estimate_difference(inside, outside)
    if shift.low <= 0 <= shift.high or abs(shift.value) < TRIFLE:
        return None
    share = estimate_mean((whereabouts.where[:, column] == place).astype(float).tolist())
    card = card_name(whereabouts.cards[column])
    return Kind(card, whereabouts.place(place), share, estimate_mean(inside), estimate_mean(outside), shift)


def _least(part: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> int:
    inside = int(part.sum())
    return min(inside, len(part) - inside)


def _surprise(values: Floats, part: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> float:
    """Welch's t of the values within and without a part."""
    inside, outside = values[part], values[~part]
    error = math.sqrt(inside.var(ddof=1) / len(inside) + outside.var(ddof=1) / len(outside))
    apart = float(inside.mean() - outside.mean())
    return apart / error if error else math.copysign(math.inf, apart) if apart else 0.0
