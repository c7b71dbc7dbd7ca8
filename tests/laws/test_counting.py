"""Layouts sampled by counting, for cases in which rejection sampling would hardly succeed: the same distribution."""

from collections import Counter

import numpy as np
import pytest

from parlour.cards import FULL_DECK, SUIT_SETS, parse_cards, set_of
from parlour.engine.chance import new_stream
from parlour.engine.compiled import compiled
from parlour.engine.information.determinization import fill_narrow, sort_slots
from parlour.engine.information.layout_counts import fill_by_counting
from tests.laws.layouts import assert_frequencies, chances, table_of_places
from tests.sample_size import sample_size

pytestmark = pytest.mark.slow

OUT_OF_ONE_SUIT = [(13, FULL_DECK & ~suit) for suit in SUIT_SETS]
"""Four hands of thirteen, each without another suit.

Random choices for three of them hardly ever leave cards for the fourth.
"""
FEW = [
    (size, set_of(parse_cards(may)))
    for size, may in [(2, "2C 3C 4D 5D"), (1, "4D 6H"), (1, "3C 5D 6H"), (2, "2C 3C 4D 5D 6H 7S")]
]


@compiled
def _fill_many(table, narrow, pool, random, layouts):
    for index in range(layouts.shape[0]):
        fill_by_counting(table, narrow, pool, random)
        layouts[index] = table.layout


def table_of(places, pool):
    """Return a table with the places, sorted for sampling, and the number of narrow ones."""
    table = table_of_places(places)
    return table, sort_slots(table, len(places), pool)


def times_in(places, pool, number, seed=1):
    """Return the number of layouts, of ``number`` drawn, in which each card lies in each narrow place."""
    table, narrow = table_of(places, pool)
    layouts = np.zeros((number, *table.layout.shape), np.int64)
    _fill_many(table, narrow, pool, new_stream(seed), layouts)
    times = Counter()
    for index in table.order[:narrow]:
        for layout in layouts[:, index, : places[index][0]].tolist():
            assert len(set(layout)) == len(layout)
            times.update((card, int(index)) for card in layout)
    return times


class TestCountedLayouts:
    @pytest.mark.parametrize(
        ("places", "pool"), [(FEW, FEW[-1][1]), (OUT_OF_ONE_SUIT, FULL_DECK)], ids=["few cards", "hands out of a suit"]
    )
    def test_every_card_is_in_every_place_with_its_probability(self, places, pool):
        number = sample_size(500)
        times, expected = times_in(places, pool, number), chances(pool, places)
        narrow = {index for _, index in times}
        assert_frequencies(times, number, {key: chance for key, chance in expected.items() if key[1] in narrow})

    def test_rejection_sampling_has_the_same_probabilities(self):
        """The cards taken by the first place change the choices of the second."""
        pool, number, times, stream = set_of(parse_cards("2C 3C 4D 6H")), 500, Counter(), new_stream(1)
        places = [(1, set_of(parse_cards("2C 6H"))), (2, set_of(parse_cards("2C 3C 4D"))), (1, pool)]
        table, narrow = table_of(places, pool)
        for _ in range(number):
            while fill_narrow(table, narrow, pool, stream) < 0:
                pass
            times.update((int(card), index) for index in (0, 1) for card in table.layout[index, : places[index][0]])
        expected = {key: chance for key, chance in chances(pool, places).items() if key[1] < narrow}
        assert_frequencies(times, number, expected)

    def test_rejection_sampling_would_not_succeed(self):
        table, narrow = table_of(OUT_OF_ONE_SUIT, FULL_DECK)
        stream = new_stream(1)
        assert all(fill_narrow(table, narrow, FULL_DECK, stream) < 0 for _ in range(1000))

    def test_compiled_and_interpreted_layouts_are_the_same(self):
        table, narrow = table_of(OUT_OF_ONE_SUIT[:1], FULL_DECK)
        layouts = np.zeros((1, *table.layout.shape), np.int64)
        _fill_many(table, narrow, FULL_DECK, new_stream(4), layouts)
        table, narrow = table_of(OUT_OF_ONE_SUIT[:1], FULL_DECK)
        rest = fill_by_counting(table, narrow, FULL_DECK, new_stream(4))
        assert rest.bit_count() == 39
        assert table.layout[0, :13].tolist() == layouts[0, 0, :13].tolist()
