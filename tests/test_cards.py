"""Cards, sets of cards and their text."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from parlour import cards
from parlour.cards import (
    BLACK,
    CARD_NAMES,
    CARD_TEXT,
    COURTS,
    FULL_DECK,
    JOKERS,
    RED,
    SUIT_SETS,
    card_name,
    card_words,
    cards_name,
    cards_of,
    parse_card,
    parse_cards,
    set_of,
)


class TestText:
    def test_a_card_is_its_rank_and_its_suit(self):
        assert [card_name(card) for card in (0, 5, 12, 13, 25, 26, 38, 39, 51)] == (
            ["2C", "7C", "AC", "2D", "AD", "2H", "AH", "2S", "AS"]
        )

    def test_the_jokers_are_xb_and_xr(self):
        assert (card_name(52), card_name(53)) == ("XB", "XR")

    def test_parse_inverts_name(self):
        assert [parse_card(card_name(card)) for card in range(54)] == list(range(54))
        assert len(set(CARD_NAMES)) == 54

    @pytest.mark.parametrize("text", ["", "7", "C7", "7c", "10H", "1H", "XC", "X", "7H ", " 7H", "7HH", "??", "٧H"])
    def test_other_texts_are_refused(self, text):
        with pytest.raises(ValueError, match="is not a card: a rank of 23456789TJQKA and a suit of CDHS, or XB or XR"):
            parse_card(text)

    def test_the_text_of_a_set_is_ordered_by_suit_rank_and_jokers_last(self):
        mixed = set_of(parse_cards("XR AS 2S TH JH 9H AD KC XB 2C"))
        assert cards_name(mixed) == "2C KC AD 9H TH JH 2S AS XB XR"

    def test_a_list_of_cards_keeps_its_order(self):
        assert [card_name(card) for card in parse_cards("7H 2C AS")] == ["7H", "2C", "AS"]
        assert parse_cards("") == []

    def test_a_repeated_card_is_refused(self):
        with pytest.raises(ValueError, match="7H is named twice"):
            parse_cards("2C 7H AS 7H")

    def test_cards_in_a_sentence_are_found(self):
        assert CARD_TEXT.findall("lay 7H TS XB ?? deal 10H 7HH A7H 2c KC.") == ["7H", "TS", "XB", "KC"]

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("7C", "seven of clubs"),
            ("TD", "ten of diamonds"),
            ("JH", "jack of hearts"),
            ("AS", "ace of spades"),
            ("XB", "black joker"),
            ("XR", "red joker"),
        ],
    )
    def test_a_card_has_words(self, text, words):
        assert card_words(parse_card(text)) == words

    def test_cards_have_unique_words(self):
        assert len({card_words(card) for card in range(54)}) == 54


class TestSets:
    def test_a_set_is_a_bit_for_each_card(self):
        assert set_of([0, 5, 53]) == 1 | 1 << 5 | 1 << 53
        assert list(cards_of(1 | 1 << 5 | 1 << 53)) == [0, 5, 53]
        assert list(cards_of(0)) == []

    def test_the_deck_has_two_colours_of_two_suits(self):
        assert BLACK | RED == FULL_DECK
        assert BLACK & RED == 0
        assert {card_name(card)[1] for card in cards_of(BLACK)} == {"C", "S"}
        assert {card_name(card)[1] for card in cards_of(RED)} == {"D", "H"}
        assert [bin(suit).count("1") for suit in SUIT_SETS] == [13] * 4
        assert FULL_DECK & JOKERS == 0
        assert list(cards_of(JOKERS)) == [52, 53]

    def test_courts_are_jack_queen_king_and_ace_of_every_suit(self):
        assert cards_name(COURTS) == " ".join(f"{rank}{suit}" for suit in "CDHS" for rank in "JQKA")

    @pytest.mark.parametrize("text", ["2C", "AC", "2D", "KH", "AS"])
    def test_a_card_has_a_rank_and_a_suit(self, text):
        card = parse_card(text)
        assert "23456789TJQKA"[cards.rank_of(card)] == text[0]
        assert "CDHS"[cards.suit_of(card)] == text[1]
        assert cards.suit_set(cards.suit_of(card)) & cards.bit(card)

    def test_a_joker_has_a_suit_of_its_own(self):
        assert cards.suit_of(52) == cards.suit_of(53) == 4


@numba.njit
def _compiled(chosen):
    return cards.count(chosen), cards.lowest(chosen)


class TestCountingBits:
    @pytest.mark.parametrize("chosen", [1, 2, 1 << 53, FULL_DECK, FULL_DECK | JOKERS, RED, JOKERS, 0b1011000])
    def test_compiled_and_interpreted_are_the_same(self, chosen):
        counted = sum(chosen >> card & 1 for card in range(64))
        first = next(card for card in range(64) if chosen >> card & 1)
        assert (cards.count(chosen), cards.lowest(chosen)) == _compiled(chosen) == (counted, first)

    def test_an_empty_set_has_count_zero(self):
        assert cards.count(0) == 0


@numba.njit
def _chosen_compiled(chosen, places):
    return cards.cards_at(chosen, places)


class TestCardsAtPositions:
    @pytest.mark.parametrize("chosen", [0, 1, 1 << 53, FULL_DECK | JOKERS, RED, 0b1011000])
    @pytest.mark.parametrize("places", [0, 1, 0b10, 0b101, 1 << 25, 1 << 52, 1 << 53])
    def test_compiled_and_interpreted_are_the_same(self, chosen, places):
        in_order = [card for card in range(54) if chosen >> card & 1]
        wanted = set_of(card for place, card in enumerate(in_order) if places >> place & 1)
        assert cards.cards_at(chosen, places) == _chosen_compiled(chosen, places) == wanted

    def test_the_result_is_the_same_on_a_processor_without_pdep(self):
        code = "\n".join(
            [
                "import numba",
                "from parlour import cards",
                "chosen = numba.njit(lambda held, places: cards.cards_at(held, places))",
                "print(chosen(0b1011000, 0b101))",
                "print('pdep' in ''.join(chosen.inspect_asm().values()))",
            ]
        )
        plain = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": "0"}
        run = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True)
        assert run.stdout.split() == [str(0b1001000), "False"]


@numba.njit
def _stored(cells, row, start, flags):
    cards.store_flags(cells, row, start, flags)


@numba.njit
def _added(cells, row, start, flags, number):
    cards.add_flags(cells, row, start, flags, number)


FLAGS = [0, 1, 0b1010_0000_0000_0001, 1 << 62 | 1 << 31 | 6, -1]
CELLS = [np.float32, np.int16]


def cells_with(dtype, start, numbers):
    """Return an array of sevens with these numbers in its second row from ``start`` on."""
    cells = np.full((3, 90), 7, dtype)
    cells[1, start : start + len(numbers)] = numbers
    return cells


@pytest.mark.parametrize("dtype", CELLS)
@pytest.mark.parametrize("flags", FLAGS)
class TestStoringFlags:
    @pytest.mark.parametrize("start", [0, 3, 26])
    def test_each_bit_sets_its_cell_and_no_other(self, start, flags, dtype):
        expected = cells_with(dtype, start, [flags >> place & 1 for place in range(64)])
        for store in (cards.store_flags, _stored):
            cells = cells_with(dtype, 0, [])
            store(cells, 1, start, flags)
            assert np.array_equal(cells, expected)

    def test_a_number_is_added_to_the_cells_of_set_bits_only(self, flags, dtype):
        expected = cells_with(dtype, 3, [7 + 4 * (flags >> place & 1) for place in range(64)])
        for add in (cards.add_flags, _added):
            cells = cells_with(dtype, 0, [])
            add(cells, 1, 3, flags, 4)
            assert np.array_equal(cells, expected)
