"""3 Tricks: the heuristic."""

from typing import Any

from parlour.cards import FULL_DECK, count, lowest, rank_of
from parlour.engine.chance import pass_over
from parlour.engine.compiled import rule
from parlour.engine.rules import CERTAIN, LEAST, can_be_best, known_to, with_luck
from parlour.games.three_tricks.rules import (
    ACES,
    CARDS,
    LAY,
    PASS,
    SWAP,
    SWAPPED,
    TWOS,
    is_trick,
    pairing,
    ranks_in,
    same_rank,
)

TRICK, LAST = 60, 100
COMPLETE = 2 * TRICK + LAST
"""What the tricks of a plan are worth: all three together are a complete hand."""
A_SWAP = 3
"""Whoever has put away more cards has swapped more than once (3T-7)."""
NEAR = 40
"""Two cards with a third of which they would be the last trick, or the aces for it."""
READY = TRICK + LAST
"""What is left of a complete hand when its first trick has been laid."""
SWAP_BELOW = 7
"""Cards of less use than this are better away."""
KING = 11
KINGS = TWOS << KING


@rule
def action_value(state: Any, action: int) -> int:
    """Gather all three tricks before laying the first, block what must be blocked, swap what fits with nothing."""
    seat = state.actor
    hand = state.hand[seat]
    laid = state.laid[seat]
    if action == PASS:
        return 0 if plan_value(hand, laid) == COMPLETE - TRICK * laid else -1000
    if action & LAY == 0:
        return value_of_swapping(action & CARDS, near_all(hand))
    if laid == 2:
        return 10000
    cards = action & CARDS
    rest = plan_value(hand & ~cards, laid + 1)
    if rest < rest_wanted(state):
        return rest - 2000
    return 1000 + 2 * rest - count(FULL_DECK & ~known_to(state, seat) & ranks_in(cards))


@rule
def rest_wanted(state: Any) -> int:
    """How much the rest of the hand must be worth before a trick is laid: who lays early is blocked and starts anew.

    A first trick of the other's may stand, since without a second it wins nothing. (Tried out in many games.)
    """
    other = state.laid[1 - state.actor]
    if state.laid[state.actor] == 0:
        return TRICK + NEAR if state.to_block != 0 and other == 2 else READY
    return 0 if state.to_block != 0 or other == 2 else LAST


@rule
def plan_value(hand: int, laid: int) -> int:
    """How near a hand is to all the tricks that are still wanted."""
    if laid > 0:
        return value_of_three(hand) if laid == 2 else value_of_five(hand)
    best = 0
    aces = hand & ACES
    rest = hand & ~ACES
    while rest != 0:
        card = rest & -rest
        rest &= rest - 1
        others = pairing(card, rest | aces)
        while others != 0:
            trick = card | (others & -others)
            others &= others - 1
            best = max(best, TRICK + value_of_five(hand & ~trick))
    return best


@rule
def value_of_five(hand: int) -> int:
    """How near five cards are to a trick of two and one of three."""
    best = 0
    aces = hand & ACES
    rest = hand & ~ACES
    while rest != 0:
        card = rest & -rest
        rest &= rest - 1
        others = pairing(card, rest | aces)
        while others != 0:
            trick = card | (others & -others)
            others &= others - 1
            best = max(best, TRICK + value_of_three(hand & ~trick))
    return best


@rule
def value_of_three(hand: int) -> int:
    """How near three cards are to a trick: 100 if they are one."""
    if count(hand) == 3 and is_trick(hand):
        return LAST
    best = NEAR // 2 * count(hand & ACES)
    rest = hand & ~ACES
    while rest != 0:
        card = rest & -rest
        rest &= rest - 1
        near = near_cards(card)
        if rest & near != 0:
            best = max(best, NEAR)
    return best


@rule
def near_cards(card: int) -> int:
    """The cards of its suit up to two ranks above a card that is no ace, and those of its rank."""
    number = lowest(card)
    above = card << 1 | (card << 2 if rank_of(number) < KING - 1 else 0)
    return (above & ~ACES) | same_rank(number)


@rule
def near_all(hand: int) -> tuple[int, int, int, int, int, int, int]:
    """The cards near to one of a hand: by rank, in each other suit; one above, one below; two above, two below."""
    plain = hand & ~ACES
    return (
        plain << 13 | plain >> 39,
        plain << 26 | plain >> 26,
        plain << 39 | plain >> 13,
        plain << 1,
        plain >> 1,
        plain << 2 & ~TWOS,
        plain >> 2 & ~KINGS,
    )


