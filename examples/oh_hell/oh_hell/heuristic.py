"""The heuristic of Oh Hell: bid what the hand is worth, then take what is lacking and nothing more."""

from typing import Any

from oh_hell.rules import BID, height
from parlour.cards import count, suit_of, suit_set
from parlour.engine.compiled import rule

TRICK = 12
"""What counts as a trick in :func:`strength`."""


@rule
def strength(state: Any, cards: int) -> int:
    """How many tricks these cards may take, in twelfths: for trumps, and for high cards of other suits."""
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
    """A bid the nearer the better to what the hand is worth; then a card that takes a trick if one is wanted."""
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
