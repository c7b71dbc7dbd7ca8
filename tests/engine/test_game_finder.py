"""The lookup of games: the package of games registers its finder, and the engine knows no game."""

import subprocess
import sys

import pytest

import parlour
from parlour.engine import game_finder
from parlour.engine.errors import ParlourError, UnknownGameError
from parlour.engine.setup import Setup
from parlour.games import find_game


def test_the_registered_finder_finds_the_game_of_a_setup():
    assert Setup.from_json({"game": "castle-walls", "players": 2}).game is find_game("castle-walls")
    assert game_finder.find_game is not find_game


def test_an_unknown_game_is_refused_with_the_list_of_games():
    with pytest.raises(UnknownGameError, match="there is no game 'whist'; there are castle-walls, "):
        Setup.from_json({"game": "whist", "players": 2})


def test_without_a_finder_the_error_names_the_module_to_import(monkeypatch):
    monkeypatch.setattr(game_finder, "_registered", None)
    with pytest.raises(ParlourError, match=r"'castle-walls' cannot be found before the package parlour\.games is imp"):
        Setup.from_json({"game": "castle-walls", "players": 2})


def test_the_engine_imports_no_games_and_a_setup_from_the_front_finds_them():
    script = """
import sys
import parlour.engine.setup
assert "parlour.games" not in sys.modules
import parlour
print(parlour.Setup.from_json({"game": "castle-walls", "players": 2}).label)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{parlour.make('castle-walls').label}\n"
