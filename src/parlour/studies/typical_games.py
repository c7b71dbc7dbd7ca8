"""Typical games of a study's findings: chosen by a rule, stored as records, with the moment and the clauses.

For a difference beyond doubt in the strongest bot's self-play, the typical deals are three of those that differ in its
direction: the deals whose difference is nearest to their median, the first ones in case of a tie. Both variations'
games of such a deal are played again, event by event, which gives the same games.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.contests.contest import Deal, Job
from parlour.contests.game_results import GameResult
from parlour.studies.comparisons import Difference, contrast_of_each, sort_by_p_value
from parlour.studies.estimates import StudyEstimates
from parlour.studies.measures import Measure
from parlour.studies.rule_measures import ORDINALS

MOST_DEALS = 3
"""Maximum number of typical deals of a finding."""
_MOST_FINDINGS = 3
"""Maximum number of findings of each variation with typical games, the surest first."""
_MOST_CLAUSES = 3
"""Maximum number of clauses named for a pair of games."""
RULE = (
    "Of the deals that differ in the direction of the finding, those whose difference is nearest to the median; the "
    "first deals in case of a tie."
)
_END_MEASURES = (
    "draws", "minutes", "decisions", "margin", "skill", "ending", "side", "points",
    *(f"{place}_player" for place in ORDINALS),
)  # fmt: skip
"""Prefixes of the names of the measures of :func:`is_shown_at_end`."""


@dataclass(frozen=True)
class TypicalGame:
    """One game of a typical pair.

    Attributes:
        variation: the number of the variation.
        number: the game's number in the file of typical games, from 1.
        at: the number of events before the decision that shows the finding.
        record: the game's record.
    """

    variation: int
    number: int
    at: int
    record: Mapping[str, Any]


@dataclass(frozen=True)
class TypicalDeal:
    """Typical deal of a finding.

    Attributes:
        finding: the difference.
        deal: the deal's number.
        by: the measure's difference in this deal.
        games: the first variation's game and the other variation's game.
        parts: the index of the first event that differs, or the length of the shorter game.
        clauses: clauses with the difference of their counts, the other variation's minus the first variation's.
    """

    finding: Difference
    deal: int
    by: float
    games: tuple[TypicalGame, TypicalGame]
    parts: int
    clauses: tuple[tuple[str, int], ...]


def typical_deals(values: Sequence[float], direction: float) -> list[int]:
    """Return the indices of the typical deals, by :data:`RULE`.

    Args:
        values: the difference of each deal.
        direction: the mean difference; its sign counts.
    """
    found = np.asarray(values, float) * np.sign(direction)
    possible = np.flatnonzero(found > 1e-9)
    if not len(possible):
        return []
    distance = np.round(np.abs(found[possible] - np.median(found[possible])), 9)
    return sorted(int(possible[place]) for place in np.argsort(distance, kind="stable")[:MOST_DEALS])


def findings_of(estimates: StudyEstimates) -> list[Difference]:
    """Return the findings with typical games: the surest ones of each variation, in the strongest bot's self-play.

    Differences of clauses and of chances to win have none.
    """
    top = (estimates.study.strongest,)
    significant = sort_by_p_value(
        each
        for each in [*estimates.differences, *estimates.result_differences]
        if each.significant and each.base == 0 and each.line_up == top and not each.measure.needs_win_probability
    )
    found: list[Difference] = []
    for each in significant:
        if sum(other.variation == each.variation for other in found) < _MOST_FINDINGS:
            found.append(each)
    return sorted(found, key=lambda each: each.variation)


def is_shown_at_end(measure: Measure) -> bool:
    """Return whether the end of a game shows a measure; the first different event shows the others."""
    return measure.name.startswith(_END_MEASURES)


def typical_games(estimates: StudyEstimates, deals: Sequence[Deal]) -> list[TypicalDeal]:
    """Return the typical games of a study's findings, played again.

    A deal is left out if a game does not repeat its result, as with a bot that has randomness of its own.
    """
    replayed = _GameReplayer(estimates, deals)
    found: list[TypicalDeal] = []
    for finding in findings_of(estimates):
        values = contrast_of_each(estimates, finding.contrast, finding.line_up, finding.measure)
        for deal in typical_deals(values.tolist(), finding.by.value) if len(values) == len(deals) else ():
            games = replayed.game(0, deal), replayed.game(finding.variation, deal)
            if None in games:
                continue
            results = [game for game in games if game is not None]
            records = [dict(result.record or {}) for result in results]
            parts = first_difference(*(record["events"] for record in records))
            numbers = len(found) * 2
            ends = is_shown_at_end(finding.measure)
            of_pair = [
                TypicalGame(number, numbers + place + 1, decision_at(record["events"], None if ends else parts), record)
                for place, (number, record) in enumerate(zip((0, finding.variation), records, strict=True))
            ]
            before, after = (result.clause_counts.clauses if result.clause_counts else {} for result in results)
            clauses = clauses_behind(before, after, len(records[1]["events"]) / len(records[0]["events"]))
            by = float(values[deal]) * finding.measure.scale
            found.append(TypicalDeal(finding, deals[deal].number, by, (of_pair[0], of_pair[1]), parts, clauses))
    return found


class _GameReplayer:
    """Games of the strongest bot alone, played again with records and clause counts."""

    def __init__(self, estimates: StudyEstimates, deals: Sequence[Deal]) -> None:
        self._study, self._deals = estimates.study, deals
        self._arenas: dict[int, Any] = {}
        self._games: dict[tuple[int, int], GameResult | None] = {}

    def game(self, variation: int, place: int) -> GameResult | None:
        """Return the game of a deal, or ``None`` if it does not repeat its result."""
        key = (variation, place)
        if key not in self._games:
            if variation not in self._arenas:
                self._arenas[variation] = self._study.contests[variation].arena(statistics=True, record=True)
            deal = self._deals[place]
            jobs = zip(self._study.jobs(deal.number), deal.games, strict=True)
            job, before = next(each for each in jobs if self._is_wanted(each[0], variation))
            again = self._arenas[variation].play(deal.number, job.seating, trace_clauses=True)
            same = (again.scores, again.winners, again.decisions) == (before.scores, before.winners, before.decisions)
            self._games[key] = again if same and again.record else None
        return self._games[key]

    def _is_wanted(self, job: Job, variation: int) -> bool:
        return job.variation == variation and set(job.seating) == {self._study.strongest}


def first_difference(events: Sequence[Any], others: Sequence[Any]) -> int:
    """Return the index of the first event that differs, or the length of the shorter list."""
    for index, (one, other) in enumerate(zip(events, others, strict=False)):
        if one != other:
            return index
    return min(len(events), len(others))


def decision_at(events: Sequence[Any], moment: int | None) -> int:
    """Return the number of events before the last decision up to the event ``moment``; ``None``: of the whole game."""
    decisions = [index for index, event in enumerate(events) if event["by"] != "chance"]
    until = [index for index in decisions if moment is None or index <= moment]
    return until[-1] if until else decisions[0]


def clauses_behind(
    clauses: Mapping[str, int], others: Mapping[str, int], length: float = 1.0
) -> tuple[tuple[str, int], ...]:
    """Return the clauses whose frequencies per event differ most between two games, with the difference of the counts.

    Clauses that fired in only one of the games come first. A clause that fires at nearly every event fires more often
    in a longer game, and explains nothing: clauses whose counts follow the number of events to within one are left out.

    Args:
        clauses: the counts of the first game.
        others: the counts of the second game.
        length: the number of events of the second game, divided by that of the first.
    """
    by = Counter(others)
    by.subtract(clauses)
    beyond = {clause: others.get(clause, 0) - length * clauses.get(clause, 0) for clause in by}
    in_both = clauses.keys() & others.keys()
    differing = [
        (clause, number)
        for clause, number in by.items()
        if number and (clause not in in_both or (abs(beyond[clause]) >= 1 and beyond[clause] * number > 0))
    ]
    differing.sort(key=lambda each: (each[0] in in_both, -abs(beyond[each[0]])))
    return tuple(differing[:_MOST_CLAUSES])
