"""Measures of single sides, places, endings, clauses and sources of points, made for the games of a study."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from parlour import inference
from parlour.contests.game_results import ClauseCounts
from parlour.engine.arrays import Floats
from parlour.statistics import Estimate
from parlour.studies import formulas
from parlour.studies.games import Games
from parlour.studies.measures import EDGE, SHARE, Measure
from parlour.studies.rulebook import mean_points

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True)
class SideMeasure(Measure):
    """Measure of one side; ``side`` is counted from 0."""

    side: int = 0

    def applies(self, games: Games) -> bool:
        """Return whether games have this side."""
        return self.side < int(games.shares.shape[2])


@cache
def side_measure(side: int) -> Measure:
    """Return the measure of a side's win share above the even share; ``side`` is counted from 0."""
    return SideMeasure(
        f"side_{side + 1}",
        f"Side {side + 1}: wins beyond even",
        "points of 100 games",
        lambda games: formulas.side_shares(games.shares)[:, side] - 1 / games.shares.shape[2],
        EDGE,
        (f"side {side + 1} wins {{by}} more of 100 games", f"side {side + 1} wins {{by}} fewer of 100 games"),
        side=side,
    )


@cache
def place_measure(place: int) -> Measure:
    """Return the measure of the win share above even of the player in the seat ``place`` after the first player's."""
    name = ORDINALS[place]
    return Measure(
        f"{name}_player",
        f"{name.capitalize()} player's wins beyond even",
        "points of 100 games",
        lambda games: formulas.edge_of(games.shares, (games.first + place) % games.shares.shape[2]),
        EDGE,
        (f"the {name} player wins {{by}} more of 100 games", f"the {name} player wins {{by}} fewer of 100 games"),
    )


def _ending_shares(matches: Callable[[str], bool]) -> Callable[[Games], Floats]:
    """Return a function that takes games and returns, for each deal, the share of games with a matching ending."""
    return lambda games: np.array([sum(map(matches, deal)) / len(deal) for deal in games.endings])


@cache
def ending_measure(way: str) -> Measure:
    """Return the measure of the share of games that end in one way; ``way`` is the game's own text."""
    return Measure(
        f"ending: {way}",
        f"Games that end because {way}",
        "% of games",
        _ending_shares(lambda each: each == way),
        SHARE,
        (f"{{by}} more of 100 games end because {way}", f"{{by}} fewer of 100 games end because {way}"),
    )


@dataclass(frozen=True)
class TracedMeasure(Measure):
    """Measure of the clause counts of the traced games.

    Attributes:
        count: computes the value of one game; ``None`` leaves the game out.
    """

    count: Callable[[ClauseCounts], float | None] = lambda counts: None

    def contrast(self, weighted: Sequence[tuple[Games, float]]) -> Floats:
        """Return one weighted sum for each traced deal.

        Deals in which the game of a variation has no value are left out.
        """
        every = [{deal: self.count(counts) for deal, counts in games.clause_counts.items()} for games, _ in weighted]
        shared = [deal for deal in every[0] if all(each.get(deal) is not None for each in every)]
        weights = [weight for _, weight in weighted]
        return np.array(
            [sum(weight * (each[deal] or 0.0) for weight, each in zip(weights, every, strict=True)) for deal in shared]
        )


def _counted_values(count: Callable[[ClauseCounts], float | None]) -> Callable[[Games], Floats]:
    def values(games: Games) -> Floats:
        found = [value for each in games.clause_counts.values() if (value := count(each)) is not None]
        return np.array(found, float)

    return values


@cache
def clause_measure(clause: str) -> Measure:
    """Return the measure of the number of events in a game at which a clause fires."""

    def count(counts: ClauseCounts) -> float:
        return float(counts.clauses.get(clause, 0))

    return TracedMeasure(
        f"clause {clause}",
        f"{clause} fires",
        "events a game",
        _counted_values(count),
        says=(f"{clause} fires {{by}} times more a game", f"{clause} fires {{by}} times less a game"),
        count=count,
    )


def _points_from(matches: Callable[[str], bool]) -> Callable[[ClauseCounts], float | None]:
    """Return a function that takes counts of a game and returns the points of matching sources; ``None`` if none."""

    def count(counts: ClauseCounts) -> float | None:
        if not counts.points:
            return None
        return sum(mean_points(points) for source, points in counts.points.items() if matches(source))

    return count


@cache
def source_measure(source: str) -> Measure:
    """Return the measure of the absolute points that a source brings a seat in a game."""
    count = _points_from(lambda each: each == source)
    return TracedMeasure(
        f"points: {source}",
        f"Points from {source}",
        "a seat and game",
        _counted_values(count),
        says=(f"{source} bring a seat {{by}} points more", f"{source} bring a seat {{by}} points less"),
        count=count,
    )


@dataclass(frozen=True)
class SidesMeasure(Measure):
    """Measure of all sides together: the largest distance of a side's win share from the even share."""

    def estimate(self, games: Games) -> Estimate:
        """Return the distance, with its interval."""
        return inference.largest_mean(formulas.side_shares(games.shares) - 1 / games.shares.shape[2])


SIDES = SidesMeasure(
    "sides",
    "Largest distance of a side from an even share",
    "points of 100 games",
    lambda games: np.abs(formulas.side_shares(games.shares) - 1 / games.shares.shape[2]).max(axis=1),
    EDGE,
)


def plain_words(words: str) -> str:
    """Return words normalized for comparison: lower case, spaces for underscores, no final *s*.

    A normalized text stays as it is: *class* and *clas* both become *cla*.
    """
    return " ".join(word.rstrip("s") for word in words.lower().replace("_", " ").split())


def has_words(text: str, words: str) -> bool:
    """Return whether a text contains some words, in any case, in the singular or plural."""
    return plain_words(words) in plain_words(text)


@cache
def ending_like(words: str) -> Measure:
    """Return the measure of the share of games whose ending contains some words, in any case."""
    return replace(
        ending_measure(words),
        name=f"ending {words}",
        title=f"Games that end because … {words} …",
        values=_ending_shares(lambda each: has_words(each, words)),
    )


@cache
def source_like(words: str) -> Measure:
    """Return the measure of a seat's absolute points from the sources whose text contains some words."""
    count = _points_from(lambda each: has_words(each, words))
    return TracedMeasure(
        f"points {words}", f"Points from {words}", "a seat and game", _counted_values(count), count=count
    )
