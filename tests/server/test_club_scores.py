"""The scores and standings of club nights with random results, compared with scores counted pair by pair."""

from random import Random

import pytest

from parlour.server.store.people.clubs import BOT, Club, ClubGame, ClubNight, ClubPlayer, ClubResult
from parlour.server.table.clubs.scores import by_deal, ranking, scores_of, standings

PLAYERS, ROUNDS = 5, 3
RESULTS = ((1, 0), (0, 1), (0.5, 0.5), (-1, 1), (1, -1), (-1, -1), ())
"""Results by seat: wins, a draw, resignations, and a game that was not finished."""


def random_night(seed: int) -> ClubNight:
    """Return a club night of five players and a bot, whose open round has results, too."""
    random, games = Random(seed), []
    for number in range(1, ROUNDS + 1):
        circle = random.sample([*range(PLAYERS), BOT], PLAYERS + 1)
        for board, deal in ((board, deal) for board in range(3) for deal in range(2)):
            pair = circle[2 * board : 2 * board + 2][:: 1 - 2 * deal]
            won = random.choice(RESULTS)
            ahead = [random.randrange(-2, 3) for _ in won]
            result = None if random.random() < 0.1 else ClubResult(won, ahead)
            games.append(ClubGame(number, board, deal, f"{number}{board}{deal}", (pair[0], pair[1]), result))
    club = Club("c", "", "trime-kicker", {}, "swiss", ROUNDS, "casual", ROUNDS, ROUNDS - 1)
    return ClubNight(club, [ClubPlayer(number, f"key {number}", "") for number in range(PLAYERS)], games)


def is_played(game: ClubGame) -> bool:
    return game.result is not None and bool(game.result.won)


def compare(one: ClubGame, other: ClubGame, seat: int) -> float:
    """Return 1 if the first result of a seat is better, 0.5 if it is equal, 0 if it is worse."""
    assert one.result is not None
    assert other.result is not None
    mine, theirs = one.result.won[seat], other.result.won[seat]
    if mine == theirs >= 0:  # the points count in a game played to its end, by both or neither
        mine, theirs = one.result.ahead[seat], other.result.ahead[seat]
    return 0.5 if mine == theirs else float(mine > theirs)


def score(game: ClubGame, same: list[ClubGame], seat: int) -> float:
    assert game.result is not None
    others = [compare(game, other, seat) for other in same if other is not game and is_played(other)]
    return sum(others) / len(others) if others else max(0, game.result.won[seat])


@pytest.mark.parametrize("seed", range(12))
class TestRandomResults:
    def test_each_score_is_the_share_of_the_other_results_that_are_lower(self, seed: int) -> None:
        for same in by_deal(random_night(seed).games).values():
            for seat in range(2):
                expected = {game.table: score(game, same, seat) for game in same if is_played(game)}
                assert scores_of(same, seat) == pytest.approx(expected)

    def test_the_standings_are_the_sums_of_the_closed_rounds(self, seed: int) -> None:
        night = random_night(seed)
        for rounds in range(ROUNDS + 1):
            sums = dict.fromkeys(range(PLAYERS), (0.0, 0, 0))
            for game in night.games:
                same = [each for each in night.games if (each.round, each.deal) == (game.round, game.deal)]
                for seat, number in enumerate(game.seats):
                    if game.round <= rounds and number != BOT and is_played(game) and game.result:
                        total, won, played = sums[number]
                        sums[number] = total + score(game, same, seat), won + (game.result.won[seat] == 1), played + 1
            order = {number: (round(total, 6), won) for number, (total, won, _) in sums.items()}
            found = standings(night, rounds)
            assert {each.number: (round(each.score, 6), each.won) for each in found} == order
            assert {each.number: each.played for each in found} == {number: sums[number][2] for number in sums}
            assert [(each.rank, each.number) for each in found] == sorted(
                (1 + sum(other > order[number] for other in order.values()), number) for number in sums
            )

    def test_the_next_round_is_paired_by_the_closed_rounds(self, seed: int) -> None:
        night = random_night(seed)
        assert list(ranking(night)) == [each.number for each in standings(night, ROUNDS - 1)]
