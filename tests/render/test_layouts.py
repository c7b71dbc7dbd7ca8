"""The layout of a game, as the room finds it, and the words of its areas."""

from itertools import islice
from types import SimpleNamespace

import pytest

from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import built_in_games
from parlour.languages import gettext, in_language
from parlour.render import layouts
from parlour.render.layouts import find_layout
from parlour.render.scene import Layout
from tests.helpers import play_at_random


def lay_out(observation, names, before):
    """Return a word for which the catalogues have a translation, in place of a scene."""
    return gettext("hearts")


@pytest.fixture
def found(monkeypatch):
    """Return a function that finds the layout of 3 Tricks as if it came from a module of the given name."""

    def find(module_name: str, variation_of: str = "", phrase=None) -> Layout:
        layout = Layout(lay_out, interpret=lambda observation, tokens: [gettext("hearts")], phrase=phrase)
        module = SimpleNamespace(__name__=module_name, LAYOUT=layout)
        monkeypatch.setattr(layouts, "module_of", lambda game_id, name: module)
        monkeypatch.setattr(layouts, "find_game", lambda game_id: SimpleNamespace(variation_of=variation_of))
        return find_layout.__wrapped__("three-tricks")

    return find


class TestTheLanguageOfATable:
    def test_is_the_readers_in_a_game_of_the_repository_and_in_its_variations(self, found):
        with in_language("de"):
            assert found("parlour.games.three_tricks.layout").lay_out(None, [], None) == "Herz"
            assert found("suit_tricks.layout", variation_of="three-tricks").lay_out(None, [], None) == "Herz"

    def test_is_english_in_a_game_from_a_package_which_has_no_translations(self, found):
        layout = found("oh_pass.layout", phrase=lambda observation, action: gettext("hearts"))
        with in_language("de"):
            assert layout.lay_out(None, [], None) == "hearts"
            assert layout.interpret(None, []) == ["hearts"]
            assert layout.phrase(None, "") == "hearts"
            assert gettext("hearts") == "Herz"
        assert found("oh_pass.layout").phrase is None


class TestTheTaskOfAPlayer:
    @pytest.mark.parametrize("game", built_in_games(), ids=lambda game: game.id)
    def test_has_the_verb_of_you_for_the_viewer_alone(self, game):
        match = Setup(game, game.usual_players).start(seed=1)
        names = [f"Ann{seat}" for seat in range(match.players)]
        own, others = set(), set()
        with in_language("es"):
            for at in islice(play_at_random(match, 1), 60):
                for viewer in (0, 1, SPECTATOR):
                    areas = find_layout(game.id).lay_out(at.observation(viewer), names, None).areas
                    own |= {area.turn for area in areas if area.active and area.title == "Tú"}
                    others |= {area.turn for area in areas if area.active and area.title != "Tú"}
        assert {task.split()[0] for task in own} == {"te"}, "as in: te toca jugar"
        assert others
        assert {task for task in others if task.startswith("te ")} == set()
