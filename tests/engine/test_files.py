"""Files that are there whole or not at all."""

import pytest

from parlour.engine import files
from parlour.engine.files import write_whole


class TestWritingAWholeFile:
    def test_what_was_there_before_is_replaced(self, tmp_path):
        for text in ("one", "two"):
            write_whole(tmp_path / "file", text)
        assert (tmp_path / "file").read_text() == "two"
        assert [path.name for path in tmp_path.iterdir()] == ["file"]

    def test_what_fails_leaves_what_was_there_and_nothing_beside_it(self, tmp_path, monkeypatch):
        write_whole(tmp_path / "file", "one")

        def full(*names):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(files.os, "replace", full)
        with pytest.raises(OSError, match="No space left"):
            write_whole(tmp_path / "file", "two")
        assert (tmp_path / "file").read_text() == "one"
        assert [path.name for path in tmp_path.iterdir()] == ["file"]
