"""Phrases that translations decline: cards and lists of cards."""

import pytest
from babel.messages import Catalog

from parlour.cards import CARD_NUMBERS
from parlour.languages import gettext, in_language
from parlour.languages import messages as messages_module
from parlour.languages.declension import card_phrase, listed, listed_choice, some_card, the_card_phrase

SEVEN, ACE = CARD_NUMBERS["7H"], CARD_NUMBERS["AS"]


@pytest.fixture
def declining(pseudo, monkeypatch):
    """The pseudo-language with one case, ``object``, in which cards end in ``-n``."""
    catalogue = Catalog(locale=pseudo)
    catalogue.add("hearts", "hertta")
    catalogue.add("spades", "pata")
    for rank, word in (("seven", "seitsemän"), ("ace", "ässä")):
        catalogue.add(f"the {rank} of {{suit}}", f"{{suit}}{word}")
        catalogue.add(f"the {rank} of {{suit}}", f"{{suit}}{word}-n", context="object")
    catalogue.add("the red joker", "punainen jokeri")
    catalogue.add("the red joker", "punaisen jokerin", context="object")
    catalogue.add("a card", "kortti")
    catalogue.add("a card", "kortin", context="object")
    catalogue.add("{phrases} and {last}", "{phrases} ja {last}")
    catalogue.add("{name} plays {card}.", "{name} pelaa {card:object}.")
    translations = messages_module.compiled(catalogue)
    monkeypatch.setattr(messages_module, "load_translations", lambda code: translations)
    with in_language(pseudo):
        yield


@pytest.fixture
def spanish(pseudo, monkeypatch):
    """The pseudo-language with the words of Spanish for *and* and *or*."""
    catalogue = Catalog(locale=pseudo)
    catalogue.add("{phrases} and {last}", "{phrases} y {last}")
    catalogue.add("{phrases} and {last}", "{phrases} e {last}", context="before i")
    catalogue.add("{phrases} or {last}", "{phrases} o {last}")
    catalogue.add("{phrases} or {last}", "{phrases} u {last}", context="before o")
    translations = messages_module.compiled(catalogue)
    monkeypatch.setattr(messages_module, "load_translations", lambda code: translations)
    with in_language(pseudo):
        yield


class TestEnglish:
    def test_a_card_has_its_article_or_none(self):
        assert the_card_phrase(SEVEN) == "the seven of hearts"
        assert card_phrase(SEVEN) == "seven of hearts"
        assert the_card_phrase(53) == "the red joker"
        assert some_card() == "a card"

    @pytest.mark.parametrize(
        ("number", "words"), [(1, "a"), (2, "a and b"), (3, "a, b and c"), (0, "")], ids=["one", "two", "three", "none"]
    )
    def test_a_list_has_a_word_before_its_last_phrase(self, number, words):
        assert listed(["a", "b", "c"][:number]) == words
        assert listed_choice(["a", "b", "c"][:number]) == words.replace("and", "or")

    @pytest.mark.parametrize("last", ["Ian", "Olga"])
    def test_the_word_is_the_same_before_all_sounds(self, last):
        assert listed(["Ann", last]) == f"Ann and {last}"
        assert listed_choice(["Ann", last]) == f"Ann or {last}"


@pytest.mark.usefixtures("spanish")
class TestSounds:
    @pytest.mark.parametrize(
        ("last", "word"),
        [("Isabel", "e"), ("Íñigo", "e"), ("hijo", "e"), ("Hierro", "y"), ("Hiara", "y"), ("Ana", "y"), ("Olga", "y")],
    )
    def test_and_differs_before_an_i(self, last, word):
        assert listed(["Eva", "Ann", last]) == f"Eva, Ann {word} {last}"

    @pytest.mark.parametrize(
        ("last", "word"),
        [
            ("ocho", "u"),
            ("Óscar", "u"),
            ("hoja", "u"),
            ("8", "u"),
            ("11", "u"),
            ("110", "o"),
            ("as", "o"),
            ("Inés", "o"),
        ],
    )
    def test_or_differs_before_an_o(self, last, word):
        assert listed_choice(["siete", last]) == f"siete {word} {last}"


@pytest.mark.usefixtures("declining")
class TestCases:
    def test_without_a_case_a_card_is_in_its_basic_form(self):
        assert f"{the_card_phrase(SEVEN)}" == "herttaseitsemän"

    @pytest.mark.parametrize(
        ("phrase", "sentence"),
        [
            (lambda: the_card_phrase(SEVEN), "Ann pelaa herttaseitsemän-n."),
            (lambda: the_card_phrase(53), "Ann pelaa punaisen jokerin."),
            (some_card, "Ann pelaa kortin."),
            (
                lambda: listed([the_card_phrase(SEVEN), the_card_phrase(ACE)]),
                "Ann pelaa herttaseitsemän-n ja pataässä-n.",
            ),
        ],
        ids=["card", "joker", "unknown card", "list"],
    )
    def test_a_translation_declines_a_phrase(self, phrase, sentence):
        assert gettext("{name} plays {card}.", name="Ann", card=phrase()) == sentence

    def test_a_value_without_cases_stays_as_it_is(self):
        assert gettext("{name} plays {card}.", name="Ann", card="7♥") == "Ann pelaa 7♥."
