"""Locks of the database: that of a server on a file of SQLite, and those of transactions.

Two servers of one file would not notice each other's changes. Transactions lock what their rows do not protect.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path

import sqlalchemy as sql
from filelock import FileLock, Timeout

from parlour.server.store.database import StoreError
from parlour.server.store.sqlite_file import PRIVATE, is_of_another_kind


class TransactionLock(IntEnum):
    """The subjects of transactions' locks, with the numbers of PostgreSQL's advisory locks."""

    ORDERS = 7277
    """The numbers of orders."""
    LOBBY = 7278
    """The number of tables that an address has in the lobby."""
    RATINGS = 7279
    """The ratings of players: several servers may rate games of one player."""
    CLUBS = 7280
    """The players and rounds of club nights."""


def hold(connection: sql.Connection, lock: TransactionLock) -> None:
    """Wait for a lock, and hold it until the end of the transaction. SQLite needs none: it has one writer at a time."""
    if connection.dialect.name != "sqlite":
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(int(lock))))


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
    if is_of_another_kind(path):  # opening the database gives the reason
        yield
        return
    lock = FileLock(path.with_name(f"{path.name}.lock"), mode=PRIVATE)
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
