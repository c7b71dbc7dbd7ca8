"""``typed_state.py`` of a game: the types of its states' fields, generated from ``STATE``."""

import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from mypy import api

from parlour.authors.typed_states import FILE, state_module
from parlour.engine import typed_state
from parlour.engine.errors import GameError
from parlour.engine.rules import HEADER, state_type
from parlour.games import all_games, file_of, find_game
from tests.installed_packages import run
from tests.tiny_package import TINY, install


def game_with(name, *axes):
    """Return the generator's input for a game whose state has this field."""
    return SimpleNamespace(id="tiny", title="Tiny", dtype=state_type([(name, "i8", axes)]))


class TestTheFileOfAGame:
    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_equals_the_generated_text(self, game):
        """``make docs`` writes it."""
        assert file_of(game.id, FILE).read_text(encoding="utf-8") == state_module(game)

    def test_has_a_type_for_each_number_of_axes(self):
        made = [state_module(game_with("typed", *range(1, axes + 1))) for axes in range(4)]
        assert [text.splitlines()[-1] for text in made] == [
            "    typed: int",
            "    typed: IntVector",
            "    typed: IntMatrix",
            "    typed: IntCube",
        ]

    def test_cannot_have_a_field_of_four_axes(self):
        with pytest.raises(GameError, match="tiny: the field vast has 4 axes, but there are types for three"):
            state_module(game_with("vast", 1, 2, 3, 4))

    def test_is_written_into_the_folder_of_a_package(self, tmp_path):
        shutil.copytree(Path(__file__).parents[1] / "packages" / "away", tmp_path / "away")
        install(tmp_path, "away", "away")
        done = run(tmp_path, "-m", "parlour.authors.typed_states", "away")
        assert done.returncode == 0, done.stderr
        assert "    away_pile: IntVector\n" in (tmp_path / "away" / FILE).read_text(encoding="utf-8")

    def test_a_game_without_a_folder_is_refused_in_one_sentence(self, tmp_path):
        (tmp_path / "tiny.py").write_text(TINY)
        install(tmp_path, "tiny", "tiny")
        done = run(tmp_path, "-m", "parlour.authors.typed_states", "tiny")
        assert done.returncode == 1
        assert done.stderr == f"tiny is a single file; {FILE} needs a folder\n"


def test_the_types_of_every_state_are_those_of_the_header():
    types = {0: int, 1: typed_state.IntVector}
    shapes = {name: len(shape) for name, _, *shape in HEADER}
    assert typed_state.AnyState.__annotations__ == {name: types[axes] for name, axes in shapes.items()}


PROBE = """
from state import State

def probe(state: State) -> int:
    state.backup[:] = -1
    state.may[0, state.drew] |= 1 << state.top[0]
    state.handd[0] = 0
    state.may[0] = 0
    state.hand = 0
    state.hand[0] = "7H"
    state.stage[0] = 0
    return sum(state.hand) + sum(state.backup[1]) + sum(state.backup[1, 2:4])
"""


def test_a_type_checker_reports_wrong_uses_of_fields_and_no_others(tmp_path, monkeypatch):
    (tmp_path / "parlour" / "engine").mkdir(parents=True)  # without the rest of the package, which takes a minute
    shutil.copy(typed_state.__file__, tmp_path / "parlour" / "engine")
    (tmp_path / "state.py").write_text(state_module(find_game("trime-kicker")))
    (tmp_path / "probe.py").write_text(PROBE)
    monkeypatch.setenv("MYPYPATH", str(tmp_path))
    report, *_ = api.run(["--strict", "--cache-dir", str(tmp_path), str(tmp_path / "probe.py")])
    errors = dict(re.findall(r"probe.py:(\d+): error: (.*)  \[", report))
    assert errors == {
        "7": '"State" has no attribute "handd"; maybe "hand"?',
        "8": 'Invalid index type "int" for "IntMatrix"; expected type "tuple[int, int] | slice[Any, Any, Any]"',
        "9": 'Incompatible types in assignment (expression has type "int", variable has type "IntVector")',
        "10": 'Incompatible types in assignment (expression has type "str", target has type "int")',
        "11": 'Unsupported target for indexed assignment ("int")',
    }
