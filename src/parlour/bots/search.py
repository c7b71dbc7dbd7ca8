"""One seat's thinking about one decision: which search is asked, and what came of it. Knows no game."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from parlour.bots.endgame import DEEPEST, LEVEL, solve_determinizations
from parlour.bots.lookahead import (
    LEAD_COUNTS,
    MATCHES,
    NOT_AN_INDEX,
    NOT_LEGAL,
    ORDER,
    PILOT,
    TOO_LONG,
    TRY,
    TURN,
    look,
)
from parlour.bots.tree import MOST_NODES, NODE, grow, new_slots
from parlour.engine.chance import new_stream
from parlour.engine.determinization import hidden_from, scratch_table
from parlour.engine.errors import GameError
from parlour.engine.game import MAX_EVENTS
from parlour.engine.rules import array_of, new_states, partners

Floats = np.ndarray[Any, np.dtype[np.float64]]

LESSONS = 192
"""Matches played to their end to learn what the score between two rounds is worth."""
FEWEST, FIRST_LOOK = 12, 100
"""Playouts per candidate: with little effort only the heuristic's first candidates are tried."""
NEAR_THE_END = 20
"""Actions left in a playout below which determinizations are solved exactly, if possible."""
FEW_UNKNOWN = 8
"""With more unknown cards a solved determinization is too sure of itself: it knows what will be drawn, and what others
hold.
"""
SOLVED_DETERMINIZATIONS = 200
A_TREE_NEEDS = 60
"""Least number of playouts for which a tree is grown: one that has hardly been anywhere takes luck for strength."""
WORSE, APART = 0.02, 0.03
"""Prior of an untried action: mean and standard deviation of its loss against the heuristic's choice."""
FEW, SPREAD = 4, 0.1
"""Prior of a gain's variance: its weight in determinizations, and the variance."""
FAULTS = {
    NOT_AN_INDEX: "heuristic_choice returned something else than an index of the legal actions",
    NOT_LEGAL: "heuristic_action returned an action that is not legal",
    TOO_LONG: f"a game played by the heuristic has not ended after {MAX_EVENTS:,} actions",
}
"""The sentences for faults of a game that a search finds."""
FIRST_DETERMINIZATION = 1 << 20
"""The streams before it are for the matches that teach what standings are worth."""


