"""3 Tricks: the heuristic, which values every legal action."""

from typing import Any

from parlour.cards import FULL_DECK, count
from parlour.engine.chance import pass_over, random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import CERTAIN, LEAST, can_be_best, just_below, known_to, with_luck
from parlour.games.three_tricks.rules import ACES, CARDS, LAY, PASS, SWAP, TWOS, legal, list_tricks, pairing, ranks_in

TRICK, LAST = 60, 100
COMPLETE = 2 * TRICK + LAST
"""Value of a complete hand: two tricks of two and the last trick."""
A_SWAP = 3
"""Most cards in one swap; a player who has put away more has swapped more than once (3T-7)."""
NEAR = 40
"""Value of two cards that a third completes to the last trick, or of two aces."""
READY = TRICK + LAST
"""Value of a complete hand after its first trick has been laid."""
SWAP_BELOW = 7
"""Base value of swapping a card, less than the penalty for a card of its rank or a neighbour in the hand."""
THIRD, UNREADY = 10000, -2000
"""Value of the third trick, and penalty for laying one that leaves too weak a hand."""
KING = 11
KINGS = TWOS << KING


@rule
def action_value(state: Any, action: int) -> int:
    """Return the value of an action: collect all three tricks, block when necessary, swap unconnected cards."""
    seat = state.actor
    hand = state.hand[seat]
    laid = state.laid[seat]
    if action == PASS:
        return 0 if plan_value(hand, laid) == complete(laid) else -1000
    if action & LAY == 0:
        return value_of_swapping(action & CARDS, near_all(hand))
    if laid == 2:
        return THIRD
    cards = action & CARDS
    rest = plan_value(hand & ~cards, laid + 1)
    if rest < rest_wanted(state):
        return rest + UNREADY
    return value_of_laying(state, cards, rest)


@rule
def value_of_laying(state: Any, cards: int, rest: int) -> int:
    """Value a trick that leaves a good enough hand: prefer the one that the fewest cards can block by rank."""
    return 1000 + 2 * rest - count(FULL_DECK & ~known_to(state, state.actor) & ranks_in(cards))


@rule
def rest_wanted(state: Any) -> int:
    """Return the least value of the remaining hand for laying a trick; tricks laid too early are blocked.

    The other player's first trick may stand, since without a second it wins nothing. (Tuned in many games.)
    """
    other = state.laid[1 - state.actor]
    if state.laid[state.actor] == 0:
        return TRICK + NEAR if state.to_block != 0 and other == 2 else READY
    return 0 if state.to_block != 0 or other == 2 else LAST


@rule
def complete(laid: int) -> int:
    """Return the value of a hand that holds all tricks still required."""
    return COMPLETE - TRICK * laid


@rule
def plan_value(hand: int, laid: int) -> int:
    """Return the value of a hand for the tricks still required."""
    if laid > 0:
        return value_of_three(hand) if laid == 2 else value_of_five(hand)
    best = 0
    trick = trick_after(hand, 0)
    while trick != 0 and best < COMPLETE:
        best = max(best, TRICK + value_of_five(hand & ~trick))
        trick = trick_after(hand, trick)
    return best


@rule
def value_of_five(hand: int) -> int:
    """Return the value of five cards for a trick of two and one of three."""
    best = 0
    trick = trick_after(hand, 0)
    while trick != 0 and best < READY:
        best = max(best, TRICK + value_of_three(hand & ~trick))
        trick = trick_after(hand, trick)
    return best


@rule
def trick_after(hand: int, trick: int) -> int:
    """Return the next trick of two in a hand after ``trick``; the first for 0, and 0 after the last."""
    aces = hand & ACES
    rest = hand & ~ACES
    later = -1
    if trick != 0:
        plain = trick & ~ACES
        card = plain & -plain
        later = -((trick ^ card) << 1)
        rest &= -card
    while rest != 0:
        card = rest & -rest
        rest &= rest - 1
        others = pairing(card, rest | aces) & later
        if others != 0:
            return card | (others & -others)
        later = -1
    return 0


@rule
def value_of_three(hand: int) -> int:
    """Return the value of three cards for a trick: 100 if they are one."""
    if count(hand) == 3 and holds_three(hand):
        return LAST
    return NEAR if two_near(hand & ~ACES) else NEAR // 2 * count(hand & ACES)


@rule
def holds_three(hand: int) -> bool:
    """Return whether a hand has a trick of three, computed without a loop (3T-2, 3T-3)."""
    plain = hand & ~ACES
    aces = count(hand & ACES)
    if aces > 0:
        return plain != 0 if aces > 1 else two_near(plain)
    one_off = plain & plain << 13
    two_off = plain & plain << 26
    three_off = plain & plain << 39
    return plain & plain << 1 & plain << 2 | one_off & two_off | (one_off | two_off) & three_off != 0


