"""The heuristic of Oh Hell: bid the expected number of tricks, then take no more tricks than bid."""

from typing import Any

from oh_hell.rules import BID, height
from parlour.cards import count, suit_of, suit_set
from parlour.engine.compiled import rule

TRICK = 12
"""Unit of :func:`strength`: one trick."""


@rule
def strength(state: Any, cards: int) -> int:
    """Return the expected tricks of these cards, in twelfths: for each trump, and for Q, K and A of any suit."""
    trumps = suit_set(suit_of(state.oh_trump))
    worth = 5 * count(cards & trumps)
    for suit in range(4):
        own = cards & suit_set(suit)
        for rank in range(10, 13):
            if own >> (13 * suit + rank) & 1:
                worth += 3 * (rank - 9) if own & trumps == 0 else 2 * (rank - 9)
    return worth


@rule
def action_value(state: Any, action: int) -> int:
    """Value a bid by its distance from the hand's strength, and a card by whether it takes a trick that is wanted."""
    seat = state.actor
    if action >= BID:
        return -abs((action - BID) * TRICK - strength(state, state.oh_hand[seat]))
    own = height(state, action)
    wanted = state.oh_taken[seat] < state.oh_bid[seat]
    if state.oh_played == 0:
        return own if wanted else -own
    takes = own > state.oh_height
    if wanted:
        return 100 - own if takes else -own
    return -100 - own if takes else own
