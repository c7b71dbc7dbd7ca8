"""What keeps a database in order: whether it can be written, and the removal of what grew old."""

import time

import sqlalchemy as sql

from parlour.server.store.database import DAYS, EVENTS, SAID, TABLES
from parlour.server.store.finished import remove
from parlour.server.store.listed import forget_openers

ABANDONED_DAYS = 30
"""Days, counting those on which a server was open, after which a table without a game is removed, and any table's talk.
Tables at which a game began are kept for ever.
"""
PROVED_SECONDS = 10.0
FAILED_SECONDS = 1.0
"""Seconds for which a successful and a failed write answer a health check without another one."""
_REMOVED_AT_ONCE = 1000
_DOUBTED_DAYS = 2
DAY_SECONDS = 86400


class Health:
    """What is known of whether something can be written.

    Attributes:
        trouble: why the last attempt failed; empty if it did not.
    """

    def __init__(self) -> None:
        self.trouble = ""
        self._until = 0.0

    @property
    def known(self) -> bool:
        """Whether the last attempt was so short a time ago that it need not be tried again."""
        return time.monotonic() < self._until

    def failed(self, trouble: str) -> None:
        """Something could not be written."""
        self.trouble, self._until = trouble, time.monotonic() + FAILED_SECONDS

    def proved(self) -> None:
        """Something was written."""
        self.trouble, self._until = "", time.monotonic() + PROVED_SECONDS


def day_of(now: float | None = None) -> int:
    """The day of a time, or today, counted from 1970."""
    return int((time.time() if now is None else now) // DAY_SECONDS)


def remove_old(connection: sql.Connection, today: int) -> int:
    """Remove tables at which no game ever began, not all at once, and what was said long ago. Returns how many tables.

    Both grow old by the days on which this was done, not by what a clock says: while one is far ahead, nothing is
    removed for that.
    """
    if not connection.execute(sql.select(DAYS).where(DAYS.c.day == today)).first():
        connection.execute(sql.insert(DAYS).values(day=today))
    forget_openers(connection)
    days = sql.select(DAYS.c.day).where(DAYS.c.day <= today).order_by(DAYS.c.day.desc())
    oldest = connection.execute(days.offset(ABANDONED_DAYS).limit(1)).scalar_one_or_none()
    if oldest is None:
        return 0
    connection.execute(sql.delete(DAYS).where(DAYS.c.day < oldest))
    connection.execute(sql.delete(SAID).where(SAID.c.day < oldest))
    return _remove_never_begun(connection, oldest * DAY_SECONDS)


def trusted_day(connection: sql.Connection) -> int | None:
    """The day before the last days on which a server was open: no clock that is far ahead for a day or two is believed.

    Counted from 1970; ``None`` if there are not so many yet.
    """
    days = sql.select(DAYS.c.day).order_by(DAYS.c.day.desc())
    return connection.execute(days.offset(_DOUBTED_DAYS).limit(1)).scalar_one_or_none()


def _remove_never_begun(connection: sql.Connection, before: int) -> int:
    begun = sql.exists().where(EVENTS.c.table_id == TABLES.c.id, EVENTS.c.number >= TABLES.c.given)
    abandoned = sql.select(TABLES.c.id).where(TABLES.c.created < before, ~begun).limit(_REMOVED_AT_ONCE)
    ids = list(connection.execute(abandoned.with_for_update()).scalars())
    return remove(connection, ids) if ids else 0
