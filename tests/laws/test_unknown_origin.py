"""Layouts with visible cards of several possible origins: all are equally likely."""

from collections import Counter

import pytest

from parlour.cards import parse_cards, set_of
from parlour.engine.chance import new_stream
from parlour.engine.information.unknown_origin import lay_out_ambiguous, prepare_ambiguous
from tests.laws.layouts import assert_frequencies, chances, table_of_places

pytestmark = pytest.mark.slow

CASES = {
    # the ambiguous cards, the unknown cards, and the slots, narrower ones first
    "an ambiguous card in one of two places": ("AS", "2C 3C 4C 5C", [(2, "AS 2C 3C 4C"), (3, "AS 2C 3C 4C 5C")]),
    "places of one group": ("AS", "2C 3C 4C 5C", [(1, "AS 2C 3C"), (2, "AS 2C 3C"), (2, "AS 2C 3C 4C 5C")]),
    "two ambiguous cards in three places": (
        "AS KS",
        "2C 3C 4C 5C 6C",
        [(2, "AS KS 2C 3C"), (2, "AS KS 2C 3C 4C"), (3, "AS 2C 3C 4C 5C 6C")],
    ),
    "an ambiguous card that can be nowhere else": ("AS KS", "2C 3C 4C", [(2, "AS KS 2C 3C"), (3, "AS 2C 3C 4C")]),
    "groups that no ambiguous card links": (
        "AS",
        "2C 3C 4C 5C",
        [(1, "2C 3C"), (2, "AS 2C 3C 4C"), (2, "AS 2C 3C 4C 5C")],
    ),
    "cards that only the first may hold": ("AS", "2C 3C 4C 5C", [(2, "AS 2C 3C"), (3, "AS 3C 4C 5C")]),
}


@pytest.mark.parametrize("case", CASES)
def test_every_card_is_in_every_slot_with_its_probability(case):
    ambiguous, unknown, slots = CASES[case]
    pool, origins = set_of(parse_cards(unknown)), set_of(parse_cards(ambiguous))
    places = [(size, set_of(parse_cards(may))) for size, may in slots]
    table = table_of_places(places)
    prepare_ambiguous(table, len(places), pool, origins)
    stream, times, many = new_stream(1), Counter(), 2000
    for _ in range(many):
        while not lay_out_ambiguous(table, len(places), pool, stream):
            pass
        laid = [[int(card) for card in table.layout[index, :size]] for index, (size, _) in enumerate(places)]
        assert set_of(card for cards in laid for card in cards) == pool | origins
        times.update((card, index) for index, cards in enumerate(laid) for card in cards)
    expected = chances(pool | origins, places)
    assert_frequencies(times, many, expected)
