"""The file of records of random games: a lock, and the replacement of an earlier content."""

import gzip
import json
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from parlour.cli import main
from parlour.contests import simulation
from parlour.contests.simulation import record_writer
from parlour.engine.errors import RecordError

EARLIER = '{"game": "earlier"}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file with an earlier record."""
    name = tmp_path / "games.jsonl"
    name.write_text(EARLIER)
    return name


def simulate(file: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["simulate", "trime-kicker", "-n", "2", "--records", str(file), *words])


class TestReplacement:
    def test_the_first_record_replaces_the_earlier_content(self, file: Path) -> None:
        with record_writer(str(file)) as writer:
            assert file.read_text() == EARLIER
            writer.write({"game": 1})
            assert [json.loads(line) for line in file.read_text().splitlines()] == [{"game": 1}]
            writer.write({"game": 2})
        assert [json.loads(line) for line in file.read_text().splitlines()] == [{"game": 1}, {"game": 2}]

    def test_a_gzipped_file_is_replaced_as_well(self, tmp_path: Path) -> None:
        name = tmp_path / "games.jsonl.gz"
        for number in (1, 2):
            with record_writer(str(name)) as writer:
                writer.write({"game": number})
        assert json.loads(gzip.decompress(name.read_bytes())) == {"game": 2}

    def test_a_run_that_is_stopped_before_its_first_game_leaves_the_file_as_it_was(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stopped(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(simulation, "random_records", stopped)
        result = simulate(file)
        assert (result.exit_code, result.stderr) == (130, f"Stopped before the first game: {file} is as it was.\n")
        assert file.read_text() == EARLIER

    def test_after_a_failure_the_file_ends_with_a_whole_record(self, file: Path) -> None:
        import resource
        import signal

        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        try:
            with record_writer(str(file)) as writer:
                writer.write({"game": 1})
                resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
                with pytest.raises(RecordError, match=r"cannot be written: File too large; it holds 1 record$"):
                    writer.write({"game": "a long one"})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, handler)
        assert file.read_text() == '{"game": 1}\n'


class TestLock:
    def test_a_second_run_is_refused_while_the_first_writes(self, file: Path) -> None:
        with record_writer(str(file)) as writer:
            writer.write({"game": 1})
            result = simulate(file)
            assert (result.exit_code, result.stderr) == (1, f"Error: {file}: another run is writing to it\n")
            writer.write({"game": 2})
        assert len(file.read_text().splitlines()) == 2
        assert simulate(file).exit_code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names there")
class TestStreams:
    def test_a_pipe_receives_the_records_without_a_lock(self, tmp_path: Path) -> None:
        name = tmp_path / "pipe"
        os.mkfifo(name)
        reader = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
        try:
            with record_writer(str(name)) as writer:
                writer.write({"game": 1})
            assert os.read(reader, 100) == b'{"game": 1}\n'
        finally:
            os.close(reader)
