"""Reproducible chance: uniform shuffles and independent streams."""

from collections import Counter
from math import sqrt

import numpy as np
import pytest

from parlour.engine.chance import keeps, new_stream, random_below, random_bits, shuffle


def some_bits(seed, number, many):
    """Return the first numbers of a stream."""
    stream = new_stream(seed, number)
    return [random_bits(stream) for _ in range(many)]


class TestShuffle:
    def test_every_order_is_equally_likely(self):
        stream, times = new_stream(1), Counter()
        for _ in range(6000):
            cards = np.arange(3)
            shuffle(stream, cards, 0, 3)
            times[tuple(cards)] += 1
        assert len(times) == 6
        assert max(abs(number - 1000) for number in times.values()) < 4.5 * sqrt(1000 * 5 / 6)

    def test_items_outside_the_range_stay_in_place(self):
        for seed in range(20):
            cards = np.arange(6)
            shuffle(new_stream(seed), cards, 2, 5)
            assert cards[[0, 1, 5]].tolist() == [0, 1, 5]
            assert sorted(cards) == list(range(6))


class TestChoices:
    @pytest.mark.parametrize("limit", [2, 7])
    def test_every_number_is_equally_likely(self, limit):
        stream = new_stream(2)
        times = Counter(random_below(stream, limit) for _ in range(1000 * limit))
        assert set(times) == set(range(limit))
        assert max(abs(number - 1000) for number in times.values()) < 4.5 * sqrt(1000)

    @pytest.mark.parametrize(("part", "whole"), [(0, 3), (1, 3), (2, 3), (3, 3)])
    def test_an_event_happens_with_its_probability(self, part, whole):
        stream = new_stream(3)
        kept = sum(bool(keeps(stream, part, whole)) for _ in range(3000))
        assert abs(kept - 3000 * part / whole) <= 4.5 * sqrt(3000 * part * (whole - part)) / whole


class TestStreams:
    def test_the_same_stream_gives_the_same_numbers(self):
        assert some_bits(5, 7, 10) == some_bits(5, 7, 10)

    def test_streams_of_neighbouring_games_and_seeds_are_disjoint(self):
        numbers = [bits for seed in range(4) for number in range(4) for bits in some_bits(seed, number, 100)]
        assert len(set(numbers)) == len(numbers)
