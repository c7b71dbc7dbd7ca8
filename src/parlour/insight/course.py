"""Course of a finished game for each seat: the probability of winning after each event, as the seat could know it.

The probability changes with every event. Changes by chance events, by cards that an own action reveals and by other
seats' actions are *luck*; changes by a seat's own decisions are its *skill*. Decisions of a bot that stands in for the
seat's player count as other seats' actions. Let V be the value of a position for a seat if all seats continue by the
heuristic, and A the value of the seat's own action in the same determinizations:

result − V(start) = Σ [V(next) − V] over chance and others' events + Σ [A − V] over own decisions

where V after an own decision is A, unless the decision reveals a card: then the change from A to V counts as chance.

This sum is exact to the last thousandth, for any values. A seat's luck has mean 0 only if the values are exact and all
others play by the heuristic. The method is that of AIVAT (Burch, Schmid, Moravčík, Morrill, Bowling, AAAI 2018); an
older form is the luck analysis in backgammon. A decision's part is displayed as A − V = (B − V) − (B − A): the gain of
the best action (B) over the heuristic, minus the *loss* of the action done.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from parlour.bots.lookahead import share_and_lead
from parlour.bots.search import Search
from parlour.engine.arrays import Floats
from parlour.engine.moves import Move
from parlour.engine.rules import MAX_SEATS, NO_ACTION
from parlour.engine.typed_state import AnyState
from parlour.insight.explanation import affordable_determinizations, chance, rank_actions
from parlour.insight.position import Position
from parlour.insight.rounding import WHOLE, whole_points
from parlour.statistics import Estimate, estimate_mean

EFFORT = 300_000
"""Default effort for a decision, in simulated players' actions; a mark for a loss takes about as much once more."""
FIRST_DIVISOR = 8
"""Divisor of the effort for the first comparison of the best action and the action done; the full effort follows only
if a mark is possible. The search for the best action always gets half of the effort: with less, it could not try all of
many actions.
"""
MOST_TREE_NODES = 1 << 15
"""Maximum number of tree nodes of a second search; near the end of a game playouts are too short for the effort to be
a limit.
"""
LEAD_MODEL_GAMES = 1500
DETERMINIZATIONS = 400
"""Number of matches for learning the value of scores in a round, and of determinizations for a position's value.
"""
MARKS = ((10, "blunder"), (5, "mistake"), (2, "slip"))
"""Marks by the cost of a decision, with their minimum in whole points of the probability of winning."""
MIN_CERTAIN_LOSS = 20
"""Minimum lower bound of the loss of a marked decision, in thousandths."""
FIND, FOUND = 50, "find"
"""Minimum lower bound of a find's gain over the heuristic, in thousandths, and the mark. A find also has no loss."""
CONFIDENCE_QUANTILE = 1.64
"""Number of standard errors from a mean to each bound of its interval: 95 % of the distribution lie above the lower."""


@dataclass(frozen=True)
class Decision:
    """Decision with more than one legal action. Probabilities are in thousandths.

    Attributes:
        seen: the number of events before the decision.
        heading: the moment of the game in the game's own words.
        seat: the deciding seat.
        do: the text of the action done.
        best: the best action, from a search in other determinizations than those of its value; it may be ``do``.
        phrase, best_phrase: both actions in the log's words.
        before: the probability of winning if the heuristic decides.
        with_best, with_done: the probabilities after ``best`` and after ``do``, in the same determinizations.
        lost: ``with_best`` minus ``with_done``, with its interval.
        won: ``with_done`` minus ``before``, with its interval.
        interval: the interval of ``before``.
        determinizations: the number of determinizations.
        actions: the number of legal actions.
        mark: the word for ``cost``, or ``"find"``, or empty.
        cost: the significant loss in whole points, the smaller of two searches' results; 0 without a mark.
    """

    seen: int
    heading: str
    seat: int
    do: str
    best: str
    phrase: str
    best_phrase: str
    before: int
    with_best: int
    with_done: int
    lost: Estimate
    won: Estimate
    interval: Estimate
    determinizations: int
    actions: int
    mark: str
    cost: int


@dataclass(frozen=True)
class Value:
    """Value, in thousandths, of a position to a seat that has no choice now, with its interval."""

    chance: int
    interval: Estimate


def in_thousandths(share: float) -> int:
    """Return a share as whole thousandths."""
    return round(WHOLE * share)


