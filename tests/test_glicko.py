"""Ratings by Glicko-2, against the worked example of the paper."""

import pytest

from parlour.glicko import RatedGame, Rating, rating_after


class TestRating:
    def test_the_example_of_the_paper_is_reproduced(self):
        games = [RatedGame(1400, 30, 1), RatedGame(1550, 100, 0), RatedGame(1700, 300, 0)]
        found = rating_after(Rating(1500, 200, 0.06), games)
        assert found.value == pytest.approx(1464.06, abs=0.01)
        assert found.deviation == pytest.approx(151.52, abs=0.01)
        assert found.volatility == pytest.approx(0.05999, abs=0.00001)

    def test_surprising_results_increase_the_volatility(self):
        wins = [RatedGame(2500, 30, 1)] * 8
        found = rating_after(Rating(1500, 50, 0.06), wins)
        assert found.volatility > 0.06
        assert found.value > 1600

    def test_a_result_makes_a_rating_more_certain(self):
        assert rating_after(Rating(), [RatedGame(1500, 80, 1)]).deviation < 350
