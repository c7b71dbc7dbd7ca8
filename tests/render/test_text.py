"""A scene as text: every row, card, note and score, with symbols and without them for screen readers."""

import re
from typing import Any

import pytest

from parlour.languages import in_language
from parlour.render.scene import Area, CardSeen, Row, RowStyle, Scene, ScoreLine, Side, Standing
from parlour.render.text import area_lines, card_text, row_text, scene_text, score_text, standings_text

SIDES = (Side("red", "north", "{points} to the north"), Side("black", "south", "{points} to the south"))
TWO = (CardSeen("2C", do="2C"), CardSeen("KH", do="KH"))


def words(text: Any) -> str:
    """Return a text with single spaces."""
    return re.sub(" +", " ", text.plain).strip()


def scene(areas: tuple[Area, ...] = (), **more: Any) -> Scene:
    """Return a scene of which only the areas and ``more`` are known."""
    usual: dict[str, Any] = {"score": (), "standings": (), "log": (), "legal": (), "seat": 0, "actor": 0}
    return Scene("g", "My Game", "Round 2", "Your turn:", areas, **{**usual, "seen": 0, "over": False, **more})


class TestACard:
    @pytest.mark.parametrize(
        ("card", "style", "text"),
        [
            (CardSeen("2C"), "", "2C"),
            (CardSeen("2C", by="Bo", mark="leads"), "trick", "Bo 2C leads"),
            (CardSeen("2C", by="Bo", mark="wins"), "last", "Bo 2C wins"),
            (CardSeen("2C", by="Bo", mark="wins"), "hand", "2C"),
            (CardSeen("2C", mark="killed"), "slot", "2C killed"),
            (CardSeen("2C", False, mark="killed"), "slot", "2C face down"),
            (CardSeen(None, False), "slot", "a face-down card"),
            (CardSeen(None, False, by="Bo"), "trick", "Bo ??"),
            (CardSeen(None, False, by="Bo"), "hand", "??"),
        ],
    )
    def test_has_its_player_in_a_trick_and_its_fate_in_a_slot(self, card: CardSeen, style: str, text: str) -> None:
        assert card_text(card, style).plain == text

    @pytest.mark.parametrize(
        ("legal", "do", "text"),
        [
            (("2C",), "2C", "2C"),
            (("KH",), "2C", "(2C)"),
            (("KH",), None, "2C"),
            ((), "2C", "2C"),
        ],
    )
    def test_is_in_parentheses_if_its_action_is_not_among_the_legal_ones(
        self, legal: tuple[str, ...], do: str | None, text: str
    ) -> None:
        assert words(row_text(Row("hand", "Hand", "hand", [CardSeen("2C", do=do)]), legal)) == f"hand: {text}"


class TestARow:
    @pytest.mark.parametrize(
        ("style", "hidden", "drawn", "plain"),
        [
            ("hand", 0, "2C KH", "2C KH"),
            ("hand", 1, "2C KH 1 unknown card", "2C KH 1 unknown card"),
            ("life", 1, "2C KH 1 face-down card", "2C KH 1 face-down card"),
            ("life", 3, "2C KH 3 face-down cards", "2C KH 3 face-down cards"),
            ("wall", 0, "▐2C▌▐KH▌", "2C KH"),
            ("wall", 2, "▐2C▌▐KH▌ 2 unknown cards", "2C KH 2 unknown cards"),
        ],
    )
    def test_has_blocks_only_for_a_wall_that_may_have_symbols(
        self, style: RowStyle, hidden: int, drawn: str, plain: str
    ) -> None:
        row = Row("cards", "My cards", style, TWO, hidden)
        assert words(row_text(row)) == f"my cards: {drawn}"
        assert words(row_text(row, plain=True)) == f"my cards: {plain}"

    @pytest.mark.parametrize(("style", "hidden", "text"), [("wall", 1, "1 card"), ("pile", 12, "12 cards")])
    def test_without_a_visible_card_has_the_number_of_its_cards(self, style: RowStyle, hidden: int, text: str) -> None:
        assert words(row_text(Row("pile", "Pile", style, (), hidden))) == f"pile: {text}"


class TestAnArea:
    ROW = Row("hand", "Hand", "hand", TWO)

    @pytest.mark.parametrize(
        ("more", "head"),
        [
            ({}, "Bo"),
            ({"subtitle": "dealer", "notes": ("no clubs", "leads")}, "Bo (dealer, no clubs, leads)"),
            ({"side": "red", "points": 3}, "Bo (north, counts +3)"),
            ({"notes": ("life pile: 10♥, K♣",)}, "Bo (life pile: TH, KC)"),
            ({"points": 3}, "Bo (counts 3)"),
            ({"points": -3}, "Bo (counts −3)"),
            ({"points": 2, "points_for": "black"}, "Bo (counts 2 to the south)"),
            ({"turn": "to bid"}, "Bo"),
            ({"subtitle": "dealer", "active": True, "turn": "to bid"}, "▶ Bo (dealer, to bid)"),
        ],
    )
    def test_has_its_notes_in_order_and_the_task_only_if_it_is_awaited(self, more: dict[str, Any], head: str) -> None:
        area = Area("bo", "Bo", 1, [self.ROW], **more)
        assert [*map(words, area_lines(area, scene(sides=SIDES)))] == [head, "hand: 2C KH"]
        assert words(area_lines(area, scene(sides=SIDES), plain=True)[0]) == head.removeprefix("▶ ")

    def test_leaves_out_empty_rows_and_the_last_trick(self) -> None:
        rows = [Row("slot", "Slot 1", "slot"), Row("last", "Last trick", "last", TWO), self.ROW]
        rows += [Row("pile", "Pile", "pile", (), 4)]
        assert [*map(words, area_lines(Area("bo", "Bo", 1, rows), scene()))] == ["Bo", "hand: 2C KH", "pile: 4 cards"]

    def test_of_the_middle_is_left_out_without_cards_and_else_named_by_its_first_row(self) -> None:
        assert area_lines(Area("middle", "", None, [Row("trick", "Trick", "trick")]), scene()) == []
        assert [*map(words, area_lines(Area("bo", "Bo", 1, []), scene()))] == ["Bo"]
        trick = Row("trick", "Trick", "trick", [CardSeen("2C", by="Bo")])
        assert [*map(words, area_lines(Area("middle", "", None, [trick]), scene()))] == ["Trick", "trick: Bo 2C"]


