"""Sees to it that a file of SQLite has one server: two would not tell each other what happens."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from parlour.server.store.database import StoreError

_PRIVATE = 0o600


@contextmanager
def held_alone(place: Path | str) -> Iterator[None]:
    """Hold a file of SQLite for this server until the end of the ``with`` block; a database of PostgreSQL is shared.

    The lock is a file beside it, and the system lets it go when the process ends, however it ends. Whoever only reads
    needs no lock.

    Raises:
        StoreError: another server has the file open.
    """
    if "://" in str(place):
        yield
        return
    path = Path(place).resolve()
    lock = FileLock(path.with_name(f"{path.name}.lock"), mode=_PRIVATE)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        raise StoreError(
            f"{place}: another server has this file open; close it, or name another with --database "
            "(several servers can share a database of PostgreSQL)"
        ) from None
    except OSError:  # nothing can be written there: opening the database says so in better words
        yield
        return
    try:
        yield
    finally:
        lock.release()
