"""The order of the house: who may import whom, who may name a game, how long things are, which clauses exist."""

import ast
import re
from pathlib import Path

import pytest

from parlour.games import all_games

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "src" / "parlour"
TESTS = ROOT / "tests"
PYTHON = sorted(HOUSE.rglob("*.py"))
TEXTS = sorted(path for kind in ("py", "js", "html", "css") for path in HOUSE.rglob(f"*.{kind}"))

CITING = [*TEXTS, *sorted(TESTS.rglob("*.py")), *sorted((ROOT / "docs").rglob("*.md"))]

ROOMS = [
    ["__init__", "cards", "folders", "interrupts"],
    ["engine"],
    ["games"],
    ["render"],
    ["tables"],
    ["bots"],
    ["lab"],
    ["insight"],
    ["server"],
    ["cli"],
]
"""In the order of the imports; a room may use those before it. What is in no room (``front.py``) may use all.

The front door, ``__init__``, has all rooms behind it, but opens none before it is asked (``tests/test_front.py``).
"""
STAND_APART = {"games", "tables"}
"""The rooms that name games."""

CLAUSES = {"TW": 24, "CW": 27, "TK": 19, "TT": 28, "3T": 22}
"""The rulebook's prefixes and how many clauses each has."""
CLAUSE = re.compile(r"\b(TW|CW|TK|TT|3T)-(\d+)\b")
LONGEST_FILE = 500
LONGEST_RULE = 25


def name_of(path):
    return str(path.relative_to(ROOT))


def room_of(path):
    """The room a module stands in; a module of the top level is a room of its own."""
    return path.relative_to(HOUSE).parts[0].removesuffix(".py")


def rank(room):
    return next((number for number, rooms in enumerate(ROOMS) if room in rooms), len(ROOMS))


def imported_rooms(path):
    """The rooms from which a module imports, wherever in the module it does so."""
    package = ("parlour", *path.relative_to(HOUSE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "parlour" else [module]
        else:
            continue
        for name in names:
            first, _, rest = name.partition(".")
            if first == "parlour":
                room = rest.split(".")[0] or "__init__"
                yield room if (HOUSE / room).is_dir() or (HOUSE / f"{room}.py").is_file() else "__init__"


def functions_of(path):
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]


def body_lines(function):
    """The lines of a function without its decorators and its docstring."""
    first = function.body[0]
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        lines -= first.end_lineno - first.lineno + 1
    return lines


@pytest.mark.parametrize("path", PYTHON, ids=name_of)
class TestImports:
    def test_a_room_imports_only_from_those_before_it(self, path):
        room = room_of(path)
        if room == "__init__":
            return
        for other in imported_rooms(path):
            assert other == room or rank(other) < rank(room) or rank(room) == len(ROOMS), f"{room} imports {other}"


class TestRooms:
    def test_every_room_has_its_place_in_the_order(self):
        folders = {path.name for path in HOUSE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
        assert folders <= {room for rooms in ROOMS for room in rooms}

    def test_the_check_would_find_an_import_upward(self):
        found = {room_of(path): set(imported_rooms(path)) for path in PYTHON}
        assert "engine" in found["games"]
        assert "games" in found["cli"]


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
class TestGamesAreFoundNotNamed:
    def test_no_module_outside_games_and_tables_names_a_game(self, path):
        if room_of(path) in STAND_APART:
            return
        text = path.read_text().lower()
        for game in all_games():
            for name in (game.id, game.title, game.id.replace("-", "_"), game.id.replace("-", "")):
                assert name.lower() not in text, f"{name} is named"

    def test_nor_a_clause_of_its_rules(self, path):
        if room_of(path) not in STAND_APART:
            assert CLAUSE.findall(path.read_text()) == []

    def test_no_game_names_another(self, path):
        if room_of(path) in STAND_APART and path.parent.name + path.stem not in ("games__init__", "tables__init__"):
            own = {path.stem, path.parent.name}
            others = [game for game in all_games() if game.id.replace("-", "_") not in own]
            for game in others:
                assert game.title not in path.read_text()
                assert f"{game.prefix}-" not in path.read_text()


def files_of(game):
    """A game's one file, or the files of its folder."""
    module = HOUSE / "games" / game.id.replace("-", "_")
    return sorted(module.glob("*.py")) if module.is_dir() else [module.with_suffix(".py")]


class TestClauses:
    @pytest.mark.parametrize("path", CITING, ids=name_of)
    def test_every_clause_that_is_cited_exists(self, path):
        for prefix, number in CLAUSE.findall(path.read_text()):
            assert 1 <= int(number) <= CLAUSES[prefix], f"{prefix}-{number} is no clause"

    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_every_clause_of_a_game_has_a_test_class(self, game):
        module = game.id.replace("-", "_")
        classes = re.findall(
            rf"^class Test{game.prefix}(\d+)[A-Z]",
            "\n".join(path.read_text() for path in (TESTS / "games").glob(f"test_{module}*.py")),
            re.MULTILINE,
        )
        numbers = [int(number) for number in classes]
        assert sorted(numbers) == list(range(1, CLAUSES[game.prefix] + 1)), "each clause one class"

    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_every_clause_of_a_game_is_cited_in_its_file(self, game):
        text = "\n".join(path.read_text() for path in files_of(game))
        cited = {int(number) for prefix, number in CLAUSE.findall(text) if prefix == game.prefix}
        assert set(range(1, CLAUSES[game.prefix] + 1)) - cited == set()


ORNAMENTS = re.compile(r"battlement|crenel|masonry|rampart|merlon|\bcity|cities", re.IGNORECASE)


@pytest.mark.parametrize("path", sorted((HOUSE / "server" / "page").rglob("*.*s")), ids=name_of)
def test_only_a_sheet_of_its_own_knows_the_ornament_of_a_style(path):
    assert path.name == "battlement.css" or ORNAMENTS.findall(path.read_text()) == []


class TestLengths:
    @pytest.mark.parametrize("path", [*TEXTS, *sorted(TESTS.rglob("*.py"))], ids=name_of)
    def test_no_file_is_longer_than_500_lines(self, path):
        assert len(path.read_text().splitlines()) <= LONGEST_FILE

    @pytest.mark.parametrize("path", sorted((HOUSE / "games").rglob("*.py")), ids=name_of)
    def test_no_function_of_a_game_is_longer_than_25_lines(self, path):
        long = {function.name: body_lines(function) for function in functions_of(path)}
        assert {name: lines for name, lines in long.items() if lines > LONGEST_RULE} == {}

    @pytest.mark.parametrize("path", sorted((HOUSE / "games").rglob("*.py")), ids=name_of)
    def test_every_function_of_a_game_says_what_it_is_for(self, path):
        silent = [each.name for each in functions_of(path) if each.name[0] != "_" and not ast.get_docstring(each)]
        assert [name for name in silent if name not in INNER] == []


INNER = {"add"}
"""Functions within functions that need no words."""
