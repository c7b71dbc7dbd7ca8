"""Programs as bots on the command line: over several cores, with Ctrl-C, and at the terminal."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from parlour.cli import main
from tests.helpers import running_processes
from tests.server.card_room import wait_until

ROOT = Path(__file__).parents[2]
BRIEF = f"exec:{sys.executable} -S examples/program_bot.py"
PEAL = "exec:perl examples/program_bot.pl" if shutil.which("perl") else f"{BRIEF} again"
HELLO = r"{{\"type\": \"hello\", \"protocol\": \"parlour-bot/1\"}}"
HANGS = f"exec:sh -c 'echo $$ >> {{}}; read line; echo \"{HELLO}\"; exec sleep 600'"

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result


class TestContests:
    def test_programs_play_the_same_games_on_one_core_and_on_two(self, tmp_path: Path) -> None:
        files = {cores: tmp_path / f"{cores}.jsonl" for cores in "12"}
        for cores, file in files.items():
            run("match", BRIEF, PEAL, "trime-kicker", "-n", "3", "--cores", cores, "--out", str(file))
        one, two = ([json.loads(line) for line in file.read_text().splitlines()] for file in files.values())
        assert one[0] == two[0]
        assert one[0]["outside"][BRIEF] == "Brief 1.0"
        for deal in (*one[1:], *two[1:]):
            for game in deal["games"]:
                del game["seconds"]
        assert one == two
        assert not any("forfeit" in game for deal in one[1:] for game in deal["games"])

    @pytest.mark.skipif(sys.platform != "linux", reason="the test finds processes in /proc")
    @pytest.mark.parametrize(
        ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)]
    )
    def test_a_stopped_run_waits_for_no_program_and_leaves_none_behind(
        self, tmp_path: Path, number: int, status: int
    ) -> None:
        numbers = tmp_path / "programs"
        command = ["match", HANGS.format(numbers), "random", "trime-kicker", "-n", "50", "--cores", "2"]
        process = subprocess.Popen(
            [sys.executable, "-m", "parlour", *command, "--move-time", "600"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        end = time.monotonic() + 120
        while not (numbers.exists() and numbers.read_text().count("\n") >= 3) and time.monotonic() < end:
            time.sleep(0.1)  # one program is started for its version, and one on each core to play
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        process.communicate(timeout=60)  # a program sleeps for ten minutes unless it is ended
        started = [int(line) for line in numbers.read_text().split()]
        assert len(started) >= 3
        wait_until(lambda: not running_processes(started))
        assert process.returncode == status


class TestTerminal:
    def play(self, tmp_path: Path, *arguments: str) -> Result:
        record = ["--record", str(tmp_path / "game.json")]
        return CliRunner().invoke(main, ["play", "trime-kicker", "--seed", "1", *record, *arguments], input="1\n" * 400)

    def test_a_program_plays_to_the_end(self, tmp_path: Path) -> None:
        result = self.play(tmp_path, "--bots", BRIEF)
        assert result.exit_code == 0, result.output
        assert json.loads((tmp_path / "game.json").read_text())["result"]

    def test_a_forfeit_is_reported_and_the_game_is_stored(self, tmp_path: Path) -> None:
        result = self.play(tmp_path, "--seat", "1", "--bots", HANGS.format(tmp_path / "programs"), "--move-time", "0.5")
        assert result.exit_code == 0, result.output
        assert "forfeits the game: it took longer than 0.5 s." in result.output
        assert "The game is saved;" in result.output
        assert "result" not in json.loads((tmp_path / "game.json").read_text())
