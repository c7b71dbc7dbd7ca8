"""The file of a database of SQLite: its first bytes and its permissions."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from parlour.server.logs import note

HEADER = b"SQLite format 3\0"
"""The first bytes of a database of SQLite; a new one is empty until its first write."""
PRIVATE = 0o600


def make_private(path: Path) -> None:
    """Make a file of SQLite, which has hidden hands, readable by its owner only; create it if it does not exist.

    SQLite gives the files beside it (``-wal``, ``-shm``) the same permissions. They are beside the target of a symbolic
    link. A file of another kind, named by mistake, stays as it is.
    """
    path = path.resolve()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE))
    if is_of_another_kind(path):
        return
    for each in (path, *(path.with_name(path.name + more) for more in ("-wal", "-shm"))):
        if each.is_file() and stat.S_IMODE(each.stat().st_mode) & ~PRIVATE:
            try:
                each.chmod(PRIVATE)
            except OSError as error:
                note("readable by others", file=str(each), error=error.strerror)
            else:
                note("made private", file=str(each))


def is_sqlite(path: Path) -> bool:
    """Return whether a file begins like a database of SQLite."""
    return _beginning(path) == HEADER


def is_of_another_kind(path: Path) -> bool:
    """Return whether there is something here that is no database of SQLite, nor an empty file."""
    return path.is_dir() or _beginning(path) not in (None, b"", HEADER)


def _beginning(path: Path) -> bytes | None:
    """Return the first bytes of a file; ``None`` without a file that can be read."""
    if not path.is_file():
        return None  # a pipe would wait for a writer
    try:
        with path.open("rb") as file:
            return file.read(len(HEADER))
    except OSError:
        return None
