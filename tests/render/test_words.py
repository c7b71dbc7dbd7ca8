"""How tables put things into words."""

from parlour.render.scene import CardSeen, Row
from parlour.render.text import by_number, row_text
from parlour.render.words import all_said, gained, in_signs


def test_cards_are_shown_by_their_signs():
    assert in_signs("red: JD TH 2S; black: AC") == "red: J♦ 10♥ 2♠; black: A♣"


def test_what_is_gained_has_a_sign_of_its_own():
    assert [gained(points) for points in (3, 0, -2)] == ["+3", "0", "\u22122"]


def test_several_do_something_together():
    assert all_said(["you", "Bo"], "deal") == "You and Bo deal"
    assert all_said(["you"], "deal") == "You deal"
    assert all_said(["Bo"], "deal") == "Bo deals"


def test_a_number_typed_alone_is_the_action_of_that_number_or_else_the_one_so_listed():
    assert by_number("1", ["bid 0", "bid 1", "bid 2"]) == "bid 1"
    assert by_number("3", ["bid 0", "bid 1", "bid 2"]) == "3"
    assert by_number("1", ["flip 2", "end"]) == "flip 2"
    assert by_number("3", ["flip 2", "end"]) == "3"
    assert by_number("0", ["flip 2", "end"]) == "0"
    assert by_number("end", ["flip 2", "end"]) == "end"


def test_a_long_name_of_a_row_stands_apart_from_its_cards():
    assert row_text(Row("killed", "Killed, face down", "buried", [CardSeen("2C", False)])).plain.endswith("down: 2C")
