"""Names and words that look alike are equal, also those that an earlier version has stored."""

import pytest

from parlour.server.store.text_comparison import comparable


class TestTextsThatLookAlike:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Ann", "ann"),
            ("My Street", "m\ufe00y str\ufe00eet"),
            ("Ann", "A\u200bnn\U0001fffe"),
            ("Zo\u00eb", "ZOE\u0308"),
            ("Zo\u00eb", "Zoe\u200b\u0308"),
            ("\u2764", "\u2764\ufe0f"),
        ],
    )
    def test_are_equal(self, one, other):
        assert comparable(one) == comparable(other)


class TestTextsThatDiffer:
    @pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Zo\u00eb", "Zoe"), ("Ann", "A nn")])
    def test_are_not_equal(self, one, other):
        assert comparable(one) != comparable(other)
