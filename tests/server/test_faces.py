"""The faces of games: the colours and the drawing of each table, and games whose files are damaged."""

import re

import pytest

from parlour.games import files_named, game_ids
from parlour.puzzles import puzzle_file
from parlour.server.http import catalogue, faces, path_games

CONTRAST = 4.5
"""Minimum contrast of text and its background, by WCAG 2.2 at level AA."""
SOFT = "#f3ead9"
"""The colour of secondary text on a cloth (``--soft``), before the cloth tints it."""


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


class TestFacesOfGames:
    def test_every_game_has_colours_and_a_drawing(self):
        sheet = faces.face_files()["css/faces.css"].decode()
        for game_id in game_ids():
            assert f".face-{game_id} {{" in sheet
            assert f"games/{game_id}/table.svg" in faces.face_files()

    def test_no_two_games_have_the_same_cloth(self):
        cloths = re.findall(r"--cloth: (#\w+)", faces.face_files()["css/faces.css"].decode())
        assert len(set(cloths)) == len(game_ids())

    def test_words_and_marks_are_legible_on_every_cloth(self):
        rules = faces.face_files()["css/faces.css"].decode().splitlines()
        assert len(rules) == len(game_ids())
        for rule in rules:
            cloth, accent = re.findall(r"#\w{6}", rule)
            assert contrast(cloth, SOFT) > 2 * CONTRAST
            assert contrast(cloth, accent) > CONTRAST

    def test_a_drawing_is_small_and_loads_nothing(self):
        for drawing in files_named("table.svg").values():
            assert len(drawing) < 8000
            assert not re.search(rb"<script|href|@import|<image", drawing)

    @pytest.mark.parametrize(
        ("toml", "why"),
        [
            (b'cloth = "#24364a"', "accent must be a colour"),
            (b'cloth = "red"\naccent = "#ffffff"', "cloth must be a colour"),
            (b"cloth = \xff", "invalid start byte"),
            (b"cloth", "Expected '='"),
        ],
    )
    def test_a_damaged_face_is_left_out_with_the_reason_in_the_log(self, monkeypatch, caplog, toml, why):
        fine = b'cloth = "#24364a"\naccent = "#ffffff"'
        monkeypatch.setattr(
            faces, "files_named", lambda name: {"my-game": toml, "other": fine} if "toml" in name else {}
        )
        sheet = faces.face_files()["css/faces.css"].decode()
        assert ".face-other" in sheet
        assert "my-game" not in sheet
        assert why in str(caplog.records[0].__dict__)

    def test_the_page_has_the_faces_in_its_style_sheet(self, card_room):
        page = card_room.http.get("/").text
        version = re.search(r"/page/(\w+)/css", page)[1]
        assert ".face-trick-walls" in card_room.http.get(f"/page/{version}/css/page.css").text
        drawing = card_room.http.get(f"/page/{version}/games/trick-walls/table.svg")
        assert drawing.headers["content-type"] == "image/svg+xml"


class TestAGameWithADamagedFile:
    @pytest.mark.parametrize("reader", ["find_layout", "find_lesson", "rules_text"])
    def test_is_left_out_with_the_reason_in_the_log(self, monkeypatch, caplog, reader):
        read = getattr(catalogue, reader)

        def read_or_fail(game_id):
            return 1 / 0 if game_id == "trick-walls" else read(game_id)

        monkeypatch.setattr(catalogue, reader, read_or_fail)
        shown = [game.id for game in catalogue.shown_games.__wrapped__()]
        assert shown == [game_id for game_id in game_ids() if game_id != "trick-walls"]
        assert "division by zero" in str(caplog.records[0].__dict__)

    def test_has_no_pages(self, monkeypatch, card_room):
        monkeypatch.setattr(path_games, "shown_games", lambda: [])
        for path in ("rules", "primer", "lesson"):
            answer = card_room.http.get(f"/api/games/trick-walls/{path}")
            assert (answer.status_code, answer.json()) == (404, {"error": "there is no such game"})

    def test_leaves_the_puzzles_of_the_others(self, monkeypatch):
        read = puzzle_file.shipped_puzzles
        damaged = b"\x1f\x8b"
        monkeypatch.setattr(
            puzzle_file,
            "shipped_puzzles",
            lambda game_id: puzzle_file.parse_puzzles(damaged, "") if game_id == "trick-walls" else read(game_id),
        )
        found = [each.setup.game.id for each in puzzle_file.games_with_puzzles()]
        assert "trime-kicker" in found
        assert "trick-walls" not in found