class RoundLeadModel:
    """Value of scores to a seat in one round, learned on first use from the seat's first ``position`` in the round."""

    def __init__(self, position: Position, seed: int) -> None:
        self._position, self._seed = position, seed
        self._lock = Lock()
        self._estimate: tuple[Floats, float] | None = None

    def estimate(self) -> tuple[Floats, float]:
        """Return the estimated value and its standard error, for :class:`parlour.bots.search.Search`."""
        with self._lock:
            if self._estimate is None:
                position = self._position
                self._estimate = Search(
                    position.state, position.seat, [NO_ACTION], self._seed, LEAD_MODEL_GAMES
                ).learned
            return self._estimate


def value_of(
    position: Position,
    determinizations: int = DETERMINIZATIONS,
    seed: int = 0,
    lead_model: RoundLeadModel | None = None,
) -> Value:
    """Return the probability of winning of a position's seat if all seats continue by the heuristic."""
    learned = (lead_model or RoundLeadModel(position, seed)).estimate()
    search = Search(position.state, position.seat, [NO_ACTION], seed, learned)
    values, _ = search.compare([NO_ACTION], determinizations)
    return _value(values[:, 0], search.standard_error)


def _value(values: Floats, standard_error: float) -> Value:
    found = chance(values, standard_error)
    return Value(in_thousandths(found.value), _thousandfold(found))


def _thousandfold(estimate: Estimate) -> Estimate:
    return Estimate(WHOLE * estimate.value, WHOLE * estimate.low, WHOLE * estimate.high)


@dataclass(frozen=True)
class _Comparison:
    """Values of the best action, the action done and the heuristic's action: determinizations × 3."""

    values: Floats
    lost: Estimate
    won: Estimate

    @property
    def may_be_marked(self) -> bool:
        return self.lost.high >= MIN_CERTAIN_LOSS or (self.lost.value <= 0 and self.won.high >= FIND)


def _compare(search: Search, best: Move, done: Move, effort: int) -> _Comparison:
    """Compare the best action with the action done in new determinizations."""
    values, _ = search.compare([best, done, NO_ACTION], affordable_determinizations(search, effort, 3))
    lost = _thousandfold(estimate_mean((values[:, 0] - values[:, 1]).tolist()))
    won = _thousandfold(estimate_mean((values[:, 1] - values[:, 2]).tolist()))
    return _Comparison(values, lost, won)


