"""3 Tricks: faster equivalents of the list of legal actions, of the heuristic and of the table of actions.

The game works without them. Most legal actions are swaps of any one to three cards of the hand: 23,478 of the 24,787
actions in the action space. Random games and playouts compose a swap without listing all, and compute its index in the
action space.
"""

from itertools import combinations

import numpy as np

from parlour.cards import bit, cards_at, count, lowest
from parlour.engine.arrays import Stream
from parlour.engine.chance import pass_over, random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import CERTAIN, LOOKED_UP
from parlour.engine.tie_breaking import LEAST, can_be_best, just_below, with_luck
from parlour.engine.typed_state import IntVector
from parlour.games.three_tricks.heuristic import (
    THIRD,
    UNREADY,
    Near,
    action_value,
    complete,
    holds_three,
    near_all,
    rest_wanted,
    stage_of,
    value_of_laying,
    value_of_swapping,
)
from parlour.games.three_tricks.links import MOST_HAND
from parlour.games.three_tricks.rules import (
    ACES,
    CARDS,
    LAY,
    MOST_SWAPPED,
    PASS,
    SWAP,
    is_trick,
    lays_three,
    legal,
    list_tricks,
    pairing,
)
from parlour.games.three_tricks.typed_state import State

_SWAPPED_PLACES = [
    [
        sorted(places for number in range(1, most + 1) for places in combinations(range(held), number))
        for held in range(MOST_HAND + 1)
    ]
    for most in range(MOST_SWAPPED + 1)
]
SWAPS = np.array([[len(swaps) for swaps in by_held] for by_held in _SWAPPED_PLACES])
"""Number of swaps, by the maximum number of cards of a swap and the number of cards in the hand."""
SWAPPED_PLACES = np.array(
    [
        [[sum(map(bit, places)) for places in swaps] + [0] * (SWAPS.max() - len(swaps)) for swaps in by_held]
        for by_held in _SWAPPED_PLACES
    ]
)
"""Bit set of the positions in the hand of the cards put away, by the same two numbers and the place in ``legal``."""

# A random action


@rule
def random_action(state: State, actions: IntVector, random: Stream) -> int:
    """Draw a legal action uniformly; swaps, and tricks of two if any may be laid, are computed from their index."""
    hand = state.hand[state.actor]
    any_two = state.to_block == 0 and not lays_three(state, state.actor)
    tricks = count_pairs(hand) if any_two else list_tricks(state, hand, actions)
    held = count(hand)
    swaps = SWAPS[state.swap_limit, held]
    which = random_below(random, tricks + swaps + 1)
    if which < tricks:
        return LAY | pair_at(hand, which) if any_two else actions[which]
    swap = which - tricks
    return SWAP | cards_at(hand, SWAPPED_PLACES[state.swap_limit, held, swap]) if swap < swaps else PASS


@rule
def count_pairs(hand: int) -> int:
    """3T-1, 3T-3: return the number of tricks of two in a hand: with an ace, neighbours in a suit, or pairs."""
    plain = hand & ~ACES
    of_a_rank = count(plain & plain >> 13) + count(plain & plain >> 26) + count(plain & plain >> 39)
    return count(hand & ACES) * count(plain) + count(plain & plain >> 1) + of_a_rank


@rule
def pair_at(hand: int, index: int) -> int:
    """Return the trick of two at an index in the list of all tricks of two."""
    rest = hand & ~ACES
    while True:
        card = rest & -rest
        rest &= rest - 1
        others = pairing(card, rest | hand & ACES)
        if index < count(others):
            return card | cards_at(others, 1 << index)
        index -= count(others)


# The best action


@rule
def heuristic_choice(state: State, actions: IntVector, number: int, random: Stream) -> int:
    """Return the index of the best action; of the many swaps, only those of the highest value are compared.

    A tree asks for the best of a subset of actions. If none of these is as good as such a swap, all are compared.
    """
    hand = state.hand[state.actor]
    near = near_all(hand)
    always, perhaps, _, worth = best_swaps(hand, near, state.swap_limit)
    chosen = best_above(just_below(worth), state, actions, number, always, perhaps, near, random)
    if chosen < 0:
        chosen = best_above(LEAST, state, actions, number, 0, hand, near, random)
    pass_over(random, number)
    return chosen


@rule
def heuristic_action(state: State, actions: IntVector, careless: int, random: Stream) -> int:
    """Return the best action; the many swaps are not listed, one of the best is composed instead."""
    if random_below(random, CERTAIN) < careless:
        return actions[random_below(random, legal(state, actions))]
    hand = state.hand[state.actor]
    near = near_all(hand)
    swapped, perhaps, number, worth = best_swaps(hand, near, state.swap_limit)
    tricks = list_tricks(state, hand, actions)
    actions[tricks] = PASS
    chosen = best_above(just_below(worth), state, actions, tricks + 1, 0, 0, near, random)
    pass_over(random, tricks + 1)
    if chosen >= 0:
        return actions[chosen]
    for _ in range(number):
        card = drawn_of(perhaps, random)
        swapped |= card
        perhaps &= ~card
    return SWAP | swapped


