"""Intervals and the sequential test: known values, and error rates on simulated results."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from parlour.statistics import (
    BETTER,
    FEWEST_DIFFERING,
    NOT_BETTER,
    SequentialTest,
    estimate_mean,
    estimate_mean_by_group,
    estimate_share_by_group,
    wilson_interval,
)

SHARES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=60)


class TestMeans:
    def test_the_interval_is_students(self) -> None:
        """Four values have the standard error √(1/12) and three degrees of freedom: t is 3.18245."""
        estimate = estimate_mean([0.0, 1.0, 0.0, 1.0])
        assert estimate.value == 0.5
        reach = 3.182446 * math.sqrt(1 / 12)
        assert (estimate.low, estimate.high) == pytest.approx((0.5 - reach, 0.5 + reach))

    def test_one_value_has_an_unbounded_interval(self) -> None:
        assert estimate_mean([3.0]).to_json() == {"value": 3.0, "low": None, "high": None}

    def test_it_has_its_coverage(self) -> None:
        random = np.random.default_rng(1)
        held = [
            abs(e.value - 2) <= e.high - e.value for e in map(estimate_mean, random.normal(2, 5, (2000, 12)).tolist())
        ]
        assert 0.935 < np.mean(held) < 0.965


class TestWilsonsInterval:
    def test_it_has_wilsons_bounds(self) -> None:
        """8 of 10 games, with Student's 2.26216 in place of the normal 1.96."""
        weight = 2.262157**2 / 10
        middle, reach = (0.8 + weight / 2) / (1 + weight), math.sqrt(weight * (0.16 + weight / 4)) / (1 + weight)
        found = wilson_interval(0.8, 10, 2.262157)
        assert (found.value, found.low, found.high) == pytest.approx((0.8, middle - reach, middle + reach))

    def test_all_wins_have_an_interval_of_positive_width(self) -> None:
        won, lost = wilson_interval(1.0, 20, 2.0), wilson_interval(0.0, 20, 2.0)
        assert (won.low, won.high) == pytest.approx((1 / (1 + 4 / 20), 1.0))
        assert (lost.low, lost.high) == pytest.approx((0.0, 1 - won.low))


def decision_number(test: SequentialTest, values: "np.ndarray") -> int:
    """Return the number of values after which the test has decided."""
    for number, value in enumerate(values, 1):
        test.add(float(value))
        if test.decision:
            return number
    raise AssertionError("undecided")


class TestGroups:
    """Values that depend on each other within a group: a group counts as one draw."""

    def test_groups_of_one_value_have_the_interval_of_the_values(self) -> None:
        values = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0]
        grouped, single = estimate_mean_by_group([[value] for value in values]), estimate_mean(values)
        assert (grouped.value, grouped.low, grouped.high) == pytest.approx((single.value, single.low, single.high))

    def test_unequal_groups_have_the_error_of_a_ratio(self) -> None:
        # Mean 18 / 6 = 3; sums beyond it: 1 - 3, 8 - 6, 9 - 9 = -2, 2, 0; squares 8; times 3/2, over 36: 1/3.
        found = estimate_mean_by_group([[1.0], [3.0, 5.0], [2.0, 3.0, 4.0]])
        half_width = 4.302653 * (1 / 3) ** 0.5  # Student's quantile for 2 degrees of freedom
        assert (found.value, found.high, found.low) == pytest.approx((3.0, 3.0 + half_width, 3.0 - half_width))

    @given(st.lists(SHARES, min_size=2, max_size=12))
    def test_a_share_of_groups_is_no_surer_for_equal_values_within_them(self, groups: list[list[float]]) -> None:
        """Each value once or three times: the groups are as many, and so is what they tell."""
        once, thrice = (estimate_share_by_group([times * group for group in groups]) for times in (1, 3))
        assert (once.value, once.low, once.high) == pytest.approx((thrice.value, thrice.low, thrice.high))

    @pytest.mark.parametrize("share", [0.0, 1.0])
    def test_shares_that_are_all_alike_have_the_interval_of_as_many_values_as_groups(self, share: float) -> None:
        grouped, single = estimate_share_by_group([[share] * 3] * 5), wilson_interval(share, 5, 2.776445)
        assert (grouped.low, grouped.high) == pytest.approx((single.low, single.high))

    def test_groups_of_one_game_have_wilsons_interval(self) -> None:
        """Nine games have the standard error that ten groups show, as it is estimated with nine degrees of freedom."""
        grouped, single = estimate_share_by_group([[1.0]] * 8 + [[0.0]] * 2), wilson_interval(0.8, 9, 2.262157)
        assert (grouped.low, grouped.high) == pytest.approx((single.low, single.high))

    def test_a_share_of_one_group_can_be_anything(self) -> None:
        found = estimate_share_by_group([[1.0, 0.0]])
        assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)

    def test_one_group_has_an_unbounded_interval(self) -> None:
        found = estimate_mean_by_group([[1.0, 2.0, 3.0]])
        assert (found.value, found.low, found.high) == (2.0, -math.inf, math.inf)


