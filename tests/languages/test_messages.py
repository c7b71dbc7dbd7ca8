"""Messages in the language of the current context."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from babel.messages import Catalog

from parlour.insight.rounding import counted_points
from parlour.languages import (
    CacheByLanguage,
    current_language,
    gettext,
    in_language,
    messages,
    ngettext,
    npgettext,
    pgettext,
)
from parlour.languages.messages import deferred


class TestEnglish:
    def test_a_message_is_its_own_translation(self):
        assert gettext("The game is over.") == "The game is over."
        assert pgettext("button", "Pass") == "Pass"

    def test_the_fields_of_a_message_are_filled_in(self):
        assert gettext("It is the turn of {name}.", name="Ann") == "It is the turn of Ann."

    def test_a_message_without_values_may_contain_braces(self):
        assert gettext("{name} takes that back.") == "{name} takes that back."

    @pytest.mark.parametrize(("number", "words"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (101, "101 cards")])
    def test_only_one_is_singular(self, number, words):
        assert ngettext("{number} card", "{number} cards", number) == words
        assert npgettext("deck", "{number} card", "{number} cards", number) == words


class TestAnotherLanguage:
    def test_a_message_is_translated_and_then_filled_in(self, in_pseudo):
        assert gettext("It is the turn of {name}.", name="Ann") == "‹It is the turn of Ann.›"

    def test_a_constant_message_is_translated_where_it_is_shown(self, in_pseudo):
        constant = deferred("The game is over.")
        assert constant == "The game is over."
        assert gettext(constant) == "‹The game is over.›"

    def test_a_number_of_points_has_a_meaning_in_games_and_another_one_in_chances(self, in_pseudo, monkeypatch):
        catalogue = Catalog(locale="en")
        catalogue.add(("{number} point", "{number} points"), ("{number} P.", "{number} Pn."))
        catalogue.add(("{number} point", "{number} points"), ("{number} %.", "{number} %n."), context="chance to win")
        monkeypatch.setattr(messages, "_translations", lambda: messages.compiled(catalogue))
        assert [ngettext("{number} point", "{number} points", number) for number in (1, 4)] == ["1 P.", "4 Pn."]
        assert [counted_points(number) for number in (1, -4)] == ["1 %.", "4 %n."]

    def test_an_unknown_message_stays_english(self, in_pseudo):
        assert gettext("No catalogue has this: {number}.", number=3) == "No catalogue has this: 3."

    def test_an_empty_message_stays_empty(self, in_pseudo):
        assert gettext("") == ""

    def test_it_ends_with_its_context(self, pseudo):
        with in_language(pseudo):
            assert current_language() == pseudo
        assert gettext("The game is over.") == "The game is over."

    def test_an_unknown_language_is_refused_with_the_list(self):
        with pytest.raises(ValueError, match="there is no language 'xx'; there are en"), in_language("xx"):
            pass

    def test_each_task_has_its_own(self, pseudo):
        async def read(code):
            with in_language(code):
                await asyncio.sleep(0)
                return gettext("The game is over.")

        async def both():
            return await asyncio.gather(read("en"), read(pseudo))

        with ThreadPoolExecutor(1) as thread:  # the browser tests of the same process have a loop in this one
            assert thread.submit(asyncio.run, both()).result() == ["The game is over.", "‹The game is over.›"]


class TestCache:
    def test_it_keeps_a_result_for_each_language(self, pseudo):
        calls = []

        @CacheByLanguage
        def sentence(name):
            calls.append(name)
            return gettext("It is the turn of {name}.", name=name)

        def in_both():
            with in_language(pseudo):
                return sentence("Ann"), sentence("Bo")

        assert [in_both(), sentence("Ann"), in_both()] == [
            ("‹It is the turn of Ann.›", "‹It is the turn of Bo.›"),
            "It is the turn of Ann.",
            ("‹It is the turn of Ann.›", "‹It is the turn of Bo.›"),
        ]
        assert len(calls) == 3