class TestScores:
    @pytest.mark.parametrize(
        ("standings", "counted", "text"),
        [
            ((), "points", ""),
            ((Standing("Bo", 3, 3), Standing("Cy", 0, -4)), "points", "Score: Bo 3 · Cy −4 (0 before this round)"),
            ((Standing("Bo", 1, 5),), "Life cards left", "Life cards left: Bo 5 (1 before this round)"),
            (
                (Standing("Red", 2, 3, "red"), Standing("Black", 0, 0, "black")),
                "points",
                "Score: Red +3 (+2 before this round) · Black 0",
            ),
        ],
    )
    def test_have_the_points_before_the_round_if_these_differ(
        self, standings: tuple[Standing, ...], counted: str, text: str
    ) -> None:
        assert words(standings_text(scene(standings=standings, counted=counted))) == text

    def test_have_a_line_for_each_reason_with_the_title_of_its_area_points_and_clause(self) -> None:
        lines = [ScoreLine("bo", "tricks: 3", 3, "X-1"), ScoreLine("pot", "fine", -2, "X-2")]
        lines += [ScoreLine("bo", "walls", 4, "X-3", "black")]
        about = {"score": lines, "standings": [Standing("Bo", 0, 1)], "sides": SIDES}
        shown = score_text(scene((Area("bo", "Bo", 1, []),), **about))
        assert [re.sub(" +", " ", line).strip() for line in shown.plain.splitlines()] == [
            "Bo tricks: 3 +3 X-1",
            "fine −2 X-2",
            "Bo walls +4 to the south X-3",
            "Score: Bo 1 (0 before this round)",
        ]
        assert words(score_text(scene())) == "Nothing is scored yet."


class TestATable:
    AREAS = (
        Area("middle", "Middle", None, [Row("trick", "Trick", "trick", TWO)]),
        Area("you", "You", 0, []),
        Area("bo", "Bo", 1, []),
        Area("cy", "Cy", 2, []),
    )

    @pytest.mark.parametrize("order", [1, -1])
    def test_has_the_others_from_the_last_to_the_viewer_and_then_the_middle(self, order: int) -> None:
        heading, *lines = scene_text(scene(self.AREAS[::order]), plain=True).plain.splitlines()
        assert heading == "My Game: Round 2"
        assert [line.strip() for line in lines if line.strip() and "trick:" not in line] == [
            "Cy",
            "Bo",
            "You",
            "Middle",
        ]

    def test_has_the_space_before_a_colon_that_the_language_demands(self) -> None:
        with in_language("fr"):
            table = scene_text(scene(self.AREAS, standings=(Standing("Bo", 1, 0),)), plain=True).plain
        assert table.count(":") == 3
        assert table.count("\u202f:") == 3

    @pytest.mark.parametrize("width", [20, 78])
    def test_has_a_line_across_its_width_unless_it_is_plain(self, width: int) -> None:
        heading = scene_text(scene(), width=width).plain.splitlines()[0]
        assert re.fullmatch("── My Game: Round 2 ─*", heading)
        assert len(heading) == max(width, len("── My Game: Round 2 "))

    def test_breaks_long_lines_between_cards_and_words_with_an_indent_unless_it_is_plain(self) -> None:
        trick = Row("trick", "Trick", "trick", [CardSeen("2C", by="Bo", mark="killed"), CardSeen("3C", by="Cy")])
        wall = Row("wall", "Wall", "wall", TWO, 3)
        areas = (Area("bo", "Bo", 1, [trick, wall], notes=("no clubs", "leads the trick")),)
        shown = scene(areas, standings=(Standing("Bo and Cy", 1, 10), Standing("Di", 0, 0)))
        assert scene_text(shown, width=30).plain.splitlines()[1:] == [
            "  Bo  (no clubs, leads the",
            "    trick)",
            "    trick:       Bo 2C killed",
            "                 Cy 3C",
            "    wall:        ▐2C▌▐KH▌",
            "                   3 unknown cards",
            "  Score: Bo and Cy 10 (1",
            "    before this round) · Di 0",
        ]
        assert len(scene_text(shown, plain=True, width=30).plain.splitlines()) == 5
