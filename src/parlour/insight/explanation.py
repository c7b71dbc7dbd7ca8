"""What every action of a seat would bring, and in which layouts: the numbers behind a hint.

Half of the effort chooses the best action, by sequential halving (:mod:`parlour.bots.search`). The other half tries
that action and the next best ones in new guesses, all of them in the same ones and with the same chance. So the best is
not praised for the luck that made it seem so, and differences between actions are known far better than their values.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from parlour.bots.search import Floats, Search
from parlour.insight.kinds import Kind, telling_kind
from parlour.insight.position import Position, Whereabouts
from parlour.lab.measure import Estimate, estimate_mean

EFFORT = 3_000_000
"""So many players' actions are played in all guesses together: about a second."""
LESSONS = 4096
"""So many matches teach what a standing between two rounds is worth."""
SHOWN = 4
"""So many actions are told of: the best and the next ones."""
FEWEST_GUESSES, MOST_GUESSES = 200, 3000


@dataclass(frozen=True)
class Candidate:
    """An action and what it would bring.

    Attributes:
        do: the action's text.
        win: the chance to win after it, from 0 to 1.
        behind: how much less that is than after the first candidate, in the same guesses; 0 for that one itself.
        kind: the layouts in which ``behind`` differs most from the others.
    """

    do: str
    win: Estimate
    behind: Estimate
    kind: Kind | None


@dataclass(frozen=True)
class Explanation:
    """What is to be said of a decision.

    Attributes:
        game, players: what is played.
        seat: who decides.
        seen: after how many events.
        guesses: in how many layouts the candidates were tried.
        seed, effort: with these the same comes out again.
        candidates: first the action found best, then the next ones, the best first.
        others: the texts of the actions that seemed worse, about which nothing else is said.
        matters: the layouts in which the chance to win by the best action differs most from that in the others.
    """

    game: str
    players: int
    seat: int
    seen: int
    guesses: int
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
    guesses = affordable(search, effort - effort // 2, len(candidates))
    values, first = search.compare(search.actions[candidates], guesses)
    whereabouts = Whereabouts(position, guesses)
    for number in range(guesses):
        whereabouts.note(number, search.guess(first + number))
    told = [
        Candidate(
            position.action_name(int(search.actions[index])),
            chance(values[:, column], search.doubt),
            estimate_mean((values[:, 0] - values[:, column]).tolist()),
            telling_kind(values[:, 0] - values[:, column], whereabouts) if column else None,
        )
        for column, index in enumerate(candidates)
    ]
    return Explanation(
        game=position.game.id,
        players=position.players,
        seat=position.seat,
        seen=position.seen,
        guesses=guesses,
        seed=seed,
        effort=effort,
        candidates=[told[0], *sorted(told[1:], key=lambda candidate: candidate.behind.value)],
        others=sorted(
            position.action_name(int(action)) for index, action in enumerate(search.actions) if index not in candidates
        ),
        matters=telling_kind(values[:, 0], whereabouts),
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
    """In how many guesses so many actions can be tried with this effort, within bounds."""
    before = search.steps
    search.compare(search.actions[:1], 8)
    cost = max(1.0, (search.steps - before) / 8)
    return int(np.clip(effort / cost / actions, FEWEST_GUESSES, MOST_GUESSES))


def chance(values: Floats, doubt: float) -> Estimate:
    """A mean chance to win, whose interval also has the doubt that all guesses share."""
    found = estimate_mean(values.tolist())
    reach = float(np.hypot(found.high - found.value, 1.96 * doubt))
    return Estimate(found.value, max(0.0, found.value - reach), min(1.0, found.value + reach))
