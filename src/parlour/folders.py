"""Private folders and lock files."""

import atexit
import contextlib
import os
import shutil
import stat
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
from filelock import FileLock

try:
    import grp
    import pwd
except ImportError:  # on Windows
    grp = pwd = None  # type: ignore[assignment]

_LINKS = 40
"""Maximum number of symbolic links on the path to a folder, as in Linux."""
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_temporary: list[tuple[int, Path]] = []


def other_writer_text(folder: Path) -> str:
    """Return a sentence on the other users who could change a folder's contents; empty if there are none.

    A user who may write a folder on the path, or replace a link there, controls the target of the path. The superuser
    is trusted. On Windows folders are not checked: a user's folders are assumed to be private. Raises
    ``FileNotFoundError`` if the folder does not exist.
    """
    if not hasattr(os, "getuid"):
        return ""
    here, links = Path("/"), 0
    rest = deque(folder.absolute().parts[1:])
    while True:
        status = here.lstat()
        if why := _writer_text(here, status, last=not rest):
            return why
        if stat.S_ISLNK(status.st_mode):
            links += 1
            if links > _LINKS:
                return f"{folder} leads in circles"
            target = Path(os.readlink(here))
            parts = target.parts[1:] if target.is_absolute() else target.parts
            rest.extendleft(reversed(parts))
            here = Path("/") if target.is_absolute() else here.parent
        elif not rest:
            return ""
        if rest:
            part = rest.popleft()
            here = here.parent if part == ".." else here / part


def _writer_text(path: Path, status: os.stat_result, last: bool) -> str:
    own = os.getuid()
    if status.st_uid not in ((own,) if last and not stat.S_ISLNK(status.st_mode) else (own, 0)):
        return f"{path} belongs to user {status.st_uid}"
    if stat.S_ISLNK(status.st_mode) or not status.st_mode & _OTHERS_MAY_WRITE:
        return ""
    if status.st_mode & stat.S_ISVTX and not last:
        return ""  # as in /tmp: others may add files, but not replace existing ones
    if not status.st_mode & stat.S_IWOTH and _is_private_group(status.st_gid, own):
        return ""
    return f"{path} may be written by others (mode {stat.S_IMODE(status.st_mode):04o})"


def _is_private_group(group: int, user: int) -> bool:
    """Return whether a group is the user's private group, as many systems create one for each user."""
    try:
        members, name = grp.getgrgid(group), pwd.getpwuid(user).pw_name
    except KeyError:
        return False
    return members.gr_name == name and set(members.gr_mem) <= {name}


def data_folder() -> Path | None:
    """Return this user's data folder, which may not exist yet; ``None`` if the user has no home."""
    folder = home_subfolder(platformdirs.user_data_dir)
    return None if _is_homeless(folder) else folder


def home_subfolder(find: Callable[[str], str]) -> Path:
    """Return Parlour's folder by a function of platformdirs; a path below ``~`` if the user has no home.

    A container's user may be only a number, without a home. Older versions of platformdirs then return a path below
    ``~``; newer ones raise an exception.
    """
    try:
        return Path(find("parlour"))
    except RuntimeError:
        return Path("~")


def _is_homeless(folder: Path) -> bool:
    return folder.parts[:1] == ("~",)


def make_private(folder: Path) -> str:
    """Create a private folder if it does not exist. Return the reason why it cannot be used, or an empty string."""
    if _is_homeless(folder):
        return f"{folder} cannot be found: this user has no home folder"
    try:
        with contextlib.suppress(FileNotFoundError):  # check the existing part of the path first
            if why := other_writer_text(folder):
                return why
        with _private_by_default():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if why := other_writer_text(folder):
            return why
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return f"{folder} cannot be written: {error.strerror or error}"


@contextlib.contextmanager
def _private_by_default() -> Iterator[None]:
    """Set the umask so that created parent folders are private, too."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def temporary_folder() -> Path:
    """Create a private folder, removed when this process ends. Raises ``OSError``."""
    if not _temporary:
        atexit.register(remove_temporary)
    folder = Path(tempfile.mkdtemp(prefix="parlour-"))
    _temporary.append((os.getpid(), folder))
    return folder


def remove_temporary() -> None:
    """Remove the temporary folders of this process."""
    while _temporary:
        owner, folder = _temporary.pop()
        if owner == os.getpid():
            shutil.rmtree(folder, ignore_errors=True)


def file_lock(file: Path) -> FileLock:
    """Return a lock between processes. The system releases the lock of a process that dies."""
    return FileLock(file)
