"""The tables that a test opens have the same deals in every run."""

import hashlib

from parlour.engine.matches.deals import commitment_of
from tests.fixed_deals import DEALS


def test_the_tables_of_a_test_have_different_deals_and_the_same_in_every_run(card_room):
    def dealt():
        DEALS.begin("this")
        return [card_room.open("you", "thumb")["commitment"] for _ in range(2)]

    first, second = dealt()
    assert first == commitment_of(hashlib.sha256(b"this 1").hexdigest())
    assert first != second
    assert dealt() == [first, second]
