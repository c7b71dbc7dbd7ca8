"""Conventions of the sources: imports, names of games, lengths, clauses, wording.

One test checks all files and reports everything that it finds; one test a file would make thousands.
"""

import ast
import re
from collections import Counter
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from parlour.games import all_games
from parlour.render.layouts import rules_text
from tests.game_modules import folder_of

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "src" / "parlour"
TESTS = ROOT / "tests"
PYTHON = sorted(HOUSE.rglob("*.py"))
TEXTS = sorted(path for kind in ("py", "js", "html", "css") for path in HOUSE.rglob(f"*.{kind}"))

CITING = [*TEXTS, *sorted(TESTS.rglob("*.py")), *sorted((ROOT / "docs").rglob("*.md"))]

LAYOUTS = "layouts"
"""The layouts in the games' folders. They may import ``render``; rules may not."""
LAYOUT_MODULES = {"layout", "log_lines"}
"""The modules of a layout in a game's folder; a long one has its log lines apart."""
ROOMS = [
    ["__init__", "cards", "folders", "glicko", "interrupts", "statistics", "version"],
    ["languages"],
    ["engine"],
    ["extras", "inference", "player_keys"],
    ["games"],
    ["front", "daily"],
    ["render"],
    [LAYOUTS],
    ["learning"],
    ["bots"],
    ["jobs", "insight"],
    ["contests", "endgames"],
    ["puzzles"],
    ["authors"],
    ["studies", "envs"],
    ["server"],
    ["cli"],
]
"""Packages in the order of the imports: each may import those before it.

``__init__`` imports all, but lazily (``tests/test_front.py``).
"""
SERVER = [["logs", "metrics", "pulse"], ["pending_tasks", "turns"], ["store"], ["table"], ["http"], ["process"]]
"""The server's packages in the order of the imports."""
ENGINE = ["numba", "information", "matches", "simulation"]
"""The folders of the engine in the order of the imports. Modules of the engine itself may use all of them."""
MOST_IN_A_FOLDER = 24
STAND_APART = {"games", LAYOUTS}
"""Packages that name games."""

CLAUSE = re.compile(rf"\b({'|'.join(game.prefix for game in all_games())})-(\d+)\b")
CLAUSES = {game.prefix: max(int(number) for _, number in CLAUSE.findall(rules_text(game.id))) for game in all_games()}
"""The number of clauses by prefix. Each page of rules names all of its clauses."""
PAPERS = [ROOT / "README.md", ROOT / "CHANGELOG.md"]
PAPERS += [
    path for folder in ("docs", "docs/studies", "docs/decisions") for path in sorted((ROOT / folder).glob("*.md"))
]
MODULE = re.compile(r"parlour(\.\w+)+")
"""The name of a module as a text, for ``import_module``."""
UNBREAKABLE = re.compile(r"`[^`]*`|\[[^]]*\]\([^)]*\)")
ITEM = re.compile(r" *(?:[-+*]|[0-9]+[.)]) ")
"""The beginning of an item of a list."""
LONGEST_LINE_OF_PROSE = 110
LONGEST_FILE = 500
LONGEST_RULE = 25
LONGEST_IN_A_LAYOUT = 40
HOUSE_WORDS = re.compile(r"(?<![A-Za-z])(?:[Nn]obody|[Ss]omebody|[Ww]hoever|[Tt]old|[Ss]o[ _]many)(?![A-Za-z])")
"""Words that ``docs/style.md`` rules out, in sentences and in names; the constant ``NOBODY`` is not among them."""
HOUSE_WORDS_BUDGET = {"src": 23, "docs": 13, "tests": 7}
"""Occurrences of these words, texts for players included; ``docs`` without decisions. The numbers may only fall."""


def name_of(path):
    return str(path.relative_to(ROOT))


@cache
def text_of(path):
    return path.read_text()


@cache
def nodes_of(path):
    return list(ast.walk(ast.parse(text_of(path))))


def found_in(paths, look):
    """Return the faults of each file, by its name, for files that have any."""
    found = {name_of(path): list(look(path)) for path in paths}
    return {name: wrong for name, wrong in found.items() if wrong}


def room_of(path):
    """Return the package of a module; a module of the top level is a package of its own."""
    return room_named(path.relative_to(HOUSE).with_suffix("").parts)


def room_named(parts):
    """Return the package of a module from the parts of its name after ``parlour``."""
    return LAYOUTS if len(parts) > 2 and parts[0] == "games" and parts[2] in LAYOUT_MODULES else parts[0]


