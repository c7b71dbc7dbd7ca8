"""Variations in packages: changed clauses apply everywhere, and every command accepts a variation like a game."""

import ast
import json
import re
import tomllib
from functools import partial
from pathlib import Path

import pytest

from parlour.authors.skeleton import write_variation
from parlour.authors.variation import replaceable
from parlour.engine.errors import GameError, ParlourError
from parlour.games import find_game, game_ids
from tests import installed_packages
from tests.tiny_package import install

pytestmark = pytest.mark.slow  # starts processes

PAGE = (Path(__file__).parents[2] / "docs" / "new-variation.md").read_text(encoding="utf-8")
CLAUSES = re.search(r"```python file=clauses.py\n(.*?)```", PAGE, re.DOTALL)[1]
"""The changed clauses of 3 Tricks in the tutorial: only a shared suit blocks."""
run = partial(installed_packages.run, interpreted=True)
code = partial(installed_packages.code, interpreted=True)


def install_variation(site: Path, clauses: str = "", game: str = "three-tricks", changed: tuple[str, ...] = ()) -> Path:
    """Install the skeleton of a variation with these clauses; return the folder of its module."""
    folder = write_variation(game, "suit-tricks", changed, site.parent)
    (folder / "suit_tricks").rename(site / "suit_tricks")
    if clauses:
        (site / "suit_tricks" / "clauses.py").write_text(clauses)
    install(site, "suit-tricks", "suit_tricks")
    return site / "suit_tricks"


PLAYED = """
import json
from parlour.authors.laws import walk
from parlour.engine.setup import Setup
from parlour.engine.matches.steps import INTERPRETED
from parlour.games import find_game
for game in ("{game}", "suit-tricks"):
    *_, match = walk(Setup(find_game(game), 2), 3, INTERPRETED, observed=False)
    record = match.record()
    print(record.pop("game"), json.dumps(record, sort_keys=True))
"""


