"""The command ``parlour train``: its file is a bot, and wrong arguments are refused in one sentence."""

import json
import math
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from parlour.cli import learning_commands, main
from parlour.contests.exploitation import ExploitRun
from parlour.contests.level_calibration import LevelCalibration
from parlour.engine.setup import Setup
from parlour.learning import training_run
from parlour.learning.training import PolicyGames, Training
from parlour.learning.training_run import TrainingLimits
from tests.learning.bid import GAME


def train(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["train", "trime-kicker", *arguments])


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--out", "p.json"), "p.json exists already; --resume continues it, --out names another file."),
            (("--out", "q.json", "--resume"), "q.json.checkpoint cannot be read: No such file or directory"),
            (("--out", "none/p.json"), "none/p.json cannot be written: No such file or directory"),
        ],
    )
    def test_a_file_that_does_not_fit_is_refused(
        self, arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("p.json").touch()
        refused = train(*arguments)
        assert refused.exit_code == 1
        assert refused.output.splitlines()[-1] == f"Error: {message}"

    @pytest.mark.parametrize("arguments", [("--minutes", "0"), ("--games", "0"), ("--seed", "x")])
    def test_a_number_out_of_range_is_refused(self, arguments: tuple[str, ...]) -> None:
        assert train(*arguments).exit_code == 2


class TestReport:
    def test_it_has_the_curve_and_the_check(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        small = Setup(GAME, 2)
        monkeypatch.setattr("parlour.cli.learning_commands.setup_of", lambda *given: small)
        monkeypatch.setattr(training_run, "PolicyGames", lambda setup, interpret: PolicyGames(setup, True))
        monkeypatch.setattr(training_run, "CHECK_DEALS", 10)
        monkeypatch.setattr(training_run, "Training", partial(Training, size=24, curve_deals=8))
        done = train("--games", "20", "--json", "--out", str(tmp_path / "p.json"))
        assert done.exit_code == 0, done.output
        report = json.loads(done.stdout)
        assert report["games"] == 24
        assert len(report["curve"]) == 1
        assert report["check"]["games"] == 20

    @pytest.mark.parametrize("earlier", [0.0, 0.5, 3.0])
    def test_its_progress_bar_counts_the_seconds_of_earlier_runs(
        self, earlier: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shown: list[tuple[object, ...]] = []

        def bar(*arguments: object) -> nullcontext[Callable[[float], None]]:
            shown.append(arguments)
            return nullcontext(lambda seconds: shown.append((seconds,)))

        monkeypatch.setattr(learning_commands, "progress_bar", bar)
        monkeypatch.setattr(learning_commands, "report", lambda *arguments: None)
        run = SimpleNamespace(
            training=SimpleNamespace(minutes=earlier), work=lambda limits, advance, tell: advance(6.0), check=int
        )
        learning_commands._work(run, TrainingLimits(5.0), as_json=False)
        assert shown == [("Seconds", 300, 60 * earlier), (6.0,)]


class TestLimits:
    @pytest.mark.parametrize(("command", "usual"), [("train", 5.0), ("exploit", 10.0)])
    @pytest.mark.parametrize(
        ("arguments", "minutes", "games"),
        [
            ("", None, None),
            ("--games 64", math.inf, 64),
            ("--minutes 2", 2.0, None),
            ("--games 64 --minutes 2", 2.0, 64),
        ],
    )
    def test_are_the_usual_minutes_unless_games_or_minutes_are_named(
        self,
        command: str,
        usual: float,
        arguments: str,
        minutes: float | None,
        games: int | None,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        found: list[object] = []

        def work(run: object, limits: TrainingLimits, *others: object) -> None:
            found.append(limits)
            raise KeyboardInterrupt

        monkeypatch.setattr(training_run.TrainingRun, "work", work)
        bot = ["thumb"] if command == "exploit" else []
        done = CliRunner().invoke(main, [command, "trime-kicker", *bot, *arguments.split()])
        assert "Stopped before the end, after " in done.output
        assert found == [TrainingLimits(usual if minutes is None else minutes, games)]


class TestCommandOfResult:
    """The command in a file, which another person can repeat in another folder and with other cores."""

    @pytest.mark.parametrize(
        ("arguments", "command"),
        [
            (["train", "trime-kicker"], "parlour train trime-kicker"),
            (
                ["train", "--out", "/home/ann/p.json", "--json", "-n", "5", "trime-kicker", "--minutes=2.0"],
                "parlour train trime-kicker --minutes 2 --games 5",
            ),
            (
                [
                    "exploit",
                    "-o",
                    "ace=low",
                    "-p2",
                    "trime-kicker",
                    "search:effort=9",
                    "-o",
                    "judge=leader",
                    "--resume",
                ],
                "parlour exploit trime-kicker --players 2 --option ace=low --option judge=leader search:effort=9",
            ),
            (
                ["exploit", "trime-kicker", "exec:./my bot", "--move-time", "0.25", "--seed", "0", "--deals", "8"],
                "parlour exploit trime-kicker 'exec:./my bot' --deals 8 --seed 0 --move-time 0.25",
            ),
            (
                ["levels", "trime-kicker", "--out", "/tmp/l.json", "--cores", "2", "--on", "ray", "--points", "50"],
                "parlour levels trime-kicker --points 50",
            ),
        ],
    )
    def test_it_has_the_arguments_that_affect_the_result(
        self, arguments: list[str], command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        passed: list[object] = []
        for kind, method in (
            (training_run.TrainingRun, "__init__"),
            (ExploitRun, "__init__"),
            (LevelCalibration, "write"),
        ):
            monkeypatch.setattr(kind, method, lambda _, *given: passed.extend(given))
        monkeypatch.setattr(LevelCalibration, "play", lambda *_: None)
        CliRunner().invoke(main, arguments)
        assert command in passed
