"""Intervals and p-values of means over deals, in particular if few deals differ."""

import math
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit

from parlour.inference import (
    FEWEST_FOR_CHECK,
    Checks,
    bootstrap,
    differing_deals,
    effective_deals,
    holm,
    least_p_value,
    mean_interval,
    p_value,
    quantiles,
    share_bound,
    share_interval,
)
from parlour.statistics import estimate_mean, wilson_interval

DEAL_SHARES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=60)


def sparse(differing: int, deals: int, by: float = 1.0) -> np.ndarray:
    """Return deals of which the first few differ by the same amount."""
    return np.array([by] * differing + [0.0] * (deals - differing))


class TestEffectiveDeals:
    def test_equal_deviations_count_fully(self) -> None:
        assert effective_deals(sparse(7, 100, 3.0)) == pytest.approx(7)
        assert effective_deals(np.zeros(10)) == 0

    def test_one_large_deviation_among_small_ones_counts_little_more_than_one(self) -> None:
        assert 1 < effective_deals(np.array([100.0] + [1.0] * 10)) < 1.3

    def test_rounding_errors_have_no_effect(self) -> None:
        assert differing_deals(np.array([0.1 + 0.2 - 0.3, 0.0, 0.5])) == 1


class TestMeans:
    def test_without_ties_the_interval_is_close_to_students(self) -> None:
        values = np.random.default_rng(2).normal(5, 2, 100)
        found, student = mean_interval(values, 1.0), estimate_mean(values.tolist())
        assert (found.low, found.high) == pytest.approx((student.low, student.high), rel=0.01)

    def test_without_differing_deals_the_bound_is_the_rule_of_three(self) -> None:
        found = mean_interval(sparse(0, 100), 2.0)
        assert (found.value, found.low, found.high) == pytest.approx((0.0, -0.0724, 0.0724), abs=1e-4)

    def test_with_few_differing_deals_the_interval_extends_to_the_bound_of_their_frequency(self) -> None:
        found = mean_interval(sparse(2, 40), 1.0)
        assert found.high == pytest.approx(share_bound(2, 40)) == pytest.approx(0.1692, abs=1e-4)
        assert found.low < 0

    def test_one_value_has_an_unbounded_interval(self) -> None:
        assert mean_interval(np.array([3.0]), 1.0).high == math.inf

    @pytest.mark.parametrize("frequency", [0.01, 0.03, 0.06, 0.1, 0.3])
    def test_at_most_a_tenth_of_intervals_miss_rare_differences_in_forty_deals(self, frequency: float) -> None:
        """Student's interval misses in 20 to 69 of 100 studies if at most a tenth of the deals differ."""
        random = np.random.default_rng(5)
        missed = 0
        for _ in range(300):
            values = (random.random(40) < frequency) * random.exponential(1.0, 40)
            found = mean_interval(values, 1.0)
            missed += not found.low <= frequency <= found.high
        assert missed <= 30


class TestShares:
    def test_wins_and_losses_have_wilsons_interval(self) -> None:
        found, wilson = (
            share_interval(sparse(40, 100)),
            wilson_interval(0.4, 99, stdtrit(100 * 0.4 * math.pi / 2 - 1, 0.975)),
        )
        assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high))

    def test_a_rare_event_has_clopper_and_pearsons_interval(self) -> None:
        found = share_interval(sparse(1, 40))
        assert (found.low, found.high) == pytest.approx((0.000633, 0.131586), abs=1e-6)  # from their tables
        assert share_interval(np.zeros(40)).high == pytest.approx(1 - 0.025 ** (1 / 40))

    def test_each_deal_counts_as_one_game_if_few_differ_a_little(self) -> None:
        values = 1 - sparse(2, 40, 0.02)
        assert share_interval(values).low < 0.92

    @pytest.mark.parametrize("share", [0.5, 1 / 3, 0.1])
    def test_equal_deals_have_an_interval_of_positive_width(self, share: float) -> None:
        two, fifty = (share_interval(np.full(number, share)) for number in (2, 50))
        assert two.low < fifty.low < share < fifty.high < two.high
        assert fifty.high - fifty.low > 0.1

    def test_one_deal_can_have_any_share(self) -> None:
        found = share_interval(np.array([0.5]))
        assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)

    def test_it_has_its_coverage_near_one(self) -> None:
        """Deals of four games with 95 % wins: the normal approximation covers them in fewer than 92 of 100 cases."""
        random = np.random.default_rng(2)
        held = [e.low <= 0.95 <= e.high for e in map(share_interval, random.binomial(4, 0.95, (2000, 20)) / 4)]
        assert np.mean(held) > 0.935

    @pytest.mark.parametrize(("deals", "frequency"), [(100, 0.03), (100, 0.05), (400, 0.02)])
    def test_it_has_its_coverage_between_bots_that_mostly_play_alike(self, deals: int, frequency: float) -> None:
        """Few deals are not even: an interval by the spread of the deals alone misses in 10 to 15 of 100 cases."""
        random = np.random.default_rng(3)
        values = 0.5 + 0.5 * (random.random((600, deals)) < frequency)
        truth = 0.5 + 0.5 * frequency
        assert np.mean([e.low <= truth <= e.high for e in map(share_interval, values)]) > 0.93

    @given(values=DEAL_SHARES)
    def test_it_stays_between_zero_and_one_and_contains_the_mean(self, values: list[float]) -> None:
        found = share_interval(np.array(values))
        assert 0 <= found.low <= found.value + 1e-12
        assert found.value - 1e-12 <= found.high <= 1

    @given(values=DEAL_SHARES)
    def test_the_interval_is_symmetric_in_wins_and_losses(self, values: list[float]) -> None:
        won, lost = share_interval(np.array(values)), share_interval(1 - np.array(values))
        assert (won.low, won.high) == pytest.approx((1 - lost.high, 1 - lost.low))

    @given(values=DEAL_SHARES)
    def test_four_times_the_deals_narrow_it(self, values: list[float]) -> None:
        few, many = share_interval(np.array(values)), share_interval(np.array(values * 4))
        assert many.high - many.low < few.high - few.low


