"""Search for one decision of one seat: selects the algorithm and keeps its results. Game-independent."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from parlour.bots.endgame import DEEPEST, LEVEL, solve_determinizations
from parlour.bots.lookahead import (
    LEAD_COUNTS,
    MATCHES,
    NO_SHARE,
    NOT_AN_INDEX,
    NOT_LEGAL,
    ORDER,
    PILOT,
    TOO_LONG,
    TRY,
    TURN,
    look_ahead,
    new_lead_model,
)
from parlour.bots.search_threads import in_pieces
from parlour.bots.tree import MOST_NODES, NODE, grow, new_slots
from parlour.engine.arrays import Bools, Floats, Int64s, Records, States, Stream
from parlour.engine.chance import new_stream
from parlour.engine.errors import GameError
from parlour.engine.game import MAX_EVENTS
from parlour.engine.information.belief import MOST_EFFORT, draw_pool
from parlour.engine.information.determinization import hidden_from, scratch_table
from parlour.engine.rules import NO_ACTION, array_of, new_states, partners
from parlour.engine.typed_state import AnyState, OwnState

LEAD_MODEL_GAMES = 192
"""Maximum number of matches played to their end to learn the value of a score between two rounds."""
LEAD_MODEL_SHARE = 8
"""Divisor of a limited effort: these matches may take an eighth of it; ``PILOT`` of them are always played."""
FEWEST_CANDIDATES, USUAL_CANDIDATES, FEW_PLAYOUTS, MANY_PLAYOUTS = 4, 12, 16, 100
"""Candidates and their playouts. A search tries the first 4 moves with any effort, up to 12 if it can give each of them
16 playouts, and more if it can give each of them 100.
"""
BELIEF_SHARE = 0.08
"""Default share of an effort that weighs determinizations by the others' past actions, in games that allow it."""
NEAR_THE_END = 20
"""Maximum number of actions left in a playout for solving determinizations exactly."""
FEW_UNKNOWN = 8
"""Maximum number of unknown cards for exact solving: the solution of a determinization assumes that draws and the
others' hands are known, so more unknown cards make its values overconfident.
"""
SOLVED_DETERMINIZATIONS = 200
"""Number of determinizations for exact solving if cards are unknown."""
FEWEST_TREE_PLAYOUTS = 60
"""Minimum number of playouts for growing a tree: in a smaller one, values of rarely visited nodes are mostly luck."""
POINTS_COUNT = 0.25
"""Value of a lead of one standard deviation, if points are the objective: about as much as it raises the probability of
winning, so that priors and temperatures have the same effect.
"""
SHARED_PLAYOUTS = 500
"""Least number of playouts that threads share: fewer end sooner than other threads begin."""
PRIOR_LOSS, PRIOR_LOSS_SPREAD = 0.02, 0.03
"""Prior of an untried action: mean and standard deviation of its loss against the heuristic's choice."""
PRIOR_WEIGHT, PRIOR_VARIANCE = 4, 0.1
"""Prior of a gain's variance: its weight in determinizations, and the variance."""
FAULTS = {
    NOT_AN_INDEX: "heuristic_choice returned no index of the legal actions",
    NOT_LEGAL: "heuristic_action returned an action that is not legal",
    TOO_LONG: f"a game played by the heuristic has not ended after {MAX_EVENTS:,} actions",
}
"""Messages for faults of a game that a search detects."""
FIRST_DETERMINIZATION = 1 << 20
"""Number of the first stream for determinizations of playouts. Earlier streams are for the matches of
:data:`LEAD_MODEL_GAMES` and for exact solving.
"""


