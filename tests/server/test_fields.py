"""Names and talk contain only visible characters."""

import time
import unicodedata

import pytest
from pydantic import ValidationError

from parlour.server.http.requests import SeatBody
from parlour.server.table.commands import Say


def name(text):
    return SeatBody(seat=0, name=text).name


def words(text):
    return Say(words=text).words


def refusal(kind, text):
    with pytest.raises(ValidationError) as refused:
        kind(text)
    return refused.value.errors()[0]["msg"]


@pytest.mark.parametrize("kind", [name, words])
class TestAText:
    @pytest.mark.parametrize(
        "text",
        [
            "Zoë",
            "Đặng Thị",
            "נִקּוּד",
            "ประเทศไทย",
            "हिन्दी",
            "Ann 👩‍👩‍👧",
            "👩🏽‍🚀",
            "❤️‍🔥",
            "1️⃣",
            "🏳️‍🌈!",
            "↔️ ©️",
            "李小龍",
        ],
    )
    def test_stays_as_it_is_in_any_language(self, kind, text):
        assert kind(text) == unicodedata.normalize("NFC", text)

    @pytest.mark.parametrize(
        "hidden",
        [
            *("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\ufff9", "\u3164", "\U000e0041"),
            *("\ufe00", "\ufe0e", "\ufe0f", "\U000e0100", "\U000e01ef", "\u180f", "\U00016fe4"),
            *("\u061c", "\u200e", "\u200f"),
            *("\u2065", "\ufff5", "\U000e0080", "\U000e0fff", "\ufdd0", "\uffff"),
            *("\U0001d159", "\ufffc", "\ufffe", "\U0001fffe", "\U0010ffff"),
        ],
    )
    def test_loses_invisible_characters(self, kind, hidden):
        assert kind(f"An{hidden}n {hidden} B{hidden}") == "Ann B"

    def test_has_one_form_of_an_emoji_at_most(self, kind):
        assert kind("❤\ufe0f\ufe0f\ufe0e 1\ufe0f\ufe0f\u20e3") == "❤\ufe0f 1\ufe0f\u20e3"

    def test_is_composed_after_the_loss_of_invisible_characters(self, kind):
        assert kind("Zoe\u200b\u0308") == kind("Zoe\ufe00\u0308") == "Zo\u00eb"

    @pytest.mark.parametrize("turning", ["\u202a", "\u202e", "\u2066", "\u2069", "\x1b", "\x00"])
    def test_may_not_have_characters_that_change_the_direction(self, kind, turning):
        assert "may not have control characters" in refusal(kind, f"An{turning}n")

    def test_has_at_most_two_marks_on_a_letter(self, kind):
        assert kind("q\u0323\u0307") == "q\u0323\u0307"
        assert "may not have more than 2 combining marks on one letter" in refusal(kind, "q\u0323\u0307\u0336")
        assert "combining marks" in refusal(kind, "Z" + "\u0301\u0488\u20dd" * 9)

    def test_is_the_same_in_every_composition(self, kind):
        assert kind("Zoe\u0308") == kind("Zo\u00eb") == "Zo\u00eb"


@pytest.mark.parametrize(
    "text", ["\u200b", "\u200d\u200d", "\ufeff \u3164", "\u0301", "\ufe0f", "\u2800", "\U0001d159", "\ufffc"]
)
def test_a_text_of_invisible_characters_is_empty(text):
    assert "a name needs a letter" in refusal(name, text)
    assert "say either words or a sign" in refusal(words, text)


def test_the_length_of_a_name_is_that_of_its_composed_form():
    assert name("e\u0308" * 30) == "\u00eb" * 30
    assert "at most 30 characters" in refusal(name, "\ufb2c" * 20)


@pytest.mark.parametrize("kind", [name, words])
def test_a_text_that_is_too_long_is_refused_without_the_time_to_normalize_it(kind):
    """The marks below the letter would be sorted before those above it, one by one."""
    began = time.thread_time()
    assert "at most" in refusal(kind, "a" + "\u0301" * 15_000 + "\u0316" * 15_000)
    assert time.thread_time() - began < 1
