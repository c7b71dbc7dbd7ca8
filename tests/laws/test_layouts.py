"""Rejection sampling of layouts: each is equally likely, also if places cannot hold every card.

The cases have few cards, so that all layouts can be counted.
"""

from collections import Counter

import pytest

from parlour.cards import parse_cards, set_of
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import fill_narrow, sort_slots
from tests.laws.layouts import assert_frequencies, chances, table_of_places

pytestmark = pytest.mark.slow

POOL = "2C 3C 4C 5D 6D 7D 8H"
CASES = {
    "places within one another": [(1, "2C 3C"), (2, "2C 3C 4C 5D"), (4, POOL)],
    "places that overlap": [(2, "2C 3C 4C 5D"), (2, "4C 5D 6D 7D"), (3, POOL)],
    "places apart": [(2, "2C 3C 4C"), (2, "5D 6D 7D 8H"), (3, POOL)],
    "every place narrow": [(2, "2C 3C 4C 5D"), (3, "3C 4C 6D 7D 8H"), (2, "2C 5D 6D 7D")],
}


def layout(table, number, pool, stream):
    """Return the cards of each narrow place in one accepted layout."""
    while fill_narrow(table, number, pool, stream) < 0:
        pass
    return {
        int(index): [int(card) for card in table.layout[index, : table.sizes[index]]] for index in table.order[:number]
    }


@pytest.mark.parametrize("case", CASES)
def test_every_card_is_in_every_place_with_its_probability(case):
    pool = set_of(parse_cards(POOL))
    places = [(size, set_of(parse_cards(may))) for size, may in CASES[case]]
    table = table_of_places(places)
    number, stream, times, many = sort_slots(table, len(places), pool), new_stream(1), Counter(), 2000
    for _ in range(many):
        for index, cards in layout(table, number, pool, stream).items():
            assert len(set(cards)) == len(cards)
            times.update((card, index) for card in cards)
    narrow = {int(index) for index in table.order[:number]}
    expected = {key: chance for key, chance in chances(pool, places).items() if key[1] in narrow}
    assert_frequencies(times, many, expected)
