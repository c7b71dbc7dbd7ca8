"""Marks of cards and sides: words of the game in the reader's language, with looks that the page has."""

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.languages import in_language
from parlour.render.layouts import find_layout
from parlour.render.page_folder import PAGE
from parlour.render.scene import Fate, Scene, SideColour
from parlour.render.text import area_lines, score_text
from tests.helpers import play_at_random

NAMES = ["Ann", "Bo", "Cy", "Di"]
MARKS = {
    "trick-walls": {("leads", "leads"), ("stands", "kept"), ("killed", "out")},
    "tricky-tribes": {
        ("", ""),
        ("face down", ""),
        ("offered", "offered"),
        ("wins", "wins"),
        ("loses", "loses"),
        ("collected", "taken"),
    },
}
"""The marks of each game's tricks, with their kinds."""
IN_GERMAN = {
    "trick-walls": {"beginnt", "steht", "gefallen"},
    "tricky-tribes": {"", "verdeckt", "Opfergabe", "gewinnt", "verliert", "eingesammelt"},
}


def scenes(game: str, code: str = "en", **options: bool) -> Iterator[Scene]:
    """Yield the scenes of a random game for four, as a player sees them who reads this language."""
    match = Setup(find_game(game), 4, options).start(seed=3)
    for now in play_at_random(match, 3):
        with in_language(code):
            yield find_layout(game).lay_out(now.observation(0), NAMES, None)


def marks(game: str, code: str = "en") -> set[tuple[str, str]]:
    """Return the marks of all cards in tricks, with their kinds."""
    rows = (row for scene in scenes(game, code) for area in scene.areas for row in area.rows)
    return {(card.mark, card.fate) for row in rows if row.style == "trick" for card in row.cards}


class TestAMark:
    @pytest.mark.parametrize("game", MARKS)
    def test_has_the_kind_of_its_word(self, game: str) -> None:
        assert marks(game) == MARKS[game]

    @pytest.mark.parametrize("game", IN_GERMAN)
    def test_is_in_the_language_of_the_reader_with_the_same_kinds(self, game: str) -> None:
        found = marks(game, "de")
        assert {word for word, _ in found} == IN_GERMAN[game]
        assert sorted(kind for _, kind in found) == sorted(kind for _, kind in MARKS[game])

    def test_of_each_kind_has_a_sign_on_the_page(self) -> None:
        signs = (PAGE / "js" / "common" / "glyphs.js").read_text(encoding="utf-8")
        assert [kind for kind in get_args(Fate) if kind and not re.search(rf"^  {kind}: ", signs, re.MULTILINE)] == []


class TestASide:
    @pytest.mark.parametrize(("code", "words"), [("en", ["red", "black"]), ("de", ["Rot", "Schwarz"])])
    def test_has_a_word_in_the_language_of_the_reader(self, code: str, words: list[str]) -> None:
        assert {tuple(side.word for side in scene.sides) for scene in scenes("trick-walls", code)} == {tuple(words)}

    def test_is_known_to_the_scene_wherever_it_is_named(self) -> None:
        for scene in scenes("trick-walls"):
            named = {area.side for area in scene.areas} | {area.points_for for area in scene.areas}
            named |= {line.side for line in scene.score} | {standing.side for standing in scene.standings}
            assert named - {""} <= {side.colour for side in scene.sides}

    def test_gains_points_in_the_language_of_the_reader_in_the_terminal(self) -> None:
        last = [*scenes("trick-walls", "de")][-1]
        assert re.search(r"\+\d+ für (Rot|Schwarz) ", score_text(last).plain)
        assert any("(Rot" in line.plain for area in last.areas for line in area_lines(area, last))

    def test_of_each_colour_has_a_look_on_the_page(self) -> None:
        sheet = (PAGE / "css" / "base.css").read_text(encoding="utf-8")
        assert [colour for colour in get_args(SideColour) if f".side-{colour or 'none'} {{" not in sheet] == []


class TestTheNoteOnTheScore:
    @pytest.mark.parametrize("keepers", [True, False])
    def test_is_there_where_points_count_for_sides(self, keepers: bool) -> None:
        assert any(scene.score_note for scene in scenes("trick-walls", city_keepers=keepers)) is not keepers