class TestPValues:
    def test_no_difference_is_no_evidence(self) -> None:
        assert p_value(np.zeros(50)) == 1.0

    def test_two_equal_differences_show_nothing(self) -> None:
        """Student's test without spread would be certain, but two coins fall alike in half of all tosses."""
        assert p_value(np.array([-1.0, -1.0])) > 0.5
        assert p_value(sparse(5, 100)) > 0.06

    def test_a_difference_in_each_of_many_deals_is_certain(self) -> None:
        assert least_p_value(10) > 0.01
        assert p_value(np.full(100, 144.0)) == least_p_value(100) < 1e-15

    def test_a_p_value_has_a_further_difference_against_the_others(self) -> None:
        """The sum 151 is less by 5, the largest of 40 differences, or by 30; ρ²n is 6."""
        values = np.array([4.0] * 39 + [-5.0])
        for least, further in ((0.0, 5.0), (30.0, 30.0)):
            expected = math.sqrt(7) * math.exp(-((151 - further) ** 2) / (649 + further**2) / 2 * 6 / 7)
            assert p_value(values, least) == p_value(-values, least) == pytest.approx(expected)
            assert expected < 0.1

    def test_a_further_difference_larger_than_the_sum_leaves_no_evidence(self) -> None:
        assert p_value(np.full(30, 0.5), 15.0) == 1.0

    def test_p_values_depend_on_neither_unit_nor_sign(self) -> None:
        values = np.random.default_rng(1).normal(0.4, 1, 60)
        assert p_value(values) == pytest.approx(p_value(-1000 * values))

    @pytest.mark.parametrize("rare", [0.1, 0.05, 0.02])
    def test_few_studies_of_skewed_differences_are_wrong(self, rare: float) -> None:
        """Most differences are 1, and rare large ones make the mean 0.

        A third to four fifths of the studies would be wrong without the further difference.
        """
        random, large = np.random.default_rng(4), 1 / rare - 1
        wrong = sum(
            min(p_value(values[:deals], large) for deals in range(5, 400, 5)) < 0.05
            for values in np.where(random.random((300, 400)) < rare, -large, 1.0)
        )
        assert wrong <= 15

    def test_few_studies_that_continue_until_significance_are_wrong(self) -> None:
        """A third would be wrong with Student's p-values."""
        random = np.random.default_rng(4)
        wrong = sum(
            min(p_value(values[:deals]) for deals in range(5, 200, 5)) < 0.05
            for values in random.normal(size=(300, 200))
        )
        assert wrong <= 15


class TestChecks:
    @pytest.mark.parametrize(
        "deals", [range(1, 400), range(31, 34), range(7, 900, 50), (200, 201, 202, 203, 240), (31, 1000, 1001, 1002)]
    )
    def test_one_is_due_once_for_each_number_passed_however_many_deals_come_at_once(self, deals: Iterable[int]) -> None:
        planned = [FEWEST_FOR_CHECK]
        while planned[-1] < 2000:
            planned.append(math.ceil(planned[-1] * 1.15))
        checks, before = Checks(), 0
        for number in deals:
            assert checks.due(number) == any(before < each <= number for each in planned), number
            before = number


class TestManyComparisons:
    def test_holms_correction_multiplies_the_smallest_by_n_and_the_next_by_n_minus_1(self) -> None:
        assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
        assert holm([0.9, 0.5]) == pytest.approx([1.0, 1.0])
        assert holm([]) == []


class TestBootstrap:
    def test_the_interval_of_a_mean_is_close_to_students(self) -> None:
        values = np.random.default_rng(1).normal(5, 2, 200)
        found = quantiles(bootstrap(np.ones(200), lambda weights: float(weights @ values)))
        exact = estimate_mean(values.tolist())
        assert found == pytest.approx((exact.low, exact.high), abs=0.06)
