"""Messages of commands around their results: progress, what Ctrl-C stopped, and what was written."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
import rich.progress
from click.testing import CliRunner, Result

from parlour.cli import author_commands, main, review_commands, study_commands
from parlour.cli.progress import progress_bar
from parlour.contests import simulation
from parlour.contests.contest import Deal
from parlour.contests.results_file import ResultsError, ResultsFile
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.engine.simulation import playouts
from parlour.engine.simulation.playouts import Playouts, play_in_parts, run_playouts
from parlour.games import find_game
from parlour.studies.remedies import Remedies
from parlour.studies.tune.search import OptionSearch

PARLOUR = (sys.executable, "-m", "parlour")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def interrupt(*_: object, **__: object) -> None:
    """Do what Ctrl-C does."""
    raise KeyboardInterrupt


class TestAMissingGame:
    @pytest.mark.parametrize("arguments", [("play",), ("learn",), ("study",), ("match", "thumb", "random")])
    def test_the_refusal_lists_the_games(self, arguments: tuple[str, ...]) -> None:
        refused = run(*arguments)
        assert refused.exit_code == 2
        assert "Missing argument 'GAME'. Choose one of castle-walls, " in refused.output


class TestStandardStreams:
    """The system's view of the streams, so that each test needs a process of its own."""

    @pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="the system has no full device")
    @pytest.mark.parametrize("arguments", ["games", "--help"])
    def test_output_on_a_full_disk_is_an_error_in_one_line(self, arguments: str) -> None:
        with open("/dev/full", "w") as full:
            done = subprocess.run([*PARLOUR, arguments], stdout=full, stderr=subprocess.PIPE, text=True)
        assert (done.returncode, done.stderr) == (1, "Error: No space left on device\n")

    @pytest.mark.skipif(sys.platform == "win32", reason="the shell of Windows closes no streams")
    @pytest.mark.parametrize("closed", ["<&- >&- 2>&-", "<&-", ">&-"])
    def test_a_closed_stream_is_an_empty_one(self, closed: str) -> None:
        command = shlex.join([*PARLOUR, "play", "trime-kicker", "--plain"])
        done = subprocess.run(f"{command} </dev/null {closed}", shell=True, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")

    def test_an_error_of_the_system_names_the_file(self, tmp_path: Path) -> None:
        result = run("play", "trime-kicker", "--record", str(tmp_path / ("x" * 300)))
        assert (result.exit_code, result.output) == (1, f"Error: {tmp_path / ('x' * 300)}: File name too long\n")


class TestNumbers:
    @pytest.mark.parametrize("number", ["nan", "inf"])
    @pytest.mark.parametrize("arguments", ["match thumb random trime-kicker --move-time", "bench --seconds"])
    def test_a_time_is_finite(self, arguments: str, number: str) -> None:
        result = run(*arguments.split(), number)
        assert result.exit_code == 2
        assert f"'{number}' is not a finite number." in result.output

    def test_one_bot_plays_all_seats_of_remedies(self) -> None:
        result = run("remedies", "trime-kicker", "--bot", "thumb,random")
        assert (result.exit_code, "one bot plays all seats" in result.output) == (2, True)

    @pytest.mark.parametrize(
        ("arguments", "who"), [([], "the first player"), (["--side", "1"], "side 1"), (["--side", "2"], "side 2")]
    )
    def test_the_side_of_remedies_is_the_one_named(
        self, monkeypatch: pytest.MonkeyPatch, arguments: list[str], who: str
    ) -> None:
        reported: list[Remedies] = []
        monkeypatch.setattr(study_commands, "_play_all", interrupt)
        monkeypatch.setattr(study_commands, "report", lambda result, *_: reported.append(result))
        run("remedies", "trime-kicker", *arguments)
        assert [result.who for result in reported] == [who]


class TestCtrlC:
    @pytest.mark.parametrize(("written", "number"), [(0, 5), (2, 5), (1200, 3000)])
    def test_the_records_written_so_far_are_counted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int, number: int
    ) -> None:
        def some(*_: object) -> Iterator[dict[str, Any]]:
            yield from ({"game": place} for place in range(written))
            raise KeyboardInterrupt

        monkeypatch.setattr(simulation, "random_records", some)
        file = tmp_path / "games.jsonl"
        result = run("simulate", "trime-kicker", "--games", str(number), "--records", str(file))
        assert (result.exit_code, result.stdout) == (130, "")
        assert result.stderr.splitlines()[-1] == f"Stopped: {written:,} of {number:,} games are in {file}."
        assert len(file.read_text().splitlines()) == written

    @pytest.mark.parametrize(("threads", "games"), [(1, 12), (3, 4)])
    def test_the_random_games_played_so_far_are_summarized(
        self, monkeypatch: pytest.MonkeyPatch, threads: int, games: int
    ) -> None:
        """Each thread has four parts of the 24 games, of which two parts are played."""

        def some(*arguments: Any, **named: Any) -> Iterator[Playouts]:
            yield from islice(play_in_parts(*arguments, interpret=True, **named), 2)
            raise KeyboardInterrupt

        played = run_playouts(Setup(find_game("trime-kicker"), 2), games, 5, interpret=True)
        monkeypatch.setattr(playouts, "play_in_parts", some)
        result = run("simulate", "trime-kicker", "-n", "24", "--seed", "5", "--threads", str(threads))
        assert result.exit_code == 130
        assert result.stderr.splitlines()[-1] == f"Stopped after {games} of 24 games."
        summary = json.loads(result.stdout)
        assert (summary["games"], summary["seed"]) == (games, 5)
        assert summary["mean_scores"] == pytest.approx(played.scores.mean(axis=0), abs=0.001)

    @pytest.mark.parametrize(("trials", "total"), [("1", 1), ("3", 3), ("9", 4)])
    @pytest.mark.parametrize(
        ("out", "continuation"),
        [(False, "With --out FOLDER it could have been continued."), (True, "The same command continues from there.")],
    )
    def test_a_search_says_how_many_variations_there_are_and_how_to_continue(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trials: str, total: int, out: bool, continuation: str
    ) -> None:
        monkeypatch.setattr(OptionSearch, "run", interrupt)
        kept = ["--out", str(tmp_path / "kept")] if out else []
        limits = ["--goal", "fair", "-o", "rank_block=pair,any", "--trials", trials, *kept]
        result = run("tune", "three-tricks", *limits)
        assert result.exit_code == 130, result.output
        assert result.stderr.splitlines()[-1] == f"Stopped at variation 0 of {total}. {continuation}"

    @pytest.mark.parametrize(
        ("played", "counts"),
        [((3,), "3 of 1,200 deals, and 0"), ((1200, 7), "1,200 of 1,200 deals, and 7")],
    )
    def test_remedies_count_the_deals_of_both_comparisons(
        self, monkeypatch: pytest.MonkeyPatch, played: tuple[int, ...], counts: str
    ) -> None:
        numbers = iter(played)

        def play(plan: object, deals: int, where: object, found: list[Any]) -> None:
            found += [None] * next(numbers)
            if len(found) < deals:
                raise KeyboardInterrupt

        monkeypatch.setattr(study_commands, "_play_all", play)
        monkeypatch.setattr(Remedies, "plan_check", lambda self: self.study)
        monkeypatch.setattr(Remedies, "has_results", False)
        result = run("remedies", "trime-kicker", "--deals", "1200")
        assert result.exit_code == 130, result.output
        assert f"Stopped after {counts} fresh ones." in result.stderr

    @pytest.mark.parametrize(
        ("deals", "evaluated", "announced"), [(4, 10, "4 deals"), (20, 10, "10 deals"), (20, 1, "1 deal"), (4, 0, None)]
    )
    def test_a_study_announces_only_the_deals_that_it_evaluates(
        self, monkeypatch: pytest.MonkeyPatch, deals: int, evaluated: int, announced: str | None
    ) -> None:
        monkeypatch.setattr(study_commands, "play_with_progress", interrupt)
        counts = ["--deals", str(deals), "--evaluated-deals", str(evaluated)]
        shown = run("study", "trime-kicker", "--bots", "random", *counts).stderr
        found = re.findall(r"Win probabilities are evaluated in (.*), which takes longer", shown)
        assert found == ([announced] if announced else [])

    @pytest.mark.parametrize(
        ("interrupted", "end"),
        [
            ((), ""),
            (("play",), "Stopped after 2 of 5 deals. The same command continues from there."),
            (("people",), "Stopped after 2 of 5 deals. The same command continues from there."),
            (("report",), "Stopped before the report was written. The same command writes it."),
            (("play", "report"), "Stopped before the report was written. The same command writes it."),
            (("people", "report"), "Stopped before the report was written. The same command writes it."),
        ],
    )
    def test_a_study_says_what_is_missing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupted: tuple[str, ...], end: str
    ) -> None:
        def deals() -> Iterator[None]:
            yield from ()
            if "play" in interrupted:
                raise KeyboardInterrupt

        @contextmanager
        def play(plan: object, number: int, where: object, file: object, out: object, add: Any, *_: object) -> Any:
            add("a deal")
            add("a deal")
            yield deals(), None, None

        ends: list[str] = []
        monkeypatch.setattr(study_commands, "play_with_progress", play)
        monkeypatch.setattr(study_commands, "_write_report", interrupt if "report" in interrupted else lambda *_: None)
        monkeypatch.setattr(study_commands, "report", lambda findings, as_json, stopped: ends.append(stopped))
        monkeypatch.setattr("parlour.studies.folder.StudyFolder", lambda *_: nullcontext(SimpleNamespace(file=None)))
        monkeypatch.setattr("parlour.studies.findings.Findings", lambda *_: SimpleNamespace(has_results=True))
        plan = SimpleNamespace(evaluated_deals=0)
        evaluate = interrupt if "people" in interrupted else lambda *_: None
        people = SimpleNamespace(jobs=lambda deals: deals, evaluate=evaluate)
        study_commands._run_study(plan, people, 5, None, str(tmp_path), False, pictures=False, pdf=False)
        assert ends == [end]


