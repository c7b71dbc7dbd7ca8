"""The files, functions and examples that documents for contributors and the recipe of measures name exist."""

import re
from pathlib import Path

import pytest

from parlour.contests.game_results import GameStatistics, WinProbabilityCurve
from parlour.studies import measures
from parlour.studies.games import Games

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "where-things-are.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(\w+(?:/\w+)+(?:\.\w+)?/?)`", PAGE)))
STEPS = [
    [re.findall(r"`([^`]+)`", cell) for cell in row.split("|")[2:4]]
    for row in PAGE.partition("\n## An option")[0].splitlines()
    if row.startswith("|") and "`" in row
]


def place_of(path):
    return ROOT / path if path.startswith(("src/", "tests/")) else ROOT / "src" / "parlour" / path


def test_every_path_exists():
    assert len(NAMED) > 30
    assert [path for path in NAMED if not place_of(path).exists()] == []


def defines(file, name):
    """Return whether a file has the definition of a function, method, class or constant: a call is none."""
    python = r"^ *(?:async )?(?:def|class) {0}\b|^{0}\b[^=\n]*= "
    javascript = r"^ *(?:export )?(?:async )?(?:function )?{0}\((?!.*;$)"
    form = python if file.endswith(".py") else javascript
    return re.search(form.format(name), place_of(file).read_text(encoding="utf-8"), re.MULTILINE) is not None


@pytest.mark.parametrize(("files", "functions"), STEPS, ids=[functions[0] for _, functions in STEPS])
def test_a_step_of_the_move_names_functions_that_its_files_define(files, functions):
    places = {name: {file for file in files if defines(file, name)} for name in functions}
    assert [name for name in functions if not places[name]] == []
    assert set(files) == set().union(*places.values())


def test_the_modules_of_the_page_in_the_move_import_each_other():
    """A module that only lessons or replays use would be imported by no other of them."""
    modules = {place_of(file) for files, _ in STEPS for file in files if file.endswith(".js")}
    imported = {
        (module.parent / path).resolve()
        for module in modules
        for path in re.findall(r'^(?:import|\}) .*from "(\..+?)";$', module.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert [module.name for module in sorted(modules - imported)] == ["table.js"]


def test_the_values_of_measures_are_attributes_of_games():
    listed = (measures.__doc__ or "").partition("``Games`` has arrays")[2].partition("Report, answer")[0]
    names = set(re.findall(r"``(\w+)(?:\[…\])?``", listed)) - {"GameStatistics", "WinProbabilityCurve"}
    assert names == {*Games.__annotations__, "chance_events"} - {"endings", "clause_counts"}
    assert {GameStatistics.__name__, WinProbabilityCurve.__name__} <= set(re.findall(r"``(\w+)``", listed))


def section(page, heading):
    """Return a section of a document, without the sections after it."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(table):
    """Return the cells of each row of a table."""
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.splitlines() if line[:1] == "|"]


def structure_of_the_server():
    """Return the beginning of the page on the server, before its first section."""
    return (ROOT / "docs" / "server.md").read_text(encoding="utf-8").partition("\n## ")[0]


class TestExamplesOfStyle:
    def test_are_names_of_the_sources_or_tests(self):
        files = [file for place in ("src", "tests") for file in (ROOT / place).rglob("*.py")]
        sources, modules = "\n".join(file.read_text(encoding="utf-8") for file in files), {file.name for file in files}
        examples = [name for row in rows(section("style.md", "Names")) for name in re.findall(r"`(.+?)`", row[-1])]
        assert len(examples) > 10
        definition = r"^ *(?:(?:async )?def |class |(?={0}\b[^=]*= )){0}\b"
        assert [
            name
            for name in examples
            if name not in modules and not re.search(definition.format(name), sources, re.MULTILINE)
        ] == []


class TestStructureOfTheServer:
    FOLDER = ROOT / "src" / "parlour" / "server"

    @pytest.fixture
    def listed(self):
        cells = [row[0].strip("`") for row in rows(structure_of_the_server()) if row[0].startswith("`")]
        assert len(cells) == len({*cells})
        return {*cells}

    def test_lists_every_folder(self, listed):
        inner = [file.parent for file in self.FOLDER.glob("*/*/__init__.py")]
        folders = [*inner, *(folder for folder in self.FOLDER.iterdir() if folder.is_dir() and folder.name[0] != "_")]
        assert listed == {f"{folder.relative_to(self.FOLDER).as_posix()}/" for folder in folders}

    def test_names_every_module_beside_the_folders(self):
        named = re.findall(r"`(\w+\.py)`", structure_of_the_server())
        assert sorted(named) == sorted(file.name for file in self.FOLDER.glob("*.py") if file.name[0] != "_")

    def test_names_only_files_that_exist(self):
        text = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
        named = {*re.findall(r"`(\w+(?:/\w+)+\.(?:py|js))`", text)}
        places = [self.FOLDER, self.FOLDER / "table", ROOT, ROOT / "src" / "parlour"]
        assert len(named) > 20
        assert [file for file in sorted(named) if not any((place / file).is_file() for place in places)] == []
