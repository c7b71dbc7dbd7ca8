"""Facts that repeat fields of cards."""

from dataclasses import replace

import pytest

from parlour.authors import text_laws
from parlour.authors.laws import walk
from parlour.cards import card_name, lowest
from parlour.engine.fields import CARD, CARDS, FieldWords
from parlour.engine.match import Match
from parlour.engine.matches.steps import INTERPRETED
from parlour.engine.rules import NOBODY, SPECTATOR, PlainState, known_to, whole_deck
from parlour.engine.setup import Setup
from parlour.games import find_game

GAME = find_game("three-tricks")


@pytest.fixture
def match() -> Match:
    """Return a game after a few turns, interpreted."""
    return next(match for match in walk(Setup(GAME, 2), 1, INTERPRETED) if len(match.events) == 5)


class TestAFact:
    @pytest.mark.parametrize("known", [0b0, 0b1, 0b1011])
    def test_names_the_first_card_unknown_to_a_spectator_with_its_place(self, match, monkeypatch, known):
        match.state.public = known
        match.state.to_block = whole_deck(match.state)
        monkeypatch.setattr(text_laws, "observed_plain_state", lambda state, viewer: PlainState(state))
        repeats = replace(GAME, facts=lambda state: {"all": int(state.to_block)}, field_words={})
        monkeypatch.setattr(Match, "game", repeats)
        facts = text_laws.Facts()
        facts.compare(match)
        text = card_name(lowest(int(whole_deck(match.state)) & ~int(known_to(match.state, SPECTATOR))))
        assert f"the fact 'all' names {text} after event 5, but that card lies in " in facts.hidden["all"]
        assert facts.hidden["all"].endswith("field_words={'to_block': FieldWords(…, place=False)} in GAME")

    @pytest.mark.parametrize(("place", "compared"), [(True, {"all": {"to_block"}}), (False, {"all": set()})])
    def test_may_repeat_a_public_record_of_cards_that_lie_elsewhere(self, match, monkeypatch, place, compared):
        match.state.to_block = whole_deck(match.state)
        monkeypatch.setattr(text_laws, "observed_plain_state", lambda state, viewer: PlainState(state))
        words = {"to_block": FieldWords("cards", place=place)}
        repeats = replace(GAME, facts=lambda state: {"all": int(state.to_block)}, field_words=words)
        monkeypatch.setattr(Match, "game", repeats)
        facts = text_laws.Facts()
        facts.compare(match)
        assert facts.fields == compared
        assert [*facts.hidden] == [name for name, fields in compared.items() if fields]

    @pytest.mark.parametrize(
        ("kind", "held", "fact", "cards"),
        [
            (CARD, 3, 3, 0b1000),
            (CARD, 3, 4, None),
            (CARD, NOBODY, NOBODY, 0),
            (CARD, [3, 5, NOBODY], [3, 5], 0b101000),
            (CARD, [3, 5, NOBODY], [3, 5, NOBODY], 0b101000),
            (CARD, [3, 5], [5, 3], None),
            (CARD, [3], [3, 5], None),
            (CARD, [1, 0], [True, 0], None),
            (CARDS, 0b110, 0b110, 0b110),
            (CARDS, 0b110, [2, 1], 0b110),
            (CARDS, 0b110, [1], None),
            (CARDS, [0b110, 0b1000, 0], [[1, 2], [3]], 0b1110),
            (CARDS, [0b110, 0b1000, 0], [[1, 2], 0b1000], 0b1110),
            (CARDS, [0b110, 0b1000, 0], [[1, 2], []], None),
            (CARDS, [[0b110, 0], [0b1000, 0]], [[[1, 2]], [[3], []]], 0b1110),
        ],
    )
    def test_repeats_a_card_a_set_or_the_first_items_of_an_array(self, kind, held, fact, cards):
        assert text_laws._repeated_cards(kind, held, fact) == cards

    def test_names_cards_as_texts_and_within_other_facts(self):
        facts = {
            "top": "2C",
            "stage": "end",
            "last": {"cards": ["3C", None], "taker": 1, "dealer": 0},
            "piles": [{"top": "4C", "owner": None}, {"top": "5C", "owner": 1}],
            "none": [],
        }
        assert dict(text_laws._facts_with_cards(facts)) == {
            "top": 0, "stage": "end", "last.cards": [1, NOBODY], "last.taker": 1,
            "piles.top": [2, 3], "piles.owner": [NOBODY, 1],
        }  # fmt: skip
