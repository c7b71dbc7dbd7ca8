"""Formulas of measures, compared with values computed by hand for small sets of games."""

from dataclasses import replace

import numpy as np
import pytest

from parlour.contests.contest import STUDY, Contest
from parlour.contests.game_results import ForfeitInfo, GameResult
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.inference import share_bound
from parlour.studies import formulas
from parlour.studies.games import arrays_of
from tests.studies.known_games import BY_NAME, EVEN

WON = {"a": (1.0, 0.0), "b": (0.0, 1.0), "=": (0.5, 0.5)}


def shares(*deals: str) -> np.ndarray:
    """Return the win shares of two sides: ``a`` or ``b`` for the winner of each game of a deal, ``=`` for a draw."""
    return np.array([[WON[game] for game in deal] for deal in deals])


class TestSeats:
    def test_the_edge_of_the_first_seat_is_relative_to_the_even_share(self) -> None:
        won = shares("a", "b", "b", "=")
        assert formulas.edge_of_first(won, [[0], [1], [0], [0]]).tolist() == [0.5, 0.5, -0.5, 0.0]

    def test_the_even_share_of_three_sides_is_a_third(self) -> None:
        won = np.array([[[0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]])
        assert formulas.edge_of_first(won, [[1], [0]]) == pytest.approx([2 / 3, -1 / 3])

    def test_balance_is_one_minus_the_largest_difference_of_two_sides(self) -> None:
        assert formulas.balance(np.array([0.75, 0.25])) == 0.5
        assert formulas.balance(np.array([0.5, 0.5])) == 1.0
        assert formulas.balance(np.array([0.0, 1.0])) == 0.0

    def test_draws_are_games_with_a_shared_first_place(self) -> None:
        games = shares("=a", "ab", "==")
        assert formulas.tie_share(games, np.zeros((3, 2), bool)).tolist() == [0.5, 0.0, 1.0]
        assert formulas.tie_share(games, np.array([[True, True], [False, True], [False, True]])).tolist() == [0, 0, 0.5]

    def test_a_forfeited_game_is_not_drawn_between_the_others(self) -> None:
        contest = Contest(STUDY, Setup(find_game("tricky-tribes"), 3), ("thumb",))
        drawn = GameResult((0, 0, 0), (0, 1, 1), (1, 2), (1, 1, 1), (0.0, 0.0, 0.0), statistics=EVEN)
        games = arrays_of(contest, [[drawn], [replace(drawn, forfeit=ForfeitInfo(0, "it crashed"))]])
        assert BY_NAME["draws"].values(games).tolist() == [1.0, 0.0]


class TestLengthAndChoice:
    def test_a_ratio_is_the_ratio_of_sums(self) -> None:
        values = formulas.ratio(np.array([[1.0], [3.0]]), np.array([[2.0], [18.0]]))
        assert values.mean() == pytest.approx(4 / 20)

    def test_equal_ratios_of_all_deals_have_no_variance(self) -> None:
        values = formulas.ratio(np.array([[1.0], [3.0], [7.0]]), np.array([[2.0], [6.0], [14.0]]))
        assert values == pytest.approx([0.5, 0.5, 0.5])

    def test_its_interval_is_cochrans(self) -> None:
        """Parts 1, 2 of wholes 4, 2: R = 1/2, deviations −1 and 1 divided by the mean whole 3, so s² = 2/9."""
        values = formulas.ratio(np.array([[1.0], [2.0]]), np.array([[4.0], [2.0]]))
        assert np.var(values, ddof=1) == pytest.approx(2 / 9)

    def test_the_ratio_of_zero_sums_is_zero(self) -> None:
        assert formulas.ratio(np.zeros((2, 1)), np.zeros((2, 1))).tolist() == [0.0, 0.0]

    def test_minutes_count_8_seconds_a_choice_3_a_forced_decision_and_20_a_deal(self) -> None:
        minutes = formulas.minutes(np.array([[12.0]]), np.array([[4.0]]), np.array([[1.0]]))
        assert minutes.tolist() == [(8 * 8 + 4 * 3 + 20) / 60]

    def test_margin_and_spread_are_differences_of_points(self) -> None:
        points = np.array([[[9.0, 2.0, 7.0]], [[1.0, 1.0, -3.0]]])
        assert formulas.margin(points).tolist() == [2.0, 0.0]
        assert formulas.spread(points).tolist() == [7.0, 4.0]


class TestSkillAndDeal:
    """Deals of two games with seats swapped: the challenger is side 0, then side 1."""

    TURNED = ((0, 1),) * 4

    def parts(self, *deals: str) -> tuple[float, float]:
        return formulas.parts_of_the_result(shares(*deals), np.array(self.TURNED[: len(deals)]))

    def test_the_challengers_share_is_that_of_its_side(self) -> None:
        assert formulas.challenger_share(shares("ab", "aa"), [[0, 1], [0, 1]]).tolist() == [1.0, 0.5]

    def test_order_is_the_fraction_of_the_way_from_even_to_all_wins(self) -> None:
        assert formulas.order(0.5, 2) == 0.0
        assert formulas.order(1.0, 4) == 1.0
        assert formulas.order(0.75, 2) == 0.5
        assert formulas.order(0.0, 3) == pytest.approx(-0.5)

    def test_if_the_same_seat_wins_with_every_bot_the_deal_explains_everything(self) -> None:
        assert self.parts("aa", "bb", "aa", "bb") == pytest.approx((1.0, 0.0))

    def test_skill_explains_everything_if_the_challenger_always_wins(self) -> None:
        assert self.parts("ab", "ab", "ab", "ab") == pytest.approx((0.0, 1.0))

    def test_uniform_results_are_explained_by_neither(self) -> None:
        assert self.parts("aa", "bb", "ab", "ba") == pytest.approx((0.0, 0.0))

    def test_deal_and_skill_explain_a_quarter_each(self) -> None:
        """The challenger wins both games of two deals, the cards decide two; neither explains half of the variance."""
        assert self.parts("ab", "ab", "aa", "bb") == pytest.approx((0.25, 0.25))

    def test_drawn_games_explain_nothing(self) -> None:
        assert self.parts("==", "==") == (0.0, 0.0)


class TestContrasts:
    @pytest.mark.parametrize(
        ("weights", "differences"),
        [((1, -1), 1), ((0.5, -0.5, 0.5, -0.5), 1), ((1, -1, -1, 1), 2), ((0.5, -0.5, -0.5, 0.5), 1)],
    )
    @pytest.mark.parametrize(("values", "reach"), [((20.0, 27.0), 7.0), ((20.0, 20.25), 1.0)])
    def test_without_an_observed_difference_each_of_theirs_may_be_as_large_as_that_of_two_deals(
        self, weights: tuple[float, ...], differences: int, values: tuple[float, ...], reach: float
    ) -> None:
        measure = replace(BY_NAME["decisions"], values=lambda games: games)  # type: ignore[arg-type,return-value]
        deals = np.array(values * 15)
        found = measure.estimate_contrast([(deals, weight) for weight in weights])  # type: ignore[misc]
        bound = differences * reach * share_bound(0, len(deals))
        assert (found.value, found.low, found.high) == pytest.approx((0.0, -bound, bound))


class TestDuplicate:
    """The challenger sits on side 0 in the first game of a deal and on side 1 in the second."""

    def saved(self, *deals: str) -> float:
        return formulas.duplicate_saves(shares(*deals), np.array([[0, 1]] * len(deals)))

    def test_if_the_cards_decide_everything_duplicate_deals_leave_no_variance(self) -> None:
        assert self.saved("aa", "bb", "bb") == 1.0

    def test_independent_games_save_no_variance(self) -> None:
        assert self.saved("aa", "ab", "ba", "bb") == pytest.approx(0.0)

    def test_a_challenger_that_wins_both_games_or_none_increases_the_variance(self) -> None:
        assert self.saved("ab", "ba") == pytest.approx(-1.0)

    def test_constant_results_have_no_variance_to_save(self) -> None:
        assert self.saved("ab", "ab") == 0.0
