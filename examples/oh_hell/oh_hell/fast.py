"""Faster equivalents of functions of Oh Hell."""

from typing import Any

from oh_hell.rules import BID, NO_BID, barred_bid, playable
from parlour.engine.chance import random_below, random_card
from parlour.engine.compiled import rule


@rule
def random_action(state: Any, actions: Any, random: Any) -> int:
    """OH-4, OH-5: draw a legal card or bid without listing them."""
    if state.oh_bid[state.actor] != NO_BID:
        return random_card(random, playable(state))
    barred = barred_bid(state)
    bid = random_below(random, state.oh_tricks + 1 - (1 if barred >= 0 else 0))
    return BID + bid + (1 if 0 <= barred <= bid else 0)
