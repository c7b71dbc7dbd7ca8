"""Formulas of measures, compared with values computed by hand for small sets of games."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parlour.contests.contest import STUDY, Contest
from parlour.contests.game_results import ForfeitInfo, GameResult
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.inference import differing_deals, share_bound
from parlour.studies import formulas
from parlour.studies.games import arrays_of
from parlour.studies.measures import RatioMeasure
from tests.studies.known_games import BY_NAME, EVEN

WON = {"a": (1.0, 0.0), "b": (0.0, 1.0), "=": (0.5, 0.5)}


def shares(*deals: str) -> np.ndarray:
    """Return the win shares of two sides: ``a`` or ``b`` for the winner of each game of a deal, ``=`` for a draw."""
    return np.array([[WON[game] for game in deal] for deal in deals])


class TestSeats:
    def test_the_edge_of_the_first_seat_is_relative_to_the_even_share(self) -> None:
        won = shares("a", "b", "b", "=")
        assert formulas.edge_of(won, [[0], [1], [0], [0]]).tolist() == [0.5, 0.5, -0.5, 0.0]

    def test_the_even_share_of_three_sides_is_a_third(self) -> None:
        won = np.array([[[0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]])
        assert formulas.edge_of(won, [[1], [0]]) == pytest.approx([2 / 3, -1 / 3])

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

    def test_the_ratio_of_a_deal_is_that_of_its_own_games(self) -> None:
        found = formulas.ratio_of_each(np.array([[1.0, 2.0], [3.0, 0.0]]), np.array([[4.0, 2.0], [0.0, 0.0]]))
        assert found.tolist() == [0.5, 0.0]

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
        assert formulas.edge_of(shares("ab", "aa"), [[0, 1], [0, 1]]).tolist() == [0.5, 0.0]

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

    @pytest.mark.parametrize("deals", [3, 60, 500])
    def test_the_variance_of_drawn_games_is_rounding(self, deals: int) -> None:
        """Sixty weights of 1/60 do not add up to 1 exactly, so that the mean share is not exactly one half."""
        weights = np.full(deals, 1 / deals) * (1 + 1e-15)
        drawn, challenger = np.full((deals, 2, 2), 0.5), np.tile([0, 1], (deals, 1))
        assert formulas.parts_of_the_result(drawn, challenger, weights) == (0.0, 0.0)
        assert formulas.duplicate_saves(drawn, challenger, weights) == 0.0
        assert formulas.luck(drawn, weights) == 0.0


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


def forced_in(forced: np.ndarray, decisions: np.ndarray) -> Any:
    """Return games of which only these numbers are known."""
    return SimpleNamespace(decisions=decisions, statistics={"forced": forced})


class TestContrastsOfRatios:
    """Four deals; the games of the last one alone differ between the variations."""

    PARTS = np.array([[1.0], [5.0], [2.0], [4.0]]), np.array([[1.0], [5.0], [2.0], [9.0]])
    WHOLES = np.array([[10.0], [20.0], [10.0], [20.0]]), np.array([[10.0], [20.0], [10.0], [30.0]])

    def test_deals_with_the_same_games_have_no_difference(self) -> None:
        found = formulas.ratio_contrast(self.PARTS, self.WHOLES, (-1.0, 1.0))
        assert found[:3].tolist() == [0.0, 0.0, 0.0]
        assert found.mean() == pytest.approx(17 / 70 - 12 / 60)

    def test_an_interaction_has_no_value_where_each_effect_is_the_same(self) -> None:
        """In the third deal one option changes the games, and does so with either value of the other option."""
        parts = [
            np.array(each)[:, None] for each in ([1.0, 2.0, 7.0], [1.0, 2.0, 3.0], [1.0, 3.0, 7.0], [1.0, 2.0, 3.0])
        ]
        found = formulas.ratio_contrast(parts, [np.full((3, 1), 10.0)] * 4, (1.0, -1.0, -1.0, 1.0))
        assert np.flatnonzero(found).tolist() == [1]

    def test_equal_sums_of_parts_with_other_wholes_are_a_difference(self) -> None:
        part = np.array([[1.0], [2.0]])
        found = formulas.ratio_contrast([part, part], [np.full((2, 1), 10.0), np.array([[10.0], [20.0]])], (-1.0, 1.0))
        assert found[0] == 0 != found[1]

    def test_where_all_deals_differ_the_values_are_the_linear_ones(self) -> None:
        parts, wholes = (self.PARTS[0], self.PARTS[0] + 1), self.WHOLES
        linear = formulas.ratio(parts[1], wholes[1]) - formulas.ratio(parts[0], wholes[0])
        assert formulas.ratio_contrast(parts, wholes, (-1.0, 1.0)) == pytest.approx(linear)

    def test_a_mean_of_variations_keeps_the_values_of_deals_that_are_alike(self) -> None:
        one, other = (forced_in(*each) for each in zip(self.PARTS, self.WHOLES, strict=True))
        found = BY_NAME["forced"].contrast([(one, 0.5), (other, 0.5)])
        assert found.all()
        assert found.mean() == pytest.approx((12 / 60 + 17 / 70) / 2)

    def test_each_deal_shows_the_difference_of_its_own_ratios(self) -> None:
        one, other = (forced_in(*each) for each in zip(self.PARTS, self.WHOLES, strict=True))
        found = BY_NAME["forced"].contrast_of_each([(other, 1.0), (one, -1.0)])
        assert found == pytest.approx([0.0, 0.0, 0.0, 9 / 30 - 4 / 20])

    def test_few_differing_deals_have_the_interval_of_few(self) -> None:
        """Two of 60 deals differ: their frequency may be much higher, which the spread of the deals does not show."""
        random = np.random.default_rng(1)
        decisions, forced = random.integers(20, 60, (60, 1)).astype(float), random.integers(2, 8, (60, 1)).astype(float)
        more = forced + np.where(np.arange(60) < 2, 10.0, 0.0)[:, None]
        one, other = (forced_in(each, decisions) for each in (forced, more))
        values = BY_NAME["forced"].differences(other, one)
        assert differing_deals(values) == 2
        assert BY_NAME["forced"].estimate_difference(other, one).high > share_bound(2, 60) / 2


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


class TestIntervalsOfRatios:
    def test_hold_where_the_deals_that_do_not_differ_are_the_longer_ones(self) -> None:
        """Half of the deals have three forced decisions of ten more; the others, four times as long, have none."""
        random, held = np.random.default_rng(0), []
        ratio = RatioMeasure("ratio", "", "", lambda games: formulas.ratio(*games), parts=lambda games: games)
        for _ in range(400):
            differs = random.random((100, 1)) < 0.5
            wholes = np.where(differs, 10.0, random.gamma(4, 10, (100, 1)))
            parts = [0.3 * wholes, 0.3 * wholes + 3 * differs]
            found = ratio.estimate_contrast(
                [((part, wholes), weight) for part, weight in zip(parts, (-1.0, 1.0), strict=True)]
            )
            held.append(found.low <= 3 * 0.5 / (0.5 * 10 + 0.5 * 40) <= found.high)
        assert np.mean(held) > 0.92
