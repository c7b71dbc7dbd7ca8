"""Explanation of a decision: the value of each action and the layouts that matter; the numbers behind a hint.

Half of the effort chooses the few best actions by sequential halving (:mod:`parlour.bots.search`). The other half tries
these *candidates* in new determinizations, the same for all and with the same random numbers. The candidates' values
are therefore free of selection bias, and differences of values are more precise than the values themselves. Candidates
are sorted by these values.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from parlour.bots.search import Search
from parlour.engine.arrays import Floats
from parlour.engine.moves import Move
from parlour.insight.layout_kinds import LayoutKind, most_significant_kind
from parlour.insight.position import Position, Whereabouts
from parlour.insight.rounding import whole_points
from parlour.statistics import Estimate, estimate_mean

EFFORT = 3_000_000
"""Default effort, in simulated players' actions: about a second."""
LEAD_MODEL_GAMES = 4096
"""Number of matches played to learn the value of a score between two rounds."""
MOST_CANDIDATES = 4
"""Maximum number of candidates: the best action and the next ones."""
FEWEST_DETERMINIZATIONS, MOST_DETERMINIZATIONS = 200, 3000
"""Minimum and maximum number of determinizations in which candidates are compared."""


@dataclass(frozen=True)
class Candidate:
    """Action with its value.

    Attributes:
        do: the action's text.
        phrase: the log's wording: ``"end the turn"``.
        win: the probability of winning after the action, from 0 to 1.
        behind: the first candidate's probability minus this candidate's, in the same determinizations; 0 for the
            first.
        percent: the displayed probability of winning, in whole percent.
        less: the displayed difference to the first candidate, in points; ``None`` if the two are about as good,
            because the difference rounds to 0 or is not significant; 0 for the first.
        kind: the layouts in which ``behind`` differs most from its value in all other layouts.
    """

    do: str
    phrase: str
    win: Estimate
    behind: Estimate
    percent: int
    less: int | None
    kind: LayoutKind | None


@dataclass(frozen=True)
class Explanation:
    """Explanation of a decision.

    Attributes:
        game, players: the game.
        seat: the deciding seat.
        seen: the number of events before the decision.
        determinizations: the number of determinizations in which the candidates were tried.
        seed, effort: the same values reproduce the explanation.
        candidates: the few best actions, sorted by probability of winning.
        others: the texts of the actions that are not among the candidates.
        matters: the layouts in which the best action's probability of winning differs most from that in all others.
    """

    game: str
    players: int
    seat: int
    seen: int
    determinizations: int
    seed: int
    effort: int
    candidates: Sequence[Candidate]
    others: Sequence[str]
    matters: LayoutKind | None

    def to_json(self) -> dict[str, Any]:
        """Return JSON values; estimates are objects with the keys value, low and high."""
        plain: dict[str, Any] = to_plain(self)
        return plain


def to_plain(value: Any) -> Any:
    """Convert dataclasses, with their contents, to JSON values."""
    if isinstance(value, Estimate):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (list, tuple)):
        return [to_plain(each) for each in value]
    return value


def explain(position: Position, effort: int = EFFORT, seed: int = 0) -> Explanation:
    """Explain a decision from its seat's observation; equal observations give equal explanations.

    Raises:
        ValueError: the seat has nothing to decide.
    """
    if not position.moves:
        raise ValueError("the seat has nothing to decide")
    search = Search(position.state, position.seat, position.moves, seed, LEAD_MODEL_GAMES)
    candidates = rank_actions(search, effort // 2)[:MOST_CANDIDATES]
    determinizations = affordable_determinizations(search, effort - effort // 2, len(candidates))
    values, first = search.compare(search.moves[candidates], determinizations)
    whereabouts = Whereabouts(position, determinizations)
    for number in range(determinizations):
        whereabouts.note(number, search.determinize(first + number))
    order = sorted(range(len(candidates)), key=lambda column: -float(values[:, column].mean()))
    best = values[:, order[0]]
    shown = [
        _candidate(
            position, Move(search.moves[candidates[column]]), values[:, column], best if place else None,
            search.standard_error, whereabouts,
        )
        for place, column in enumerate(order)
    ]  # fmt: skip
    return Explanation(
        game=position.game.id,
        players=position.players,
        seat=position.seat,
        seen=position.seen,
        determinizations=determinizations,
        seed=seed,
        effort=effort,
        candidates=shown,
        others=sorted(
            position.notation(Move(move)) for index, move in enumerate(search.moves) if index not in candidates
        ),
        matters=most_significant_kind(best, whereabouts),
    )


def _candidate(
    position: Position,
    move: Move,
    values: Floats,
    best: Floats | None,
    standard_error: float,
    whereabouts: Whereabouts,
) -> Candidate:
    """Return the candidate for a move; ``best`` holds the best action's values, ``None`` for the best itself."""
    gap = values - values if best is None else best - values
    win, behind = chance(values, standard_error), estimate_mean(gap.tolist())
    points = whole_points(float((values + gap).mean())) - whole_points(win.value)
    return Candidate(
        do=position.notation(move),
        phrase=position.phrase(move),
        win=win,
        behind=behind,
        percent=whole_points(win.value),
        less=0 if best is None else points if points and behind.low > 0 else None,
        kind=None if best is None else most_significant_kind(gap, whereabouts),
    )


def rank_actions(search: Search, effort: int) -> list[int]:
    """Return the indices of the actions: the best one, then the others with a reliable value, then the rest.

    The search does not solve endgames exactly: values here come from playouts, and the best action by exact play need
    not be the best by playouts.
    """
    if len(search.moves) == 1:
        return [0]
    search.think(effort, solve=False)
    reliable, values = search.reliable(), search.values
    return sorted(range(len(search.moves)), key=lambda index: (not reliable[index], -values[index]))


def affordable_determinizations(search: Search, effort: int, actions: int) -> int:
    """Return the number of determinizations in which the effort suffices to try all ``actions``, within bounds."""
    before = search.steps
    search.compare(search.moves[:1], 8)
    cost = max(1.0, (search.steps - before) / 8)
    return int(np.clip(effort / cost / actions, FEWEST_DETERMINIZATIONS, MOST_DETERMINIZATIONS))


def chance(values: Floats, standard_error: float) -> Estimate:
    """Return a mean probability of winning; its interval includes the standard error common to all determinizations."""
    found = estimate_mean(values.tolist())
    reach = float(np.hypot(found.high - found.value, 1.96 * standard_error))
    return Estimate(found.value, max(0.0, found.value - reach), min(1.0, found.value + reach))
