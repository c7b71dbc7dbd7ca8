"""Maintenance of a database: its health, and the removal of old data."""

import logging
import threading
import time

import sqlalchemy as sql

from parlour.server.logs import note
from parlour.server.store.archive import remove
from parlour.server.store.database import DAYS, EVENTS, SAID, TABLES
from parlour.server.store.lobby_list import OPEN_SECONDS, remove_listings, remove_openers
from parlour.server.store.people.clubs import remove_unbegun

ABANDONED_DAYS = 30
"""Age in days of operation at which tables without a game are removed, and the chat messages of all tables.

Tables with a game have no maximum age.
"""
SUCCEEDED_SECONDS = 10.0
FAILED_SECONDS = 1.0
"""Seconds for which the result of a write, successful or failed, answers health checks."""
REPORT_SECONDS = 60.0
"""Minimum seconds between two reports of failed writes in the log: on a full disk a small write may succeed."""
_REMOVED_AT_ONCE = 1000
_DOUBTED_DAYS = 2
"""Number of the latest days of operation that may come from a wrong clock."""
DAY_SECONDS = 86400


class Health:
    """The result of the last write. The log has a line when writes begin to fail, and one when they succeed again.

    Attributes:
        reason: the reason of its failure; empty if it succeeded.
    """

    def __init__(self) -> None:
        self.reason = ""
        self._until = 0.0
        self._reported = False
        self._next_report = float("-inf")
        self._lock = threading.Lock()  # several threads write

    @property
    def is_recent(self) -> bool:
        """Whether the last result is recent enough to answer a health check."""
        return time.monotonic() < self._until

    def record_failure(self, reason: str) -> None:
        """Record a failed write."""
        with self._lock:
            now = time.monotonic()
            self.reason, self._until = reason, now + FAILED_SECONDS
            if not self._reported and now >= self._next_report:
                self._reported, self._next_report = True, now + REPORT_SECONDS
                note("nothing can be saved", logging.ERROR, why=reason)

    def record_success(self) -> None:
        """Record a successful write."""
        with self._lock:
            self.reason, self._until = "", time.monotonic() + SUCCEEDED_SECONDS
            if self._reported:
                self._reported = False
                note("changes are saved again")


def day_of(now: float | None = None) -> int:
    """Return the day of a time, or today, counted from 1970."""
    return int((time.time() if now is None else now) // DAY_SECONDS)


def remove_old(connection: sql.Connection, today: int) -> int:
    """Remove old data and up to a thousand old tables without a game; :func:`remove_never_begun` removes further ones.

    Return the number of removed tables. The age counts the days on which this function was called: a clock that is
    wrong for some days removes nothing. Hashes of addresses and club nights that were never begun are removed by the
    clock alone.
    """
    if not connection.execute(sql.select(DAYS).where(DAYS.c.day == today)).first():
        connection.execute(sql.insert(DAYS).values(day=today))
    _forget_future_days(connection, today)
    remove_openers(connection)
    if (trusted := trusted_day(connection)) is not None:
        remove_listings(connection, trusted * DAY_SECONDS - OPEN_SECONDS)
    remove_unbegun(connection, time.time())
    if (oldest := _oldest_day(connection, today)) is not None:
        connection.execute(sql.delete(DAYS).where(DAYS.c.day < oldest))
        connection.execute(sql.delete(SAID).where(SAID.c.day < oldest))
    return remove_never_begun(connection, today)


def _forget_future_days(connection: sql.Connection, today: int) -> None:
    """Remove a day or two after tomorrow, which come from a clock that was wrong. If there are more, today is wrong."""
    future = DAYS.c.day > today + 1
    number = connection.execute(sql.select(sql.func.count()).select_from(DAYS).where(future)).scalar_one()
    if number <= _DOUBTED_DAYS:
        connection.execute(sql.delete(DAYS).where(future))


def trusted_day(connection: sql.Connection) -> int | None:
    """Return the third last day of operation, counted from 1970; ``None`` if there are fewer.

    A clock that is wrong for a day or two does not affect it.
    """
    days = sql.select(DAYS.c.day).order_by(DAYS.c.day.desc())
    return connection.execute(days.offset(_DOUBTED_DAYS).limit(1)).scalar_one_or_none()


def _oldest_day(connection: sql.Connection, today: int) -> int | None:
    """Return the first of the last days of operation; data of earlier ones are removed. ``None`` if there are few."""
    days = sql.select(DAYS.c.day).where(DAYS.c.day <= today).order_by(DAYS.c.day.desc())
    return connection.execute(days.offset(ABANDONED_DAYS).limit(1)).scalar_one_or_none()


def remove_never_begun(connection: sql.Connection, today: int) -> int:
    """Remove up to a thousand old tables without a game, by the days of operation that :func:`remove_old` has counted.

    Return their number.
    """
    if (oldest := _oldest_day(connection, today)) is None:
        return 0
    begun = sql.exists().where(EVENTS.c.table_id == TABLES.c.id, EVENTS.c.number >= TABLES.c.given)
    old = TABLES.c.created < oldest * DAY_SECONDS
    abandoned = sql.select(TABLES.c.id).where(old, ~begun).limit(_REMOVED_AT_ONCE)
    ids = list(connection.execute(abandoned.with_for_update()).scalars())
    return remove(connection, ids) if ids else 0
