"""Summary of random games."""

import numpy as np
import pytest

from parlour.contests.contest_results import outcomes
from parlour.contests.game_results import GameResult
from parlour.contests.simulation import playouts_summary
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import Playouts
from parlour.games import find_game

PAIRS = Setup(find_game("tricky-tribes"), 5, {"teams": "pairs"})
"""Two pairs and a single player: seats 0 and 2, 1 and 3, and 4."""
ALONE = Setup(find_game("tricky-tribes"), 3)


def shares_of(setup: Setup, *games: tuple[int, ...]) -> list[float]:
    """Return the win shares of games with these seats in first place."""
    winners = np.array([sum(1 << seat for seat in seats) for seats in games])
    scores, lengths = np.zeros((len(games), setup.players), np.int64), np.full(len(games), 10)
    shares: list[float] = playouts_summary(setup, Playouts(scores, winners, lengths), 1.0)["win_shares"]
    return shares


class TestWinShares:
    @pytest.mark.parametrize(
        ("winners", "shares"),
        [
            ((0, 2), [1, 0, 1, 0, 0]),
            ((4,), [0, 0, 0, 0, 1]),
            ((0, 2, 4), [0.5, 0, 0.5, 0, 0.5]),
            ((0, 1, 2, 3), [0.5, 0.5, 0.5, 0.5, 0]),
        ],
    )
    def test_a_shared_first_place_is_divided_among_the_sides(
        self, winners: tuple[int, ...], shares: list[float]
    ) -> None:
        assert shares_of(PAIRS, winners) == shares
        result = GameResult((0,) * 5, (0,) * 5, winners, (1,) * 5, (0.0,) * 5)
        sides = zip(sides_of(PAIRS), outcomes(result, sides_of(PAIRS)), strict=True)
        assert {seat: side.win_share for seats, side in sides for seat in seats} == dict(enumerate(shares)), (
            "as in contests and studies"
        )

    def test_they_are_means_over_the_games(self) -> None:
        assert shares_of(PAIRS, (0, 2), (0, 2), (0, 2, 4), (1, 3)) == [0.625, 0.25, 0.625, 0.25, 0.125]

    def test_without_partners_they_add_up_to_1(self) -> None:
        assert shares_of(ALONE, (0,), (0, 1), (0, 1, 2), (2,)) == [0.4583, 0.2083, 0.3333]


class TestMeans:
    def test_have_three_decimals(self) -> None:
        """Over many games smaller differences than 0.1 actions are certain."""
        scores, winners = np.array([[1, 2, 0]] * 7 + [[2, 2, 2]]), np.full(8, 1)
        summary = playouts_summary(ALONE, Playouts(scores, winners, np.array([10] * 7 + [11])), 1.0)
        assert (summary["mean_scores"], summary["actions_a_game"]) == ([1.125, 2.0, 0.25], 10.125)
