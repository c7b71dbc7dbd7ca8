"""Games of installed packages: found by entry points, complete or with five functions, correct or faulty."""

import importlib
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from parlour.authors.skeleton import write_game
from parlour.engine.errors import GameError, ParlourError
from parlour.engine.sources import files_behind
from tests.installed_packages import code, run
from tests.tiny_package import TINY, install

pytestmark = pytest.mark.slow  # starts processes


def install_skeleton(site: Path, tmp_path: Path) -> Path:
    """Install the skeleton; return the folder of its module."""
    folder = write_game("my-game", tmp_path)
    (folder / "my_game").rename(site / "my_game")
    install(site, "my-game", "my_game")
    return site / "my_game"


class TestFiveFunctions:
    PLAYED = """
import parlour
from parlour.render.layouts import find_layout, find_lesson, rules_text
dealt = parlour.make("tiny").start(seed=3).observation(0)
match = parlour.play(parlour.make("tiny"), ["thumb", "random"], seed=3)
view = match.observation(0)
scene = find_layout("tiny").lay_out(view, ["Ann", "Bo"], None)
print(parlour.make("tiny").label, len(match.events), match.result.winners, scene.outcome, find_lesson("tiny"))
print(rules_text("tiny"), end="")
print([(choice.label, choice.tokens) for choice in find_layout("tiny").lay_out(dealt, ["Ann", "Bo"], None).choices])
"""

    def test_suffice_for_bots_and_for_the_table(self, site):
        (site / "tiny.py").write_text(TINY)
        install(site, "tiny", "tiny")
        assert code(site, self.PLAYED).splitlines() == [
            "Tiny, 2 players 3 (0,) You win. None",
            "Tiny has no page of rules yet.",
            "[('6♠', [])]",
        ]

    def test_suffice_for_people_in_the_terminal(self, site):
        (site / "tiny.py").write_text(TINY)
        install(site, "tiny", "tiny")
        done = run(site, "-m", "parlour", "play", "tiny", "--bots", "random", "--seed", "1", typed="1\n")
        assert done.returncode == 0, done.stderr
        assert re.search(r"\bwins?\b", done.stdout)

    def test_suffice_for_positions_in_the_middle_of_a_short_game(self, site):
        (site / "tiny.py").write_text(TINY)
        install(site, "tiny", "tiny")
        middle = (
            "from parlour.authors.bench import middle_of_a_game; print(middle_of_a_game(parlour.make('tiny'), 0).actor)"
        )
        assert code(site, f"import parlour; {middle}") == "1\n"


class TestSkeleton:
    def test_registers_its_game(self, tmp_path):
        folder = write_game("my-game", tmp_path)
        project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
        assert project["entry-points"]["parlour.games"] == {"my-game": "my_game"}
        own = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
        assert project["requires-python"] == own["requires-python"]
        assert (folder / "my_game" / "__init__.py").is_file()

    @pytest.mark.parametrize("name", ["My Game", "", "-x", "../up", "9lives"])
    def test_an_invalid_id_is_refused(self, tmp_path, name):
        with pytest.raises(GameError, match="cannot be a game's id"):
            write_game(name, tmp_path)

    @pytest.mark.parametrize(
        ("name", "why"),
        [("import", "Python's own"), ("class", "Python's own"), ("json", "it would hide"), ("numpy", "it would hide")],
    )
    def test_a_name_that_no_package_can_have_is_refused(self, tmp_path, name, why):
        with pytest.raises(GameError, match=f"{name}' cannot be a game's id, since its package would .*{why}"):
            write_game(name, tmp_path)
        assert not list(tmp_path.iterdir())

    def test_the_name_of_another_game_is_refused(self, tmp_path):
        with pytest.raises(GameError, match="there is a game trick-walls already"):
            write_game("trick-walls", tmp_path)

    def test_an_existing_folder_is_refused(self, tmp_path):
        write_game("my-game", tmp_path)
        with pytest.raises(ParlourError, match="my-game cannot be created: File exists"):
            write_game("my-game", tmp_path)

    def test_a_folder_with_another_project_is_refused_and_unchanged(self, tmp_path):
        (tmp_path / "my-game").mkdir()
        (tmp_path / "my-game" / "pyproject.toml").write_text("another project")
        with pytest.raises(ParlourError, match="my-game cannot be created: File exists"):
            write_game("my-game", tmp_path)
        assert [each.read_text() for each in (tmp_path / "my-game").iterdir()] == ["another project"]

    def test_plays_and_keeps_the_laws_unchanged(self, site, tmp_path):
        install_skeleton(site, tmp_path)
        assert "my-game  (2 to 4 players)" in run(site, "-m", "parlour", "games").stdout
        done = run(site, "-m", "parlour", "check", "my-game", "-n", "10")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "My Game: 10 random games" in done.stdout
        played = run(site, "-m", "parlour", "play", "my-game", "-p", "2", "--seed", "1", typed="1\n" * 5)
        assert re.search(r"\bwins?\b", played.stdout)


