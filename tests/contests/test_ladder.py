"""Ratings: known values, and known strengths recovered from games drawn by them."""

import math

import numpy as np
import pytest

from parlour.contests.contest import LADDER, Contest, Deal
from parlour.contests.contest_results import Outcome, add_places
from parlour.contests.game_results import GameResult
from parlour.contests.ladder import LadderResult, estimate_ratings, ratings_of
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.sample_size import sample_size

STRENGTHS = np.array([1.0, 2.0, 5.0, 0.5])
RATINGS = 400 * np.log10(STRENGTHS) - np.mean(400 * np.log10(STRENGTHS))


def draw_orders(deals: int, seed: int) -> "np.ndarray":
    """Return the share of games in which one bot was ahead of another, drawn by strength: deals × 4 × 4."""
    random = np.random.default_rng(seed)
    found = np.zeros((deals, 4, 4))
    for ahead in found:
        order = np.argsort(random.exponential(1 / STRENGTHS))  # the order of exponential times is Plackett and Luce's
        for place, bot in enumerate(order):
            ahead[bot, order[place + 1 :]] = 1
    return found


class TestRatings:
    def test_the_rating_difference_of_two_bots_is_the_odds_with_one_drawn_game_added(self) -> None:
        first, second = ratings_of(np.array([[0.0, 90.0], [10.0, 0.0]]))
        assert first == pytest.approx(-second)
        assert first - second == pytest.approx(400 * math.log10(90.5 / 10.5), abs=1e-3)

    def test_a_bot_that_always_wins_has_a_finite_rating(self) -> None:
        first, second = ratings_of(np.array([[0.0, 100.0], [0.0, 0.0]]))
        assert first - second == pytest.approx(400 * math.log10(100.5 / 0.5), abs=1e-3)

    def test_a_bot_that_always_wins_has_an_interval_of_positive_width(self) -> None:
        ahead = np.array([[[0.0, 2.0, 2.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]]] * 20)
        for estimate in estimate_ratings(ahead):
            assert estimate.low + 50 < estimate.value < estimate.high - 50

    def test_rated_through_a_third_bot_differences_add_up(self) -> None:
        """10 : 1 and 10 : 1 make nearly 100 : 1, exactly without the added draws."""
        ahead = np.array([[0.0, 1e6, 0.0], [1e5, 0.0, 1e6], [0.0, 1e5, 0.0]])
        first, second, third = ratings_of(ahead)
        assert (first - second, second - third) == pytest.approx((400, 400), abs=0.1)

    def test_known_strengths_are_recovered_from_games_of_four(self) -> None:
        assert ratings_of(draw_orders(20_000, 1).sum(axis=0)) == pytest.approx(RATINGS, abs=6)

    def test_the_interval_of_a_single_deal_is_infinite(self) -> None:
        assert {(each.low, each.high) for each in estimate_ratings(draw_orders(1, 1))} == {(-math.inf, math.inf)}

    @pytest.mark.slow
    def test_the_intervals_of_few_deals_have_their_coverage(self) -> None:
        held = []
        for seed in range(sample_size(12)):
            for estimate, rating in zip(estimate_ratings(draw_orders(5, seed)), RATINGS, strict=True):
                held.append(estimate.low <= rating <= estimate.high)
        assert np.mean(held) > 0.85

    @pytest.mark.slow
    def test_the_intervals_have_their_coverage(self) -> None:
        held = []
        for seed in range(sample_size(24)):
            for estimate, rating in zip(estimate_ratings(draw_orders(150, seed)), RATINGS, strict=True):
                held.append(estimate.low <= rating <= estimate.high)
        assert 0.89 < np.mean(held) < 0.99

    def test_ratings_do_not_depend_on_the_order_of_bots(self) -> None:
        ahead = draw_orders(200, 3).sum(axis=0)
        turned = [2, 0, 3, 1]
        assert ratings_of(ahead)[turned] == pytest.approx(ratings_of(ahead[np.ix_(turned, turned)]))

    def test_equal_bots_are_rated_equal(self) -> None:
        assert ratings_of(np.full((3, 3), 7.0) * (1 - np.eye(3))) == pytest.approx([0, 0, 0], abs=1e-6)


class TestPlaces:
    def test_a_shared_place_counts_half_each_way_and_a_bot_is_never_ahead_of_itself(self) -> None:
        ahead = [[0.0] * 3 for _ in range(3)]
        sides = [(0, True, 0.0), (1, True, 0.0), (1, False, 4.0), (2, False, 1.0)]
        add_places(ahead, [Outcome(bot, 0.0, 0.0, (won, score)) for bot, won, score in sides])
        assert ahead == [[0.0, 1.5, 1.0], [0.5, 0.0, 2.0], [0.0, 0.0, 0.0]]


class TestLadder:
    def standing(self) -> LadderResult:
        """Return a ladder in which thumb beats random in three deals of four and draws the last."""
        standing = LadderResult(Contest(LADDER, Setup(find_game("castle-walls"), 2), ("random", "thumb"), 1))
        for number in range(4):
            score = (2, 2) if number == 3 else (0, 6)
            firsts = ((0, 1), (0, 1)) if number == 3 else ((1,), (0,))
            games = (
                GameResult((0, 1), score, firsts[0], (10, 10), (0.0, 5.0)),
                GameResult((1, 0), score[::-1], firsts[1], (10, 10), (5.0, 0.0)),
            )
            standing.add(Deal(number, games))
        return standing

    def test_the_best_comes_first_with_all_its_numbers(self) -> None:
        best, other = self.standing().to_json()["ladder"]
        assert (best["bot"], other["bot"]) == ("thumb", "random")
        assert best["win_share"]["value"] == 0.875
        assert best["points"]["value"] == 4.5
        assert best["seconds_a_decision"] == 0.5
        assert best["ahead"] == {"random": 0.875}
        assert best["rating"]["low"] < best["rating"]["value"] < best["rating"]["high"]

    def test_the_progress_names_the_bot_with_most_points(self) -> None:
        assert self.standing().progress_text() == "thumb leads by +4.50"

    def test_the_table_has_the_same_numbers(self) -> None:
        shown = self.standing().text().splitlines()
        assert shown[0] == "2 bots: castle-walls, 2 players"
        assert shown[1] == "  4 deals, 8 games, every bot in every seat in turn; an even share is 50.0%"
        assert shown[4].split()[:2] == ["1.", "thumb"]
        assert shown[4].split()[-1] == "88%"
        assert "500 ms" in shown[4]
