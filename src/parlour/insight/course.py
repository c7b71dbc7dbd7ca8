"""How a finished game went for each seat: its chance to win after each event, as the seat could know it then.

Between the beginning and the result the chance to win changes with every event. The changes by chance events and by
what other seats did are *luck*; those by a seat's own decisions are its *skill*. With V the value of a position for a
seat, all others and itself going on by the heuristic, and A that of its own action in the same determinizations:

    result − V(start) = Σ [V(next) − V] over chance and others' events + Σ [A − V] over own decisions

which adds up to the last thousandth, whatever the values are. For the mean of a seat's luck to be nothing the values
would have to be exact and all others to play by the heuristic; that idea is AIVAT's (Burch, Schmid, Moravčík,
Morrill, Bowling, AAAI 2018), and before it that of the luck analysis in backgammon. A decision's part is told as
A − V = (B − V) − (B − A): what the best action (B) offered over the heuristic, less what was *lost* of it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from parlour.bots.lookahead import NO_ACTION, standing
from parlour.bots.search import Floats, Search
from parlour.engine.rules import MAX_SEATS
from parlour.insight.explanation import affordable, chance, ranked
from parlour.insight.numbers import WHOLE, whole_points
from parlour.insight.position import Position
from parlour.lab.measure import Estimate, estimate_mean

EFFORT = 300_000
"""Default effort for a decision, in actions over all determinizations; one to be marked gets three times that again."""
FIRST_LOOK = 8
"""The best action and the one done are first compared with this fraction of the effort, with all only if a mark may be
due. The best one is always looked for with half of the effort: with less, few of many actions would be tried.
"""
SECOND_LOOK = 2
MOST_DUEL_NODES = 1 << 15
"""Nodes of the tree of a second look: near the end, where playouts are short, its effort would buy far too many."""
LESSONS = 1500
DETERMINIZATIONS = 400
"""Matches played once a round to learn what the score is worth, and determinizations for the value of a position."""
MARKS = ((10, "blunder"), (5, "mistake"), (2, "slip"))
"""Marks, by what a decision is found to have cost, in whole points of the chance to win."""
DOUBTFUL = 20
"""A decision is marked only if the nearer end of the interval of its loss is at least this many thousandths."""
FIND, FOUND = 50, "find"
"""A find lost nothing, and certainly gained at least this many thousandths over the heuristic; and its mark."""
SURE = 1.64
"""Standard errors to the nearer end of an interval: nineteen of twenty lie on the right side of it."""


@dataclass(frozen=True)
class Decision:
    """A decision of which there was more than one action to choose from. Chances are thousandths.

    Attributes:
        seen: after how many events.
        heading: where in the game that is, in the game's words.
        seat: who decided.
        do: what was done.
        best: what was found best on other determinizations than those it was measured in; ``do`` itself if that was it.
        phrase, best_phrase: both as the log says them.
        before: the chance to win if the heuristic decides.
        with_best, with_done: the chance to win after ``best`` and after ``do``, in the same determinizations.
        lost: ``with_best`` less ``with_done``, with its interval, in thousandths.
        won: ``with_done`` less ``before``, with its interval, in thousandths.
        interval: that of ``before``.
        determinizations: how many.
        actions: how many were legal.
        mark: the word for ``cost``, or ``"find"``, or nothing.
        cost: what is found to be lost beyond doubt, in whole points: the less of what two ways of looking ahead find,
            and 0 of a decision that is not marked.
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
    """What a position is worth to a seat that does not decide now: thousandths, and the interval."""

    chance: int
    interval: Estimate


def in_thousandths(share: float) -> int:
    """A share as whole thousandths."""
    return round(WHOLE * share)


