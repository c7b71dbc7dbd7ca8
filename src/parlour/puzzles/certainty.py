"""Certainty of a best action: comparison with every other action in the same determinizations, at growing effort.

Determinizations are added in doubling steps. After each step an action whose loss has a lower bound above the
margin counts as worse and is no longer tried. If an action's loss has an upper bound below the margin, the best action
is not better beyond doubt. The error is divided by the number of actions and of steps (Bonferroni), so that all
statements about a position hold simultaneously with the stated confidence.
"""

import math
from collections.abc import Sequence

import numpy as np

from parlour.bots.search import Search
from parlour.engine.arrays import Floats
from parlour.engine.moves import Move
from parlour.insight.course import cost_in_tree
from parlour.statistics import Estimate

MARGIN = 0.04
"""Minimum loss of every action but the best, as a share of first place."""
CONFIDENCE = 0.99
"""Confidence with which the intervals of all actions of a position hold simultaneously."""
STEPS = (250, 250, 500, 1000, 2000)
"""Number of determinizations added in each step."""
RIVALS = 3
"""Number of other actions, those nearest to the best, that are also compared in a tree."""


def losses_of(search: Search, best: Move, others: Sequence[Move], effort: int) -> dict[Move, tuple[float, Estimate]]:
    """Return the value and the loss of every action but the best; empty if one of these is not worse beyond doubt.

    Args:
        search: the search of the position.
        best: the best action.
        others: all other legal actions.
        effort: the limit of simulated actions.
    """
    open_moves, settled = list(others), dict[Move, tuple[float, Estimate]]()
    values = np.zeros((0, 1 + len(open_moves)))
    until = search.steps + effort
    for number in STEPS:
        more, _ = search.compare([best, *open_moves], number)
        values = np.concatenate([values, more])
        kept = [0]
        for column, move in enumerate(open_moves, 1):
            loss = simultaneous(values[:, 0] - values[:, column], len(others) * len(STEPS))
            if loss.high < MARGIN:
                return {}
            if loss.low >= MARGIN:
                settled[move] = float(values[:, column].mean()), loss
            else:
                kept.append(column)
        open_moves, values = [open_moves[column - 1] for column in kept[1:]], values[:, kept]
        if not open_moves:
            return settled
        if search.steps > until:
            break
    return {}


def simultaneous(values: Floats, statements: int) -> Estimate:
    """Return the mean with an interval that holds simultaneously with ``statements`` intervals of this kind."""
    from scipy.special import stdtrit

    number, mean = len(values), float(values.mean())
    error = float(values.std(ddof=1)) / math.sqrt(number)
    reach = error * float(stdtrit(number - 1, 1 - (1 - CONFIDENCE) / 2 / statements))
    return Estimate(mean, mean - reach, mean + reach)


def is_best_in_trees(search: Search, best: Move, losses: dict[Move, tuple[float, Estimate]], effort: int) -> bool:
    """Return whether the nearest rivals are also significantly worse in a tree search, which finds the best replies."""
    rivals = sorted(losses, key=lambda move: losses[move][1].value)[:RIVALS]
    return all(cost_in_tree(search, best, rival, effort // len(rivals)) > 0 for rival in rivals)
