"""Bots from outside: found by where they are, given observations, and held to what is legal."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import parlour
from parlour import ParlourError
from parlour.bots.outside import find_any_bot
from parlour.cli import main
from parlour.engine.errors import IllegalError
from parlour.lab.contest import MATCH, Contest

SETUP = parlour.make("trime-kicker")
SOURCE = """
class First:
    def choose(self, observation):
        return observation.legal[0]

class Named(First):
    version = "2.5"

class Counting(First):
    def choose(self, observation):
        return int(observation.legal_mask.argmax())

class Cheat:
    def choose(self, observation):
        return "everything"

class NoBot:
    pass

instance = First()
"""


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module with bots in the current folder."""
    file = tmp_path / "their_bots.py"
    file.write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "their_bots", raising=False)
    return file


class TestFinding:
    @pytest.mark.parametrize("name", ["First", "Counting", "instance"])
    def test_a_class_or_an_object_in_the_current_folder_plays(self, name: str) -> None:
        played = parlour.play(SETUP, [f"their_bots:{name}", "random"], seed=1)
        assert played.over

    def test_the_house_is_asked_first(self) -> None:
        assert find_any_bot("thumb").id == "thumb"
        assert find_any_bot("search:effort=10").searches

    @pytest.mark.parametrize(
        ("bot", "told"),
        [
            ("nobody", "there is no bot 'nobody'; there are beginner, .*package.module:Class"),
            ("their_bots:Missing", "the bot 'their_bots:Missing' cannot be loaded: .*Missing"),
            ("nowhere.at_all:Bot", "cannot be loaded: No module named 'nowhere'"),
            ("their_bots:NoBot", r"'their_bots:NoBot' is no bot: it has no method choose\(observation\)"),
        ],
    )
    def test_what_is_no_bot_is_told_in_a_sentence(self, bot: str, told: str) -> None:
        with pytest.raises(ParlourError, match=told):
            find_any_bot(bot)

    def test_an_installed_package_may_name_its_bots(self, tmp_path: Path) -> None:
        info = tmp_path / "their_bots-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-bots\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[parlour.bots]\nfriend = their_bots:Named\n")
        sys.path.insert(0, str(tmp_path))
        assert find_any_bot("friend").version == "2.5"


class TestActing:
    def test_what_is_not_legal_names_the_bot_and_its_seat(self) -> None:
        with pytest.raises(IllegalError, match="the bot their_bots:Cheat in seat 1: 'everything' is not"):
            parlour.play(SETUP, ["random", "their_bots:Cheat"], seed=1)


@pytest.mark.slow
class TestContests:
    def test_the_chance_of_a_deal_is_the_same_for_those_who_are_given_observations(self) -> None:
        house, mixed = (
            Contest(MATCH, SETUP, bots, 5).arena() for bots in (("thumb", "random"), ("thumb", "their_bots:First"))
        )
        alone, watched = house.play(0, [0, 0]), mixed._play_watched(0, [0, 0], lambda: False)
        assert (alone.scores, alone.winners, alone.decisions) == (watched.scores, watched.winners, watched.decisions)
        assert mixed.play(0, [0, 1]).winners

    def test_a_match_is_played_and_the_results_name_the_source(self, tmp_path: Path, module: Path) -> None:
        command = [
            "match",
            "their_bots:First",
            "random",
            "trime-kicker",
            "--deals",
            "2",
            "--json",
            "--out",
            "out.jsonl",
        ]
        done = CliRunner().invoke(main, [*command, "--cores", "1"])
        assert done.exit_code == 0, done.output
        header = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[0])
        version = header["outside"]["their_bots:First"]
        assert len(version) == 16
        module.write_text(SOURCE + "# changed\n")
        del sys.modules["their_bots"]
        again = CliRunner().invoke(main, [*command, "--cores", "1"])
        assert again.exit_code == 1
        assert "holds results of another contest: outside is" in again.output
