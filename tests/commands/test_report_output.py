"""The end of a command: what it prints of its result, and its exit status, however the work ends."""

import io
import json
import re
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from parlour.authors import check as checks
from parlour.authors.check import LAWS, CheckResults, Violation
from parlour.cli import main
from parlour.cli.report_output import report, run_study, stopped_text
from parlour.engine.errors import ParlourError

NOTHING = "Error: these games contain nothing to measure: increase their number\n"
STOPPED = "Stopped before the end.\n"


class TooFewError(ParlourError):
    """The work found fewer samples than requested."""


class BrokenError(ParlourError):
    """The work cannot go on."""


def end_of(error: type[BaseException] | None, samples: int, as_json: bool = False) -> Result:
    """Run a study whose work finds samples and then raises an error; return the end of the command."""
    result: Any = SimpleNamespace(has_results=False, text=lambda: "a table", to_json=lambda: {"found": samples})

    def work(advance: Callable[[int], None]) -> None:
        result.has_results = samples > 0
        if error:
            raise error("it went wrong")

    @click.command()
    def command() -> None:
        try:
            run_study("Games", 9, work, result, as_json, {"seed": 7}, short=TooFewError)
        except ParlourError as raised:
            raise click.ClickException(str(raised)) from None

    return CliRunner().invoke(command)


class TestAStoppedCommand:
    @pytest.mark.parametrize(
        ("kind", "out", "text"),
        [
            ("FILE", "kept.jsonl", "Stopped after 3 of 10 deals. The same command continues from there."),
            ("FILE", None, "Stopped after 3 of 10 deals. With --out FILE it could have been continued."),
            ("FOLDER", "", "Stopped after 3 of 10 deals. With --out FOLDER it could have been continued."),
        ],
    )
    def test_names_what_was_done_and_how_to_continue(self, kind: str, out: str | None, text: str) -> None:
        assert stopped_text("after 3 of 10 deals", kind, out) == text


class TestAStudy:
    @pytest.mark.parametrize(
        ("error", "samples", "status", "stdout", "stderr"),
        [
            (None, 3, 0, "a table\n", ""),
            (None, 0, 1, "", NOTHING),
            (KeyboardInterrupt, 3, 130, "a table\n", STOPPED),
            (KeyboardInterrupt, 0, 130, "", STOPPED),
            (TooFewError, 3, 1, "a table\n", "Error: it went wrong\n"),
            (TooFewError, 0, 1, "", "Error: it went wrong\n"),
            (BrokenError, 3, 1, "", "Error: it went wrong\n"),
        ],
    )
    def test_prints_what_it_has_once_and_its_status_says_how_it_ended(
        self, error: type[BaseException] | None, samples: int, status: int, stdout: str, stderr: str
    ) -> None:
        end = end_of(error, samples)
        assert (end.exit_code, end.stdout, end.stderr) == (status, stdout, stderr)

    @pytest.mark.parametrize("error", [None, KeyboardInterrupt, TooFewError])
    def test_has_its_settings_in_its_json(self, error: type[BaseException] | None) -> None:
        assert json.loads(end_of(error, 3, as_json=True).stdout) == {"seed": 7, "found": 3}


