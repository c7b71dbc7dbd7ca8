"""Puzzles by HTTP: the lists, a puzzle before the try, and the verdict."""

import json
import re

import pytest

from parlour.bots.search import Search
from parlour.languages import in_language
from parlour.puzzles.exercise import exercise_of
from parlour.puzzles.puzzle_file import games_with_puzzles
from parlour.puzzles.standing import PuzzleStanding
from parlour.puzzles.themes import theme_title
from parlour.render.layouts import find_layout


@pytest.fixture
def of_game():
    return next(each for each in games_with_puzzles() if each.setup.game.id == "castle-walls")


class TestPuzzles:
    @pytest.fixture
    def puzzle(self, of_game):
        return of_game.puzzles[0]

    @pytest.fixture
    def address(self, puzzle):
        return f"/api/puzzles/castle-walls/{puzzle.id}"

    def test_are_listed_by_game_and_shown_with_their_actions(self, card_room, of_game, puzzle, address):
        http = card_room.http
        games = http.get("/api/puzzles").json()["games"]
        assert {each["game"]: each["puzzles"] for each in games}["castle-walls"] == len(of_game.puzzles)
        listed = http.get("/api/puzzles/castle-walls").json()["puzzles"]
        assert listed[0] == {"id": puzzle.id, "rating": puzzle.rating, "themes": list(puzzle.themes)}
        shown = http.get(address).json()
        assert sorted(shown["scene"]["legal"]) == sorted(each.do for each in puzzle.actions)

    def test_have_titles_of_their_themes_that_name_what_is_done(self, card_room):
        titles = card_room.http.get("/api/puzzles/castle-walls").json()["themes"]
        assert titles["use"] == "use the joker"
        assert titles["end"] == "end the turn"
        assert titles["attack"] == "attack"

    def test_have_titles_of_their_themes_in_the_language_of_the_reader(self, card_room):
        for game in card_room.http.get("/api/puzzles").json()["games"]:
            german = card_room.http.get(f"/api/puzzles/{game['game']}", headers={"accept-language": "de"}).json()
            assert set(german["themes"]) == set(game["themes"])
            assert all(title != theme for theme, title in german["themes"].items())
        assert german["themes"]["trap"] == "nicht das Naheliegende"

    def test_have_titles_of_their_themes_in_the_words_of_their_game(self, card_room):
        def title(game, theme, code):
            return card_room.http.get(f"/api/puzzles/{game}", headers={"accept-language": code}).json()["themes"][theme]

        assert [title(game, "lay", "fr") for game in ("three-tricks", "trime-kicker")] == [
            "poser un pli",
            "poser une carte",
        ]
        assert title("castle-walls", "put", "de") == "Karte legen"
        with in_language("de"):  # the shipped puzzles need not have this theme
            assert theme_title("put", "tricky-tribes") == "Karte tauschen"
        assert "trap" not in title("castle-walls", "trap", "en"), "traps are cards there"

    def test_a_try_is_judged_and_changes_the_standing_unless_it_does_not_count(self, card_room, puzzle, address):
        http = card_room.http
        right = http.post(address, json={"do": puzzle.best.do}).json()
        assert (right["right"], right["standing"]["streak"]) == (True, 1)
        wrong = http.post(address, json={"do": puzzle.actions[-1].do, "standing": right["standing"]}).json()
        assert (wrong["right"], wrong["best"]) == (False, puzzle.best.do)
        assert wrong["standing"]["streak"] == 0
        again = http.post(address, json={"do": puzzle.best.do, "counts": False}).json()
        assert again["standing"] is None

    def test_a_selection_that_is_not_legal_is_answered_with_the_reasons(self, card_room):
        trime_kicker = next(each for each in games_with_puzzles() if each.setup.game.id == "trime-kicker")
        puzzle = trime_kicker.puzzles[0]
        answer = card_room.http.post(f"/api/puzzles/trime-kicker/{puzzle.id}/why", json={"tokens": ["backup"]})
        assert answer.json()["reasons"] == [
            {"clause": "TK-8", "reason": "You can lay a card, so you may not draw."},
        ]
        nowhere = card_room.http.post("/api/puzzles/trime-kicker/00000000/why", json={"tokens": ["backup"]})
        assert nowhere.status_code == 404

    def test_illegal_actions_forged_standings_and_unknown_puzzles_are_refused(self, card_room, puzzle, address):
        http = card_room.http
        refused = http.post(address, json={"do": "attack 9 9"})
        assert (refused.status_code, refused.json()["error"] != "") == (422, True)
        for forged in ({"rating": 1e9}, {"deviation": -1}, {"streak": -1}, {"tried": "many"}, {"tried": 10**30}):
            standing = PuzzleStanding().to_json() | forged
            answer = http.post(address, json={"do": puzzle.best.do, "standing": standing})
            assert answer.status_code == 422
        assert answer.json() == {"error": "standing.tried: must be 1000000000 or less"}
        for nowhere in ("/api/puzzles/castle-walls/00000000", "/api/puzzles/poker", "/api/puzzles/castle-walls/x"):
            assert http.get(nowhere).status_code == 404


class TestSecrecy:
    def test_nothing_of_the_answer_is_in_a_puzzle_before_the_try(self, of_game):
        for puzzle in of_game.puzzles[:3]:
            exercise = exercise_of(puzzle)
            assert set(exercise.scene.to_json()) == set(exercise_of(of_game.puzzles[-1]).scene.to_json())
            text = json.dumps([exercise.scene.to_json(), list(exercise.log)])
            assert not re.search(r"rating|behind|levels|themes|\bbest\b", text)

    def test_another_deal_of_the_hidden_cards_has_the_same_scene(self, of_game):
        for puzzle in of_game.puzzles[:3]:
            match, position = puzzle.match(), puzzle.position()
            seat = match.actor
            guess = Search(position.state, seat, position.moves, 1, 1).determinize(0)
            guessed = match.imagined(guess)
            assert guessed.state.tobytes() != match.state.tobytes()
            scene = find_layout(match.game.id).lay_out(guessed.observation(seat), position.names, None)
            assert scene == exercise_of(puzzle).scene
