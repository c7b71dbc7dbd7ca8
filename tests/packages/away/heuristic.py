"""The heuristic of Lay Away: lay away what is low, play what is low."""

from typing import Any

from away.rules import GO, PAIR
from parlour.cards import rank_of
from parlour.engine.compiled import rule
from parlour.engine.rules import best_by_value, best_of_legal


@rule
def action_value(state: Any, action: int) -> int:
    """Low cards first."""
    if action == GO:
        return 0
    if action < PAIR:
        return -rank_of(action)
    return -rank_of((action - PAIR) // 52) - rank_of((action - PAIR) % 52)


@rule
def heuristic_choice(state: Any, actions: Any, number: int, random: Any) -> int:
    """The same."""
    return best_by_value(state, actions, number, random)


@rule
def heuristic_action(state: Any, actions: Any, careless: int, random: Any) -> int:
    """The same, out of all that is legal."""
    return best_of_legal(state, actions, careless, random)