def rank(room):
    return next((number for number, rooms in enumerate(ROOMS) if room in rooms), len(ROOMS))


def imported_names(nodes, package=()):
    """Yield the dotted names that a module of a package imports anywhere, or contains as texts."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            yield from [f"{module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and MODULE.fullmatch(node.value):
            yield node.value


def imported_rooms(path):
    """Yield the packages from which a module imports, by a statement or by the name of a module as a text."""
    for name in imported_names(nodes_of(path), ("parlour", *path.relative_to(HOUSE).parent.parts)):
        first, _, rest = name.partition(".")
        if first == "parlour":
            room = room_named(rest.split(".")) or "__init__"
            there = room == LAYOUTS or (HOUSE / room).is_dir() or (HOUSE / f"{room}.py").is_file()
            yield room if there else "__init__"


def imported_modules(path, running=False):
    """Return the modules that a module imports anywhere; ``running`` leaves out those for annotations."""
    blocks = [node for node in nodes_of(path) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    typing_only = {id(each) for block in blocks for each in ast.walk(block)} if running else set()
    statements = [each for each in nodes_of(path) if isinstance(each, ast.Import | ast.ImportFrom)]
    names = imported_names(each for each in statements if id(each) not in typing_only)
    return {found for name in names if (found := module_named(name))} - {module_of(path)}


def module_of(path):
    return ".".join(("parlour", *path.relative_to(HOUSE).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {module_of(path): path for path in PYTHON}


def module_named(name):
    """Return the module of a dotted name, which may be that of something in the module."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def circles(imports):
    """Return the sets of modules that import each other, directly or not."""
    reached = {name: {name} for name in imports}
    while True:
        further = {name: found.union(*(imports[each] for each in found)) for name, found in reached.items()}
        if further == reached:
            break
        reached = further
    sets = {frozenset(other for other in found if name in reached[other]) for name, found in reached.items()}
    return [set(each) for each in sets if len(each) > 1]


def server_rooms(path):
    """Yield the packages of the server from which one of its modules imports."""
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("parlour.server"):
            steps = node.module.split(".")
            yield from [steps[2]] if len(steps) > 2 else [alias.name for alias in node.names]


def functions_of(path):
    return [node for node in nodes_of(path) if isinstance(node, ast.FunctionDef)]


def body_lines(function):
    """Return the number of lines of a function without decorators and docstring."""
    first = function.body[0]
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        lines -= first.end_lineno - first.lineno + 1
    return lines


class TestImports:
    def test_a_package_imports_only_from_those_before_it(self):
        def upward(path):
            room = room_of(path)
            later = rank(room) < len(ROOMS) and room != "__init__"
            return [other for other in imported_rooms(path) if later and other != room and rank(other) >= rank(room)]

        assert found_in(PYTHON, upward) == {}

    def test_no_two_modules_import_each_other_when_they_run(self):
        assert circles({name: imported_modules(path, running=True) for name, path in MODULES.items()}) == []

    def test_only_the_public_types_mention_each_other_in_annotations(self):
        types = {f"parlour.engine.{name}" for name in ("setup", "match", "observation")}
        assert circles({name: imported_modules(path) for name, path in MODULES.items()}) == [types]

    def test_the_check_finds_a_cycle(self):
        assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}]

    @pytest.mark.parametrize(
        "text", ["import parlour.games", "from parlour.games import find_game", "f('parlour.games')"]
    )
    def test_the_check_finds_imports_by_statement_and_by_text(self, text):
        assert [name.startswith("parlour.games") for name in imported_names(ast.walk(ast.parse(text)))] == [True]


IMPORT = re.compile(r"^[ \t]*from (parlour[\w.]*) import ([\w, ]+)", re.MULTILINE)


