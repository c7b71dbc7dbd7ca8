"""What commands print, what they write, and the line that names the files."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from parlour.cli import learning_commands, main
from parlour.cli.room_commands import _usual_mode
from parlour.contests.exploitation import ExploitRun
from parlour.contests.level_calibration import LevelCalibration
from parlour.contests.simulation import random_records
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.learning.training_run import TrainingRun

TRICKS = Setup(find_game("three-tricks"), 2)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


class TestRules:
    @pytest.mark.parametrize(
        "written", [[("--html", "a.html")], [("--pdf", "b.pdf")], [("--pdf", "b.pdf"), ("--html", "a.html")]]
    )
    def test_are_written_in_each_form_that_is_named_and_not_printed(
        self, monkeypatch: pytest.MonkeyPatch, written: list[tuple[str, str]]
    ) -> None:
        found: list[tuple[str, bool]] = []
        monkeypatch.setattr(
            "parlour.authors.printed_rules.write_printed_rules",
            lambda file, setup, as_pdf: found.append((str(file), as_pdf)),
        )
        done = run("rules", "three-tricks", *(word for pair in written for word in pair))
        names = sorted(name for _, name in written)
        assert found == [(name, name.endswith(".pdf")) for name in names]
        assert (done.stdout, done.stderr.splitlines()) == ("", [f"Written: {name}" for name in names])


@dataclass(frozen=True)
class Found:
    """A review whose texts are known."""

    reruns: str = "not played"

    def to_json(self) -> dict[str, str]:
        """Return JSON values."""
        return {"reruns": self.reruns}


class TestAReview:
    @pytest.fixture
    def review(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
        monkeypatch.chdir(tmp_path)
        [record] = random_records(TRICKS, 1, 3)
        Path("game.json").write_text(json.dumps(record))
        monkeypatch.setattr("parlour.bots.compilation.wait_until_ready", lambda *_: None)
        monkeypatch.setattr("parlour.insight.review.review_game", lambda *_: Found())
        monkeypatch.setattr("parlour.insight.review.reruns_of", lambda record, place, seats, *_: f"played {seats}")
        monkeypatch.setattr("parlour.insight.review_text.review_text", lambda found: f"review, {found.reruns}")
        monkeypatch.setattr("parlour.insight.review_text.reruns_text", lambda found: f"reruns, {found.reruns}")
        monkeypatch.setattr("parlour.insight.review_file.review_page", lambda found: f"<{found.reruns}>")
        return lambda *arguments: run("review", "game.json", *arguments)

    @pytest.mark.parametrize(
        ("arguments", "printed", "page"),
        [
            ((), "review, not played\n\nreruns, played None\n", None),
            (("--seat", "1"), "review, not played\n\nreruns, played [1]\n", None),
            (("--json",), '{"reruns": "played None"}\n', None),
            (("--html", "page.html"), "", "<played None>"),
            (("--html", "page.html", "--json"), '{"reruns": "played None"}\n', "<played None>"),
        ],
    )
    def test_is_printed_as_text_unless_it_is_wanted_otherwise(
        self, review: Callable[..., Result], arguments: tuple[str, ...], printed: str, page: str | None
    ) -> None:
        done = review(*arguments)
        assert (done.exit_code, done.stdout) == (0, printed), done.output
        assert done.stderr == ("The review is in page.html.\n" if page else "")
        assert (Path("page.html").read_text() if page else None) == page

    @pytest.mark.parametrize("timed", [False, True])
    def test_has_the_times_of_its_parts_only_if_they_are_wanted(
        self, review: Callable[..., Result], timed: bool
    ) -> None:
        lines = review(*(["--time"] if timed else [])).stderr.splitlines()
        parts = ["decisions and chances", "the same deal by the strongest bot"]
        assert [line.partition(": ")[0] for line in lines] == (parts if timed else [])


class TestAFileWithoutAName:
    @pytest.mark.parametrize(
        ("command", "name"),
        [("train three-tricks", "learned_2.json"), ("exploit three-tricks random", "exploit_three-tricks_2.json")],
    )
    def test_has_that_of_the_command(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, name: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        found: list[Any] = []
        monkeypatch.setattr(learning_commands, "_work", lambda run, *_: found.append(run))
        run(*command.split())
        Path(name).touch()
        again = run(*command.split())
        assert [(type(each), each.checkpoint.name) for each in found] == [
            (ExploitRun if "exploit" in command else TrainingRun, f"{name}.checkpoint")
        ]
        assert again.stderr == f"Error: {name} exists already; --resume continues it, --out names another file.\n"


class TestLevels:
    def test_have_their_file_and_the_command_in_it(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        written: list[tuple[str, str]] = []
        monkeypatch.setattr("sys.argv", ["/bin/parlour", "levels", "three-tricks"])
        monkeypatch.setattr(LevelCalibration, "play", lambda *_: None)
        monkeypatch.setattr(LevelCalibration, "write", lambda self, file, command: written.append((str(file), command)))
        monkeypatch.setattr(LevelCalibration, "has_results", True)
        done = run("levels", "three-tricks")
        assert (done.exit_code, done.stderr) == (0, "The levels of 3 Tricks are in levels.json.\n")
        assert "| place on the scale |" in done.stdout
        assert written == [("levels.json", "parlour levels three-tricks")]


class TestPermissions:
    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
    def test_of_a_file_stay_and_a_new_one_has_the_usual(self, tmp_path: Path, mode: int) -> None:
        kept, usual = tmp_path / "kept", tmp_path / "usual"
        kept.touch()
        kept.chmod(mode)
        usual.touch()
        assert _usual_mode(kept) == mode
        assert _usual_mode(tmp_path / "none") == usual.stat().st_mode & 0o777


class TestPrune:
    NOON = 1_699_963_200.0
    """Noon of 14 November 2023."""

    @pytest.mark.parametrize("dry", [False, True])
    @pytest.mark.parametrize(
        "ages",
        [{"finished": ("2y", 730)}, {"abandoned": ("3w", 21)}, {"abandoned": ("9d", 9), "finished": ("1y", 365)}],
    )
    def test_says_which_games_are_removed_or_would_be(
        self, monkeypatch: pytest.MonkeyPatch, ages: dict[str, tuple[str, int]], dry: bool
    ) -> None:
        removed: list[tuple[float, bool, bool]] = []
        numbers = {True: 1200, False: 1}  # finished games, and abandoned ones

        def prune(store: object, before: float, over: bool, delete: bool, advance: object) -> int:
            removed.append((before, over, delete))
            return numbers[over]

        monkeypatch.setattr("time.time", lambda: self.NOON)
        monkeypatch.setattr("parlour.server.table.retention.prune", prune)
        monkeypatch.setattr("parlour.cli.room_commands.open_existing_store", lambda database: nullcontext())
        options = [word for name, (age, _) in ages.items() for word in (f"--{name}-before", age)]
        done = run("prune", *options, *(["--dry-run"] if dry else []))
        days = {name: days for name, (_, days) in sorted(ages.items(), reverse=True)}  # finished games come first
        assert removed == [(self.NOON - 86_400 * each, name == "finished", not dry) for name, each in days.items()]
        lines = [
            f"{'1,200 games' if name == 'finished' else '1 game'} {name} before {date(2023, 11, 14) - timedelta(each)}"
            for name, each in days.items()
        ]
        assert done.stdout.splitlines() == [
            f"{line} would be removed." if dry else f"Removed {line}." for line in lines
        ]