class Lessons:
    """What a standing is worth to a seat in a round; learned once, from its first ``position`` there."""

    def __init__(self, position: Position, seed: int) -> None:
        self._position, self._seed = position, seed
        self._lock = Lock()
        self._learned: tuple[Floats, float] | None = None

    def learned(self) -> tuple[Floats, float]:
        """For :class:`parlour.bots.search.Search`."""
        with self._lock:
            if self._learned is None:
                position = self._position
                self._learned = Search(position.state, position.seat, [NO_ACTION], self._seed, LESSONS).learned
            return self._learned


def value_of(
    position: Position, determinizations: int = DETERMINIZATIONS, seed: int = 0, lessons: Lessons | None = None
) -> Value:
    """The chance to win of a position's seat if everyone goes on by the heuristic."""
    learned = (lessons or Lessons(position, seed)).learned()
    search = Search(position.state, position.seat, [NO_ACTION], seed, learned)
    values, _ = search.compare([NO_ACTION], determinizations)
    return _value(values[:, 0], search.doubt)


def _value(values: Floats, doubt: float) -> Value:
    found = chance(values, doubt)
    return Value(in_thousandths(found.value), _thousandfold(found))


def _thousandfold(estimate: Estimate) -> Estimate:
    return Estimate(WHOLE * estimate.value, WHOLE * estimate.low, WHOLE * estimate.high)


@dataclass(frozen=True)
class _Comparison:
    """What the best action, the one done and the heuristic's bring: determinizations × 3."""

    values: Floats
    lost: Estimate
    won: Estimate

    @property
    def may_be_marked(self) -> bool:
        return self.lost.high >= DOUBTFUL or (self.lost.value <= 0 and self.won.high >= FIND)


def _compare(search: Search, best: int, done: int, effort: int) -> _Comparison:
    """Measure the best action and the one done in new determinizations."""
    values, _ = search.compare([best, done, NO_ACTION], affordable(search, effort, 3))
    lost = _thousandfold(estimate_mean((values[:, 0] - values[:, 1]).tolist()))
    won = _thousandfold(estimate_mean((values[:, 1] - values[:, 2]).tolist()))
    return _Comparison(values, lost, won)


