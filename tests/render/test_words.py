"""Words and signs of tables."""

import pytest

from parlour.languages import in_language
from parlour.render.scene import CardSeen, Row
from parlour.render.text import by_number, row_text
from parlour.render.words import in_signs, round_over, with_semicolons, with_sign


def test_cards_are_shown_as_signs():
    assert in_signs("red: JD TH 2S; black: AC") == "red: J♦ 10♥ 2♠; black: A♣"


def test_gained_points_have_a_sign():
    assert [with_sign(points) for points in (3, 0, -2)] == ["+3", "0", "\u22122"]


def test_parts_in_one_line_have_the_space_before_a_semicolon_that_the_language_demands():
    assert with_semicolons(["Ada +3", "Bo, Cy −1"]) == "Ada +3; Bo, Cy −1"
    with in_language("fr"):
        assert with_semicolons(["Ada +3", "Bo, Cy −1"]) == "Ada +3\u202f; Bo, Cy −1"


def test_a_typed_number_is_that_action_or_else_that_row_of_the_list():
    assert by_number("1", ["bid 0", "bid 1", "bid 2"]) == "bid 1"
    assert by_number("3", ["bid 0", "bid 1", "bid 2"]) == "3"
    assert by_number("1", ["flip 2", "end"]) == "flip 2"
    assert by_number("3", ["flip 2", "end"]) == "3"
    assert by_number("0", ["flip 2", "end"]) == "0"
    assert by_number("end", ["flip 2", "end"]) == "end"


def test_a_typed_number_is_the_row_of_the_list_if_the_actions_are_a_card_on_places():
    assert by_number("2", ["5D on 2", "5D on 3"]) == "5D on 3"
    assert by_number("1", ["5D on 2", "5D on 3"]) == "5D on 2"


def test_a_typed_number_is_the_row_of_the_list_if_there_is_a_single_action():
    assert by_number("1", ["KS on 4"]) == "KS on 4"
    assert by_number("1", ["flip 2"]) == "flip 2"


def test_a_long_row_name_is_separated_from_its_cards():
    assert row_text(Row("killed", "Killed, face down", "buried", [CardSeen("2C", False)])).plain.endswith("down: 2C")


def test_the_other_cards_of_a_row_are_unknown_except_in_a_life_pile_which_a_note_may_name():
    known = [CardSeen("2C")]
    assert row_text(Row("hand", "Hand", "hand", known, 6)).plain.endswith("2C  6 unknown cards")
    assert row_text(Row("life", "Life pile", "life", known, 6)).plain.endswith("2C  6 face-down cards")
    assert row_text(Row("life", "Life pile", "life", [], 6)).plain.endswith(" 6 cards")


@pytest.mark.parametrize(
    ("number", "rounds", "words"),
    [
        (1, 1, "The round is over"),
        (1, 2, "Round 1 of 2 is over"),
        (2, 2, "Round 2 of 2 is over"),
        (4, 4, "Round 4 of 4 is over"),
        (1, 0, "Round 1 is over"),
        (3, 0, "Round 3 is over"),
    ],
)
def test_a_finished_round_has_its_number_if_it_is_one_of_several(number, rounds, words):
    assert round_over(number, rounds) == words
