"""Intervals and p-values of means over deals, above all where few deals differ."""

import math

import numpy as np
import pytest

from parlour.statistics import estimate_mean, estimate_share
from parlour.studies.inference import (
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


def sparse(differing: int, deals: int, by: float = 1.0) -> np.ndarray:
    """Deals of which the first few differ by the same amount."""
    return np.array([by] * differing + [0.0] * (deals - differing))


class TestEffectiveDeals:
    def test_equal_deviations_count_as_many_as_there_are(self) -> None:
        assert effective_deals(sparse(7, 100, 3.0)) == pytest.approx(7)
        assert effective_deals(np.zeros(10)) == 0

    def test_one_large_deviation_among_small_ones_counts_little_more_than_one(self) -> None:
        assert 1 < effective_deals(np.array([100.0] + [1.0] * 10)) < 1.3

    def test_the_last_bit_of_a_number_makes_no_difference(self) -> None:
        assert differing_deals(np.array([0.1 + 0.2 - 0.3, 0.0, 0.5])) == 1


class TestMeans:
    def test_of_values_without_ties_the_interval_is_close_to_students(self) -> None:
        values = np.random.default_rng(2).normal(5, 2, 100)
        found, student = mean_interval(values, 1.0), estimate_mean(values.tolist())
        assert (found.low, found.high) == pytest.approx((student.low, student.high), rel=0.01)

    def test_where_no_deal_differs_the_bound_is_the_rule_of_three(self) -> None:
        found = mean_interval(sparse(0, 100), 2.0)
        assert (found.value, found.low, found.high) == pytest.approx((0.0, -0.0724, 0.0724), abs=1e-4)

    def test_where_few_deals_differ_the_interval_reaches_to_the_bound_of_their_frequency(self) -> None:
        found = mean_interval(sparse(2, 40), 1.0)
        assert found.high == pytest.approx(share_bound(2, 40)) == pytest.approx(0.1692, abs=1e-4)
        assert found.low < 0

    def test_one_value_says_nothing(self) -> None:
        assert mean_interval(np.array([3.0]), 1.0).high == math.inf

    @pytest.mark.parametrize("frequency", [0.01, 0.03, 0.06, 0.1, 0.3])
    def test_of_forty_deals_that_differ_rarely_at_most_a_tenth_of_the_intervals_miss(self, frequency: float) -> None:
        """Student's interval misses in 20 to 69 of 100 studies where up to a tenth of the deals differ."""
        random = np.random.default_rng(5)
        missed = 0
        for _ in range(300):
            values = (random.random(40) < frequency) * random.exponential(1.0, 40)
            found = mean_interval(values, 1.0)
            missed += not found.low <= frequency <= found.high
        assert missed <= 30


class TestShares:
    def test_of_games_won_and_lost_the_interval_is_wilsons(self) -> None:
        values = sparse(40, 100)
        found, wilson = share_interval(values), estimate_share(values.tolist())
        assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), rel=0.01)

    def test_where_few_deals_differ_a_little_each_deal_counts_as_one_game(self) -> None:
        values = 1 - sparse(2, 40, 0.02)
        assert estimate_share(values.tolist()).low > 0.99
        assert share_interval(values).low < 0.92


class TestPValues:
    def test_no_difference_is_no_evidence(self) -> None:
        assert p_value(np.zeros(50)) == 1.0

    def test_two_equal_differences_show_nothing(self) -> None:
        """Without spread Student's test calls them certain; of two coins both fall alike in half of all throws."""
        assert p_value(np.array([-1.0, -1.0])) > 0.5
        assert p_value(sparse(5, 100)) > 0.06

    def test_a_difference_in_every_deal_is_certain_once_there_are_many(self) -> None:
        assert least_p_value(10) > 0.01
        assert p_value(np.full(100, 144.0)) == least_p_value(100) < 1e-15

    def test_it_does_not_depend_on_the_unit_or_on_the_sign(self) -> None:
        values = np.random.default_rng(1).normal(0.4, 1, 60)
        assert p_value(values) == pytest.approx(p_value(-1000 * values))

    def test_of_studies_that_go_on_until_they_show_something_few_are_wrong(self) -> None:
        """With Student's p-values a third of these would be wrong."""
        random = np.random.default_rng(4)
        wrong = sum(
            min(p_value(values[:deals]) for deals in range(5, 200, 5)) < 0.05
            for values in random.normal(size=(300, 200))
        )
        assert wrong <= 15


class TestManyComparisons:
    def test_holm_multiplies_the_least_by_all_and_the_next_by_one_less(self) -> None:
        assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
        assert holm([0.9, 0.5]) == pytest.approx([1.0, 1.0])
        assert holm([]) == []


class TestBootstrap:
    def test_of_a_mean_it_is_about_students(self) -> None:
        values = np.random.default_rng(1).normal(5, 2, 200)
        found = quantiles(bootstrap(np.ones(200), lambda weights: float(weights @ values)))
        exact = estimate_mean(values.tolist())
        assert found == pytest.approx((exact.low, exact.high), abs=0.06)
