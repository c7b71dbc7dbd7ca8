"""Intervals and the sequential test: known values, and how often they are right on results whose truth is known."""

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
    estimate_share,
)

SHARES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=60)


class TestMeans:
    def test_the_interval_is_students(self) -> None:
        """Four values have a standard error of the root of 1/12 and three degrees of freedom: t is 3.18245."""
        estimate = estimate_mean([0.0, 1.0, 0.0, 1.0])
        assert estimate.value == 0.5
        reach = 3.182446 * math.sqrt(1 / 12)
        assert (estimate.low, estimate.high) == pytest.approx((0.5 - reach, 0.5 + reach))

    def test_of_one_value_nothing_is_sure(self) -> None:
        assert estimate_mean([3.0]).to_json() == {"value": 3.0, "low": None, "high": None}

    def test_it_holds_the_truth_as_often_as_it_says(self) -> None:
        random = np.random.default_rng(1)
        held = [
            abs(e.value - 2) <= e.high - e.value for e in map(estimate_mean, random.normal(2, 5, (2000, 12)).tolist())
        ]
        assert 0.935 < np.mean(held) < 0.965


class TestShares:
    def test_where_each_deal_is_one_game_it_is_wilsons(self) -> None:
        """8 of 10 by Wilson with Student's 2.26216 in place of the normal 1.96; nine games' worth of spread."""
        estimate = estimate_share([1.0] * 8 + [0.0] * 2)
        weight = 2.262157**2 / 9
        middle, reach = (0.8 + weight / 2) / (1 + weight), math.sqrt(weight * (0.16 + weight / 4)) / (1 + weight)
        assert (estimate.low, estimate.high) == pytest.approx((middle - reach, middle + reach), abs=1e-6)

    def test_winning_everything_does_not_prove_that_nothing_can_be_lost(self) -> None:
        low = estimate_share([1.0] * 20).low
        assert low == pytest.approx(1 / (1 + 2.093024**2 / 20), abs=1e-6)
        assert estimate_share([0.0] * 20).high == pytest.approx(1 - low)

    @pytest.mark.parametrize("share", [0.5, 1 / 3, 0.1])
    def test_deals_that_all_came_out_the_same_do_not_prove_that_the_next_one_will(self, share: float) -> None:
        two, fifty = (estimate_share([share] * number) for number in (2, 50))
        assert two.low < fifty.low < share < fifty.high < two.high
        assert fifty.high - fifty.low > 0.1

    def test_it_holds_the_truth_as_often_as_it_says_even_near_the_end(self) -> None:
        """Deals of four games, won at 95 in 100: the normal approximation holds it in less than 92 of 100 cases."""
        random = np.random.default_rng(2)
        deals = random.binomial(4, 0.95, (2000, 20)) / 4
        held = [e.low <= 0.95 <= e.high for e in map(estimate_share, deals.tolist())]
        assert 0.935 < np.mean(held) < 0.98

    @given(values=SHARES)
    def test_it_stays_between_nothing_and_all_and_holds_the_mean(self, values: list[float]) -> None:
        estimate = estimate_share(values)
        assert 0 <= estimate.low <= estimate.value + 1e-12
        assert estimate.value - 1e-12 <= estimate.high <= 1

    @given(values=SHARES)
    def test_losses_are_wins_seen_from_the_other_side(self, values: list[float]) -> None:
        won, lost = estimate_share(values), estimate_share([1 - value for value in values])
        assert (won.low, won.high) == pytest.approx((1 - lost.high, 1 - lost.low))

    @given(values=SHARES)
    def test_four_times_the_deals_make_it_narrower(self, values: list[float]) -> None:
        few, many = estimate_share(values), estimate_share(values * 4)
        assert many.high - many.low < few.high - few.low


def decided(test: SequentialTest, values: "np.ndarray") -> int:
    """After how many values it has decided."""
    for number, value in enumerate(values, 1):
        test.add(float(value))
        if test.decision:
            return number
    raise AssertionError("undecided")