class Search:
    """Search for one decision of one seat.

    Attributes:
        moves: the legal moves, the heuristic's choice first.
        seat: the seat to act.
        visits, values: for each move the number of determinizations in which it was tried, and its estimated
            probability of winning plus a little for the lead (:data:`LEAD_COUNTS`), or with ``points`` its value by
            this objective.
        steps, iterations: players' actions and playouts so far, without those of exact solving. Each of the others'
            past decisions that is evaluated for the belief counts as an action.
        standard_error: the standard error of the fitted lead model, which all values have in common.

    Args:
        lead_model: the number of matches for the fit of the lead model, or the ``learned`` model of another search of
            this round.
        effort: the effort of the decision, which limits the number of these matches and the effort for the belief;
            unlimited by default.
        preference: for each of ``moves`` the probability by a policy that is better than the heuristic. The moves are
            sorted by it, and the most probable one takes the place of the heuristic's choice.
        points: the weight of the lead at the end of the round in the objective, from 0 to 1; the rest is winning.
        belief: the share of the effort that weighs determinizations by the others' past actions
            (:mod:`parlour.engine.information.belief`), from 0 to 1.
    """

    def __init__(
        self,
        observed: AnyState,
        seat: int,
        moves: Sequence[int] | Int64s,
        seed: int,
        lead_model: "int | tuple[Floats, float]" = LEAD_MODEL_GAMES,
        effort: int | None = None,
        preference: Floats | None = None,
        points: float = 0.0,
        belief: float = BELIEF_SHARE,
    ) -> None:
        self.moves = np.array(moves)
        self.seat = seat
        self.steps = 0
        self.iterations = 0
        self._observed = array_of(observed)
        self._work = new_states(self._observed.dtype, 2)
        self._random = new_stream(0)
        self._seed = seed
        self._determinizations = 0
        self.visits = np.zeros(len(moves))
        self.values = np.zeros(len(moves))
        self._gains, self._squares = np.zeros((2, len(moves)))
        self._worth = 0.0
        self._cost = 0.0
        self._lead_model = new_lead_model()
        most = int(belief * effort) if effort is not None else MOST_EFFORT if belief else 0
        self._pool, evaluated = draw_pool(self._observed, seat, seed, min(MOST_EFFORT, most), in_pieces)
        self.steps += evaluated
        if self.moves[0] != NO_ACTION:
            self._look_ahead(ORDER, self.moves, *self._room(0, 0), 0)
        if preference is not None:
            preferred = dict(zip(np.array(moves).tolist(), preference.tolist(), strict=True))
            self.moves = np.array(sorted(self.moves.tolist(), key=lambda move: -preferred[move]))
        self.standard_error = 0.0
        if not isinstance(lead_model, int):
            model, self.standard_error = lead_model
            self._lead_model = model.copy()
        elif points < 1:
            self._fit_lead_model(lead_model, effort)
        if points:
            self._weigh_points(points)

    @staticmethod
    def _room(determinizations: int, moves: int) -> tuple[Floats, Floats]:
        return np.zeros((determinizations, moves)), np.zeros((determinizations, moves))

    def _look_ahead(self, task: int, candidates: Int64s, values: Floats, leads: Floats, first: int) -> int:
        if task == TRY and values.size >= SHARED_PLAYOUTS:
            found = in_pieces(len(values), partial(self._try_piece, candidates, values, leads, first))
        else:
            found = [self._call(task, candidates, values, leads, first, self._work, self._random)]
        if (fault := min(found)) < 0:
            raise GameError(f"{FAULTS[fault]} (asked for seat {self.seat}): correct the game")
        steps = sum(found)
        self.steps += steps if task != TURN else 0
        return steps

    def _try_piece(self, candidates: Int64s, values: Floats, leads: Floats, first: int, rows: slice) -> int:
        """Try the candidates in the determinizations of some rows, maybe in another thread."""
        work, random = new_states(self._observed.dtype, 2), new_stream(0)
        return self._call(TRY, candidates, values[rows], leads[rows], first + rows.start, work, random)

    def _call(
        self, task: int, candidates: Int64s, values: Floats, leads: Floats, first: int, work: States, random: Stream
    ) -> int:
        return int(look_ahead(
            task, self._observed, work, self.seat, candidates, values, leads, self._lead_model, self._pool,
            scratch_table(), self._seed, first, random,
        ))  # fmt: skip

    def _weigh_points(self, points: float) -> None:
        values, leads = self._room(PILOT, 1)
        self._look_ahead(TRY, self.moves[:1], values, leads, 0)
        self._lead_model[2:] = 1 - points, points * POINTS_COUNT / max(1.0, float(leads.std()))

    def _fit_lead_model(self, games: int, effort: int | None) -> None:
        shares, leads = self._room(games, 1)
        steps = self._look_ahead(MATCHES, self.moves, shares[:PILOT], leads[:PILOT], 0)
        if shares[0, 0] == NO_SHARE:
            return
        if effort is not None:
            games = min(games, max(PILOT, PILOT * effort // LEAD_MODEL_SHARE // steps))
        if games > PILOT:
            self._look_ahead(MATCHES, self.moves, shares[PILOT:games], leads[PILOT:games], PILOT)
        shares, leads = shares[:games], leads[:games]
        self._lead_model[:2] = fit_lead_model(leads[:, 0], shares[:, 0])
        expected = 1 / (1 + np.exp(-(self._lead_model[0] + self._lead_model[1] * leads)))
        self.standard_error = float(np.sqrt(((shares - expected) ** 2).mean() / games))

    @property
    def learned(self) -> tuple[Floats, float]:
        """Return the lead model and its standard error, which are valid for all searches of this round."""
        return self._lead_model, self.standard_error

    def try_out(self, which: Int64s, determinizations: int) -> tuple[Floats, Floats]:
        """Try the moves with these indices, of which the first must be 0, in new determinizations.

        Returns the probabilities of winning and the leads, two arrays of the shape determinizations × moves.
        """
        values, leads = self._room(determinizations, len(which))
        self._look_ahead(TRY, self.moves[which], values, leads, FIRST_DETERMINIZATION + self._determinizations)
        self._determinizations += determinizations
        self.iterations += determinizations * len(which)
        self.visits[which] += determinizations
        worths = values + LEAD_COUNTS * leads
        self._worth += float(worths[:, 0].sum())
        gains = worths - worths[:, :1]
        self._gains[which] += gains.sum(axis=0)
        self._squares[which] += (gains**2).sum(axis=0)
        self.values = posterior_values(self.visits, self._worth, self._gains, self._squares)
        return values, leads

    def compare(self, moves: Sequence[int] | Int64s, determinizations: int) -> tuple[Floats, int]:
        """Return the values of moves in new determinizations; ``visits`` and ``values`` of the search stay unchanged.

        ``NO_ACTION`` stands for the heuristic's choice. Returns the probabilities of winning (determinizations ×
        moves) and the number of the first of these determinizations, for :meth:`determinize`.
        """
        values, leads = self._room(determinizations, len(moves))
        first = self._determinizations
        self._look_ahead(TRY, np.array(moves, np.int64), values, leads, FIRST_DETERMINIZATION + first)
        self._determinizations += determinizations
        return values, first

    def determinize(self, number: int) -> OwnState:
        """Return the determinization of this number, drawn again; the next call of any method overwrites it."""
        self._look_ahead(TRY, self.moves[:0], *self._room(1, 0), FIRST_DETERMINIZATION + number)
        return self._work[0]

    def think(self, effort: int, tree: bool = False, solve: bool = True) -> None:
        """Spend about ``effort`` players' actions on the search.

        With ``solve``, ends of rounds are solved exactly if possible. Otherwise the search is sequential halving or,
        with ``tree``, a tree for turns of several actions if the effort suffices. Elsewhere a tree plays no better, and
        it plays worse where values differ much between determinizations.
        """
        before = self.steps
        if self.cost() <= NEAR_THE_END and solve and self.settle(effort):
            return
        effort -= self.steps - before
        if tree and effort >= FEWEST_TREE_PLAYOUTS * self.cost() and self.turn_goes_on():
            self.grow_tree(effort)
        else:
            self.halve(effort)

    def cost(self) -> float:
        """Return the number of players' actions in a playout from here, measured on a few playouts."""
        if not self._cost:
            before = self.steps
            self.compare(self.moves[:1], PILOT)
            self._cost = (self.steps - before) / PILOT
        return self._cost

    def turn_goes_on(self) -> bool:
        """Return whether the heuristic's choice leaves the turn with the same seat, so that planning pays.

        If only other actions leave the turn with that seat, a search of one ply compares them more precisely.
        """
        return bool(self._look_ahead(TURN, self.moves[:1], *self._room(1, 1), FIRST_DETERMINIZATION))

    def settle(self, effort: int) -> bool:
        """Solve determinizations exactly if there are two sides, few unknown cards and enough effort.

        Return whether they have been solved.
        """
        state = self._observed[0]
        if len({int(partners(state, seat)) for seat in range(state.seats)}) != 2:
            return False
        unknown = int(hidden_from(state, self.seat)).bit_count()
        if unknown > FEW_UNKNOWN:
            return False
        return self.solve(SOLVED_DETERMINIZATIONS if unknown else 1, effort)

    def solve(self, determinizations: int, effort: int) -> bool:
        """Solve determinizations exactly for each action; return whether all of them were solved within the effort.

        An effort of one action counts as two positions.
        """
        work, levels = new_states(self._observed.dtype, DEEPEST + 1), np.zeros(DEEPEST + 1, LEVEL)
        values, _ = self._room(determinizations, len(self.moves))
        solved = solve_determinizations(
            self._observed, work, levels, self.seat, self.moves, values, self._lead_model, self._pool,
            scratch_table(), self._seed, self._random, max(1, 2 * effort // determinizations // len(self.moves)),
        )  # fmt: skip
        if solved < determinizations:
            return False
        self.visits[:] = solved
        self.values = values.mean(axis=0)
        return True

    def _grow(self, effort: int, openings: Sequence[int], most_nodes: int = MOST_NODES) -> Records:
        # Not zeros, which would take a fifth of a short search: no node is read before it is written.
        nodes = np.empty(most_nodes, NODE)
        slots = new_slots(min(most_nodes, max(effort, len(openings))))
        steps, iterations = grow(
            self._observed, self._work, self.seat, effort, np.array(openings, np.int64), nodes,
            slots, self._lead_model, self._pool, scratch_table(), self._seed,
            FIRST_DETERMINIZATION + self._determinizations, self._random,
        )  # fmt: skip
        self.steps += steps
        self.iterations += iterations
        self._determinizations += iterations
        return nodes

    def duel(self, one: int, other: int, effort: int, most_nodes: int = MOST_NODES) -> tuple[float, float, int]:
        """Return the values of two moves in a tree that tries both equally often, and the number of visits of each.

        The tree searches the rest of the turn and the others' answers instead of leaving them to the heuristic. It
        visits each move at least once, even if a single playout takes more than the effort.
        """
        nodes = self._grow(effort, [one, other], most_nodes)
        found = {int(node.action): node for node in root_edges(nodes)}
        first, second = found[one], found[other]
        return first.total / first.visits, second.total / second.visits, int(second.visits)

    def grow_tree(self, effort: int) -> None:
        """Grow a tree of information sets; an action's value is its mean in the tree."""
        nodes = self._grow(effort, [])
        self.visits[:] = self.values[:] = 0
        index_of = {int(move): index for index, move in enumerate(self.moves)}
        for node in root_edges(nodes):
            if node.visits:
                index = index_of[int(node.action)]
                self.visits[index], self.values[index] = node.visits, node.total / node.visits

    def halve(self, effort: int) -> None:
        """Spend ``effort`` on sequential halving.

        The heuristic's choice stays to the end, so that another action is chosen only if it proved better.
        """
        cost = max(1.0, self.cost())
        playouts = int(effort / cost)
        usual = min(USUAL_CANDIDATES, playouts // FEW_PLAYOUTS)
        number = min(len(self.moves), max(FEWEST_CANDIDATES, usual, playouts // MANY_PLAYOUTS))
        alive = np.arange(number)
        rounds = max(1, int(np.ceil(np.log2(number))))
        while len(alive) > 1:
            self.try_out(alive, max(1, int(effort / rounds / len(alive) / cost)))
            best = 1 + np.argsort(-self.values[alive[1:]], kind="stable")
            alive = alive[np.sort(np.append(0, best[: (len(alive) + 1) // 2 - 1]))] if len(alive) > 2 else alive[:1]

    def reliable(self) -> Bools:
        """Return a mask of the actions tried at least a quarter as often as the most tried; others are uncertain."""
        enough: Bools = self.visits >= self.visits.max() / 4
        return enough

    def eligible(self) -> Bools:
        """Return a mask of the actions that may be chosen: reliable and valued no less than the heuristic's.

        Among many slightly worse actions a random draw would mostly select one of them, and the search would be weaker
        than the heuristic alone. If all reliable actions are worse, only the best of them may be chosen; likewise if a
        tree never visited the heuristic's, whose value is then unknown.
        """
        reliable = self.reliable()
        best = self.values[reliable].max()
        least = min(self.values[0], best) if self.visits[0] else best
        found: Bools = reliable & (self.values >= least)
        return found


def root_edges(nodes: Records) -> Iterator[Any]:
    """Yield the children of a tree's root, the newest first."""
    child = int(nodes[0].first)
    while child >= 0:
        yield nodes[child]
        child = int(nodes[child].next)


def posterior_values(visits: Floats, worth: float, gains: Floats, squares: Floats) -> Floats:
    """Return the posterior means of actions' values, from their gains over the first action, the heuristic's.

    Of many actions tried a few times, the best looks better than it is. Each gain is therefore shrunk towards a normal
    prior, by more if its error is larger relative to the prior's spread.

    Args:
        visits: the number of determinizations in which each action was tried.
        worth: the sum of the first action's values.
        gains: for each action the sum of its gains.
        squares: for each action the sum of the squared gains.
    """
    tried = np.maximum(visits, 1)
    means = gains / tried
    variances = (np.maximum(squares - tried * means**2, 0) + PRIOR_WEIGHT * PRIOR_VARIANCE) / (tried + PRIOR_WEIGHT)
    errors = variances / tried
    kept = 1 / (1 + errors / PRIOR_LOSS_SPREAD**2)
    by_heuristic = worth / visits[0]
    values: Floats = by_heuristic - PRIOR_LOSS + kept * (means + PRIOR_LOSS)
    values[0] = by_heuristic
    return values


def fit_lead_model(leads: Floats, shares: Floats) -> Floats:
    """Return constant and slope of the logistic regression of ``shares`` on ``leads``, by Newton's method.

    A prior with the weight of a few matches says that a lead helps.
    """
    middle, scale = float(leads.mean()), max(1.0, float(leads.std()))
    rows = np.stack([np.ones_like(leads), (leads - middle) / scale])
    prior, precision = np.array([0.0, 1.0]), np.array([0.5, 4.0])
    weights = prior.copy()
    for _ in range(6):
        chances = 1 / (1 + np.exp(-np.clip(weights @ rows, -30, 30)))
        gradient = rows @ (shares - chances) - precision * (weights - prior)
        curvature = (rows * (chances * (1 - chances))) @ rows.T + np.diag(precision)
        weights += np.clip(np.linalg.solve(curvature, gradient), -2, 2)
    slope = max(0.0, float(weights[1])) / scale
    return np.array([weights[0] - slope * middle, slope])