def names_imported_by_texts(text: str):
    """Yield module and name of each import of this package by code that is a text of a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for module, names in IMPORT.findall(node.value):
                yield from ((module, name.split()[0]) for name in names.split(",") if name.strip())


def is_there(module: str, name: str) -> bool:
    found = import_module(module)
    return hasattr(found, name) or (hasattr(found, "__path__") and find_spec(f"{module}.{name}") is not None)


class TestCodeInTexts:
    """Code that tests run in another process; neither mypy nor ruff sees a removed name there."""

    def test_its_imports_from_the_package_exist(self):
        files = [path for folder in (TESTS, ROOT / "trials") for path in sorted(folder.rglob("*.py"))]
        wanted = {(path, *name) for path in files for name in names_imported_by_texts(path.read_text("utf-8"))}
        assert len(wanted) > 20
        assert [name for name in sorted(wanted) if not is_there(*name[1:])] == []

    def test_the_check_finds_a_removed_name(self):
        text = f'RUN = """\nfrom {"parlour.cards"} import bit, gone\n"""'
        assert [name for name in names_imported_by_texts(text) if not is_there(*name)] == [("parlour.cards", "gone")]


class TestPackages:
    def test_every_package_is_in_the_order(self):
        folders = {path.name for path in HOUSE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
        assert folders <= {room for rooms in ROOMS for room in rooms}

    def test_bots_import_no_layout(self):
        for path in sorted((HOUSE / "bots").glob("*.py")):
            assert not {"render", LAYOUTS} & set(imported_rooms(path)), path.name

    def test_only_games_import_a_name_from_a_module_that_passes_it_on(self):
        passed_on = {
            f"{module_of(path)}.{alias.name}"
            for path in PYTHON
            if path.name != "__init__.py"
            for node in nodes_of(path)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if alias.asname == alias.name
        }
        others = [path for path in PYTHON if room_of(path) not in STAND_APART]
        assert found_in(others, lambda path: passed_on & set(imported_names(nodes_of(path)))) == {}

    def test_the_check_finds_the_imported_packages(self):
        found = {room_of(path): set(imported_rooms(path)) for path in PYTHON}
        assert "engine" in found["games"]
        assert "render" in found[LAYOUTS]
        assert "bots" in found["cli"]


class TestServer:
    def test_a_package_of_the_server_imports_only_from_those_before_it(self):
        order = {name: number for number, names in enumerate(SERVER) for name in names}

        def upward(path):
            room = path.relative_to(HOUSE / "server").parts[0].removesuffix(".py")
            return [other for other in server_rooms(path) if other != room and order[other] >= order[room]]

        assert found_in(sorted((HOUSE / "server").rglob("*.py")), upward) == {}

    def test_every_package_of_the_server_is_in_the_order(self):
        rooms = {path.name.removesuffix(".py") for path in (HOUSE / "server").iterdir() if path.name[0] != "_"}
        assert rooms == {"page"} | {name for names in SERVER for name in names}

    def test_the_check_finds_the_imported_packages(self):
        found = {name for path in (HOUSE / "server" / "http").glob("*.py") for name in server_rooms(path)}
        assert {"store", "table", "logs"} <= found


class TestFolders:
    def test_a_folder_of_the_engine_imports_only_from_those_before_it(self):
        def upward(path):
            folder = path.parent.name
            others = [
                name.split(".")[2] for name in imported_names(nodes_of(path)) if name.startswith("parlour.engine.")
            ]
            return [other for other in others if other in ENGINE[ENGINE.index(folder) + 1 :]]

        assert found_in(sorted((HOUSE / "engine").glob("*/*.py")), upward) == {}

    def test_a_folder_has_about_twenty_modules_at_most(self):
        modules = Counter(name_of(path.parent) for path in TEXTS if path.suffix in (".py", ".js"))
        assert {folder: count for folder, count in modules.items() if count > MOST_IN_A_FOLDER} == {}


OUTSIDE = [path for path in TEXTS if room_of(path) not in STAND_APART]


class TestNamesOfGames:
    def test_no_module_outside_games_names_a_game(self):
        ways = [
            name.lower()
            for game in all_games()
            for name in (game.id, game.title, game.id.replace("-", "_"), game.id.replace("-", ""))
        ]
        assert found_in(OUTSIDE, lambda path: [name for name in ways if name in text_of(path).lower()]) == {}

    def test_no_module_outside_games_cites_a_clause(self):
        assert found_in(OUTSIDE, lambda path: CLAUSE.findall(text_of(path))) == {}

    def test_no_game_names_another(self):
        def others_in(path):
            others = [game for game in all_games() if game.id.replace("-", "_") != path.parent.name]
            return [each for game in others for each in (game.title, f"{game.prefix}-") if each in text_of(path)]

        inside = [path for path in TEXTS if room_of(path) in STAND_APART and path.parent.name != "games"]
        assert found_in(inside, others_in) == {}


class TestClauses:
    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_the_page_of_rules_names_every_clause(self, game):
        named = {int(number) for prefix, number in CLAUSE.findall(rules_text(game.id)) if prefix == game.prefix}
        assert named == set(range(1, CLAUSES[game.prefix] + 1))

    def test_every_clause_that_is_cited_exists(self):
        def missing(path):
            cited = CLAUSE.findall(text_of(path))
            return [f"{prefix}-{number}" for prefix, number in cited if not 1 <= int(number) <= CLAUSES[prefix]]

        assert found_in(CITING, missing) == {}

    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_every_clause_of_a_game_has_a_test_class(self, game):
        classes = re.findall(
            rf"^class Test{game.prefix}(\d+)[A-Z]",
            "\n".join(path.read_text() for path in folder_of(game).glob("test_*.py")),
            re.MULTILINE,
        )
        numbers = [int(number) for number in classes]
        assert sorted(numbers) == list(range(1, CLAUSES[game.prefix] + 1)), "each clause one class"

    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_every_clause_of_a_game_is_cited_in_its_rules(self, game):
        folder = HOUSE / "games" / game.id.replace("-", "_")
        text = "\n".join(path.read_text() for path in folder.glob("*.py") if path.stem not in LAYOUT_MODULES)
        cited = {int(number) for prefix, number in CLAUSE.findall(text) if prefix == game.prefix}
        assert set(range(1, CLAUSES[game.prefix] + 1)) - cited == set()


ORNAMENTS = re.compile(r"battlement|crenel|masonry|rampart|merlon|\bcity|cities", re.IGNORECASE)


def test_ornaments_of_a_style_are_in_one_sheet():
    sheets = [path for path in (HOUSE / "server" / "page").rglob("*.*s") if path.name != "battlement.css"]
    assert found_in(sheets, lambda path: ORNAMENTS.findall(text_of(path))) == {}


class TestLengths:
    GAMES = sorted((HOUSE / "games").rglob("*.py"))

    def test_no_file_is_longer_than_500_lines(self):
        lengths = {name_of(path): len(text_of(path).splitlines()) for path in (*TEXTS, *TESTS.rglob("*.py"))}
        assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE} == {}

    def test_no_rule_is_longer_than_25_lines_and_no_part_of_a_layout_than_40(self):
        def long(path):
            longest = LONGEST_IN_A_LAYOUT if room_of(path) == LAYOUTS else LONGEST_RULE
            return [each.name for each in functions_of(path) if body_lines(each) > longest]

        assert found_in(self.GAMES, long) == {}

    def test_every_public_function_of_a_game_has_a_docstring(self):
        def silent(path):
            public = [each for each in functions_of(path) if each.name[0] != "_" and each.name not in INNER]
            return [each.name for each in public if not ast.get_docstring(each)]

        assert found_in(self.GAMES, silent) == {}

    def test_paragraphs_of_documents_are_wrapped(self):
        def too_long(path):
            prose = re.sub(r"^ *```.*?^ *```", "", text_of(path), flags=re.MULTILINE | re.DOTALL).splitlines()
            long = [
                each for each in prose if len(each) > LONGEST_LINE_OF_PROSE and not each.startswith(("|", "#", "!["))
            ]
            return [line for line in long if " " in UNBREAKABLE.sub("", line.strip(" -"))]

        assert found_in(PAPERS, too_long) == {}

    def test_no_line_within_a_paragraph_begins_like_an_item_of_a_list(self):
        """Such a line, for example "1970. It …", would be shown as a list."""

        def items_in_paragraphs(path):
            prose = re.sub(r"^ *```.*?^ *```", "", text_of(path), flags=re.MULTILINE | re.DOTALL)
            paragraphs = [each.splitlines() for each in re.split(r"\n\s*\n", prose)]
            return [
                line
                for lines in paragraphs
                if lines and not ITEM.match(lines[0]) and not lines[0].startswith(" ")
                for line in lines[1:]
                if ITEM.match(line)
            ]

        assert found_in(PAPERS, items_in_paragraphs) == {}


class TestWording:
    @pytest.mark.parametrize("part", HOUSE_WORDS_BUDGET)
    def test_the_count_of_house_words_only_falls(self, part):
        documents = [path for path in PAPERS if "decisions" not in path.parts]
        paths = {"src": PYTHON, "docs": documents, "tests": sorted(TESTS.rglob("*.py"))}[part]
        counts = {name_of(path): len(HOUSE_WORDS.findall(text_of(path))) for path in paths}
        found = dict(sorted(((name, count) for name, count in counts.items() if count), key=lambda each: -each[1]))
        assert sum(found.values()) <= HOUSE_WORDS_BUDGET[part], found

    def test_class_names_are_unique(self):
        names = Counter(node.name for path in PYTHON for node in nodes_of(path) if isinstance(node, ast.ClassDef))
        assert {name for name, count in names.items() if count > 1} == {"State"}, "only the games' generated states"


INNER = {"add"}
"""Functions within functions that need no words."""
