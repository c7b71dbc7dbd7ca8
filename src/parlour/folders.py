"""Folders that nobody else can write, and files that only one process has at a time."""

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
except ImportError:  # it is Windows
    grp = pwd = None  # type: ignore[assignment]

_LINKS = 40
"""Maximum number of symbolic links on the way to a folder, as in the system."""
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_temporary: list[tuple[int, Path]] = []


def who_else_may_write(folder: Path) -> str:
    """Whom this user would have to trust who loads code from a folder: in words, or nothing if there is nobody.

    Whoever may write a folder on the way, or replace a link there, decides what is found at its end. The superuser
    may do everything and has to be trusted. On Windows the folders of a user are that user's.
    """
    if not hasattr(os, "getuid"):
        return ""
    here, links = Path("/"), 0
    rest = deque(folder.absolute().parts[1:])
    while True:
        status = here.lstat()
        if why := _who_else(here, status, last=not rest):
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


def _who_else(path: Path, status: os.stat_result, last: bool) -> str:
    own = os.getuid()
    if status.st_uid not in ((own,) if last and not stat.S_ISLNK(status.st_mode) else (own, 0)):
        return f"{path} belongs to user {status.st_uid}"
    if stat.S_ISLNK(status.st_mode) or not status.st_mode & _OTHERS_MAY_WRITE:
        return ""
    if status.st_mode & stat.S_ISVTX and not last:
        return ""  # as in /tmp: everyone may add something, but what is there is its owner's
    if not status.st_mode & stat.S_IWOTH and _is_of_one(status.st_gid, own):
        return ""
    return f"{path} may be written by others (mode {stat.S_IMODE(status.st_mode):04o})"


def _is_of_one(group: int, user: int) -> bool:
    """Whether a group is the one that many systems make for each user alone."""
    try:
        members, name = grp.getgrgid(group), pwd.getpwuid(user).pw_name
    except KeyError:
        return False
    return members.gr_name == name and set(members.gr_mem) <= {name}


def data_folder() -> Path | None:
    """The folder for what this user keeps, which need not exist yet; ``None`` if the user has no home."""
    folder = in_home(platformdirs.user_data_dir)
    return None if _is_homeless(folder) else folder


def in_home(find: Callable[[str], str]) -> Path:
    """A folder of Parlour's in this user's home, found by a function of platformdirs; one below ``~`` if there is none.

    A container's user may be a mere number, without a home. Older versions of the library answer so, newer ones raise.
    """
    try:
        return Path(find("parlour"))
    except RuntimeError:
        return Path("~")


def _is_homeless(folder: Path) -> bool:
    return folder.parts[:1] == ("~",)


def make_private(folder: Path) -> str:
    """Make a folder that is this user's alone, if it is not there. Returns why it cannot be used, or nothing."""
    if _is_homeless(folder):
        return f"{folder} is nowhere: this user has no home"
    try:
        with contextlib.suppress(FileNotFoundError):  # as far as it is there, before anything is made
            if why := who_else_may_write(folder):
                return why
        with _private_by_default():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if why := who_else_may_write(folder):
            return why
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return f"{folder} cannot be written: {error.strerror or error}"


@contextlib.contextmanager
def _private_by_default() -> Iterator[None]:
    """Parents that are made on the way, too, are for this user alone."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def temporary_folder() -> Path:
    """A new folder that is this user's alone, until this process ends. Raises ``OSError``."""
    if not _temporary:
        atexit.register(remove_temporary)
    folder = Path(tempfile.mkdtemp(prefix="parlour-"))
    _temporary.append((os.getpid(), folder))
    return folder


def remove_temporary() -> None:
    """Remove the folders that this process has made for as long as it runs."""
    while _temporary:
        owner, folder = _temporary.pop()
        if owner == os.getpid():
            shutil.rmtree(folder, ignore_errors=True)


def locked(file: Path) -> FileLock:
    """Keep every other process that asks for this lock waiting meanwhile. Who dies, however it dies, holds nothing."""
    return FileLock(file)