class TestSkeleton:
    def test_names_its_game_as_parlour_looks_for_it(self, tmp_path: Path) -> None:
        folder = write_variation("castle-walls", "my-castle", ("attack",), tmp_path)
        named = tomllib.loads((folder / "pyproject.toml").read_text())["project"]["entry-points"]["parlour.games"]
        assert named == {"my-castle": "my_castle"}
        assert "def attack(" in (folder / "my_castle" / "clauses.py").read_text()
        assert {file.name for file in (folder / "my_castle").iterdir()} == {"__init__.py", "clauses.py", "rules.md"}

    @pytest.mark.parametrize("game", ["castle-walls", "trime-kicker"])
    def test_unchanged_it_plays_like_the_original(self, site: Path, game: str) -> None:
        changed = ("score", "attack", "finish_turn") if game == "castle-walls" else ("lay", "points_of", "action_value")
        install_variation(site, game=game, changed=changed)
        original, variation = code(site, PLAYED.format(game=game)).splitlines()
        assert original.partition(" ")[0] == game
        assert variation.partition(" ")[0] == "suit-tricks"
        assert original.partition(" ")[2] == variation.partition(" ")[2]

    @pytest.mark.parametrize("game", game_ids())
    def test_has_each_function_to_be_changed_once_and_imports_none_of_them(self, game: str, tmp_path: Path) -> None:
        changed = tuple(replaceable(find_game(game)))
        folder = write_variation(game, "my-game", changed, tmp_path)
        bound = list[str]()
        for node in ast.parse((folder / "my_game" / "clauses.py").read_text()).body:
            bound += [alias.asname or alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            bound += [node.name] if isinstance(node, ast.FunctionDef) else []
        assert set(changed) <= set(bound)
        assert sorted(bound) == sorted(set(bound))

    @pytest.mark.parametrize(
        ("game", "name", "changed", "report"),
        [
            (
                "castle-walls",
                "my-castle",
                ("attakc",),
                "has no function 'attakc' that can be replaced; is 'attack' meant",
            ),
            ("castle-walls", "My Castle", (), "cannot be a game's id"),
            ("castle-walls", "trick-walls", (), "there is a game trick-walls already"),
            ("castles", "my-castle", (), "there is no game 'castles'"),
        ],
    )
    def test_invalid_arguments_are_refused(
        self, tmp_path: Path, game: str, name: str, changed: tuple[str, ...], report: str
    ) -> None:
        with pytest.raises(ParlourError, match=report):
            write_variation(game, name, changed, tmp_path)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("game", ["castle-walls", "three-tricks", "trick-walls", "tricky-tribes", "trime-kicker"])
    def test_the_functions_to_be_changed_begin_with_the_rules(self, game: str) -> None:
        names = list(replaceable(find_game(game)))
        assert {"legal", "play", "score", "refusal"} <= set(names)
        assert names.index("play") < names.index("action_value")


class TestAChangedClause:
    ASKED = """
from parlour.games import find_game, module_of
from parlour.render.layouts import find_layout, rules_text
from parlour.engine.sources import files_behind
varied, original = find_game("suit-tricks"), find_game("three-tricks")
import sys
for game in (original, varied):
    rules = sys.modules[game.legal.__module__]
    run, pair = 1 << 3 | 1 << 4, 1 << 16 | 1 << 29  # 5C 6C, and 5D 5H
    print(game.title, bool(rules.blocks(pair, run, 0)), bool(rules.blocks(run, run, 0)))
print({"clauses.py", "rules.py"} <= {file.name for file in files_behind([varied.legal])})
print("clauses.py" in {file.name for file in files_behind([original.legal])})
print(find_layout("suit-tricks").lay_out is not find_layout("three-tricks").lay_out)
print(module_of("suit-tricks", "rebuild").__name__)
print(rules_text("suit-tricks").count("3T-11") == rules_text("three-tricks").count("3T-11") > 0)
"""

    def test_counts_wherever_the_rules_use_it_and_the_original_stays(self, site: Path) -> None:
        install_variation(site, CLAUSES)
        assert code(site, self.ASKED).splitlines() == [
            "3 Tricks True True",
            "Suit Tricks False True",
            "True",
            "False",
            "True",
            "suit_tricks.original.rebuild",
            "True",
        ]

    def test_the_laws_hold(self, site: Path) -> None:
        install_variation(site, CLAUSES)
        done = run(site, "-m", "parlour", "check", "suit-tricks", "-n", "3")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Suit Tricks: 3 random games" in done.stdout

    def test_a_study_compares_it_with_the_original(self, site: Path) -> None:
        install_variation(site, CLAUSES)
        rules = ["-o", "rules=three-tricks,suit-tricks", "-o", "stall_turns=4"]
        quick = ["--bots", "random", "--deals", "4", "--evaluated-deals", "0", "--traced-deals", "1", "--cores", "1"]
        done = run(site, "-m", "parlour", "study", "three-tricks", *rules, *quick, "--json")
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert [each["variation"] for each in report["variations"]] == [
            "2 players, stall_turns=4",
            "2 players, rules=suit-tricks, stall_turns=4",
        ]

    def test_rules_of_another_game_are_refused(self, site: Path) -> None:
        done = run(site, "-m", "parlour", "study", "three-tricks", "-o", "rules=castle-walls", "--deals", "2")
        assert "rules=castle-walls is no variation of 3 Tricks" in done.stderr


class TestWrongClauses:
    LOADED = """
from parlour.games import find_game
try:
    find_game("suit-tricks")
except Exception as error:
    print(error)
"""

    @pytest.mark.parametrize(
        ("clauses", "report"),
        [
            (
                "def blcoks(cards, other, rank_any):\n    return 1",
                "3 Tricks has no function of that name; is 'blocks' meant",
            ),
            ("def blocks(cards):\n    return 1", "blocks takes (cards), but should take (cards, other, rank_any)"),
            ("def score(state, scores):\n    return state.helt", "a state has no field 'helt'; is 'held' meant"),
            ("\n@rulle\ndef score(state, scores):\n    return 0", "clauses.py, line 2: name 'rulle' is not defined"),
            ("def score(state, scores)\n    return 0", "expected ':' (clauses.py, line 1)"),
        ],
    )
    def test_are_reported_when_the_game_is_loaded(self, site: Path, clauses: str, report: str) -> None:
        install_variation(site, clauses)
        assert report in code(site, self.LOADED)

    def test_an_unknown_option_is_reported_too(self, site: Path) -> None:
        folder = install_variation(site, CLAUSES)
        init = (folder / "__init__.py").read_text()
        (folder / "__init__.py").write_text(init.replace("defaults={}", 'defaults={"stall": 2}'))
        assert "3 Tricks has no option 'stall'" in code(site, self.LOADED)

    def test_a_variation_of_a_variation_is_reported_too(self, site: Path) -> None:
        install_variation(site, CLAUSES)
        asked = "from parlour.authors.variation import vary\nvary('suit-tricks', 'json', id='x')"
        done = run(site, "-c", asked)
        assert "suit-tricks cannot be varied, since it is a variation of three-tricks" in done.stderr


def test_other_defaults_of_options_are_the_variations_own(site: Path) -> None:
    folder = install_variation(site, CLAUSES)
    init = (folder / "__init__.py").read_text()
    (folder / "__init__.py").write_text(init.replace("defaults={}", 'defaults={"hand_cards": 8}'))
    asked = (
        "import parlour\nprint(parlour.make('suit-tricks').options['hand_cards'], parlour.make('suit-tricks').chosen)"
    )
    assert code(site, asked) == "8 {}\n"


def test_the_errors_are_of_one_class() -> None:
    with pytest.raises(GameError):
        write_variation("castle-walls", "x y")