class TestFullDisks:
    """Errors of files after deals were played: the results so far are printed before the error."""

    @pytest.fixture
    def study_of_two_deals(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
        """Return a study that has played two of five deals, and has a folder."""
        findings = SimpleNamespace(has_results=True, text=lambda: "the answer")
        monkeypatch.setattr("parlour.studies.folder.StudyFolder", lambda *_: nullcontext(SimpleNamespace(file=None)))
        monkeypatch.setattr("parlour.studies.findings.Findings", lambda *_: findings)
        plan = SimpleNamespace(evaluated_deals=0)
        return lambda: study_commands._run_study(plan, None, 5, None, "kept", False, pictures=False, pdf=False)

    @staticmethod
    def played(monkeypatch: pytest.MonkeyPatch, error: ParlourError | None = None) -> None:
        @contextmanager
        def play(*_: object) -> Any:
            def deals() -> Iterator[None]:
                yield None
                if error:
                    raise error

            yield deals(), None, None

        monkeypatch.setattr(study_commands, "play_with_progress", play)

    def test_a_study_prints_its_answer_if_the_report_cannot_be_written(
        self, study_of_two_deals: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
    ) -> None:
        def write(*_: object) -> None:
            raise ParlourError("kept/report.html: cannot be written: No space left on device")

        self.played(monkeypatch)
        monkeypatch.setattr(study_commands, "_write_report", write)
        with pytest.raises(ParlourError, match=r"on device\. The deals are stored; the same command writes the report"):
            study_of_two_deals()
        assert capsys.readouterr().out == "the answer\n"

    def test_a_study_prints_the_results_so_far_if_a_deal_cannot_be_stored(
        self, study_of_two_deals: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
    ) -> None:
        self.played(monkeypatch, ResultsError("kept/deals.jsonl: cannot be written"))
        monkeypatch.setattr(study_commands, "_write_report", interrupt)
        with pytest.raises(ResultsError, match="cannot be written"):
            study_of_two_deals()
        assert capsys.readouterr().out == "the answer\n"

    def test_a_match_prints_the_results_so_far_if_a_deal_cannot_be_stored(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def append(file: ResultsFile, deal: Deal) -> None:
            if deal.number == 3:
                raise ResultsError("kept: cannot be written")

        monkeypatch.setattr(ResultsFile, "append", append)
        found = run("match", "random", "random", "trime-kicker", "--deals", "5", "--out", str(tmp_path / "kept"))
        assert (found.exit_code, found.stderr.splitlines()[-1]) == (1, "Error: kept: cannot be written")
        assert "3 deals" in found.stdout


class TestContinuation:
    @pytest.mark.parametrize(
        ("stored", "games", "before", "after"),
        [
            (0, 3, "", "3 games"),
            (2, 3, "2 of 3 games were in ", "3 games"),
            (3, 3, "3 of 3 games were in ", "3 games"),
            (1200, 3, "3 of 3 games were in ", "1,200 games"),
            (0, 1, "", "1 game"),
        ],
    )
    def test_a_data_set_counts_the_games_wanted_that_it_has_and_in_the_end_all(
        self, monkeypatch: pytest.MonkeyPatch, stored: int, games: int, before: str, after: str
    ) -> None:
        folder = SimpleNamespace(stored_games=lambda: stored, fill=lambda *_: None)
        monkeypatch.setattr("parlour.studies.dataset.folder.DatasetFolder", lambda *_: folder)
        first, *rest = run("dataset", "trime-kicker", "--games", str(games), "--out", "kept").stderr.splitlines()[::-1]
        assert first == f"{after} of Trime Kicker {'is' if after == '1 game' else 'are'} in kept."
        assert rest == ([f"{before}kept already."] if before else [])


class Tasks(rich.progress.Progress):
    """Progress bars, which keep their tasks in a list."""

    every: ClassVar[list[rich.progress.Task]] = []

    def add_task(self, *arguments: Any, **named: Any) -> rich.progress.TaskID:
        number = super().add_task(*arguments, **named)
        self.every.append(self.tasks[-1])
        return number


class TestProgress:
    @pytest.mark.parametrize(("total", "before"), [(10, 0), (10, 4), (None, 0)])
    def test_a_bar_continues_at_what_was_done_before(
        self, monkeypatch: pytest.MonkeyPatch, total: int | None, before: int
    ) -> None:
        monkeypatch.setattr(rich.progress, "Progress", Tasks)
        with progress_bar("Deals", total, before) as advance:
            task = Tasks.every[-1]
            assert (task.completed, task.total) == (before, total)
            advance(2)
            advance(0.5)
            assert task.completed == before + 2.5

    @pytest.mark.parametrize("shares", [[0.0, 0.25, 0.5, 1.0], [0.004, 0.006, 0.5, 0.5, 0.999, 1.0], [1.0]])
    def test_a_bar_in_percent_shows_the_share_done(self, monkeypatch: pytest.MonkeyPatch, shares: list[float]) -> None:
        advanced, totals = list[float](), list[tuple[str, int]]()

        @contextmanager
        def bar(what: str, total: int) -> Iterator[Callable[[float], None]]:
            totals.append((what, total))
            yield advanced.append

        monkeypatch.setattr(review_commands, "progress_bar", bar)
        with review_commands._percent_bar("Review") as set_share:
            for share in shares:
                set_share(share)
                assert sum(advanced) == round(100 * share)
        assert totals == [("Review (%)", 100)]


class TestWrittenPackages:
    @pytest.mark.parametrize(
        "command", [("new-game", "my-game"), ("new-variation", "three-tricks", "my-game")], ids=lambda words: words[0]
    )
    def test_every_file_and_folder_in_the_message_exists(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        shown = run(*command).output
        folder = tmp_path / "my-game"
        assert shown.startswith(f"{folder}/ is a package")
        assert f"  pip install --editable {folder}\n" in shown
        assert [(folder / name).is_file() for name in re.findall(r"\w+/\w+\.py", shown)] == [True] * ("change" in shown)
        commands = re.findall(r"^  parlour (.*)$", shown, re.MULTILINE)
        assert {"check my-game", "play my-game"} <= set(commands)
        assert ("study my-game -o rules=three-tricks,my-game" in commands) == (command[0] == "new-variation")


class TestBenchText:
    def test_each_figure_stands_beside_its_words(self) -> None:
        figures = {
            "game": "some-game", "players": 3, "actions_per_second": 12_340_000, "games_per_second": 234_567,
            "observed_steps_per_second": 3_450_000, "hand_written": 0.456, "cores": 7, "all_cores": 5.678,
            "determinizations_per_second": 6_780_000, "searches_per_second": 78_900,
            "tree_searches_per_second": 89_100, "compile_seconds": 9.12, "warm_seconds": 1.23, "import_seconds": 0.45,
        }  # fmt: skip
        assert [" ".join(line.split()) for line in author_commands._bench_text(figures).splitlines()] == [
            "some-game, 3 players",
            "12.3 million actions a second on one core by the batch interface",
            "234,567 games a second",
            "0.46 of the speed of a hand-written loop",
            "5.68 times that on 7 cores",
            "3.45 million steps a second with observations",
            "6.78 million determinizations a second in mid-game",
            "79 thousand playouts a second in a search there, 89 in a tree",
            "9.12 seconds to the first playout with nothing compiled yet (cold)",
            "1.23 seconds in a later process (warm); 0.45 to import",
        ]


class TestTheContentsOfAFile:
    def test_one_game_is_and_several_are_in_it(self, tmp_path):
        for number, sentence in (("1", "1 game of Trick Walls is in "), ("2", "2 games of Trick Walls are in ")):
            command = [
                "simulate",
                "trick-walls",
                "--games",
                number,
                "-o",
                "rounds=1",
                "--records",
                str(tmp_path / "out"),
            ]
            assert sentence in CliRunner().invoke(main, command).stderr