def judge(
    position: Position, done: Move, effort: int = EFFORT, seed: int = 0, lead_model: RoundLeadModel | None = None
) -> Decision:
    """Evaluate a decision from the observation of its seat.

    Half of the effort searches for the best action. The other half compares that action with the action done.
    The comparison stops after a fraction of its effort if a mark is impossible. A second search precedes every mark for
    a loss.
    """
    learned = (lead_model or RoundLeadModel(position, seed)).estimate()
    search = Search(position.state, position.seat, position.moves, seed, learned)
    best, comparing = Move(search.moves[rank_actions(search, effort // 2)[0]]), effort - effort // 2
    found = _compare(search, best, done, comparing // FIRST_DIVISOR)
    if found.may_be_marked:
        found = _compare(search, best, done, comparing)
    cost = certain_cost(found.lost)
    if cost:
        cost = min(cost, cost_in_tree(search, best, done, effort))
    before = _value(found.values[:, 2], search.standard_error)
    return Decision(
        seen=position.seen,
        heading=position.heading,
        seat=position.seat,
        do=position.notation(done),
        best=position.notation(best),
        phrase=position.phrase(done),
        best_phrase=position.phrase(best),
        before=before.chance,
        with_best=in_thousandths(float(found.values[:, 0].mean())),
        with_done=in_thousandths(float(found.values[:, 1].mean())),
        lost=found.lost,
        won=found.won,
        interval=before.interval,
        determinizations=len(found.values),
        actions=len(position.moves),
        mark=FOUND if is_find(found.lost, found.won) else mark_of(cost),
        cost=cost,
    )


def cost_in_tree(search: Search, best: Move, done: Move, effort: int) -> int:
    """Return the cost of an action, in whole points, by a tree search that tries it and the best action equally often.

    Playouts by the heuristic underestimate positions that only a skilled player can use.
    """
    lost = _compare_in_tree(search, best, done, effort // FIRST_DIVISOR)
    return certain_cost(_compare_in_tree(search, best, done, effort)) if lost.high >= MIN_CERTAIN_LOSS else 0


def _compare_in_tree(search: Search, best: Move, done: Move, effort: int) -> Estimate:
    better, worse, times = search.duel(best, done, effort, MOST_TREE_NODES)
    spread = sum(_variance_of(worth, times) for worth in (better, worse))
    error, lost = CONFIDENCE_QUANTILE * math.sqrt(spread / times), better - worse
    return Estimate(WHOLE * lost, WHOLE * (lost - error), WHOLE * (lost + error))


def _variance_of(worth: float, times: int) -> float:
    """Return the variance of a value from its mean over ``times`` visits and one more visit of value 1/2.

    Without that visit a single one, which is won or lost, would seem to be without error.
    """
    worth = (worth * times + 0.5) / (times + 1)
    return max(0.0, worth * (1 - worth))  # a lead may bring a value above 1


def certain_cost(lost: Estimate) -> int:
    """Return a loss in whole points, or 0 if its lower bound is too small for a mark."""
    return whole_points(lost.value / WHOLE) if lost.low >= MIN_CERTAIN_LOSS else 0


def mark_of(cost: int) -> str:
    """Return the mark for a decision's cost in whole points, or an empty string."""
    return next((mark for least, mark in MARKS if cost >= least), "")


def is_find(lost: Estimate, won: Estimate) -> bool:
    """Return whether a decision lost nothing and was significantly better than the heuristic's choice."""
    return lost.value <= 0 and won.low >= FIND


@dataclass(frozen=True)
class Sums:
    """Parts of a seat's result, in thousandths: ``start + chance + others + own`` equals the result exactly.

    ``own`` is ``offered`` (the gain of the best actions over the heuristic) minus ``lost``.
    """

    start: int
    chance: int
    others: int
    own: int
    offered: int
    lost: int
    result: int


@dataclass(frozen=True)
class Course:
    """Course of a game for a seat.

    Attributes:
        seat, name: the seat and its name.
        chances: the seat's probability of winning after each number of events, from none to all; thousandths.
        low, high: the bounds of each probability's interval.
        sums: the parts of the result.
        decisions: the decisions with several legal actions of the seat's player, in order.
        stood_in: the numbers of the events that a bot decided for this player, in order.
    """

    seat: int
    name: str
    chances: Sequence[int]
    low: Sequence[int]
    high: Sequence[int]
    sums: Sums
    decisions: Sequence[Decision]
    stood_in: Sequence[int] = ()


def course_of(
    seat: int,
    name: str,
    by: Sequence[int],
    known: Mapping[int, Value],
    decisions: Sequence[Decision],
    result: int,
    stood_in: Sequence[int] = (),
) -> Course:
    """Assemble a seat's course from the evaluations of its positions and decisions.

    Args:
        seat: the seat.
        name: the seat's name.
        by: the actor of each event: a seat, or ``CHANCE``.
        known: the values of positions in which the seat's player has no choice, by number of events. Positions after
            the player's own actions are included only if the actions revealed cards.
        decisions: the decisions of the seat's player.
        result: the seat's share of first place, in thousandths.
        stood_in: the numbers of the events that a bot decided for the seat's player, in order.
    """
    own_events = {number for number, actor in enumerate(by) if actor == seat} - {*stood_in}
    decided = {decision.seen: decision for decision in decisions}
    values = [_exact_value(0)] * (len(by) + 1)
    parts = {"chance": 0, "others": 0, "own": 0}
    after = 0  # probability after the last event, before the next position reveals anything
    for seen in range(len(by) + 1):
        values[seen] = _value_at(seen, decided, known, _exact_value(after if seen < len(by) else result))
        if seen and seen - 1 not in own_events:
            parts["chance" if by[seen - 1] < 0 else "others"] += values[seen].chance - after
        elif seen:
            parts["chance"] += values[seen].chance - after  # by the cards that the action revealed
        after = values[seen].chance
        if seen in decided:
            parts["own"] += decided[seen].with_done - after
            after = decided[seen].with_done
    lost = sum(decision.with_best - decision.with_done for decision in decisions)
    sums = Sums(values[0].chance, **parts, offered=parts["own"] + lost, lost=lost, result=result)
    return Course(
        seat, name, [value.chance for value in values], [_clamp(value.interval.low) for value in values],
        [_clamp(value.interval.high) for value in values], sums, decisions, stood_in,
    )  # fmt: skip


def _exact_value(chance: int) -> Value:
    return Value(chance, Estimate(chance, chance, chance))


def _value_at(seen: int, decided: Mapping[int, Decision], known: Mapping[int, Value], otherwise: Value) -> Value:
    if seen in decided:
        return Value(decided[seen].before, decided[seen].interval)
    return known.get(seen, otherwise)


def _clamp(chance: float) -> int:
    return round(min(max(chance, 0), WHOLE))


def result_of(state: AnyState, seat: int) -> int:
    """Return the final share of first place of a seat's side, in thousandths."""
    share, _ = share_and_lead(state, seat, np.zeros(MAX_SEATS, np.int64))
    return in_thousandths(float(share))
