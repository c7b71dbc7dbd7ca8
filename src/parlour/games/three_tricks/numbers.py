"""3 Tricks: indices of actions, computed without a table, since any three cards may be swapped: 25,000 actions.

The actions are ordered as in ``words.actions``: tricks, then sets of one, two and three cards to swap, each in the
order of ``itertools.combinations``, then the pass.
"""

from itertools import combinations
from typing import Any

import numpy as np

from parlour.cards import bit, count, lowest
from parlour.engine.compiled import rule
from parlour.engine.rules import LOOKED_UP
from parlour.games.three_tricks.rules import CARDS, LAY, PASS, is_trick

TRICKS = 1308
"""Number of sets of two or three cards that are tricks."""
ONES, TWOS, THREES = 52, 52 * 51 // 2, 52 * 51 * 50 // 6
"""Numbers of sets of one, two and three cards."""
TRICKS_BEFORE = np.cumsum([0, *(is_trick(bit(first) | bit(second)) for first, second in combinations(range(52), 2))])
"""Number of tricks before each set of two cards, by the set's index."""


@rule
def twos_before(card: int) -> int:
    """Return the number of sets of two that begin with a lower card."""
    return TWOS - (52 - card) * (51 - card) // 2


@rule
def threes_before(card: int) -> int:
    """Return the number of sets of three that begin with a lower card."""
    return THREES - (52 - card) * (51 - card) * (50 - card) // 6


@rule
def action_number(state: Any, action: int) -> int:
    """Return the index of a pass, a swap or a trick of two; the rare third tricks are looked up."""
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