class Search:
    """One seat's thinking about one decision.

    Attributes:
        actions: the numbers of the legal actions, *n* of them.
        seat: who decides.
        visits, values: for each action in how many determinizations it was tried, and the chance to win it is taken to
        have. steps, iterations: players' actions and playouts so far.
        doubt: the standard error that all chances to win have in common, for what a standing is worth was learned.

    ``lessons`` is the number of matches to learn that from, or what was ``learned`` in another search of this round.
    """

    def __init__(
        self, observed: Any, seat: int, actions: Any, seed: int, lessons: "int | tuple[Floats, float]" = LESSONS
    ) -> None:
        self.actions = np.array(actions)
        self.seat = seat
        self.steps = 0
        self.iterations = 0
        self._observed = array_of(observed)
        self._work = new_states(self._observed.dtype, 2)
        self._random = new_stream(0)
        self._seed = seed
        self._determinizations = 0
        self.visits = np.zeros(len(actions))
        self.values = np.zeros(len(actions))
        self._gains, self._squares = np.zeros((2, len(actions)))
        self._worth = 0.0
        self._cost = 0.0
        self._prospects = np.zeros(2)
        if len(self.actions) > 1:
            self._look(ORDER, self.actions, *self._room(0, 0), 0)
        self.doubt = 0.0
        if isinstance(lessons, int):
            self._learn_prospects(lessons)
        else:
            self._prospects, self.doubt = lessons

    @staticmethod
    def _room(determinizations: int, actions: int) -> tuple[Floats, Floats]:
        return np.zeros((determinizations, actions)), np.zeros((determinizations, actions))

    def _look(self, task: int, candidates: Any, values: Floats, leads: Floats, first: int) -> int:
        steps = look(
            task, self._observed, self._work, self.seat, candidates, values, leads, self._prospects, scratch_table(),
            self._seed, first, self._random,
        )  # fmt: skip
        if steps < 0:
            raise GameError(f"{FAULTS[steps]} (asked for seat {self.seat}): mend the game")
        self.steps += steps if task != TURN else 0
        return int(steps)

    def _learn_prospects(self, lessons: int) -> None:
        shares, leads = self._room(lessons, 1)
        if self._look(MATCHES, self.actions, shares, leads, 0):
            self._prospects = fit_prospects(leads[:, 0], shares[:, 0])
            expected = 1 / (1 + np.exp(-(self._prospects[0] + self._prospects[1] * leads)))
            self.doubt = float(np.sqrt(((shares - expected) ** 2).mean() / lessons))

    @property
    def learned(self) -> tuple[Floats, float]:
        """What a standing is worth, with its doubt: the same throughout a round."""
        return self._prospects, self.doubt

    def try_out(self, which: Any, determinizations: int) -> tuple[Floats, Floats]:
        """Try the actions with these indices in new determinizations; return values and leads (determinizations ×
        actions).
        """
        values, leads = self._room(determinizations, len(which))
        self._look(TRY, self.actions[which], values, leads, FIRST_DETERMINIZATION + self._determinizations)
        self._determinizations += determinizations
        self.iterations += determinizations * len(which)
        self.visits[which] += determinizations
        worths = values + LEAD_COUNTS * leads
        self._worth += float(worths[:, 0].sum())
        gains = worths - worths[:, :1]
        self._gains[which] += gains.sum(axis=0)
        self._squares[which] += (gains**2).sum(axis=0)
        self.values = believed_values(self.visits, self._worth, self._gains, self._squares)
        return values, leads

    def compare(self, actions: Any, determinizations: int) -> tuple[Floats, int]:
        """What these actions (by number) bring in new determinizations, beside the search, which does not count them.

        ``NO_ACTION`` is whatever the heuristic does. Returns the chances to win (determinizations × actions) and the
        number of the first of these determinizations, for :meth:`determinization`.
        """
        values, leads = self._room(determinizations, len(actions))
        first = self._determinizations
        self._look(TRY, np.array(actions, np.int64), values, leads, FIRST_DETERMINIZATION + first)
        self._determinizations += determinizations
        return values, first

    def determinize(self, number: int) -> Any:
        """The determinization of this number, drawn again; it is another after the next call."""
        self._look(TRY, self.actions[:0], *self._room(1, 0), FIRST_DETERMINIZATION + number)
        return self._work[0]

    def think(self, effort: int, tree: bool = False, solve: bool = True) -> None:
        """Spend about ``effort`` players' actions: ``solve`` the end where it is near, else halve or grow a ``tree``.

        The tree is for turns of several actions, and for enough effort; elsewhere it plays no better, and worse where
        a determinization has much to say.
        """
        if solve and self.cost() <= NEAR_THE_END and self.settle(effort):
            return
        if tree and effort >= A_TREE_NEEDS * self.cost() and self.turn_goes_on():
            self.grow_tree(effort)
        else:
            self.halve(effort)

    def cost(self) -> float:
        """How many players' actions a playout takes from here, as a few of each action tell."""
        if not self._cost:
            before = self.steps
            few = np.arange(min(FEWEST, len(self.actions)))
            self.try_out(few, PILOT)
            self._cost = (self.steps - before) / PILOT / len(few)
        return self._cost

    def turn_goes_on(self) -> bool:
        """Whether the heuristic's choice leaves the turn with the same seat: there it pays to plan several actions at
        once. Where only other actions would, one action ahead compares them more exactly.
        """
        return bool(self._look(TURN, self.actions[:1], *self._room(1, 1), FIRST_DETERMINIZATION))

    def settle(self, effort: int) -> bool:
        """Solve determinizations exactly, if they can be with this effort; whether they could."""
        state = self._observed[0]
        if len({int(partners(state, seat)) for seat in range(state.seats)}) != 2:
            return False
        unknown = int(hidden_from(state, self.seat)).bit_count()
        if unknown > FEW_UNKNOWN:
            return False
        return self.solve(SOLVED_DETERMINIZATIONS if unknown else 1, effort)

    def solve(self, determinizations: int, effort: int) -> bool:
        """Solve determinizations exactly, each for each action; false if one of them was not solved with the effort."""
        work, levels = new_states(self._observed.dtype, DEEPEST + 1), np.zeros(DEEPEST + 1, LEVEL)
        values, _ = self._room(determinizations, len(self.actions))
        solved = solve_determinizations(
            self._observed, work, levels, self.seat, self.actions, values, self._prospects, scratch_table(), self._seed,
            self._random, max(1, 2 * effort // determinizations // len(self.actions)),
        )  # fmt: skip
        if solved < determinizations:
            return False
        self.visits[:] = solved
        self.values = values.mean(axis=0)
        return True

    def _grow(self, effort: int, openings: Any, most_nodes: int = MOST_NODES) -> Any:
        nodes = np.empty(most_nodes, NODE)  # to write the zeros took a fifth of a short search; no node is read before
        steps, iterations = grow(
            self._observed, self._work, self.seat, effort, np.array(openings, np.int64), nodes,
            new_slots(min(most_nodes, effort)), self._prospects, scratch_table(), self._seed,
            FIRST_DETERMINIZATION + self._determinizations, self._random,
        )  # fmt: skip
        self.steps += steps
        self.iterations += iterations
        self._determinizations += iterations
        return nodes

    def duel(self, one: int, other: int, effort: int, most_nodes: int = MOST_NODES) -> tuple[float, float, int]:
        """What two actions (by number) are worth in a tree that tries these two equally often, and how often.

        Here the rest of the turn, and what others answer, is looked for instead of being left to the heuristic.
        """
        nodes = self._grow(effort, [one, other], most_nodes)
        found = {int(node.action): node for node in root_edges(nodes)}
        first, second = found[one], found[other]
        return first.total / first.visits, second.total / second.visits, int(second.visits)

    def grow_tree(self, effort: int) -> None:
        """Grow a tree of information sets; an action's value is its mean worth in the tree."""
        nodes = self._grow(effort, [])
        self.visits[:] = self.values[:] = 0
        index_of = {int(action): index for index, action in enumerate(self.actions)}
        for node in root_edges(nodes):
            if node.visits:
                index = index_of[int(node.action)]
                self.visits[index], self.values[index] = node.visits, node.total / node.visits

    def halve(self, effort: int) -> None:
        """Spend ``effort`` on sequential halving.

        The heuristic's choice stays to the end, so that another is chosen only if it proved better.
        """
        cost = max(1.0, self.cost())
        number = min(len(self.actions), max(FEWEST, int(effort / cost / FIRST_LOOK)))
        alive = np.arange(number)
        rounds = max(1, int(np.ceil(np.log2(number))))
        while len(alive) > 1:
            self.try_out(alive, max(1, int(effort / rounds / len(alive) / cost)))
            best = 1 + np.argsort(-self.values[alive[1:]], kind="stable")
            alive = alive[np.sort(np.append(0, best[: (len(alive) + 1) // 2 - 1]))] if len(alive) > 2 else alive[:1]

    def reliable(self) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        """Which actions were tried nearly as often as any: the others' values are too uncertain to go by."""
        enough: np.ndarray[Any, np.dtype[np.bool_]] = self.visits >= self.visits.max() / 4
        return enough

    def eligible(self) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        """Which actions may be chosen: the reliable ones that are thought no worse than the heuristic's choice.

        Among many actions that are a little worse each, a choice that is drawn would mostly fall on one of them, and a
        bot that looks ahead would be weaker than the heuristic by itself. If only worse ones are reliable, the best.
        """
        reliable = self.reliable()
        least = min(self.values[0], self.values[reliable].max())
        found: np.ndarray[Any, np.dtype[np.bool_]] = reliable & (self.values >= least)
        return found


def root_edges(nodes: Any) -> Iterator[Any]:
    """The children of a tree's root, the newest first."""
    child = int(nodes[0].first)
    while child >= 0:
        yield nodes[child]
        child = int(nodes[child].next)


def believed_values(visits: Floats, worth: float, gains: Floats, squares: Floats) -> Floats:
    """What actions are worth by what they gained on the first one, the heuristic's, in the same determinizations: not
    all of it.

    Of many actions that were tried a few times the best looks better than it is. So a gain is believed as far as its
    error is small beside what actions are thought to differ by (the mean of a normal prior and the evidence).

    Args:
        visits: in how many determinizations each action was tried.
        worth: the sum of what the first one brought.
        gains: for each action the sum of what it gained.
        squares: for each action the sum of the squares of that.
    """
    tried = np.maximum(visits, 1)
    means = gains / tried
    errors = (np.maximum(squares - tried * means**2, 0) + FEW * SPREAD) / (tried + FEW) / tried
    believed = 1 / (1 + errors / APART**2)
    by_heuristic = worth / visits[0]
    values: Floats = by_heuristic - WORSE + believed * (means + WORSE)
    values[0] = by_heuristic
    return values


def fit_prospects(leads: Floats, shares: Floats) -> Floats:
    """Constant and slope of the logistic regression of ``shares`` on ``leads``; Newton's way, with a prior.

    The prior says what a few more matches would: that a lead helps.
    """
    middle, scale = float(leads.mean()), max(1.0, float(leads.std()))
    rows = np.stack([np.ones_like(leads), (leads - middle) / scale])
    prior, sureness = np.array([0.0, 1.0]), np.array([0.5, 4.0])
    weights = prior.copy()
    for _ in range(6):
        chances = 1 / (1 + np.exp(-np.clip(weights @ rows, -30, 30)))
        gradient = rows @ (shares - chances) - sureness * (weights - prior)
        curvature = (rows * (chances * (1 - chances))) @ rows.T + np.diag(sureness)
        weights += np.clip(np.linalg.solve(curvature, gradient), -2, 2)
    slope = max(0.0, float(weights[1])) / scale
    return np.array([weights[0] - slope * middle, slope])