class TestACheck:
    @pytest.mark.parametrize(
        ("broken", "failure", "status"),
        [((), "", 0), (("end",), "", 1), (("replay", "masks"), "", 1), (("end",), "a rule failed", 1)],
    )
    def test_has_a_line_for_each_law_and_the_status_of_a_failure_if_one_is_broken(
        self, monkeypatch: pytest.MonkeyPatch, broken: tuple[str, ...], failure: str, status: int
    ) -> None:
        violations = {law: Violation(law, f"{law} fails", f"at {law}") for law in broken}
        found = CheckResults(7, 20, violations, failure)
        monkeypatch.setattr(checks, "check", lambda *_: found)
        end = CliRunner().invoke(main, ["check", "three-tricks"])
        head, *lines = end.stdout.splitlines()
        assert head == "3 Tricks: 7 random games, 20 moments checked against all laws."
        expected = []
        for law, meaning in LAWS.items():
            expected.append(f"  {'BROKEN' if law in broken else 'holds '}  {law}: {meaning}")
            expected += [f"          {law} fails", f"          (at {law})"] if law in broken else []
        assert lines == [*expected, *([f"  The check ended with an error: {failure}"] if failure else [])]
        assert end.exit_code == status

    def test_names_the_laws_that_it_skipped_since_another_is_broken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        violations = {law: Violation(law, "a fault", "here") for law in ("possibility", "undo")}
        monkeypatch.setattr(checks, "check", lambda *_: CheckResults(7, 20, violations))
        output = CliRunner().invoke(main, ["check", "three-tricks"]).stdout
        marks = {law: mark for mark, law in re.findall(r"(?m)^  (holds|skipped|BROKEN) +([a-z ]+):", output)}
        assert {law for law, mark in marks.items() if mark == "skipped"} == {
            "secrecy", "determinizations", "heuristic", "disclosure"
        }  # fmt: skip
        assert {law for law, mark in marks.items() if mark == "BROKEN"} == {"possibility", "undo"}
        assert marks.keys() == LAWS.keys()

    @pytest.mark.parametrize(
        ("games", "moments", "text"), [(1, 1, "1 random game, 1 moment"), (2, 1200, "2 random games, 1,200 moments")]
    )
    def test_has_its_numbers_in_the_singular_or_the_plural(
        self, monkeypatch: pytest.MonkeyPatch, games: int, moments: int, text: str
    ) -> None:
        monkeypatch.setattr(checks, "check", lambda *_: CheckResults(games, moments))
        head, *_ = CliRunner().invoke(main, ["check", "three-tricks"]).stdout.splitlines()
        assert head == f"3 Tricks: {text} checked against all laws."

    @pytest.mark.parametrize(
        ("games", "broken", "printed"),
        [
            (0, "layout", ["3 Tricks: 0 random games, 0 moments checked against all laws.", "layout"]),
            (4, "layout", ["3 Tricks: 4 random games, 0 moments checked against all laws.", "layout"]),
            (4, "", ["3 Tricks: 4 random games, 0 moments checked against all laws."]),
            (0, "", []),
        ],
    )
    def test_has_the_results_of_the_games_so_far_after_an_interrupt(
        self, monkeypatch: pytest.MonkeyPatch, games: int, broken: str, printed: list[str]
    ) -> None:
        def interrupted(_: object, more: int, seed: int, progress: object, results: CheckResults) -> CheckResults:
            assert more == 9
            results.games = games
            if broken:
                results.violations[broken] = Violation(broken, "a fault", "here")
            raise KeyboardInterrupt

        monkeypatch.setattr(checks, "check", interrupted)
        result = CliRunner().invoke(main, ["check", "three-tricks", "-n", "9"])
        assert result.exit_code == 130
        assert result.stderr.endswith("Stopped.\n")
        assert [*result.stdout.splitlines()[:1], *re.findall(r"(?m)^  BROKEN +([a-z ]+):", result.stdout)] == printed


class TestAReportOnATerminal:
    SENTENCE = "Two variations make the front, and others do not."
    TABLE = "  wins    50.0% (0.3% to 99.7%)        an even share is 50.0%"
    COMMAND = "To look closer: parlour study trime-kicker --deals 256."

    def shown(self, monkeypatch: pytest.MonkeyPatch, terminal: bool) -> list[str]:
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda: terminal)
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setenv("COLUMNS", "30")
        result: Any = SimpleNamespace(
            has_results=True, text="\n".join([self.SENTENCE, self.TABLE, self.COMMAND]).format
        )
        report(result, as_json=False, stopped="")
        return stream.getvalue().splitlines()

    def test_breaks_sentences_between_words(self, monkeypatch: pytest.MonkeyPatch) -> None:
        *sentence, table, command = self.shown(monkeypatch, terminal=True)
        assert sentence == ["Two variations make the front,", "and others do not."]
        assert [table, command] == [self.TABLE, self.COMMAND], "a table and a command that is to be copied stay whole"

    def test_has_whole_lines_for_programs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.shown(monkeypatch, terminal=False) == [self.SENTENCE, self.TABLE, self.COMMAND]
