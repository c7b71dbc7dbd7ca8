"""Scores of a club night: each result is compared with those of the other players who held the same cards.

A game scores the share of the other results of the same deal in the same seat that are lower; equal ones count half.
Without another result to compare, as with one board, it scores 1 for a win and 0.5 for a draw. An unfinished game of a
round that the host has closed scores nothing.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parlour.server.store.people.clubs import BOT, ClubGame, ClubNight, ClubResult


@dataclass(frozen=True)
class ClubStanding:
    """The standing of a player: the rank, the sum of the scores, the games won, and the games with a result."""

    number: int
    rank: int
    score: float
    won: int
    played: int


def by_deal(games: Iterable[ClubGame]) -> dict[tuple[int, int], list[ClubGame]]:
    """Return the games by round and deal."""
    found: dict[tuple[int, int], list[ClubGame]] = {}
    for game in games:
        found.setdefault((game.round, game.deal), []).append(game)
    return found


def scores_of(games: Iterable[ClubGame], seat: int) -> dict[str, float]:
    """Return the scores of a seat in all games with the same deal, by table; a game without a result has none."""
    places = {game.table: _place(game.result, seat) for game in games if game.result is not None and game.result.won}
    ordered = sorted(places.values())
    return {table: _score(place, ordered) for table, place in places.items()}


def _score(place: tuple[float, int], ordered: Sequence[tuple[float, int]]) -> float:
    """Return the score of a place among all places of its deal, in ascending order."""
    lower, others = bisect_left(ordered, place), len(ordered) - 1
    if not others:
        return max(0.0, place[0])
    equal = bisect_right(ordered, place) - lower - 1
    return (lower + equal / 2) / others


def _place(result: ClubResult, seat: int) -> tuple[float, int]:
    return result.won[seat], 0 if result.won[seat] < 0 else result.ahead[seat]


def standings(night: ClubNight, rounds: int) -> list[ClubStanding]:
    """Return the standings after a number of rounds, the best first; equal ones share a rank."""
    sums: dict[int, tuple[float, int, int]] = {each.number: (0.0, 0, 0) for each in night.players}
    for games in by_deal(game for game in night.games if game.round <= rounds).values():
        for seat in range(2):
            scores = scores_of(games, seat)
            for game in games:
                number = game.seats[seat]
                if number != BOT and game.table in scores and game.result is not None:
                    total, won, played = sums[number]
                    sums[number] = total + scores[game.table], won + (game.result.won[seat] == 1), played + 1
    return _ranked(sums)


def _ranked(sums: dict[int, tuple[float, int, int]]) -> list[ClubStanding]:
    order = sorted(sums, key=lambda number: (-round(sums[number][0], 6), -sums[number][1], number))
    found: list[ClubStanding] = []
    for at, number in enumerate(order):
        score, won, played = sums[number]
        last = found[-1] if found else None
        even = last is not None and (round(last.score, 6), last.won) == (round(score, 6), won)
        found.append(ClubStanding(number, last.rank if even and last else at + 1, score, won, played))
    return found


def ranking(night: ClubNight) -> Sequence[int]:
    """Return the numbers of the players by the rounds that are over, the best first."""
    return [each.number for each in standings(night, night.club.closed)]
