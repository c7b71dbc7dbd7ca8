"""``parlour check`` on games with a mistake: each is found and reported with its place."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.authors import check as checks
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.mistakes import Mistake
from tests.tiny_package import install
from tests.wrong_games import MISTAKES

pytestmark = pytest.mark.slow  # starts processes

PACKAGES = Path(__file__).parents[1] / "packages"
DRIVER = """
import json, os, sys
import parlour.authors.check as lab
from parlour.engine.errors import ParlourError
from parlour.games import find_game

def findings():
    try:
        found = lab.check(find_game("away"), 2)
    except ParlourError as error:
        return {"error": str(error)}
    return {law: f"{violation.sentence} ({violation.where})" for law, violation in found.violations.items()}

for site in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        sys.path.insert(0, site)
        with open(f"{site}/found.json", "w") as file:
            json.dump(findings(), file)
        os._exit(0)
    os.waitpid(child, 0)
"""


def install_package(site: Path, name: str) -> Path:
    """Install a package of ``tests/packages`` in a new folder."""
    site.mkdir()
    shutil.copytree(PACKAGES / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    install(site, name, name)
    return site


def install_away(site: Path, mistake: Mistake | None = None) -> Path:
    """Install the package of Lay Away in a folder, with one mistake or none."""
    install_package(site, "away")
    for file, right, wrong in mistake.edits if mistake else ():
        text = (site / "away" / file).read_text(encoding="utf-8")
        assert text.count(right) == 1, f"{file} has {right!r} {text.count(right)} times"
        (site / "away" / file).write_text(text.replace(right, wrong), encoding="utf-8")
    return site


def environment(*paths: Path) -> dict[str, str]:
    """Return an environment with interpreted rules, since compiling that number of games takes long."""
    path = os.pathsep.join([*map(str, paths), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="module")
def violations(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Return the violations found in each wrong game, by the mistake's name."""
    folder = tmp_path_factory.mktemp("wrong")
    sites = {mistake.name: install_away(folder / str(number), mistake) for number, mistake in enumerate(MISTAKES)}
    command = [sys.executable, "-c", DRIVER, *map(str, sites.values())]
    done = subprocess.run(command, env=environment(), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {name: json.loads((site / "found.json").read_text()) for name, site in sites.items()}


class TestLayAway:
    def test_a_hidden_action_of_two_cards_needs_no_rebuild_function(self, tmp_path):
        site = install_away(tmp_path / "site")
        command = [sys.executable, "-m", "parlour", "check", "away", "-n", "10"]
        done = subprocess.run(command, env=environment(site), cwd=site, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Lay Away: 10 random games" in done.stdout
        assert "BROKEN" not in done.stdout


class TestSealed:
    """A game with a secret bid."""

    def check(self, site):
        command = [sys.executable, "-m", "parlour", "check", "sealed", "-n", "5"]
        return subprocess.run(command, env=environment(site), cwd=site, capture_output=True, text=True, check=False)

    def test_puts_the_bids_of_a_determinization_into_its_history(self, tmp_path):
        done = self.check(install_package(tmp_path / "site", "sealed"))
        assert done.returncode == 0, done.stdout + done.stderr

    def test_has_an_impossible_history_without_them(self, tmp_path):
        site = install_package(tmp_path / "site", "sealed")
        (site / "sealed" / "rebuild.py").unlink()
        done = self.check(site)
        assert re.search(r"sealed_bid\[0\] is \d in the determinization, but \d in the replay", done.stdout)


class TestMistakes:
    @pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
    def test_each_mistake_is_reported_with_its_place(self, violations, mistake):
        findings = violations[mistake.name]
        assert mistake.law in findings, findings
        assert re.search(mistake.says, findings[mistake.law]), findings[mistake.law]


class TestASeed:
    def test_has_games_of_its_own_which_come_again(self, monkeypatch):
        games = list[tuple[Setup, int]]()
        monkeypatch.setattr(checks, "options_without_effect", lambda game: "")
        monkeypatch.setattr(checks._Run, "check", lambda run: games.append((run.setup, run.seed)))
        monkeypatch.setattr(checks._Run, "ends", lambda run: True)
        for seed in (0, 100, 0):
            checks.check(find_game("three-tricks"), 9, seed)
        first, other, again = games[:9], games[9:18], games[18:]
        assert first == again
        assert len({seed for _, seed in (*first, *other)}) == 18
