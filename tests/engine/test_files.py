"""Files are written whole or not at all."""

import os

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

    def test_a_write_follows_a_link(self, tmp_path):
        (tmp_path / "file").write_text("one")
        (tmp_path / "link").symlink_to(tmp_path / "file")
        write_whole(tmp_path / "link", "two")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_text() == "two"

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes with names")
    def test_a_device_or_pipe_is_written_to_rather_than_replaced(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        write_whole(tmp_path / "pipe", "text")
        assert os.read(reader, 10) == b"text"
        assert (tmp_path / "pipe").is_fifo()
        os.close(reader)
