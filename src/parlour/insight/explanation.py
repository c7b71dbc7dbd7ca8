"""What every action of a seat would bring, and in which layouts: the numbers behind a hint.

Half of the effort chooses the few best actions, by sequential halving (:mod:`parlour.bots.search`). The other half
tries these in new determinizations, all of them in the same ones and with the same chance. So they are not praised for
the luck that made them seem the best, and differences between them are known far better than their values. They are
told in the order of what they brought there, so that nothing stands above what is worth more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from parlour.bots.search import Floats, Search
from parlour.insight.layout_kinds import Kind, telling_kind
from parlour.insight.position import Position, Whereabouts
from parlour.insight.rounding import whole_points
from parlour.statistics import Estimate, estimate_mean

EFFORT = 3_000_000
"""Default effort, in actions over all determinizations: about a second."""
LESSONS = 4096
"""Matches played to learn what the score between two rounds is worth."""
SHOWN = 4
"""Actions told of: the best and the next ones."""
FEWEST_DETERMINIZATIONS, MOST_DETERMINIZATIONS = 200, 3000


@dataclass(frozen=True)
class Candidate:
    """An action and what it would bring.

    Attributes:
        do: the action's text.
        phrase: how the log says it: ``"end the turn"``.
        win: the chance to win after it, from 0 to 1.
        behind: how much less that is than after the first candidate, in the same determinizations; 0 for that one
            itself.
        percent: the chance to win as it is told, in whole percent.
        less: how much less that is than the first candidate's, in points; ``None`` if it is about as good: no point
            less, or perhaps no worse.
        kind: the layouts in which ``behind`` differs most from the others.
    """

    do: str
    phrase: str
    win: Estimate
    behind: Estimate
    percent: int
    less: int | None
    kind: Kind | None


@dataclass(frozen=True)
class Explanation:
    """What is to be said of a decision.

    Attributes:
        game, players: what is played.
        seat: who decides.
        seen: after how many events.
        determinizations: in how many layouts the candidates were tried.
        seed, effort: with these the same comes out again.
        candidates: the few actions found best, by their chance to win; what wins more never stands below.
        others: the texts of the actions that seemed worse, about which nothing else is said.
        matters: the layouts in which the chance to win by the best action differs most from that in the others.
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
    matters: Kind | None

    def to_json(self) -> dict[str, Any]:
        """As JSON values; estimates are objects with the keys value, low and high."""
        plain: dict[str, Any] = to_plain(self)
        return plain


def to_plain(value: Any) -> Any:
    """Dataclasses and what is in them as JSON values."""
    if isinstance(value, Estimate):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (list, tuple)):
        return [to_plain(each) for each in value]
    return value


def explain(position: Position, effort: int = EFFORT, seed: int = 0) -> Explanation:
    """Explain a decision by what its seat may know; the same for all that looks the same to it.

    Raises:
        ValueError: the seat has nothing to decide.
    """
    if not position.actions:
        raise ValueError("the seat has nothing to decide")
    search = Search(position.state, position.seat, position.actions, seed, LESSONS)
    candidates = ranked(search, effort // 2)[:SHOWN]
    determinizations = affordable(search, effort - effort // 2, len(candidates))
    values, first = search.compare(search.actions[candidates], determinizations)
    whereabouts = Whereabouts(position, determinizations)
    for number in range(determinizations):
        whereabouts.note(number, search.determinize(first + number))
    order = sorted(range(len(candidates)), key=lambda column: -float(values[:, column].mean()))
    best = values[:, order[0]]
    told = [
        _candidate(
            position, int(search.actions[candidates[column]]), values[:, column], best if place else None, search.doubt,
            whereabouts,
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
        candidates=told,
        others=sorted(
            position.action_name(int(action)) for index, action in enumerate(search.actions) if index not in candidates
        ),
        matters=telling_kind(best, whereabouts),
    )


def _candidate(
    position: Position, action: int, values: Floats, best: Floats | None, doubt: float, whereabouts: Whereabouts
) -> Candidate:
    """What is to be told of an action; without a ``best`` beside it, it is the best itself."""
    gap = values - values if best is None else best - values
    win, behind = chance(values, doubt), estimate_mean(gap.tolist())
    points = whole_points(float((values + gap).mean())) - whole_points(win.value)
    return Candidate(
        do=position.action_name(action),
        phrase=position.action_phrase(action),
        win=win,
        behind=behind,
        percent=whole_points(win.value),
        less=0 if best is None else points if points and behind.low > 0 else None,
        kind=None if best is None else telling_kind(gap, whereabouts),
    )


def ranked(search: Search, effort: int) -> list[int]:
    """The indices of the actions, the one found best first, then those tried often, then the others.

    The end is not solved even where it could be: what is best by exact play need not be what the playouts measure.
    """
    if len(search.actions) == 1:
        return [0]
    search.think(effort, solve=False)
    sure, values = search.reliable(), search.values
    return sorted(range(len(search.actions)), key=lambda index: (not sure[index], -values[index]))


def affordable(search: Search, effort: int, actions: int) -> int:
    """The number of determinizations in which this many actions can be tried with this effort, within bounds."""
    before = search.steps
    search.compare(search.actions[:1], 8)
    cost = max(1.0, (search.steps - before) / 8)
    return int(np.clip(effort / cost / actions, FEWEST_DETERMINIZATIONS, MOST_DETERMINIZATIONS))


def chance(values: Floats, doubt: float) -> Estimate:
    """A mean chance to win, whose interval also has the doubt that all determinizations share."""
    found = estimate_mean(values.tolist())
    reach = float(np.hypot(found.high - found.value, 1.96 * doubt))
    return Estimate(found.value, max(0.0, found.value - reach), min(1.0, found.value + reach))