@rule
def drawn_of(cards: int, random: Stream) -> int:
    """Draw one of some cards uniformly."""
    for _ in range(random_below(random, count(cards))):
        cards &= cards - 1
    return cards & -cards


@rule
def best_above(
    best: int, state: State, actions: IntVector, number: int, always: int, perhaps: int, near: Near, random: Stream
) -> int:
    """Return the index of the best action, or −1 if none is better than ``best``.

    Of the swaps, only those with all cards of ``always`` and any of ``perhaps`` are compared.
    """
    chosen = -1
    for index in range(number):
        action = actions[index]
        if action & ~perhaps == SWAP | always:
            value = value_of_swapping(action & CARDS, near)
        elif action & SWAP == 0 and can_be_best(most_worth(state, action), best):
            value = action_value(state, action)
        else:
            continue
        value = with_luck(value, best, random, index)
        if value > best:
            best = value
            chosen = index
    return chosen


@rule
def best_swaps(hand: int, near: Near, most: int) -> tuple[int, int, int, int]:
    """Return the best swaps: their common cards, the optional cards, the least number of these, their value.

    The value of a swap is the sum over its cards. So the best swap has the ``most`` best cards, at most three, without
    those of negative value unless all are negative.
    """
    lone = hand & ~ACES & ~(near[0] | near[1] | near[2] | near[3] | near[4])
    cards = lone if lone != 0 else hand
    first, second, third = -1000, -1000, -1000
    rest = cards
    while rest != 0:
        value = value_of_swapping(rest & -rest, near)
        rest &= rest - 1
        third = max(third, min(second, value)) if most > 2 else third
        second = max(second, min(first, value)) if most > 1 else second
        first = max(first, value)
    least = min(first, max(third if most > 2 else second if most > 1 else first, 0))
    always, perhaps = 0, 0
    while cards != 0:
        card = cards & -cards
        cards &= cards - 1
        value = value_of_swapping(card, near)
        always |= card if value > least else 0
        perhaps |= card if value == least else 0
    number = 1 + (1 if second > 0 else 0) + (1 if third > 0 else 0)
    return always, perhaps, number - count(always), first + max(second, 0) + max(third, 0)


@rule
def most_worth(state: State, action: int) -> int:
    """Return an upper bound of :func:`action_value` for an action other than a swap."""
    if action == PASS:
        return 0
    laid = stage_of(state, state.actor)
    if laid == 2:
        return THIRD
    cards = action & CARDS
    required = rest_wanted(state)
    exact = state.last_cards == 3 and state.hand_cards == 2 * state.tricks + 1  # every card is part of a trick
    if exact and required == complete(laid + 1) and not may_be_complete(state.hand[state.actor] & ~cards):
        return UNREADY + required - 1
    return value_of_laying(state, cards, complete(laid + 1))


@rule
def may_be_complete(hand: int) -> bool:
    """Return False only if a hand cannot be divided into tricks including one of three; faster than dividing it."""
    same_1, same_2, same_3, above, below, above_2, below_2 = near_all(hand)
    alone = hand & ~ACES & ~(same_1 | same_2 | same_3 | above | below | above_2 | below_2)
    return count(alone) <= count(hand & ACES) and holds_three(hand)


# The index of an action

TRICKS = 1308
"""Number of sets of two or three cards that are tricks."""
ONE_CARD, TWO_CARDS, THREE_CARDS = 52, 52 * 51 // 2, 52 * 51 * 50 // 6
"""Numbers of sets of one, two and three cards."""
TRICKS_BEFORE = np.cumsum([0, *(is_trick(bit(first) | bit(second)) for first, second in combinations(range(52), 2))])
"""Number of tricks before each set of two cards, by the set's index."""


@rule
def sets_of_two_before(card: int) -> int:
    """Return the number of sets of two cards that begin with a lower card."""
    return TWO_CARDS - (52 - card) * (51 - card) // 2


@rule
def sets_of_three_before(card: int) -> int:
    """Return the number of sets of three cards that begin with a lower card."""
    return THREE_CARDS - (52 - card) * (51 - card) * (50 - card) // 6


@rule
def action_number(state: State, action: int) -> int:
    """Return the index of a pass, a swap or a trick of two; the rare tricks of three are looked up."""
    if action == PASS:
        return TRICKS + ONE_CARD + TWO_CARDS + THREE_CARDS
    cards = action & CARDS
    number = count(cards)
    first = lowest(cards)
    if number == 1:
        return TRICKS + first
    cards &= cards - 1
    second = lowest(cards)
    two = sets_of_two_before(first) + second - first - 1
    if number == 2:
        return TRICKS_BEFORE[two] if action & LAY != 0 else TRICKS + ONE_CARD + two
    if action & LAY != 0:
        return LOOKED_UP
    third = lowest(cards & cards - 1)
    three = (
        sets_of_three_before(first) + sets_of_two_before(second) - sets_of_two_before(first + 1) + third - second - 1
    )
    return TRICKS + ONE_CARD + TWO_CARDS + three