@rule
def two_near(plain: int) -> bool:
    """Return whether two of these cards, no aces, share a rank, or a suit with ranks at most two apart."""
    return plain & (plain << 1 | plain << 2 & ~TWOS | plain << 13 | plain << 26 | plain << 39) != 0


@rule
def may_be_complete(hand: int) -> bool:
    """Return False only if a hand cannot be divided into tricks including one of three; faster than dividing it."""
    same_1, same_2, same_3, above, below, above_2, below_2 = near_all(hand)
    alone = hand & ~ACES & ~(same_1 | same_2 | same_3 | above | below | above_2 | below_2)
    return count(alone) <= count(hand & ACES) and holds_three(hand)


@rule
def near_all(hand: int) -> tuple[int, int, int, int, int, int, int]:
    """Return the cards near one of a hand: same rank in each other suit; one above, below; two above, below."""
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
    """Value a swap: put away cards without others of their rank and without neighbours in the hand."""
    if cards & ACES != 0:
        return -1000
    same = count(cards & near[0]) + count(cards & near[1]) + count(cards & near[2])
    next_to = count(cards & near[3]) + count(cards & near[4])
    return SWAP_BELOW * count(cards) - 10 * same - 8 * next_to - 3 * (count(cards & near[5]) + count(cards & near[6]))


@rule
def heuristic_choice(state: Any, actions: Any, number: int, random: Any) -> int:
    """Return the index of the best action; of the many swaps, only those of the highest value are compared.

    A tree asks for the best of a subset of actions. If none of these is as good as such a swap, all are compared.
    """
    hand = state.hand[state.actor]
    near = near_all(hand)
    always, perhaps, _, worth = best_swaps(hand, near)
    chosen = best_above(just_below(worth), state, actions, number, always, perhaps, near, random)
    if chosen < 0:
        chosen = best_above(LEAST, state, actions, number, 0, hand, near, random)
    pass_over(random, number)
    return chosen


@rule
def heuristic_action(state: Any, actions: Any, careless: int, random: Any) -> int:
    """Return the best action; the many swaps are not listed, one of the best is composed instead."""
    if random_below(random, CERTAIN) < careless:
        return actions[random_below(random, legal(state, actions))]
    hand = state.hand[state.actor]
    near = near_all(hand)
    swapped, perhaps, number, worth = best_swaps(hand, near)
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
def drawn_of(cards: int, random: Any) -> int:
    """Draw one of some cards uniformly."""
    for _ in range(random_below(random, count(cards))):
        cards &= cards - 1
    return cards & -cards


@rule
def best_above(
    best: int, state: Any, actions: Any, number: int, always: int, perhaps: int, near: Any, random: Any
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
def best_swaps(hand: int, near: Any) -> tuple[int, int, int, int]:
    """Return the best swaps: their common cards, the optional cards, the least number of these, their value.

    The value of a swap is the sum over its cards. So the best swap has the three best cards, without those of negative
    value unless all are negative.
    """
    lone = hand & ~ACES & ~(near[0] | near[1] | near[2] | near[3] | near[4])
    cards = lone if lone != 0 else hand
    first, second, third = -1000, -1000, -1000
    rest = cards
    while rest != 0:
        value = value_of_swapping(rest & -rest, near)
        rest &= rest - 1
        third = max(third, min(second, value))
        second = max(second, min(first, value))
        first = max(first, value)
    least = min(first, max(third, 0))
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
def most_worth(state: Any, action: int) -> int:
    """Return an upper bound of :func:`action_value` for an action other than a swap."""
    if action == PASS:
        return 0
    laid = state.laid[state.actor]
    if laid == 2:
        return THIRD
    cards = action & CARDS
    required = rest_wanted(state)
    if required == complete(laid + 1) and not may_be_complete(state.hand[state.actor] & ~cards):
        return UNREADY + required - 1
    return value_of_laying(state, cards, complete(laid + 1))


@rule
def likelihood(state: Any, seat: int) -> int:
    """Return a determinization's likelihood: after swaps hands are connected, and tricks are laid from good hands.

    The weights are the frequencies of hands in games by the heuristic and by searches, which agree, divided by those of
    evenly dealt hands.
    """
    other = 1 - seat
    laid = state.laid[other]
    plan = plan_value(state.hand[other], laid)
    short_of = complete(laid) - plan
    if short_of == 0:
        return CERTAIN
    a_trick_short = short_of <= TRICK
    if laid > 0 and state.to_block != 0:  # laid in the previous turn
        if laid == 2 and state.laid[seat] == 0:  # perhaps only to keep the game from ending without a third trick
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
