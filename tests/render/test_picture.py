"""The texts and the arrangement of a scene drawn as a picture."""

from typing import Any

import pytest

from parlour.render import picture
from parlour.render.picture import draw_scene
from parlour.render.scene import Area, CardSeen, Row, Scene, Side, Standing


def scene_of(*areas: Area, **more: Any) -> Scene:
    """Return a scene of these areas."""
    usual: dict[str, Any] = {"score": (), "standings": (), "log": (), "legal": (), "seat": 0, "actor": 0}
    usual |= {"seen": 0, "over": False, "sides": [Side("red", "north", "{points} to the north")]}
    return Scene("whist", "Whist", "Round 1", "Bo is to play.", areas, **{**usual, **more})


def seat(at: int | None, **more: Any) -> Area:
    return Area(f"seat-{at}", f"Player {at}", at, [Row(f"hand-{at}", "Hand", "hand", [CardSeen("7H")])], **more)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of the texts that are drawn."""
    texts: list[str] = []
    monkeypatch.setattr(picture, "_text", lambda draw, place, text, *_: texts.append(text))
    return texts


class TestTexts:
    @pytest.mark.parametrize(
        ("area", "about"),
        [
            (seat(0), ""),
            (seat(0, points=0), "counts 0"),
            (seat(0, points=-3, notes=["no clubs"]), "no clubs, counts -3"),
            (seat(0, subtitle="dealer", side="red", turn="to bid"), "dealer, north"),
            (seat(0, active=True, turn="to bid", notes=["no clubs"], points=7), "no clubs, to bid, counts 7"),
        ],
    )
    def test_an_area_has_its_notes_its_turn_and_its_points(self, drawn: list[str], area: Area, about: str) -> None:
        draw_scene(scene_of(area))
        assert drawn[drawn.index("Player 0") + 1].replace("−", "-") == about

    @pytest.mark.parametrize(("outcome", "shown"), [("", "Bo is to play."), ("Bo wins.", "Bo wins.")])
    def test_the_outcome_takes_the_place_of_the_prompt(self, drawn: list[str], outcome: str, shown: str) -> None:
        draw_scene(scene_of(seat(0), outcome=outcome, standings=[Standing("Ann", 2, 5), Standing("Bo", 1, 1)]))
        assert drawn[:3] == ["Whist: Round 1", shown, "Ann 5  ·  Bo 1"]

    @pytest.mark.parametrize(("hidden", "label"), [(9, "Stock"), (10, "Stock (10 face down)")])
    def test_backs_that_are_not_all_drawn_are_counted(self, drawn: list[str], hidden: int, label: str) -> None:
        draw_scene(scene_of(Area("middle", "", None, [Row("stock", "Stock", "pile", hidden=hidden)])))
        assert drawn[-2:] == ["", label]
        assert drawn[-3] == "Table"

    @pytest.mark.parametrize(
        ("style", "captions"), [("trick", ["Bo", "leads"]), ("slot", ["Bo", "leads"]), ("hand", [])]
    )
    def test_cards_of_a_trick_have_their_player_or_their_mark(
        self, drawn: list[str], style: Any, captions: list[str]
    ) -> None:
        cards = [CardSeen("7H", by="Bo", mark="wins"), CardSeen("8C", mark="leads")]
        draw_scene(scene_of(Area("middle", "Trick", None, [Row("trick", "Cards", style, cards)])))
        assert [text for text in drawn if text in ("Bo", "leads", "wins")] == captions


class TestBands:
    @pytest.mark.parametrize(
        ("others", "rows"), [(0, []), (1, [1]), (3, [3]), (4, [2, 2]), (5, [2, 3]), (6, [3, 3]), (7, [2, 2, 3])]
    )
    def test_the_others_come_first_at_most_three_a_row_then_the_middle_then_the_viewer(
        self, others: int, rows: list[int]
    ) -> None:
        scene = scene_of(seat(None), *(seat(at) for at in range(others + 1)))
        bands = [[area.at for area in band] for band in picture._bands(scene)]
        assert [len(band) for band in bands] == [*rows, 1, 1]
        assert [at for band in bands for at in band] == [*range(1, others + 1), None, 0]

    def test_a_middle_without_cards_has_none(self) -> None:
        empty = Area("middle", "", None, [Row("last", "Last trick", "last", [CardSeen("7H")])])
        assert [[area.at for area in band] for band in picture._bands(scene_of(empty, seat(0)))] == [[0]]
