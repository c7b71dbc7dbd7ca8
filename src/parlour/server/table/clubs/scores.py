"""Scores of a club night: each result is compared with those of the other players who held the same cards.

A game scores the share of the other results of the same deal in the same seat that are lower; equal ones count half.
Without another result to compare, as with one board, it scores 1 for a win and 0.5 for a draw. An unfinished game of a
round that the host has closed scores nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parlour.server.store.people.clubs import BOT, ClubGame, ClubResult, Evening


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


def score_of_seat(game: ClubGame, seat: int, games: Iterable[ClubGame]) -> float | None:
    """Return the score of a seat; ``None`` without a result. ``games`` has all games with the same deal."""
    if game.result is None or not game.result.won:
        return None
    own = _place(game.result, seat)
    others = [
        _place(each.result, seat)
        for each in games
        if each.table != game.table and each.result is not None and each.result.won
    ]
    if not others:
        return max(0.0, game.result.won[seat])
    return sum((place < own) + (place == own) / 2 for place in others) / len(others)


def _place(result: ClubResult, seat: int) -> tuple[float, int]:
    return result.won[seat], 0 if result.won[seat] < 0 else result.ahead[seat]


def standings(evening: Evening, rounds: int) -> list[ClubStanding]:
    """Return the standings after a number of rounds, the best first; equal ones share a rank."""
    sums: dict[int, tuple[float, int, int]] = {each.number: (0.0, 0, 0) for each in evening.players}
    same = by_deal(game for game in evening.games if game.round <= rounds)
    for game in (game for games in same.values() for game in games):
        for seat, number in enumerate(game.seats):
            score = None if number == BOT else score_of_seat(game, seat, same[game.round, game.deal])
            if score is not None and game.result is not None:
                total, won, played = sums[number]
                sums[number] = total + score, won + (game.result.won[seat] == 1), played + 1
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


def ranking(evening: Evening) -> Sequence[int]:
    """Return the numbers of the players by the rounds that are over, the best first."""
    return [each.number for each in standings(evening, evening.club.closed)]
