"""The shipped catalogues: complete, current, and with the fields of the English messages.

After a change of messages ``python -m parlour.authors.message_catalogues`` updates the catalogues (docs/languages.md).
"""

import argparse
import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest
from babel import Locale
from babel.messages import Catalog

from parlour import games
from parlour.authors import message_catalogues
from parlour.authors.message_catalogues import cases_in, extracted, missing_from, update
from parlour.languages import LANGUAGES
from parlour.languages.declension import CARD_MESSAGES
from parlour.languages.messages import DRAFTS, FOLDER, load_catalogue

FILES = sorted((*FOLDER.glob("*.po"), *DRAFTS.glob("*.po")))
DOCUMENT = Path(__file__).parents[2] / "docs" / "languages.md"
MARKS = re.compile(r"\*\*|`|\]\([^)]*\)")


def keys_of(catalogue):
    return {(message.context, message_catalogues._key(message)) for message in catalogue if message.id}


def fields_of(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def forms_of(message):
    """Yield the pairs of an English form and its translation."""
    if isinstance(message.id, str):
        yield message.id, message.string
    else:
        yield from ((message.id[min(at, 1)], text) for at, text in enumerate(message.string))


@pytest.fixture(scope="module")
def today():
    return extracted("en")


def test_the_languages_are_english_and_those_of_complete_catalogues():
    assert ("en", *sorted(file.stem for file in FOLDER.glob("*.po"))) == LANGUAGES
    assert {"fi", "de", "fr", "es"} == {file.stem for file in FILES}


def test_every_language_that_the_documents_call_complete_is_offered():
    (listed,) = re.findall(r"(\S+(?:, \S+)* and \S+) are\s+complete\.", DOCUMENT.read_text(encoding="utf-8"))
    assert set(re.split(", | and ", listed)) == {Locale(code).english_name for code in LANGUAGES}


def test_the_catalogue_of_an_offered_language_has_no_empty_translation():
    assert {code: missing for code in LANGUAGES[1:] if (missing := missing_from(load_catalogue(code)))} == {}


def test_texts_of_games_from_installed_packages_are_no_messages(monkeypatch, today):
    packages = {**games._packages(), "oh-hell": "oh_hell"}
    monkeypatch.setattr(games, "_packages", lambda: packages)
    assert "oh-hell" in games.game_ids()
    assert keys_of(extracted("en")) == keys_of(today)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
class TestEachCatalogue:
    @pytest.fixture
    def catalogue(self, file):
        return load_catalogue(file.stem, file.parent)

    def test_it_has_todays_messages_and_no_others(self, catalogue, today):
        """The command of this module's docstring adds the missing messages, and removes the stale ones."""
        cases = {(case, message) for case in cases_in(catalogue) for message in CARD_MESSAGES}
        kept, expected = keys_of(catalogue), keys_of(today) | cases
        assert {"missing": expected - kept, "stale": kept - expected} == {"missing": set(), "stale": set()}

    def test_a_translation_has_the_fields_of_its_message(self, catalogue):
        wrong = [
            (message, text)
            for each in catalogue
            if each.id
            for message, text in forms_of(each)
            if text and fields_of(text) | {"number"} != fields_of(message) | {"number"}
        ]
        assert wrong == []

    def test_a_translation_has_the_markdown_of_its_message(self, catalogue):
        wrong = [
            (message, text)
            for each in catalogue
            if isinstance(each.id, str) and each.id and each.string
            for message, text in forms_of(each)
            if Counter(MARKS.findall(text)) != Counter(MARKS.findall(message))
        ]
        assert wrong == []

    def test_it_has_a_text_for_each_plural_form(self, catalogue):
        plurals = [each for each in catalogue if each.pluralizable and any(each.string)]
        assert [each.id for each in plurals if len(each.string) != catalogue.num_plurals or not all(each.string)] == []


class TestFrench:
    def test_a_line_breaks_neither_before_a_mark_nor_within_quotation_marks(self):
        """French has a space before these marks, which has to be a no-break space (U+202F or U+00A0)."""
        texts = [text for each in load_catalogue("fr") if each.id for _, text in forms_of(each)]
        assert [text for text in texts if re.search(r"«[ \n]|[ \n][»:;!?%]", text)] == []


class TestUpdate:
    @pytest.fixture
    def folders(self, tmp_path, monkeypatch):
        catalogue = Catalog(locale="sv")
        catalogue.add("A card"), catalogue.add("Pass", context="button")
        monkeypatch.setattr(message_catalogues, "FOLDER", tmp_path)
        monkeypatch.setattr(message_catalogues, "DRAFTS", tmp_path / "drafts")
        monkeypatch.setattr(message_catalogues, "extracted", lambda code, cases=(): catalogue)
        return tmp_path

    def test_a_new_language_is_a_draft(self, folders):
        assert not update("sv")
        assert (folders / "drafts" / "sv.po").exists()

    def test_a_complete_catalogue_leaves_the_drafts(self, folders):
        update("sv")
        file = folders / "drafts" / "sv.po"
        file.write_text(re.sub(r'(msgid "(A card|Pass)"\n)msgstr ""', r'\1msgstr "översatt"', file.read_text()))
        assert update("sv")
        assert not file.exists()
        assert [message.string for message in load_catalogue("sv", folders) if message.id] == ["översatt"] * 2

    def test_translations_stay_and_messages_that_are_gone_leave(self, folders):
        draft = folders / "drafts" / "sv.po"
        draft.parent.mkdir()
        old = [("A card", "Ett kort"), ("Gone", "Borta")]
        draft.write_text("".join(f'msgid "{message}"\nmsgstr "{text}"\n\n' for message, text in old))
        update("sv")
        found = {message.id: message.string for message in load_catalogue("sv", draft.parent) if message.id}
        assert found == {"A card": "Ett kort", "Pass": ""}


class TestTheCodesOfTheCommand:
    @pytest.mark.parametrize("code", ["sv", "pt"])
    def test_are_those_of_languages(self, code):
        assert message_catalogues.language_code(code) == code

    @pytest.mark.parametrize("code", ["--all", "xx", "swedish", "", "pt_BR", "zh_TW", "iw", "de.po", "root", "en"])
    def test_that_no_language_has_are_refused(self, code):
        with pytest.raises(argparse.ArgumentTypeError, match="is no code of a language to translate into"):
            message_catalogues.language_code(code)
