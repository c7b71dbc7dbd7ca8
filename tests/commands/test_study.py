"""The command study as a designer uses it: bad input, continuation, Ctrl-C."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import polars
import pytest
from click.testing import CliRunner, Result

from parlour.cli import main, study_commands
from parlour.studies.report.report_store import stored_report
from tests.helpers import shell_status

STUDY = ("study", "three-tricks", "--bots", "random,thumb", "--traced-deals", "1", "--evaluated-deals", "1")


@pytest.fixture(autouse=True)
def _own_report_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Store reports in a temporary data folder instead of the user's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "status", "message"),
        [
            (("study", "poker"), 1, "there is no game 'poker'"),
            ((*STUDY, "-p", "3"), 1, "is for 2 players, not 3"),
            ((*STUDY, "-p", "few"), 1, "numbers of players are written 3 or 2-4 or 2,4, not 'few'"),
            ((*STUDY, "-o", "rank_blocks=any"), 1, "has no option 'rank_blocks'; it has"),
            ((*STUDY, "-o", "rank_block=pair,all"), 1, "rank_block is 'all', but may be pair, any"),
            ((*STUDY, "-o", "rank_block"), 1, "an option is written NAME=VALUE, not 'rank_block'"),
            ((*STUDY, "--variation", "rank_block=all"), 1, "rank_block is 'all'"),
            ((*STUDY, "--variation", "rank_block=any", "-o", "stall_turns=3"), 2, "goes with neither --option"),
            ((*STUDY, "--bots", "thumb,genius"), 1, "there is no bot 'genius'"),
            ((*STUDY, "--bots", "thumb,thumb"), 1, "thumb is named twice"),
            ((*STUDY, "--deals", "1"), 2, "1 is not in the range x>=2"),
            ((*STUDY, "--out", "/dev/null"), 1, "/dev/null: cannot be created: "),
            ((*STUDY, "--records"), 2, "name one with --out FOLDER"),
            ((*STUDY, "--pictures"), 2, "name one with --out FOLDER"),
            (("study", "tricky-tribes", "-p", "2-4", "-o", "teams=trios"), 1, "teams=trios is not for 2 players"),
        ],
    )
    def test_it_is_reported_in_one_line(self, arguments: tuple[str, ...], status: int, message: str) -> None:
        result = run(*arguments)
        assert result.exit_code == status
        assert message in result.output
        assert "Traceback" not in result.output


class TestVariations:
    def test_one_that_is_listed_twice_is_reported(self, capsys: pytest.CaptureFixture[str]) -> None:
        """The default number of jokers is 0."""
        listed = ("players=4", "players=4,jokers=0", "players=3")
        found = study_commands._variations("tricky-tribes", None, (), listed)
        assert [each.variation for each in found] == ["4 players", "3 players"]
        assert capsys.readouterr().err == "Left out: 1 variation listed again in other words\n"


def games_in(folder: Path) -> polars.DataFrame:
    return polars.read_parquet(folder / "games.parquet").drop("seconds")


@pytest.mark.slow  # compiles
class TestStudy:
    def test_a_folder_named_again_is_continued_to_the_same_results(self, tmp_path: Path) -> None:
        choices = (*STUDY, "-o", "rank_block=pair,any", "--cores", "1")
        assert run(*choices, "-n", "4", "--out", str(tmp_path / "straight")).exit_code == 0
        run(*choices, "-n", "2", "--out", str(tmp_path / "twice"))
        result = run(*choices, "-n", "4", "--out", str(tmp_path / "twice"))
        assert f"2 of 4 deals were in {tmp_path / 'twice'} already." in result.stderr
        assert games_in(tmp_path / "straight").equals(games_in(tmp_path / "twice"))
        assert "Win probabilities are evaluated" not in result.stderr, (
            "they were evaluated in the first deal, which was there already"
        )

    def test_two_cores_play_the_same_games_as_one(self, tmp_path: Path) -> None:
        for cores in "12":
            result = run(*STUDY, "-n", "6", "--cores", cores, "--out", str(tmp_path / cores))
            assert (
                "Win probabilities are evaluated in 1 deal, which takes longer (--evaluated-deals 0 leaves them out)."
                in result.stderr
            )
        assert games_in(tmp_path / "1").equals(games_in(tmp_path / "2"))
        assert games_in(tmp_path / "1")["curve"].is_not_null().sum() == 1, "thumb alone in the first deal"

    def test_records_can_be_replayed(self, tmp_path: Path) -> None:
        run(*STUDY, "-n", "2", "--cores", "1", "--records", "--out", str(tmp_path / "kept"))
        result = run("replay", str(tmp_path / "kept" / "records.jsonl"))
        assert result.exit_code == 0, result.output
        assert games_in(tmp_path / "kept").height == 2 * 4

    def test_its_report_is_in_the_card_room_and_its_pictures_are_files(self, tmp_path: Path) -> None:
        result = run(*STUDY, "-n", "2", "--cores", "1", "--out", str(tmp_path), "--pictures")
        address = re.search(r"at http://localhost:8080/studies/(three-tricks-[0-9a-f]{8})\n", result.stderr)
        assert address, result.stderr
        assert result.stderr.index("Writing the report: ") < result.stderr.index(f"In {tmp_path}: ")
        assert stored_report(address[1]) == (tmp_path / "report.html").read_text()
        names = sorted(file.name for file in (tmp_path / "pictures").iterdir())
        assert f"pictures ({len(names)} files)" in result.stderr
        assert {name.rpartition(".")[2] for name in names} == {"svg", "png"}
        assert (tmp_path / "pictures" / names[0]).read_bytes().startswith(b"\x89PNG")

    def test_impossible_combinations_are_listed(self) -> None:
        result = run("study", "trick-walls", "-p", "4,5", "-o", "long_run=false,true", "-o", "rounds=1", "-n", "2",
                     "--bots", "random", "--cores", "1", "--evaluated-deals", "0")  # fmt: skip
        assert "Left out: long_run=true is not for 5 players" in result.stderr
        assert result.exit_code == 0


@pytest.mark.slow  # compiles
def test_ctrl_c_before_the_report_is_written_prints_the_findings_and_what_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [*STUDY, "-n", "4", "--out", str(tmp_path)]
    with monkeypatch.context() as interrupted:
        interrupted.setattr("parlour.studies.folder.StudyFolder.write", Mock(side_effect=KeyboardInterrupt))
        stopped = run(*command)
    assert stopped.exit_code == 130
    assert "Stopped before the report was written. The same command writes it." in stopped.stderr
    assert "3 Tricks: 1 variation, 4 deals" in stopped.stdout
    assert not (tmp_path / "report.html").exists()
    assert run(*command).exit_code == 0
    assert (tmp_path / "report.html").exists()


def test_ctrl_c_loses_no_deal_and_prints_how_to_continue(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    command = [sys.executable, "-m", "parlour", *STUDY, "-n", "1000000", "--cores", "2", "--out", str(tmp_path)]
    pipe = subprocess.PIPE
    try:
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
            deals = tmp_path / "deals.jsonl"
            while process.poll() is None and (not deals.exists() or deals.read_bytes().count(b"\n") < 10):
                time.sleep(0.05)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal sends it: to all its processes
            _, warned = process.communicate(timeout=240)
    finally:
        signal.signal(signal.SIGINT, before)
    assert shell_status(process.returncode) == 130
    kept = deals.read_bytes().count(b"\n") - 1
    assert f"Stopped after {kept} of 1,000,000 deals. The same command continues from there." in warned
    assert games_in(tmp_path)["deal"].n_unique() == kept
