"""3 Tricks: the heuristic."""

from typing import Any

from parlour.cards import FULL_DECK, count
from parlour.engine.chance import pass_over, random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import CERTAIN, LEAST, can_be_best, just_below, known_to, with_luck
from parlour.games.three_tricks.rules import ACES, CARDS, LAY, PASS, SWAP, TWOS, legal, list_tricks, pairing, ranks_in

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
"""Cards of less use than this are better away; a card with one of its rank or a neighbour in the hand never is."""
THIRD, UNREADY = 10000, -2000
"""What the third trick is worth, and what laying one is that leaves too little."""
KING = 11
KINGS = TWOS << KING


@rule
def action_value(state: Any, action: int) -> int:
    """Gather all three tricks before laying the first, block what must be blocked, swap what fits with nothing."""
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
    """Of tricks that leave enough, the one that the fewest cards can block by rank."""
    return 1000 + 2 * rest - count(FULL_DECK & ~known_to(state, state.actor) & ranks_in(cards))


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
def complete(laid: int) -> int:
    """The value of a hand with all the tricks that are still wanted."""
    return COMPLETE - TRICK * laid


@rule
def plan_value(hand: int, laid: int) -> int:
    """How near a hand is to all the tricks that are still wanted."""
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
    """How near five cards are to a trick of two and one of three."""
    best = 0
    trick = trick_after(hand, 0)
    while trick != 0 and best < READY:
        best = max(best, TRICK + value_of_three(hand & ~trick))
        trick = trick_after(hand, trick)
    return best


@rule
def trick_after(hand: int, trick: int) -> int:
    """The trick of two that comes after this one among those of a hand; for 0 the first, and 0 after the last."""
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
    """How near three cards are to a trick: 100 if they are one."""
    if count(hand) == 3 and holds_three(hand):
        return LAST
    return NEAR if two_near(hand & ~ACES) else NEAR // 2 * count(hand & ACES)


@rule
def holds_three(hand: int) -> bool:
    """Whether a hand has a trick of three, found without a loop: 3T-2, 3T-3."""
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
    """Whether two of these cards, no aces, are of one rank, or of one suit and no more than two ranks apart."""
    return plain & (plain << 1 | plain << 2 & ~TWOS | plain << 13 | plain << 26 | plain << 39) != 0


@rule
def may_be_complete(hand: int) -> bool:
    """False only if a hand cannot be divided into tricks with one of three among them; quicker than to divide it."""
    same_1, same_2, same_3, above, below, above_2, below_2 = near_all(hand)
    alone = hand & ~ACES & ~(same_1 | same_2 | same_3 | above | below | above_2 | below_2)
    return count(alone) <= count(hand & ACES) and holds_three(hand)


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
    """The best by :func:`action_value`; of the many swaps only those are valued that are worth most of all.

    A tree asks for the best of some actions. Where none of them is worth as much as such a swap, none is left out.
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
    """The best by :func:`action_value`; of the many swaps none is listed but one of the best is made."""
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
    """One of some cards, each as likely."""
    for _ in range(random_below(random, count(cards))):
        cards &= cards - 1
    return cards & -cards


@rule
def best_above(
    best: int, state: Any, actions: Any, number: int, always: int, perhaps: int, near: Any, random: Any
) -> int:
    """The index of the best action, or −1 if none is better than ``best``.

    Of the swaps those are looked at with the cards ``always`` and any of ``perhaps``.
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
    """The swaps that are worth most: the cards that each of them has, those that each may have, how many of these one
    has at least, and what it is worth.

    A swap is worth what its cards are worth one by one. So it has the best three, but none that is worth less than
    nothing, unless it is the only one.
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
    """What :func:`action_value` says at most, of an action that is no swap."""
    if action == PASS:
        return 0
    laid = state.laid[state.actor]
    if laid == 2:
        return THIRD
    cards = action & CARDS
    wanted = rest_wanted(state)
    if wanted == complete(laid + 1) and not may_be_complete(state.hand[state.actor] & ~cards):
        return UNREADY + wanted - 1
    return value_of_laying(state, cards, complete(laid + 1))


@rule
def likelihood(state: Any, seat: int) -> int:
    """Whoever has swapped has kept what goes together, and whoever lays a trick nearly always has the rest.

    The weights are shares of hands in games by heuristic and by searches, which agree, divided by those of evenly
    dealt hands.
    """
    other = 1 - seat
    laid = state.laid[other]
    plan = plan_value(state.hand[other], laid)
    short_of = complete(laid) - plan
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
