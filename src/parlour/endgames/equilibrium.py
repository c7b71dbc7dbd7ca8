"""Exact values of endgame trees by linear programming, and best responses.

A *plan* (realization plan) contains for each sequence of a seat the probability of the seat's own choices in it: 1 for
the empty sequence, and the probabilities of an information set's actions add up to that of the preceding sequence (von
Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from parlour.endgames.endgame_tree import EndgameTree
from parlour.engine.arrays import Floats


@dataclass(frozen=True)
class Equilibrium:
    """Nash equilibrium: plans that are best responses to each other.

    Attributes:
        value: seat 0's mean share of first place.
        plans: the plan of each seat.
        gap: the sum of the gains of the best responses to the two plans: 0 except for rounding.
    """

    value: float
    plans: tuple[Floats, Floats]
    gap: float

    def value_for(self, seat: int) -> float:
        """Return a seat's mean share of first place."""
        return self.value if seat == 0 else 1 - self.value


def solve(game: EndgameTree) -> Equilibrium:
    """Return an equilibrium by the linear programme of Koller, Megiddo and von Stengel (STOC 1994), solved by HiGHS.

    Seat 0 chooses the plan against which the best response wins least; the dual solution is seat 1's plan.

    Raises:
        ArithmeticError: no solution was found.
    """
    (own, own_right), (other, _) = (_plan_equations(game, seat) for seat in (0, 1))
    responses = other.shape[0]
    result = linprog(
        np.concatenate([np.zeros(game.sequences[0]), [-1.0], np.zeros(responses - 1)]),
        A_ub=sparse.hstack([-game.payoffs.T, other.T], format="csr"),
        b_ub=np.zeros(game.sequences[1]),
        A_eq=sparse.hstack([own, sparse.csr_matrix((own.shape[0], responses))], format="csr"),
        b_eq=own_right,
        bounds=[(0, None)] * game.sequences[0] + [(None, None)] * responses,
        method="highs",
    )
    if result.status != 0:
        raise ArithmeticError(f"the linear programme was not solved: {result.message}")
    plans = [result.x[: game.sequences[0]], -result.ineqlin.marginals]
    first, second = (plan_of(game, seat, chances_by_set(game, seat, plan)) for seat, plan in enumerate(plans))
    value = game.value_of(0, first, second)
    gap = best_response(game, 0, second) - value + best_response(game, 1, first) - (1 - value)
    return Equilibrium(value, (first, second), gap)


def _plan_equations(game: EndgameTree, seat: int) -> tuple[Any, Floats]:
    """Return the matrix and the right side of a plan's equations: first for the empty sequence, then for each set."""
    rows, columns, entries = [0], [0], [1.0]
    for row, each in enumerate(game.sets[seat], 1):
        rows += [row] * (1 + len(each.moves))
        columns += [each.before, *range(each.after.start, each.after.stop)]
        entries += [-1.0] + [1.0] * len(each.moves)
    shape = (len(game.sets[seat]) + 1, game.sequences[seat])
    right = np.zeros(shape[0])
    right[0] = 1
    return sparse.csr_matrix((entries, (rows, columns)), shape=shape), right


def chances_by_set(game: EndgameTree, seat: int, plan: Floats) -> list[Floats]:
    """Return the probabilities of the actions in each of a seat's information sets, by its plan.

    Negative values, which are rounding errors of a solver, count as 0. In a set that the plan never reaches, the
    actions are equally likely.
    """
    chances = []
    for each in game.sets[seat]:
        parts = np.maximum(plan[each.after], 0)
        chances.append(parts / parts.sum() if parts.sum() > 0 else np.full(len(parts), 1 / len(parts)))
    return chances


def plan_of(game: EndgameTree, seat: int, chances: list[Floats]) -> Floats:
    """Return the plan of a seat that chooses with these probabilities in each of its information sets."""
    plan = np.zeros(game.sequences[seat])
    plan[0] = 1
    for each, parts in zip(game.sets[seat], chances, strict=True):
        plan[each.after] = plan[each.before] * parts
    return plan


def best_response(game: EndgameTree, seat: int, other: Floats) -> float:
    """Return the value of a seat's best response to the other seat's plan: its mean share of first place."""
    values = game.payoffs @ other if seat == 0 else -(game.payoffs.T @ other)
    for each in reversed(game.sets[seat]):
        values[each.before] += values[each.after].max()
    return float(values[0]) if seat == 0 else 1 + float(values[0])