class TestGroups:
    """Values that depend on each other within a group: one group counts as one draw."""

    def test_groups_of_one_value_each_are_as_sure_as_the_values(self) -> None:
        values = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0]
        grouped, single = estimate_mean_by_group([[value] for value in values]), estimate_mean(values)
        assert (grouped.value, grouped.low, grouped.high) == pytest.approx((single.value, single.low, single.high))

    def test_unequal_groups_have_the_error_of_a_ratio(self) -> None:
        # Mean 18 / 6 = 3; sums beyond it: 1 - 3, 8 - 6, 9 - 9 = -2, 2, 0; squares 8; times 3/2, over 36: 1/3.
        found = estimate_mean_by_group([[1.0], [3.0, 5.0], [2.0, 3.0, 4.0]])
        half_width = 4.302653 * (1 / 3) ** 0.5  # Student's quantile for 2 degrees of freedom
        assert (found.value, found.high, found.low) == pytest.approx((3.0, 3.0 + half_width, 3.0 - half_width))

    def test_one_group_says_nothing_of_how_sure_its_mean_is(self) -> None:
        found = estimate_mean_by_group([[1.0, 2.0, 3.0]])
        assert (found.value, found.low, found.high) == (2.0, -math.inf, math.inf)


class TestSequentialTest:
    def test_the_ratio_is_that_of_the_greatest_likelihoods(self) -> None:
        """Of normal values with the mean given and the spread free: its likeliest value is the mean square distance."""
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
    def test_it_errs_no_oftener_than_it_says_on_normal_values(self, low: float, high: float, better: bool) -> None:
        random = np.random.default_rng(4)
        wrong = 0
        for _ in range(400):
            test = SequentialTest(low, high)
            decided(test, random.normal(high if better else low, 1, 5000))
            wrong += test.decision != (BETTER if better else NOT_BETTER)
        assert wrong / 400 < 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)

    @pytest.mark.parametrize(("games", "even", "most"), [(2, 0.5, 0.05), (4, 0.25, 0.07)])
    @pytest.mark.parametrize("better", [False, True])
    def test_nor_much_oftener_on_shares_of_wins(self, games: int, even: float, most: float, better: bool) -> None:
        """Where an even share is less than a half, results are skewed, and the approximation is a little worse."""
        random = np.random.default_rng(5)
        wrong = 0
        for _ in range(400):
            test = SequentialTest(even, even + 0.05)
            decided(test, random.binomial(games, even + 0.05 * better, 5000) / games)
            wrong += test.decision != (BETTER if better else NOT_BETTER)
        assert wrong / 400 < most + 2 * math.sqrt(0.05 * 0.95 / 400)

    def test_it_needs_fewer_deals_than_a_test_of_fixed_length(self) -> None:
        """To tell a mean of 0.2 from 0 at a spread of 1 with errors of 5 % takes 271 values if all are awaited."""
        random = np.random.default_rng(6)
        needed = [decided(SequentialTest(0.0, 0.2), random.normal(0, 1, 5000)) for _ in range(200)]
        assert np.mean(needed) < 0.7 * 271

    def test_bots_that_play_alike_are_never_decided_about(self) -> None:
        test = SequentialTest(0.0, 1.0)
        for _ in range(1000):
            test.add(0.0)
        assert test.to_json() == {
            "low": 0.0, "high": 1.0, "error": 0.05, "log_ratio": None, "differing": 0, "decision": None
        }  # fmt: skip

    @pytest.mark.parametrize(("won", "lost"), [(0.045, 0.005), (0.04, 0.0), (0.025, 0.025), (0.02, 0.02)])
    def test_it_errs_little_oftener_than_it_says_where_deals_seldom_differ(self, won: float, lost: float) -> None:
        """All but four or five deals of a hundred are even, and then sixteen in a row often are."""
        random = np.random.default_rng(7)
        truth, wrong = BETTER if won > lost else NOT_BETTER, 0
        for _ in range(200):
            test = SequentialTest(0.0, 2.0)
            decided(test, random.choice([0.0, 50.0, -50.0], 10_000, p=[1 - won - lost, won, lost]))
            wrong += test.decision != truth
        assert wrong / 200 < 0.07

    def test_values_that_differ_by_nothing_but_rounding_are_the_same(self) -> None:
        test = SequentialTest(0.0, 1.0)
        for number in range(100):
            test.add(number % 2 * 1e-15)
        assert (test.differing, test.decision) == (0, None)

    def test_nothing_is_decided_before_enough_deals_differ(self) -> None:
        test = SequentialTest(0.0, 1.0)
        number = decided(test, np.tile([5.0] * 19 + [4.0], 20))
        assert (number, test.decision) == (20 * FEWEST_DIFFERING, BETTER)

    def test_a_decision_stands(self) -> None:
        test = SequentialTest(0.0, 1.0)
        decided(test, np.tile([0.0, -1.0], 50))
        before = test.to_json()
        for _ in range(100):
            test.add(5.0)
        assert test.to_json() == before

    def test_low_must_be_below_high(self) -> None:
        with pytest.raises(ValueError, match="low is 1 and high 1, but low must be below high"):
            SequentialTest(1.0, 1.0)
