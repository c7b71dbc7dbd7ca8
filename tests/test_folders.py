"""Code is loaded only from folders that no other user can write."""

import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from parlour import folders
from parlour.engine.compiled import cache_folder
from parlour.folders import data_folder, make_private, other_writer_text, remove_temporary, temporary_folder

STRANGER = 54321
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")


def make_folder(path, mode=0o755, owner=None):
    path.mkdir()
    path.chmod(mode)
    if owner is not None:
        os.chown(path, owner, owner)
    return path


class TestOtherWriters:
    def test_a_private_folder_has_none(self, tmp_path):
        assert other_writer_text(make_folder(tmp_path / "own")) == ""
        assert other_writer_text(make_folder(tmp_path / "mine", 0o700)) == ""

    @pytest.mark.parametrize("mode", [0o777, 0o757, 0o1777, 0o775])
    def test_a_folder_that_others_can_write_is_named(self, tmp_path, mode, monkeypatch):
        monkeypatch.setattr(folders, "_is_private_group", lambda group, user: False)
        open_to_all = make_folder(tmp_path / "open", mode)
        assert other_writer_text(open_to_all) == f"{open_to_all} may be written by others (mode {mode:04o})"

    def test_a_folder_inside_a_writable_one_has_them_unless_that_is_sticky(self, tmp_path):
        above = make_folder(tmp_path / "above", 0o777)
        inner = make_folder(above / "inner")
        assert other_writer_text(inner).startswith(f"{above} may be written")
        above.chmod(0o1777)  # as /tmp is
        assert other_writer_text(inner) == ""

    @needs_root
    def test_the_owner_of_a_folder_or_of_one_above_it_is_named(self, tmp_path):
        foreign = make_folder(tmp_path / "foreign", 0o755, STRANGER)
        assert other_writer_text(foreign) == f"{foreign} belongs to user {STRANGER}"
        assert other_writer_text(make_folder(foreign / "inner")) == f"{foreign} belongs to user {STRANGER}"

    def test_a_link_depends_on_its_folder_and_on_its_target(self, tmp_path):
        goal, open_to_all = make_folder(tmp_path / "goal"), make_folder(tmp_path / "open", 0o777)
        link = tmp_path / "link"
        link.symlink_to("goal")
        assert other_writer_text(link) == ""
        (open_to_all / "link").symlink_to(goal)
        assert other_writer_text(open_to_all / "link").startswith(f"{open_to_all} may be written")
        (tmp_path / "over").symlink_to(open_to_all / "link")  # both ends are safe, but a folder between them is not
        assert other_writer_text(tmp_path / "over").startswith(f"{open_to_all} may be written")
        link.unlink()
        link.symlink_to(open_to_all)
        assert other_writer_text(link).startswith(f"{open_to_all} may be written")

    def test_cyclic_links_are_reported(self, tmp_path):
        for one, other in ("ab", "ba"):
            (tmp_path / one).symlink_to(tmp_path / other)
        assert other_writer_text(tmp_path / "a" / "x") == f"{tmp_path / 'a' / 'x'} leads in circles"

    @needs_root
    def test_the_owner_of_a_link_in_a_shared_folder_is_named(self, tmp_path):
        common, goal = make_folder(tmp_path / "common", 0o1777), make_folder(tmp_path / "goal")
        (common / "link").symlink_to(goal)
        assert other_writer_text(common / "link") == ""
        os.chown(common / "link", STRANGER, STRANGER, follow_symlinks=False)
        assert other_writer_text(common / "link") == f"{common / 'link'} belongs to user {STRANGER}"

    @needs_root
    def test_a_group_with_one_member_is_private(self, tmp_path):
        assert other_writer_text(make_folder(tmp_path / "own", 0o775)) == ""  # root's own group
        shared = make_folder(tmp_path / "shared", 0o775)
        os.chown(shared, -1, 100)
        assert other_writer_text(shared).startswith(f"{shared} may be written by others")


def raise_that_there_is_none(name):
    raise RuntimeError("could not determine the home directory")


NO_HOME = (raise_that_there_is_none, "~/.local/share/{}".format)
"""What versions of platformdirs do if the user's number has no account: raise an error, or leave the tilde."""


class TestMakePrivate:
    def test_a_new_folder_is_private(self, tmp_path):
        before = os.umask(0)
        try:
            assert make_private(tmp_path / "a" / "b") == ""
        finally:
            os.umask(before)
        assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700, 0o700]

    @needs_root
    def test_nothing_is_created_in_a_folder_of_another_user(self, tmp_path):
        foreign = make_folder(tmp_path / "foreign", 0o755, STRANGER)  # the home of another user, which sudo may pass on
        (foreign / "elsewhere").symlink_to(make_folder(tmp_path / "goal"))
        for way in (foreign / ".cache" / "parlour", foreign / "elsewhere" / "parlour"):
            assert make_private(way) == f"{foreign} belongs to user {STRANGER}"
        assert [path.name for path in foreign.iterdir()] == ["elsewhere"]
        assert list((tmp_path / "goal").iterdir()) == []

    def test_without_a_home_nothing_is_created_in_the_current_folder(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert "has no home" in make_private(Path("~/.cache/parlour"))
        assert list(tmp_path.iterdir()) == []

    def test_without_a_home_there_is_no_data_folder(self, monkeypatch):
        monkeypatch.setenv("XDG_DATA_HOME", "/data")
        assert data_folder() == Path("/data/parlour")
        for answer in NO_HOME:
            monkeypatch.setattr(platformdirs, "user_data_dir", answer)
            assert data_folder() is None

    def test_a_folder_that_cannot_be_created_is_reported(self, tmp_path):
        (tmp_path / "file").touch()
        assert "cannot be written" in make_private(tmp_path / "file" / "folder")


def test_a_temporary_folder_is_removed_after_use():
    folder = temporary_folder()
    assert other_writer_text(folder) == ""
    (folder / "code").touch()
    remove_temporary()
    assert not folder.exists()


PLANTED = """
import subprocess, sys
from parlour.engine.compiled import cache_folder
assert "numba" in sys.modules
print(cache_folder())
again = "from parlour.engine.compiled import cache_folder; print(cache_folder())"
print(subprocess.run([sys.executable, "-c", again], capture_output=True, text=True, check=True).stdout, end="")
"""


def test_machine_code_is_not_loaded_from_folders_that_others_can_write(tmp_path):
    planted = make_folder(tmp_path / "planted", 0o777)
    environment = {**os.environ, "PARLOUR_CACHE": str(planted)}
    run = subprocess.run([sys.executable, "-c", PLANTED], env=environment, capture_output=True, text=True, check=True)
    one, other = map(Path, run.stdout.split())
    assert one == other  # subprocesses share its compiled code
    assert planted not in one.parents
    assert not one.exists()
    assert run.stderr.count("\n") == 1
    assert f"Compiled code is not kept, for {planted} may be written by others (mode 0777)" in run.stderr
    assert [path for path in planted.rglob("*") if path.is_file()] == []


def test_machine_code_needs_a_private_temporary_folder_at_least(tmp_path, monkeypatch):
    planted = make_folder(tmp_path / "planted", 0o777)
    monkeypatch.setattr("parlour.engine.compiled.temporary_folder", lambda: planted)
    monkeypatch.setenv("PARLOUR_CACHE", str(planted / "chosen"))
    with pytest.raises(OSError, match=r"there is no private folder for compiled code: .* may be written by others"):
        cache_folder()
