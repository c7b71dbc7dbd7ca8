"""3 Tricks: which number an action has, without looking it up, since there are 25,000: any three cards may be swapped.

The actions are numbered as ``words.actions`` lists them: tricks, then sets of one, two and three cards to swap, each as
``itertools.combinations`` does, then the pass.
"""

from itertools import combinations
from typing import Any

import numpy as np

from parlour.cards import bit, count, lowest
from parlour.engine.compiled import rule
from parlour.engine.rules import LOOKED_UP
from parlour.games.three_tricks.rules import CARDS, LAY, PASS, is_trick

TRICKS = 1308
"""How many sets of two or three cards are tricks."""
ONES, TWOS, THREES = 52, 52 * 51 // 2, 52 * 51 * 50 // 6
"""How many sets of so many cards there are."""
TRICKS_BEFORE = np.cumsum([0, *(is_trick(bit(first) | bit(second)) for first, second in combinations(range(52), 2))])
"""Of each set of two cards, by its number among these, how many before it are tricks."""


@rule
def twos_before(card: int) -> int:
    """How many sets of two begin with a lower card."""
    return TWOS - (52 - card) * (51 - card) // 2


@rule
def threes_before(card: int) -> int:
    """How many sets of three begin with a lower card."""
    return THREES - (52 - card) * (51 - card) * (50 - card) // 6


@rule
def action_number(state: Any, action: int) -> int:
    """The number of a pass, a swap, or a trick of two; the rare third tricks are looked up."""
    if action == PASS:
        return TRICKS + ONES + TWOS + THREES
    cards = action & CARDS
    number = count(cards)
    first = lowest(cards)
    if number == 1:
        return TRICKS + first
    cards &= cards - 1
    second = lowest(cards)
    two = twos_before(first) + second - first - 1
    if number == 2:
        return TRICKS_BEFORE[two] if action & LAY != 0 else TRICKS + ONES + two
    if action & LAY != 0:
        return LOOKED_UP
    third = lowest(cards & cards - 1)
    three = threes_before(first) + twos_before(second) - twos_before(first + 1) + third - second - 1
    return TRICKS + ONES + TWOS + three
