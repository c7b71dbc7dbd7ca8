"""The commands match and ladder as a person uses them: bad input, Ctrl-C, continuation."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from parlour.cli import main
from parlour.interrupts import keep_interrupts
from tests.helpers import remove_times, shell_status

MATCH = ("match", "thumb", "random", "castle-walls")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "status", "message"),
        [
            (("match", "thumb", "genius", "castle-walls"), 1, "there is no bot 'genius'"),
            (("match", "thumb", "random", "poker"), 1, "there is no game 'poker'"),
            ((*MATCH, "-p", "3"), 1, "is for 2 players, not 3"),
            ((*MATCH, "-o", "turn_limit=many"), 1, "turn_limit is 'many'"),
            ((*MATCH, "--deals", "1"), 2, "1 is not in the range x>=2"),
            ((*MATCH, "--sprt", "5", "2"), 2, "LOW is 5 and HIGH 2, but LOW must be less"),
            ((*MATCH, "--out", "/"), 1, "/: not a file"),
            (("bench", "castle-walls", "--seconds", "0"), 2, "0.0 is not in the range x>0"),
            (("smoke", "thumb", "random", "tricky-tribes", "-o", "teams=fours"), 1, "teams is 'fours'"),
            (("peeking", "tricky-tribes", "-p", "4", "-o", "teams=trios"), 1, "teams=trios is not for 4 players"),
            (("peeking", "tricky-tribes", "-p", "9"), 1, "is for 2 to 6 players, not 9"),
            (("ladder", "castle-walls", "thumb"), 1, "a ladder needs at least two bots"),
            (("ladder", "castle-walls", "thumb", "random", "thumb"), 1, "thumb is named twice"),
        ],
    )
    def test_it_is_reported_in_one_line(self, arguments: tuple[str, ...], status: int, message: str) -> None:
        result = run(*arguments)
        assert result.exit_code == status
        assert message in result.output
        assert "Traceback" not in result.output


@pytest.mark.slow  # compiles
class TestMatch:
    def test_the_output_has_wins_points_and_times(self) -> None:
        shown = run(*MATCH, "--deals", "30", "--cores", "1").stdout.splitlines()
        assert shown[0] == "thumb against random: castle-walls, 2 players"
        assert shown[1] == "  30 deals, 60 games, thumb in every seat in turn"
        assert [line.split()[0] for line in shown[2:]] == ["wins", "points", "time"]

    def test_a_seed_has_the_same_results_on_one_core_and_on_two(self) -> None:
        reports = [json.loads(run(*MATCH, "--json", "--deals", "40", "--cores", cores).stdout) for cores in "12"]
        assert remove_times(reports[0]) == remove_times(reports[1])

    def test_another_seed_has_other_results(self) -> None:
        reports = [json.loads(run(*MATCH, "--json", "--deals", "40", "--seed", seed).stdout) for seed in "09"]
        assert reports[0]["points"] != reports[1]["points"]

    def test_the_sequential_test_stops_the_match(self) -> None:
        often_lost = ("match", "thumb", "random", "trime-kicker")
        reports = [
            json.loads(run(*often_lost, "--json", "--cores", "1", "--sprt", "0", "5", "--deals", deals).stdout)
            for deals in ("1000", "2000")
        ]
        assert reports[0]["sprt"]["decision"] == "better"
        assert reports[0]["deals"] < 200
        assert remove_times(reports[0]) == remove_times(reports[1])

    def test_a_bot_against_itself_has_no_decision_and_the_reason_is_given(self) -> None:
        arguments = ("match", "thumb", "thumb", "castle-walls", "--cores", "1", "--sprt", "0", "5", "--deals", "30")
        differ = "0 of 30 deals differ from the most frequent result, and 8 of at least 16 are required"
        assert run(*arguments).stdout.endswith(f"percentage points of wins above even; {differ}\n")

    def test_a_file_named_again_is_continued_to_the_same_results(self, tmp_path: Path) -> None:
        file = str(tmp_path / "results.jsonl")
        straight = json.loads(run(*MATCH, "--json", "--deals", "30").stdout)
        run(*MATCH, "--deals", "11", "--out", file)
        result = run(*MATCH, "--json", "--deals", "30", "--out", file)
        assert "11 of 30 deals were in" in result.stderr
        assert remove_times(json.loads(result.stdout)) == remove_times(straight)

    def test_options_and_sides_are_in_the_report(self) -> None:
        report = run(
            "match",
            "thumb",
            "random",
            "trick-walls",
            "-o",
            "rounds=1",
            "-o",
            "kill_balance=true",
            "--deals",
            "4",
            "--cores",
            "1",
        ).stdout
        assert "trick-walls, 4 players, kill_balance=true, rounds=1\n" in report
        assert "thumb on every side in turn" in report


@pytest.mark.slow  # compiles
class TestAllCombinations:
    OPTIONS = ("-o", "teams=trios", "-o", "rounds=1", "--json", "--cores", "1")

    def test_an_option_restricts_the_numbers_of_players(self) -> None:
        smoke = json.loads(run("smoke", "thumb", "random", "tricky-tribes", "-n", "1", *self.OPTIONS).stdout)
        assert {each["players"] for each in smoke["each"]} == {6}

    def test_json_has_the_settings(self) -> None:
        report = json.loads(run("peeking", "tricky-tribes", "-n", "1", "--seed", "3", *self.OPTIONS).stdout)
        settings = {"seed": 3, "wanted": 1, "players": None, "options": {"teams": "trios", "rounds": 1}}
        assert settings.items() <= report.items()
        assert report["checked"]
        assert all(name.startswith("6 players") for name in report["checked"])


@pytest.mark.slow  # compiles
class TestLadder:
    def test_the_output_has_ratings(self) -> None:
        result = run("ladder", "tricky-tribes", "random", "thumb", "--deals", "20", "--json", "--cores", "1")
        assert [rung["bot"] for rung in json.loads(result.stdout)["ladder"]] == ["thumb", "random"]


@pytest.mark.slow  # compiles
class TestCtrlC:
    @pytest.fixture(autouse=True)
    def _heard(self) -> Iterator[None]:
        """Restore the handling of Ctrl-C, which a shell switches off for background processes and their children."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "parlour", *MATCH, "--deals", "1000000", "--cores", "2", *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)

    def test_it_leaves_a_complete_file_and_prints_the_results_and_how_to_continue(self, tmp_path: Path) -> None:
        file = tmp_path / "results.jsonl"
        with self.start("--out", str(file)) as process:
            while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < 20):
                time.sleep(0.05)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal sends it: to all its processes
            stdout, warned = process.communicate(timeout=240)
        assert shell_status(process.returncode) == 130
        assert "  wins " in stdout
        kept = file.read_bytes().count(b"\n") - 1
        stopped = f"Stopped after {kept} of 1,000,000 deals. The same command continues from there."
        _, *estimate, last = warned.splitlines()  # the estimate appears once the speed is known
        assert last == stopped
        assert len(estimate) <= 1
        assert all(line.startswith("About ") for line in estimate)
        again = run(*MATCH, "--json", "--deals", str(kept + 5), "--out", str(file))
        straight = run(*MATCH, "--json", "--deals", str(kept + 5))
        assert remove_times(json.loads(again.stdout)) == remove_times(json.loads(straight.stdout))

    def test_sigterm_keeps_the_results_too_and_stops_the_other_processes_without_a_warning(self) -> None:
        with self.start() as process:
            assert process.stderr.readline().startswith("About ")
            process.send_signal(signal.SIGTERM)
            stdout, warned = process.communicate(timeout=240)
        assert shell_status(process.returncode) == 143
        assert "  wins " in stdout
        assert warned.startswith("Stopped after ")
        assert warned.endswith("With --out FILE it could have been continued.\n")

    def test_it_takes_effect_even_where_python_drops_exceptions(self) -> None:
        class Dropped:
            def __del__(self) -> None:
                raise KeyboardInterrupt

        def throw_away() -> None:
            thrown_away = Dropped()
            del thrown_away
            time.sleep(30)

        with pytest.raises(KeyboardInterrupt), keep_interrupts():
            throw_away()

    def test_every_other_command_ends_with_the_status_that_a_shell_expects(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted() -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("parlour.games.all_games", interrupted)
        result = run("games")
        assert (result.exit_code, result.stderr) == (130, "\nStopped.\n")

    def test_without_a_file_the_output_names_the_option_for_one(self) -> None:
        run(*MATCH, "--deals", "2")  # compiles: what is tested is an end in the middle of play
        with self.start() as process:
            begun = process.stderr.readline()  # the estimate, after the first deals
            os.killpg(process.pid, signal.SIGINT)
            _, warned = process.communicate(timeout=240)
        assert begun.startswith("About ")
        assert shell_status(process.returncode) == 130
        assert warned.endswith("With --out FILE it could have been continued.\n")
