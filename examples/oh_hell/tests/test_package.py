"""The package is found by its entry point, and obeys the laws."""

import tomllib
from pathlib import Path

import pytest
from tests.test_installed_games import install, run

PACKAGE = Path(__file__).parents[1]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages with this one in it."""
    named = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]["entry-points"]["parlour.games"]
    assert named == {"oh-hell": "oh_hell"}
    (tmp_path / "oh_hell").symlink_to(PACKAGE / "oh_hell")
    install(tmp_path, "oh-hell", "oh_hell")
    return tmp_path


class TestThePackage:
    @pytest.mark.slow
    def test_keeps_the_laws_of_every_game(self, site):
        done = run(site, "-m", "parlour", "check", "oh-hell", "-n", "30")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Oh Hell: 30 random games" in done.stdout

    def test_its_rules_can_be_read(self, site):
        shown = run(site, "-m", "parlour", "rules", "oh-hell", "--markdown").stdout
        assert "# Oh Hell" in shown
        assert all(f"OH-{number}" in shown for number in range(1, 10))
