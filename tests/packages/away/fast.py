"""The hooks for speed of Lay Away: the defaults, for the mistakes of ``tests/wrong_games.py``."""

from typing import Any

from parlour.engine.compiled import rule
from parlour.engine.rules import best_by_value, best_of_legal


@rule
def heuristic_choice(state: Any, actions: Any, number: int, random: Any) -> int:
    """Compare the values."""
    return best_by_value(state, actions, number, random)


@rule
def heuristic_action(state: Any, actions: Any, careless: int, random: Any) -> int:
    """List the legal actions and compare their values."""
    return best_of_legal(state, actions, careless, random)
