"""Exact values of the actions of one decision, against an equilibrium of the endgame."""

import numpy as np

from parlour.endgames.common_knowledge import TooLargeError, hide_unknown_in_all
from parlour.endgames.endgame_tree import EndgameTree, InformationSet, TreeLimits, endgame_tree_of
from parlour.endgames.equilibrium import solve
from parlour.engine.arrays import Floats
from parlour.engine.information.determinization import new_table
from parlour.engine.typed_state import AnyState


def action_values(state: AnyState, limits: TreeLimits) -> dict[int, float] | None:
    """Return the seat's share of first place for each of its moves, if both play perfectly afterwards.

    Args:
        state: a full state of a game of two seats, in which a seat decides.
        limits: the largest endgame tree to solve.

    Returns:
        The values by move; ``None`` if the endgame cannot be solved within the limits.
    """
    seat = int(state.actor)
    try:
        tree = endgame_tree_of(state, limits)
    except (TooLargeError, ValueError):  # ValueError: its worlds or information sets cannot be listed
        return None
    observed = np.array([state], tree.roots.dtype)
    hide_unknown_in_all(observed, seat, new_table())
    decision = next((each for each in tree.sets[seat] if each.observation.tobytes() == observed[0].tobytes()), None)
    return None if decision is None or decision.before else _values(tree, seat, decision)


def _values(tree: EndgameTree, seat: int, decision: InformationSet) -> dict[int, float]:
    other = solve(tree).plans[1 - seat]
    values: Floats = tree.payoffs @ other if seat == 0 else -(tree.payoffs.T @ other)
    for each in reversed(tree.sets[seat]):
        if each is not decision:
            values[each.before] += values[each.after].max()
    roots = tree.roots.copy()
    hide_unknown_in_all(roots, seat, new_table())
    reached = sum(each.tobytes() == decision.observation.tobytes() for each in roots) / len(roots)
    shares = values[decision.after] / reached
    return dict(zip(decision.moves.tolist(), (shares if seat == 0 else 1 + shares).tolist(), strict=True))
