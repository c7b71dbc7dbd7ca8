"""Files are written whole or not at all."""

import pytest

from parlour.engine import files
from parlour.engine.files import write_whole


class TestWholeFile:
    def test_a_write_replaces_the_old_content(self, tmp_path):
        for text in ("one", "two"):
            write_whole(tmp_path / "file", text)
        assert (tmp_path / "file").read_text() == "two"
        assert [path.name for path in tmp_path.iterdir()] == ["file"]

    def test_a_failed_write_keeps_the_old_content_and_leaves_no_other_file(self, tmp_path, monkeypatch):
        write_whole(tmp_path / "file", "one")

        def full(*names):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(files.os, "replace", full)
        with pytest.raises(OSError, match="No space left"):
            write_whole(tmp_path / "file", "two")
        assert (tmp_path / "file").read_text() == "one"
        assert [path.name for path in tmp_path.iterdir()] == ["file"]
