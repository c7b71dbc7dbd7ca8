"""Ratings after a finished game, by Glicko-2: a side against every other side.

A game is a rating period, with one result against each other side. A side of several seats plays as the mean of its
seats, with the root of the mean squared deviation; the expected result of each of its players is that of the side.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from parlour.engine.events import current_result
from parlour.engine.match import Match
from parlour.engine.rewards import sides_of
from parlour.glicko import RatedGame, Rating, rating_after
from parlour.server.store.stored_table import StoredSeat
from parlour.server.table.people.resignation import resignations_of
from parlour.server.table.ratings.levels import bot_rating


@dataclass(frozen=True)
class RatedResult:
    """The result of a finished game as ratings need it.

    Attributes:
        sides: the place of each side: of two sides the one with the greater place did better. A place is a pair: 2 for
            winners, 0 for a side that has resigned, 1 for the others; and the points of the others, else 0.
        resigned: the seats that resigned; they have lost against every side that has not.
        bots: the ratings of the seats of bots.
    """

    sides: Mapping[frozenset[int], tuple[int, int]]
    resigned: frozenset[int]
    bots: Mapping[int, Rating]

    def rate(self, before: Mapping[int, Rating]) -> dict[int, Rating]:
        """Return the ratings of people after the game from those before, by seat."""
        all_before = {**self.bots, **before}
        return {seat: self._rate_seat(seat, all_before) for seat in before}

    def _rate_seat(self, seat: int, before: Mapping[int, Rating]) -> Rating:
        own = next(side for side in self.sides if seat in side)
        lead = before[seat].value - _mean_of(own, before).value  # over the own side, in points
        games = []
        for side in self.sides:
            if side != own:
                other = _mean_of(side, before)
                games.append(RatedGame(other.value + lead, other.deviation, self._score(seat, own, side)))
        return rating_after(before[seat], games)

    def _score(self, seat: int, own: frozenset[int], other: frozenset[int]) -> float:
        if seat in self.resigned and self.sides[other][0] > 0:
            return 0.0
        difference = (self.sides[own] > self.sides[other]) - (self.sides[own] < self.sides[other])
        return (1 + difference) / 2


def _mean_of(side: frozenset[int], ratings: Mapping[int, Rating]) -> Rating:
    """Return the rating as which a side plays."""
    members = [ratings[seat] for seat in side]
    return Rating(fmean(each.value for each in members), math.sqrt(fmean(each.deviation**2 for each in members)))


def rated_result(match: Match, seats: Mapping[int, StoredSeat], resigned: Sequence[int]) -> RatedResult:
    """Return the result of a finished game."""
    found, result = resignations_of(match, seats, resigned), current_result(match.state)
    people = {number for number, seat in seats.items() if seat.bot is None}
    places = {}
    for side in map(frozenset, sides_of(match.setup)):
        won = bool(side & set(found.winners))
        lost = bool(people & side) and people & side <= set(resigned)
        rank = 0 if lost else 2 if won else 1
        places[side] = (rank, max(result.scores[seat] for seat in side) if rank == 1 else 0)
    bots = {number: bot_rating(match.game.id, seat.bot) for number, seat in seats.items() if seat.bot}
    return RatedResult(places, frozenset(resigned), bots)