def judge(
    position: Position, done: int, effort: int = EFFORT, seed: int = 0, lessons: Lessons | None = None
) -> Decision:
    """What could be known of a decision when it was made.

    Half of the effort is for the best action. The other half is spent only where a fraction of it leaves a mark
    possible, and a second opinion is asked where a mark is due.
    """
    learned = (lessons or Lessons(position, seed)).learned()
    search = Search(position.state, position.seat, position.actions, seed, learned)
    best, comparing = int(search.actions[ranked(search, effort // 2)[0]]), effort - effort // 2
    found = _compare(search, best, done, comparing // FIRST_LOOK)
    if found.may_be_marked:
        found = _compare(search, best, done, comparing)
    cost = certain_cost(found.lost)
    if cost:
        cost = min(cost, second_opinion(search, best, done, SECOND_LOOK * effort))
    before = _value(found.values[:, 2], search.doubt)
    return Decision(
        seen=position.seen,
        heading=position.heading,
        seat=position.seat,
        do=position.action_name(done),
        best=position.action_name(best),
        phrase=position.action_phrase(done),
        best_phrase=position.action_phrase(best),
        before=before.chance,
        with_best=in_thousandths(float(found.values[:, 0].mean())),
        with_done=in_thousandths(float(found.values[:, 1].mean())),
        lost=found.lost,
        won=found.won,
        interval=before.interval,
        determinizations=len(found.values),
        actions=len(position.actions),
        mark=FOUND if is_find(found.lost, found.won) else mark_of(cost),
        cost=cost,
    )


def second_opinion(search: Search, best: int, done: int, effort: int) -> int:
    """What an action is found to cost by a tree that tries it and the best one equally often, in whole points.

    What the heuristic goes on badly from is not bad for a player who knows how to go on.
    """
    lost = _duel(search, best, done, effort // FIRST_LOOK)
    return certain_cost(_duel(search, best, done, effort)) if lost.high >= DOUBTFUL else 0


def _duel(search: Search, best: int, done: int, effort: int) -> Estimate:
    better, worse, times = search.duel(best, done, effort, MOST_DUEL_NODES)
    spread = sum(max(0.0, worth * (1 - worth)) for worth in (better, worse))  # a lead may bring a worth above 1
    error, lost = SURE * math.sqrt(spread / times), better - worse
    return Estimate(WHOLE * lost, WHOLE * (lost - error), WHOLE * (lost + error))


def certain_cost(lost: Estimate) -> int:
    """A loss in whole points, or 0 if it may be too small for a mark: the nearer end of the interval decides."""
    return whole_points(lost.value / WHOLE) if lost.low >= DOUBTFUL else 0


def mark_of(cost: int) -> str:
    """The word for what a decision cost, in whole points."""
    return next((mark for least, mark in MARKS if cost >= least), "")


def is_find(lost: Estimate, won: Estimate) -> bool:
    """Whether a decision lost nothing, and was beyond doubt much better than the heuristic's."""
    return lost.value <= 0 and won.low >= FIND


@dataclass(frozen=True)
class Sums:
    """What a seat's result came from, in thousandths: ``start + chance + others + own`` is the result exactly.

    ``own`` is ``offered`` (what the best actions had over the heuristic) less ``lost``.
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
    """How a game went for a seat.

    Attributes:
        seat, name: whose it is.
        chances: its chance to win after each number of events, from none to all; thousandths.
        low, high: the interval of each.
        sums: what the result came from.
        decisions: those among several actions, in order.
    """

    seat: int
    name: str
    chances: Sequence[int]
    low: Sequence[int]
    high: Sequence[int]
    sums: Sums
    decisions: Sequence[Decision]


def course_of(
    seat: int, name: str, by: Sequence[int], known: Mapping[int, Value], decisions: Sequence[Decision], result: int
) -> Course:
    """Put together what was found out for a seat.

    Args:
        seat: whose course it is.
        name: what it is called.
        by: who did each event: a seat, or ``CHANCE``.
        known: the value of the positions in which it decides nothing, by the number of events; after an action of its
            own only where that turned something up.
        decisions: its decisions.
        result: its share of the first place, in thousandths.
    """
    decided = {decision.seen: decision for decision in decisions}
    values = [_exactly(0)] * (len(by) + 1)
    parts = {"chance": 0, "others": 0, "own": 0}
    after = 0  # the chance to win after the last event, before anything is learned of the next position
    for seen in range(len(by) + 1):
        values[seen] = _value_at(seen, decided, known, _exactly(after if seen < len(by) else result))
        if seen and by[seen - 1] != seat:
            parts["chance" if by[seen - 1] < 0 else "others"] += values[seen].chance - after
        elif seen:
            parts["chance"] += values[seen].chance - after  # what it turned up
        after = values[seen].chance
        if seen in decided:
            parts["own"] += decided[seen].with_done - after
            after = decided[seen].with_done
    lost = sum(decision.with_best - decision.with_done for decision in decisions)
    sums = Sums(values[0].chance, **parts, offered=parts["own"] + lost, lost=lost, result=result)
    return Course(
        seat, name, [value.chance for value in values], [_within(value.interval.low) for value in values],
        [_within(value.interval.high) for value in values], sums, decisions,
    )  # fmt: skip


def _exactly(chance: int) -> Value:
    return Value(chance, Estimate(chance, chance, chance))


def _value_at(seen: int, decided: Mapping[int, Decision], known: Mapping[int, Value], otherwise: Value) -> Value:
    if seen in decided:
        return Value(decided[seen].before, decided[seen].interval)
    return known.get(seen, otherwise)


def _within(chance: float) -> int:
    return round(min(max(chance, 0), WHOLE))


def result_of(state: Any, seat: int) -> int:
    """The share of the first place that a seat's side has in the end, in thousandths."""
    share, _ = standing(state, seat, np.zeros(MAX_SEATS, np.int64))
    return in_thousandths(float(share))
