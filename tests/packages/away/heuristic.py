"""The heuristic of Lay Away: lay away low cards, play low cards."""

from typing import Any

from away.rules import GO, PAIR
from parlour.cards import rank_of
from parlour.engine.compiled import rule


@rule
def action_value(state: Any, action: int) -> int:
    """Low cards first."""
    if action == GO:
        return 0
    if action < PAIR:
        return -rank_of(action)
    return -rank_of((action - PAIR) // 52) - rank_of((action - PAIR) % 52)