class TestFaultyGames:
    def test_a_misspelt_field_is_reported_by_file_line_and_rule(self, site):
        (site / "tiny.py").write_text(TINY.replace("state.tiny_shown += 1", "state.tiny_shwon += 1"))
        install(site, "tiny", "tiny")
        done = run(site, "-m", "parlour", "simulate", "tiny", "--games", "5")
        assert done.returncode == 1
        assert f"{site}/tiny.py, line 31, in play: a state has no field 'tiny_shwon'" in done.stderr
        assert "is 'tiny_shown' meant?" in done.stderr
        assert "Traceback" not in done.stderr

    def test_an_option_without_a_field_is_refused(self, site):
        option = "options=(Option('hurry', (True, False), True, 'T-1', 'nothing'),), players="
        wrong = TINY.replace("import Game\n", "import Game, Option\n").replace("players=", option)
        (site / "tiny.py").write_text(wrong)
        install(site, "tiny", "tiny")
        done = run(site, "-m", "parlour", "simulate", "tiny", "--games", "1")
        assert done.returncode == 1
        assert "the option 'hurry' of tiny has no effect: the state has no field of that name" in done.stderr
        assert "the game has no setup of its own" in done.stderr

    def test_an_environment_reports_a_rule_that_cannot_be_compiled_too(self, site):
        listed = TINY.replace("players=range(2, 3)", "players=range(2, 3), actions=lambda players, options: ['2C']")
        (site / "tiny.py").write_text(listed.replace("actions[0] = ", "actions[0] = open('x') + "))
        install(site, "tiny", "tiny")
        done = run(site, "-c", "from parlour.envs.pettingzoo import env; zoo = env('tiny'); zoo.reset(); zoo.last()")
        assert f"CompileError: {site}/tiny.py, line 25, in legal: this cannot be compiled: " in done.stderr

    CHOICE = (
        "\n\n@rule\ndef heuristic_choice(state: Any, actions: Any, number: int, random: Any) -> int:\n    return 1\n"
    )
    ACTION = (
        "\n\n@rule\ndef heuristic_action(state: Any, actions: Any, careless: int, random: Any) -> int:\n    return 99\n"
    )

    def interpreted(self, site, monkeypatch, more, *arguments):
        """Run a command with one more function in the tiny game, without compilation."""
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
        (site / "fast.py").write_text(f"from typing import Any\n\nfrom parlour.engine.compiled import rule{more}")
        (site / "tiny.py").write_text(
            TINY.replace("GAME = ", "import fast\n\nGAME = ").replace("id=", "fast=fast, id=")
        )
        install(site, "tiny", "tiny")
        return run(site, *arguments)

    def test_a_contest_stops_at_an_illegal_action_of_a_heuristic(self, site, monkeypatch):
        contest = ("-m", "parlour", "match", "thumb", "random", "tiny", "--deals", "2")
        done = self.interpreted(site, monkeypatch, self.CHOICE, *contest)
        assert done.returncode == 1
        assert "heuristic_choice returned no index of the legal actions of seat 0" in done.stderr
        assert "Traceback" not in done.stderr

    def test_a_search_stops_at_an_illegal_action_of_a_heuristic(self, site, monkeypatch):
        search = "import parlour; from parlour.bots import *; from parlour.bots.levels import search_for; "
        search += "search_for(compiled_observation_of(parlour.make('tiny').start(seed=1), None))"
        search = search.replace("None", "__import__('numpy').zeros(1, 'uint64')")
        done = self.interpreted(site, monkeypatch, self.ACTION, "-c", search)
        assert "GameError: tiny: heuristic_action returned an action that is not legal" in done.stderr

    def test_simulate_stops_at_a_game_without_end(self, site, monkeypatch):
        (site / "tiny.py").write_text(TINY.replace("1 if state.tiny_shown == 1 else OVER", "1 - state.actor"))
        install(site, "tiny", "tiny")
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
        for more in ([], ["--records", "-"]):
            done = run(site, "-m", "parlour", "simulate", "tiny", "-n", "1", "--max-events", "90", *more)
            assert done.returncode == 1
            assert "a game has not ended after 90 actions and chance events" in done.stderr

    @pytest.mark.parametrize(("fault", "reason"), [("1 / 0", "division by zero"), ("raise SystemExit('no')", "no")])
    def test_the_other_games_stay_available(self, site, fault, reason):
        (site / "tiny.py").write_text(fault)
        install(site, "tiny", "tiny")
        done = run(site, "-m", "parlour", "games")
        assert done.returncode == 0
        assert "trick-walls" in done.stdout
        assert f"the game tiny cannot be loaded:\n{site}/tiny.py, line 1: {reason}" in done.stderr

    @pytest.mark.parametrize(
        ("command", "file", "content", "reason"),
        [
            ("play", "layout.py", b"1 / 0", "the game tiny cannot be loaded:\n.*layout.py, line 1: division by zero"),
            ("learn", "lesson.toml", b"\xff", "tiny/lesson.toml is damaged: .*invalid start byte"),
            ("learn", "lesson.toml", b"hands = 3", "tiny/lesson.toml: the lesson lacks the key 'title'"),
            ("learn", "lesson.toml", b"title = ''\nminutes = 5\nhands = 3", "tiny/lesson.toml is damaged: "),
        ],
    )
    def test_a_damaged_file_is_named(self, site, command, file, content, reason):
        (site / "tiny").mkdir()
        (site / "tiny" / "__init__.py").write_text(TINY)
        (site / "tiny" / file).write_bytes(content)
        install(site, "tiny", "tiny")
        done = run(site, "-m", "parlour", command, "tiny")
        assert re.search(reason, done.stderr)
        assert "Traceback" not in done.stderr

    def test_no_package_replaces_a_game_of_parlour(self, site):
        (site / "tiny.py").write_text(TINY)
        install(site, "trick-walls", "tiny")
        assert code(site, "import parlour; print(parlour.make('trick-walls').game.title)") == "Trick Walls\n"

    def test_a_module_without_its_game_is_reported(self, site):
        (site / "tiny.py").write_text(TINY)
        install(site, "small", "tiny")
        done = run(site, "-c", "import parlour; parlour.make('small')")
        assert "the game small cannot be loaded: GAME of tiny is no game of this id" in done.stderr


