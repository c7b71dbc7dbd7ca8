"""Policies without search, by number, which compiled loops follow without returning to Python."""

from parlour.engine.arrays import Int64s, Stream
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import heuristic_choice
from parlour.engine.typed_state import AnyState

NO_POLICY, AT_RANDOM, BY_HEURISTIC = -1, 0, 1
"""Numbers of the compiled policies, and the value for bots without one."""


@rule
def follow(policy: int, state: AnyState, actions: Int64s, number: int, random: Stream) -> int:
    """Return the index in ``actions[:number]`` that a policy chooses; ``state`` is the actor's observed state."""
    if policy == BY_HEURISTIC:
        return heuristic_choice(state, actions, number, random)
    return random_below(random, number)