@rule
def value_of_swapping(cards: int, near: Any) -> int:
    """Away with what is near to nothing else in the hand; each card of the same rank and each neighbour counts."""
    if cards & ACES != 0:
        return -1000
    same = count(cards & near[0]) + count(cards & near[1]) + count(cards & near[2])
    next_to = count(cards & near[3]) + count(cards & near[4])
    return SWAP_BELOW * count(cards) - 10 * same - 8 * next_to - 3 * (count(cards & near[5]) + count(cards & near[6]))


@rule
def heuristic_choice(state: Any, actions: Any, number: int, random: Any) -> int:
    """The best by :func:`action_value`; of the many swaps only those are valued that may be the best.

    A tree asks for the best of some actions. Where no swap is worth more than one that is not among them, none is left
    out.
    """
    hand = state.hand[state.actor]
    near = near_all(hand)
    useless = hand
    best_swap = SWAP | best_to_swap(hand, near)
    for index in range(number):
        if actions[index] == best_swap:
            useless = least_useful(hand, near)
            break
    chosen = 0
    best = LEAST
    for index in range(number):
        action = actions[index]
        swaps = action & ~CARDS == SWAP
        if (swaps and action & CARDS & ~useless != 0) or not can_be_best(most_worth(action), best):
            continue
        value = value_of_swapping(action & CARDS, near) if swaps else action_value(state, action)
        value = with_luck(value, best, random, index)
        if value > best:
            best = value
            chosen = index
    pass_over(random, number)
    return chosen


@rule
def best_to_swap(hand: int, near: Any) -> int:
    """The cards of a swap than which none is worth more."""
    chosen = 0
    for _ in range(SWAPPED):
        most = -1 if chosen != 0 else -1000
        found = 0
        rest = hand & ~chosen
        while rest != 0:
            card = rest & -rest
            rest &= rest - 1
            value = value_of_swapping(card, near)
            if value > most:
                most = value
                found = card
        chosen |= found
    return chosen


@rule
def least_useful(hand: int, near: Any) -> int:
    """The cards of a hand that a best swap can consist of: those that it is worth most to be rid of.

    A swap is worth what its cards are worth one by one. So one with a card that is worth less than the third best is
    made better by another card instead of it, and one with a card that is worth less than nothing by leaving it out.
    """
    first, second, third = -1000, -1000, -1000
    rest = hand
    while rest != 0:
        value = value_of_swapping(rest & -rest, near)
        rest &= rest - 1
        third = max(third, min(second, value))
        second = max(second, min(first, value))
        first = max(first, value)
    least = min(first, max(third, 0))
    rest = hand
    while rest != 0:
        card = rest & -rest
        rest &= rest - 1
        if value_of_swapping(card, near) < least:
            hand &= ~card
    return hand


@rule
def most_worth(action: int) -> int:
    """What :func:`action_value` says at most."""
    if action == PASS:
        return 0
    return 10000 if action & LAY != 0 else SWAP_BELOW * SWAPPED


@rule
def likelihood(state: Any, seat: int) -> int:
    """Whoever has swapped has kept what goes together, and whoever lays a trick nearly always has the rest.

    The weights are shares of hands in games by heuristic and by searches, which agree, divided by those of evenly
    dealt hands.
    """
    other = 1 - seat
    laid = state.laid[other]
    plan = plan_value(state.hand[other], laid)
    short_of = COMPLETE - TRICK * laid - plan
    if short_of == 0:
        return CERTAIN
    a_trick_short = short_of <= TRICK
    if laid > 0 and state.to_block != 0:  # it was laid just now
        if laid == 2 and state.laid[seat] == 0:  # perhaps only lest the game end without a third
            return CERTAIN // 64 if a_trick_short else CERTAIN // 512
        return CERTAIN // 512 if a_trick_short else 1
    if laid == 2:
        return CERTAIN // 3 if a_trick_short else CERTAIN // 24
    if laid == 1 and state.laid[seat] > 0:
        return CERTAIN // 16 if a_trick_short else CERTAIN // 256
    if laid == 1:
        return CERTAIN // 3 if a_trick_short else CERTAIN // 48
    swapped = state.second_size[other]
    if swapped == 0 and state.shuffles == 0:
        return CERTAIN
    often = 2 if swapped > A_SWAP or state.shuffles > 0 else 1
    if a_trick_short:
        return CERTAIN // (2 * often)
    return CERTAIN // (8 * often) if plan >= LAST else CERTAIN // (24 * often)
