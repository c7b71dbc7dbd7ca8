"""Summaries of observed states: some hundred numbers, from which a policy can be learned quickly.

A summary is computed by the recipe of the observation tensor (:mod:`parlour.engine.information.plane_cells`), so games
need no code for it. A set or an ordered pile of cards becomes three sums: of its cards, of their ranks, and of their
colours. Each number, and each item of a choice or of flags, is a feature of its own.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from parlour.cards import FULL_DECK, RED, bit, count
from parlour.engine.arrays import Float32s, Floats, Int64s, Uint8s
from parlour.engine.compiled import rule, unsigned
from parlour.engine.information.plane_cells import (
    ABOVE,
    BACKWARD,
    BASE,
    BITS,
    CHOICE,
    COUNT,
    HOW,
    INNER,
    LENGTH,
    LIST,
    LONGEST_AXIS,
    MOST_CHAIRS,
    NUMBER,
    OTHER,
    SET,
    SIDE_ORDER,
    SIZE,
    STEP,
    STRIDE,
    WHOLE_SUITS,
    WIDTH,
)
from parlour.engine.information.planes import planes_of
from parlour.engine.setup import Setup

CARD_SUMS = 3
"""Number of sums of a set of cards."""
_RANK_DIGITS = tuple(sum(1 << card for card in range(52) if card % 13 >> digit & 1) for digit in range(4))
_EIGHTS, _FOURS, _TWOS, _ONES = reversed(_RANK_DIGITS)
"""The cards whose rank has this binary digit."""
_MIDDLE_RANK = 6
_CARDS_UNIT, _RANKS_UNIT, _COLOURS_UNIT = 0.2, 0.1, 0.2
"""Factors of the three sums of a set of cards."""
Layout: TypeAlias = tuple[Int64s, Int64s, Floats]
"""The arrays of a :class:`Summary`: the recipe, and by row of the recipe the first feature and the factor of a number.
"""


@dataclass(frozen=True)
class Summary:
    """The layout of a setup's summaries.

    Attributes:
        size: the number of features.
        layout: the arrays that compiled rules read.
    """

    size: int
    layout: Layout


@lru_cache(maxsize=32)
def summary_of(setup: Setup) -> Summary:
    """Return the layout of the summaries of a setup's observed states."""
    planes = planes_of(setup)
    sizes = [_features_of(int(how), int(size)) for how, size in planes.recipe[:, [HOW, SIZE]]]
    firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    limits = [max(1.0, *map(abs, plane.limits)) if plane.cells == ("number",) else 1.0 for plane in planes.planes]
    units = 1 / np.array(limits)
    return Summary(int(firsts[-1]), (planes.recipe, firsts, units))


def _features_of(how: int, size: int) -> int:
    """Return the number of features of a row of the recipe with this many cells."""
    if how <= COUNT:
        return CARD_SUMS
    return 1 if how in (ABOVE, NUMBER) else size


@rule
def add_cards(cards: int, features: Float32s, at: int, first: int) -> None:
    """Add the sums of a set of cards: of cards, of their ranks less the middle rank, and of red less black cards."""
    plain = cards & FULL_DECK
    number = count(plain)
    ranks = 8 * count(plain & _EIGHTS) + 4 * count(plain & _FOURS) + 2 * count(plain & _TWOS) + count(plain & _ONES)
    features[at, unsigned(first)] += _CARDS_UNIT * count(cards)
    features[at, unsigned(first + 1)] += _RANKS_UNIT * (ranks - _MIDDLE_RANK * number)
    features[at, unsigned(first + 2)] += _COLOURS_UNIT * (2 * count(plain & RED) - number)


@rule
def summarize(words: Int64s, game: int, layout: Layout, wheel: Uint8s, features: Float32s, start: int) -> None:
    """Write the summary of an observed state, a row of ``words``, into its row of ``features`` from ``start`` on.

    These features must be 0 before. ``wheel`` is the observer's (:func:`turn_wheels`).
    """
    recipe, firsts, units = layout
    for row in range(recipe.shape[0]):
        how, first = recipe[row, HOW], start + firsts[row]
        base = recipe[row, BASE] + recipe[row, STRIDE] * wheel[unsigned(recipe[row, STEP])]
        word = words[game, unsigned(base)]
        size, order, length = recipe[row, SIZE], recipe[row, INNER], recipe[row, LENGTH]
        if how == SET:
            add_cards(word & (1 << size) - 1, features, game, first)
        elif how <= COUNT:
            cards = 0
            for item in range(length):
                word = words[game, unsigned(base + (item if how == COUNT else wheel[unsigned(order + item)]))]
                if how != LIST:
                    add_cards(word & (1 << size) - 1, features, game, first)
                elif 0 <= word < size:
                    cards |= bit(word)
            if how == LIST:
                add_cards(cards, features, game, first)
        elif how == NUMBER:
            features[game, unsigned(first)] = units[row] * signed_number(words, game, row, word, recipe, wheel)
        elif how == CHOICE:
            mark_choice(words, game, row, word, recipe, wheel, features, first)
        elif how == BITS:
            for place in range(size):
                features[game, unsigned(first + place)] = word >> wheel[unsigned(order + place)] & 1
        elif how == WHOLE_SUITS:
            for suit in range(4):
                features[game, unsigned(first + suit)] = word >> 13 * suit & 1


@rule
def signed_number(words: Int64s, game: int, row: int, number: int, recipe: Int64s, wheel: Uint8s) -> int:
    """Return a number as the observer's side counts it."""
    other = recipe[row, OTHER]
    if other >= 0:
        side = words[game, unsigned(other)] & MOST_CHAIRS - 1
        if wheel[unsigned(BACKWARD + SIDE_ORDER + side)] != 0:
            return -number
    return number


@rule
def mark_choice(
    words: Int64s, game: int, row: int, chosen: int, recipe: Int64s, wheel: Uint8s, features: Float32s, first: int
) -> None:
    """Set the feature of the item chosen, if there is one."""
    other = recipe[row, OTHER]
    if other >= 0:
        chosen = words[game, unsigned(other + chosen)] if 0 <= chosen < recipe[row, WIDTH] else -1
    if 0 <= chosen < recipe[row, LENGTH]:
        place = wheel[unsigned(BACKWARD + recipe[row, INNER] + (chosen & LONGEST_AXIS - 1))]
        features[game, unsigned(first + place)] = 1.0
