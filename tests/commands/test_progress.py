"""The progress bar of long commands on a terminal."""

from types import SimpleNamespace

import pytest

from parlour.cli import progress
from parlour.cli.progress import print_above, progress_bar


class TestALineDuringTheWork:
    def test_stands_on_a_line_of_its_own(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("TTY_COMPATIBLE", "1")
        monkeypatch.setenv("COLUMNS", "60")
        monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=iter(range(0, 1_000, 2)).__next__))
        with progress_bar("Games", 9) as advance:
            advance(1)
            print_above("half of it is done")
            advance(1)
        before, _, after = capsys.readouterr().err.partition("half of it is done")
        assert "Games" in before, "the bar was shown"
        assert before.endswith(("\r", "\n", "\x1b[2K"))
        assert after.startswith("\n")