class TestStaleCode:
    def test_the_sources_of_a_function_include_indirect_imports(self, tmp_path, monkeypatch):
        for name, text in (("aa", "from outside_bb import b"), ("bb", "import outside_cc; b = 1"), ("cc", "c = 1")):
            (tmp_path / f"outside_{name}.py").write_text(f"{text}\ndef rule(): pass\n")
        monkeypatch.syspath_prepend(tmp_path)
        rule = importlib.import_module("outside_aa").rule
        assert [path.name for path in files_behind([rule])] == ["outside_aa.py", "outside_bb.py", "outside_cc.py"]

    def test_the_sources_of_a_function_include_extension_modules_but_not_their_imports(self, tmp_path, monkeypatch):
        extension, importer = tmp_path / "outside_ee.so", tmp_path / "outside_dd.py"
        extension.write_bytes(b"\x7fELF\0import outside_ff")
        importer.write_text("import outside_ee\ndef rule(): pass\n")
        compiled = ModuleType("outside_ee")
        compiled.__file__ = str(extension)
        monkeypatch.setitem(sys.modules, "outside_ee", compiled)
        monkeypatch.syspath_prepend(tmp_path)
        rule = importlib.import_module("outside_dd").rule
        assert files_behind([rule]) == [importer, extension]

    HASHES = """
from parlour.engine.compiled import source_hash
from parlour.games import find_game
print(source_hash(find_game("my-game").dtype), source_hash(find_game("trick-walls").dtype))
"""

    def test_only_the_compiled_modules_of_a_game_make_its_code_stale(self, site, tmp_path):
        game = install_skeleton(site, tmp_path)
        (game / "layout.py").write_text("LAYOUT = None\n")
        own, other = code(site, self.HASHES).split()
        assert own != other
        for name in ("layout.py", "__init__.py"):
            (game / name).write_text((game / name).read_text() + "# a word\n")
        assert code(site, self.HASHES).split() == [own, other]
        for name in ("rules.py", "knowledge.py", "heuristic.py"):
            (game / name).write_text((game / name).read_text() + "# a word\n")
            before, (own, same) = own, code(site, self.HASHES).split()
            assert own != before
            assert same == other
