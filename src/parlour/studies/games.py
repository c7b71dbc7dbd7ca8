"""Games of a study as arrays: self-play games of one bot, and games between two bots."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from parlour.contests.contest import Contest, Deal
from parlour.contests.contest_results import outcomes
from parlour.contests.game_results import (
    CURVE_POINTS,
    ClauseCounts,
    GameResult,
    GameStatistics,
    WinProbabilityCurve,
)
from parlour.engine.arrays import Bools, Floats
from parlour.studies.plan import Study
from parlour.studies.rulebook import BY_THE_RULES, FORFEIT

LineUp = tuple[int, ...]
"""Numbers of the bots that play: one in all seats, or a challenger and the field."""
Key = tuple[int, LineUp]
"""Number of a variation, and its line-up."""


@dataclass(frozen=True)
class Games:
    """Games of one variation and line-up, by deal.

    Attributes:
        shares: each side's share of first place: deals × games × sides.
        points: the mean score of each side's seats: deals × games × sides.
        first: the side of the first decision: deals × games.
        challenger: the side that the challenger played: deals × games; 0 in self-play.
        decisions: the number of decisions: deals × games.
        endings: the reason for the end of each game, by deal, then by game.
        clause_counts: those of the first game of each deal with instrumented rules, by the deal's index in the arrays.
        statistics: the attributes of :class:`GameStatistics` by name: deals × games each.
        win_probability: the attributes of :class:`WinProbabilityCurve` by name: deals × games each, evaluated deals
            only; the curve has a third axis for its points, and is NaN in games without a sole winner.
    """

    shares: Floats
    points: Floats
    first: Any
    challenger: Any
    decisions: Floats
    endings: list[list[str]]
    clause_counts: dict[int, ClauseCounts]
    statistics: dict[str, Floats]
    win_probability: dict[str, Floats]

    @property
    def forfeited(self) -> Bools:
        """Whether a bot forfeited the game: deals × games."""
        return np.array([[ending == FORFEIT for ending in games] for games in self.endings], bool)

    def are_alike(self, others: "Games") -> bool:
        """Return whether the games have the same points, first places, decisions, choices, leads and endings."""
        mine, theirs = (
            [each.shares, each.points, each.first, each.decisions, *each.statistics.values()] for each in (self, others)
        )
        return self.endings == others.endings and all(map(np.array_equal, mine, theirs))

    @property
    def chance_events(self) -> Floats:
        """Number of chance events: deals × games."""
        return self.statistics["events"] - self.decisions


def games_of(study: Study, deals: Iterable[Deal], keys: Collection[Key] | None = None) -> dict[Key, Games]:
    """Return all games of a study, or only those of ``keys``, by variation and line-up."""
    found: dict[Key, list[list[GameResult]]] = {}
    for deal in deals:
        of_deal: dict[Key, list[GameResult]] = {}
        for job, game in zip(study.jobs(deal.number), deal.games, strict=True):
            line_up = tuple(sorted(set(game.bots), reverse=True))
            if not job.replicate and (keys is None or (job.variation, line_up) in keys):
                of_deal.setdefault((job.variation, line_up), []).append(game)
        for key, games in of_deal.items():
            found.setdefault(key, []).append(games)
    return {key: arrays_of(study.contests[key[0]], games) for key, games in found.items()}


def replicated_shares(study: Study, deals: Iterable[Deal]) -> dict[int, Floats]:
    """Return the win shares of deals that were played several times, by variation: deals × games × sides."""
    found: dict[int, list[list[list[float]]]] = {}
    for deal in deals:
        if deal.number >= study.replicated_deals:
            continue
        of_deal: dict[int, list[list[float]]] = {}
        for job, game in zip(study.jobs(deal.number), deal.games, strict=True):
            if set(job.seating) == {study.strongest}:
                sides = study.contests[job.variation].sides
                of_deal.setdefault(job.variation, []).append([each.win_share for each in outcomes(game, sides)])
        for variation, games in of_deal.items():
            found.setdefault(variation, []).append(games)
    return {variation: np.array(games) for variation, games in found.items()}


def arrays_of(contest: Contest, deals: list[list[GameResult]]) -> Games:
    """Return the games of a contest as arrays; ``deals`` has the games of each deal."""
    side_of = {seat: number for number, side in enumerate(contest.sides) for seat in side}

    def by_game(value: Callable[[GameResult], Any], among: list[list[GameResult]] = deals) -> Any:
        return np.array([[value(game) for game in games] for games in among])

    def points_of_curve(game: GameResult) -> Any:
        won = any(each.win_share == 1 for each in outcomes(game, contest.sides))
        return game.win_probability.curve if won and game.win_probability else (np.nan,) * CURVE_POINTS

    def points(game: GameResult) -> list[float]:
        return [sum(game.scores[seat] for seat in side) / len(side) for side in contest.sides]

    weighed = [games for games in deals if all(game.win_probability for game in games)]
    return Games(
        shares=by_game(lambda game: [each.win_share for each in outcomes(game, contest.sides)]),
        points=by_game(points),
        first=by_game(lambda game: side_of[game.statistics.first] if game.statistics else 0),
        challenger=by_game(lambda game: side_of[game.bots.index(max(game.bots))]),
        decisions=by_game(lambda game: sum(game.decisions)).astype(float),
        endings=[[_ending(game) for game in games] for games in deals],
        clause_counts={place: games[0].clause_counts for place, games in enumerate(deals) if games[0].clause_counts},
        statistics={
            name: by_game(attrgetter(f"statistics.{name}")).astype(float) for name in GameStatistics.__annotations__
        },
        win_probability={
            **{
                name: by_game(attrgetter(f"win_probability.{name}"), weighed)
                for name in WinProbabilityCurve.__annotations__
            },
            "curve": by_game(points_of_curve, weighed),
        },
    )


def _ending(game: GameResult) -> str:
    return FORFEIT if game.forfeit else game.ending or BY_THE_RULES
