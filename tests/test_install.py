"""An installation without extras: its packages, and the errors of commands that need an extra."""

import ast
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "src" / "parlour"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HIDE = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {hidden!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
"""
COMMAND = "from parlour.cli import main; main()"
NUMBAS_OWN = "llvmlite"
FOR_PICTURES = "pillow"
"""Imported by :mod:`parlour.render.picture` alone, which only environments use."""


def names_in(requirements):
    return {Requirement(text).name for text in requirements}


def extra(name):
    """Return the packages of an extra, including those of extras that it includes."""
    found = [Requirement(text) for text in PROJECT["optional-dependencies"][name]]
    included = [extra(other) for each in found if each.name == "parlour" for other in each.extras]
    return {each.name for each in found if each.name != "parlour"}.union(*included)


BASE = names_in(PROJECT["dependencies"])
SERVER = extra("server")
MODULES = {
    module: {name.lower().replace("_", "-") for name in names} for module, names in packages_distributions().items()
}


def without_server(*arguments, source=COMMAND):
    """Run a program without the packages of the extra ``server``; return the finished process."""
    hidden = {module for module, names in MODULES.items() if names & SERVER} | {"starlette", "pydantic"}
    command = [sys.executable, "-c", HIDE.format(hidden=hidden) + source, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def packages_of(paths):
    """Return the packages that modules import anywhere."""
    modules = {name for path in paths for name in imported_by(path)} - sys.stdlib_module_names - {"parlour"}
    return {next(iter(MODULES[name])) for name in modules}


def imported_by(path):
    """Yield the top-level modules that a module imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


class TestBasePackages:
    def test_all_but_server_and_environments_import_only_these(self):
        apart = ("server", "envs")
        paths = [path for path in HOUSE.rglob("*.py") if path.relative_to(HOUSE).parts[0] not in apart]
        modules = {name for path in paths for name in imported_by(path)} - sys.stdlib_module_names - {"parlour"}
        assert {next(iter(MODULES[name])) for name in modules} == BASE | {NUMBAS_OWN, FOR_PICTURES}

    def test_no_package_of_a_web_server_or_a_database_is_among_them(self):
        assert not BASE & SERVER
        assert {"fastapi", "sqlalchemy", "alembic", "prometheus-client", "websockets", "segno"} <= SERVER

    def test_the_server_imports_only_packages_of_its_extra(self):
        sender = HOUSE / "server" / "table" / "push" / "sender.py"
        others = [path for path in (HOUSE / "server").rglob("*.py") if path != sender]
        bundled = {"starlette", "pydantic"}  # FastAPI's own foundations
        assert packages_of(others) - bundled <= BASE | extra("postgresql")
        assert packages_of([sender]) <= extra("push")


@pytest.mark.slow
class TestWithoutTheServer:
    def test_games_are_played_and_simulated_from_python(self):
        source = """
import parlour
setup = parlour.make("trime-kicker")
assert parlour.play(setup, ["thumb", "random"], seed=7).result
assert parlour.simulate(setup, 10, threads=1).scores.shape == (10, 2)
assert parlour.Batch(setup, 2, threads=1).observe()[0].shape == (2, *setup.observation_shape)
"""
        done = without_server(source=source)
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.parametrize(
        "command",
        [
            "rules trime-kicker",
            "match thumb random trime-kicker --deals 2 --cores 1",
            "ladder trime-kicker thumb random --deals 2 --cores 1",
        ],
    )
    def test_games_are_explained_and_contests_are_played(self, command):
        done = without_server(*command.split())
        assert done.returncode == 0, done.stderr

    def test_games_are_recorded_and_replayed(self, tmp_path):
        file = str(tmp_path / "games.jsonl")
        assert without_server("simulate", "trime-kicker", "--games", "2", "--records", file).returncode == 0
        done = without_server("replay", file)
        assert (done.returncode, done.stderr) == (0, "2 records, all legal.\n")

    def test_the_page_of_a_review_can_be_imported(self):
        done = without_server(source="from parlour.insight.review_file import review_page")
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.parametrize(
        "command", ["", "serve", "prune --finished-before 2y", "bans", "ban 192.0.2.1", "forget A"]
    )
    def test_commands_of_the_card_room_name_the_extra_to_install(self, command):
        done = without_server(*command.split())
        assert done.returncode == 1
        said = "Error: the card room needs sqlalchemy, which is not installed: pip install 'parlour[server]'\n"
        assert done.stderr == said
