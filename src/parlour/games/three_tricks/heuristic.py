"""3 Tricks: the heuristic, which values every legal action."""

from parlour.cards import FULL_DECK, count
from parlour.engine.compiled import rule
from parlour.engine.rules import CERTAIN, known_to
from parlour.games.three_tricks.rules import ACES, CARDS, LAY, PASS, TWOS, is_trick, pairing, ranks_in
from parlour.games.three_tricks.typed_state import State

TRICK, LAST = 60, 100
"""Values of a trick of two and of the last trick in the hand."""
COMPLETE = 2 * TRICK + LAST
"""Value of a complete hand: two tricks of two and the last trick."""
NEAR = 40
"""Value of two cards that a third completes to the last trick, or of two aces."""
READY = TRICK + LAST
"""Value of a complete hand after its first trick has been laid."""
SWAP_BELOW = 7
"""Base value of swapping a card, less than the penalty for a card of its rank or a neighbour in the hand."""
THIRD, UNREADY = 10000, -2000
"""Value of the third trick, and penalty for laying a trick that leaves too weak a hand."""
KING = 11
KINGS = TWOS << KING

Near = tuple[int, int, int, int, int, int, int]
"""Seven sets of the cards near a card of the hand: of its rank, one, two and three suits further on; one rank above and
one below; two ranks above and two below.
"""


@rule
def action_value(state: State, action: int) -> int:
    """Return the value of an action: collect all three tricks, block when necessary, swap unconnected cards."""
    seat = state.actor
    hand = state.hand[seat]
    laid = stage_of(state, seat)
    if action == PASS:
        return 0 if plan_value(hand, laid, state.last_cards) == complete(laid) else -1000
    if action & LAY == 0:
        return value_of_swapping(action & CARDS, near_all(hand))
    if laid == 2:
        return THIRD
    cards = action & CARDS
    rest = plan_value(hand & ~cards, laid + 1, state.last_cards)
    if rest < rest_wanted(state):
        return rest + UNREADY
    return value_of_laying(state, cards, rest)


@rule
def stage_of(state: State, seat: int) -> int:
    """Return the tricks that a player has laid, counted so that 2 is one before the last."""
    return state.laid[seat] + 3 - state.tricks


@rule
def value_of_laying(state: State, cards: int, rest: int) -> int:
    """Value a trick that leaves a good enough hand: the fewer cards can block it by rank, the better."""
    return 1000 + 2 * rest - count(FULL_DECK & ~known_to(state, state.actor) & ranks_in(cards))


@rule
def rest_wanted(state: State) -> int:
    """Return the least value of the remaining hand for laying a trick; tricks laid too early are blocked.

    The other player's first trick may stand, since without a second it wins nothing. (Tuned in many games.)
    """
    other = stage_of(state, 1 - state.actor)
    if stage_of(state, state.actor) == 0:
        return TRICK + NEAR if state.to_block != 0 and other == 2 else READY
    return 0 if state.to_block != 0 or other == 2 else LAST


@rule
def complete(laid: int) -> int:
    """Return the value of a hand that holds all tricks still required."""
    return COMPLETE - TRICK * laid


@rule
def plan_value(hand: int, laid: int, last_cards: int) -> int:
    """Return the value of a hand for the tricks still required, the last one of ``last_cards`` cards."""
    if laid > 0:
        return value_of_last(hand, last_cards) if laid == 2 else value_of_two(hand, last_cards)
    best = 0
    trick = trick_after(hand, 0)
    while trick != 0 and best < COMPLETE:
        best = max(best, TRICK + value_of_two(hand & ~trick, last_cards))
        trick = trick_after(hand, trick)
    return best


@rule
def value_of_two(hand: int, last_cards: int) -> int:
    """Return the value of a hand, usually of five cards, for a trick of two and the last one."""
    best = 0
    trick = trick_after(hand, 0)
    while trick != 0 and best < READY:
        best = max(best, TRICK + value_of_last(hand & ~trick, last_cards))
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
def value_of_last(hand: int, last_cards: int) -> int:
    """Return the value of a hand for the last trick."""
    if last_cards == 3:
        return value_of_three(hand)
    if trick_after(hand, 0) != 0:
        return LAST
    return NEAR if hand != 0 else 0


@rule
def value_of_three(hand: int) -> int:
    """Return the value of three cards or more for a trick of three: ``LAST`` if they contain one."""
    if is_trick(hand) if count(hand) == 3 else count(hand) > 3 and holds_three(hand):
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
def near_all(hand: int) -> Near:
    """Return the cards near the cards of a hand, aces aside."""
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
def value_of_swapping(cards: int, near: Near) -> int:
    """Value a swap: put away cards without others of their rank and without neighbours in the hand."""
    if cards & ACES != 0:
        return -1000
    same = count(cards & near[0]) + count(cards & near[1]) + count(cards & near[2])
    next_to = count(cards & near[3]) + count(cards & near[4])
    return SWAP_BELOW * count(cards) - 10 * same - 8 * next_to - 3 * (count(cards & near[5]) + count(cards & near[6]))


@rule
def likelihood(state: State, seat: int) -> int:
    """Return a determinization's likelihood: after swaps hands are connected, and tricks are laid from good hands.

    The weights are the frequencies of hands in games by the heuristic and by searches, which agree, divided by those of
    evenly dealt hands.
    """
    other = 1 - seat
    laid = stage_of(state, other)
    plan = plan_value(state.hand[other], laid, state.last_cards)
    short_of = complete(laid) - plan
    if short_of == 0:
        return CERTAIN
    a_trick_short = short_of <= TRICK
    if laid > 0 and state.to_block != 0:  # laid in the previous turn
        if laid == 2 and stage_of(state, seat) == 0:  # perhaps only to keep the game from ending without a third trick
            return CERTAIN // 64 if a_trick_short else CERTAIN // 512
        return CERTAIN // 512 if a_trick_short else 1
    if laid == 2:
        return CERTAIN // 3 if a_trick_short else CERTAIN // 24
    if laid == 1 and stage_of(state, seat) > 0:
        return CERTAIN // 16 if a_trick_short else CERTAIN // 256
    if laid == 1:
        return CERTAIN // 3 if a_trick_short else CERTAIN // 48
    swapped = state.second_size[other]
    if swapped == 0 and state.shuffles == 0:
        return CERTAIN
    often = 2 if swapped > state.swap_limit or state.shuffles > 0 else 1
    if a_trick_short:
        return CERTAIN // (2 * often)
    return CERTAIN // (8 * often) if plan >= LAST else CERTAIN // (24 * often)
