"""The lock by which a file of SQLite has one server: two servers would not notice each other's changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from parlour.server.store.database import StoreError

_PRIVATE = 0o600


@contextmanager
def lock_database(place: Path | str) -> Iterator[None]:
    """Lock a file of SQLite for this server within the context; a database of PostgreSQL has no lock.

    The lock is a file beside the database. The system releases it when the process ends. Readers need no lock.

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
    except OSError:  # opening the database gives the reason in better words
        yield
        return
    try:
        yield
    finally:
        lock.release()