class TestSequentialTest:
    def test_the_statistic_is_the_ratio_of_maximal_likelihoods(self) -> None:
        """The most likely variance of normal values with a known mean is their mean square distance from it."""
        values = np.random.default_rng(3).normal(0.3, 1, 30)
        test = SequentialTest(0.0, 0.5)
        for value in values:
            test.add(value)
        greatest = [
            norm.logpdf(values, mean, math.sqrt(np.mean((values - mean) ** 2))).sum() for mean in (test.low, test.high)
        ]
        assert test.decision is None
        assert test.log_ratio == pytest.approx(greatest[1] - greatest[0])

    @pytest.mark.parametrize(("low", "high"), [(0.0, 0.2), (0.0, 0.5), (0.25, 0.5)])
    @pytest.mark.parametrize("better", [False, True])
    def test_it_has_its_error_rate_on_normal_values(self, low: float, high: float, better: bool) -> None:
        random = np.random.default_rng(4)
        wrong = 0
        for _ in range(400):
            test = SequentialTest(low, high)
            decision_number(test, random.normal(high if better else low, 1, 5000))
            wrong += test.decision != (BETTER if better else NOT_BETTER)
        assert wrong / 400 < 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)

    @pytest.mark.parametrize(("games", "even", "most"), [(2, 0.5, 0.05), (4, 0.25, 0.07)])
    @pytest.mark.parametrize("better", [False, True])
    def test_it_has_about_its_error_rate_on_win_shares(
        self, games: int, even: float, most: float, better: bool
    ) -> None:
        """An even share below a half makes results skewed and the approximation a little worse."""
        random = np.random.default_rng(5)
        wrong = 0
        for _ in range(400):
            test = SequentialTest(even, even + 0.05)
            decision_number(test, random.binomial(games, even + 0.05 * better, 5000) / games)
            wrong += test.decision != (BETTER if better else NOT_BETTER)
        assert wrong / 400 < most + 2 * math.sqrt(0.05 * 0.95 / 400)

    def test_it_needs_fewer_deals_than_a_test_of_fixed_length(self) -> None:
        """A test of fixed length needs 271 values to tell a mean of 0.2 from 0 at spread 1 with 5 % errors."""
        random = np.random.default_rng(6)
        needed = [decision_number(SequentialTest(0.0, 0.2), random.normal(0, 1, 5000)) for _ in range(200)]
        assert np.mean(needed) < 0.7 * 271

    def test_equal_bots_are_never_decided(self) -> None:
        test = SequentialTest(0.0, 1.0)
        for _ in range(1000):
            test.add(0.0)
        assert test.to_json() == {
            "low": 0.0, "high": 1.0, "error": 0.05, "log_ratio": None, "differing": 0, "decision": None
        }  # fmt: skip

    @pytest.mark.parametrize(("won", "lost"), [(0.045, 0.005), (0.04, 0.0), (0.025, 0.025), (0.02, 0.02)])
    def test_it_has_about_its_error_rate_if_deals_seldom_differ(self, won: float, lost: float) -> None:
        """Four or five deals of a hundred differ, so that sixteen equal ones in a row are frequent."""
        random = np.random.default_rng(7)
        truth, wrong = BETTER if won > lost else NOT_BETTER, 0
        for _ in range(200):
            test = SequentialTest(0.0, 2.0)
            decision_number(test, random.choice([0.0, 50.0, -50.0], 10_000, p=[1 - won - lost, won, lost]))
            wrong += test.decision != truth
        assert wrong / 200 < 0.07

    @pytest.mark.parametrize(
        ("equal", "differing", "decided"),
        [(8, 8, True), (9, 7, False), (7, 8, False), (0, 16, True), (0, 15, False), (100, 7, False), (100, 8, True)],
    )
    def test_sixteen_deals_of_which_eight_differ_are_the_fewest_that_decide(
        self, equal: int, differing: int, decided: bool
    ) -> None:
        test = SequentialTest(0.0, 10.0)
        for value in [10.0] * equal + [10.0 + number / 100 for number in range(1, differing + 1)]:
            assert test.decision is None
            test.add(value)
        assert (test.decision == BETTER) == decided

    def test_values_that_differ_by_rounding_count_as_equal(self) -> None:
        test = SequentialTest(0.0, 1.0)
        for number in range(100):
            test.add(number % 2 * 1e-15)
        assert (test.differing_values, test.decision) == (0, None)

    def test_a_decision_needs_enough_differing_deals(self) -> None:
        test = SequentialTest(0.0, 1.0)
        number = decision_number(test, np.tile([5.0] * 19 + [4.0], 20))
        assert (number, test.decision) == (20 * FEWEST_DIFFERING, BETTER)

    def test_a_decision_is_final(self) -> None:
        test = SequentialTest(0.0, 1.0)
        decision_number(test, np.tile([0.0, -1.0], 50))
        before = test.to_json()
        for _ in range(100):
            test.add(5.0)
        assert test.to_json() == before

    def test_low_must_be_below_high(self) -> None:
        with pytest.raises(ValueError, match="low is 1 and high 1, but low must be below high"):
            SequentialTest(1.0, 1.0)
