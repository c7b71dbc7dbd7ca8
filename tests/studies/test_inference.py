"""Intervals and p-values of means over deals, in particular if few deals differ."""

import math
from collections.abc import Iterable

import numpy as np
import pytest

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
from parlour.statistics import estimate_mean, estimate_share


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
        values = sparse(40, 100)
        found, wilson = share_interval(values), estimate_share(values.tolist())
        assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), rel=0.01)

    def test_a_rare_event_has_clopper_and_pearsons_interval(self) -> None:
        found = share_interval(sparse(1, 40))
        assert (found.low, found.high) == pytest.approx((0.000633, 0.131586), abs=1e-6)  # from their tables
        assert share_interval(np.zeros(40)).high == pytest.approx(1 - 0.025 ** (1 / 40))

    def test_each_deal_counts_as_one_game_if_few_differ_a_little(self) -> None:
        values = 1 - sparse(2, 40, 0.02)
        assert estimate_share(values.tolist()).low > 0.99
        assert share_interval(values).low < 0.92


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

    def test_p_values_depend_on_neither_unit_nor_sign(self) -> None:
        values = np.random.default_rng(1).normal(0.4, 1, 60)
        assert p_value(values) == pytest.approx(p_value(-1000 * values))

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
