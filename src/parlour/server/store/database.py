"""The database of a store: a file of SQLite or a database of PostgreSQL, with one layout and errors in words."""

import random
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy import event as sql_event
from sqlalchemy import exc
from sqlalchemy.ext.compiler import compiles

import parlour.server.store.daily_tables
import parlour.server.store.people.player_tables  # noqa: F401 (their tables are part of the layout)
from parlour.engine.errors import ParlourError
from parlour.languages import deferred
from parlour.server.store.failure_reasons import NOT_VALID, reason_of
from parlour.server.store.metadata import METADATA
from parlour.server.store.sqlite_file import make_private

REVISION = "0014"
"""The newest migration (:mod:`parlour.server.store.migrations`), which makes the layout below."""
LAYOUT_VERSION = 4
"""The newest layout that a program of this version can share.

Only a migration that removes something which earlier programs need (contract) increases it. One that only adds
(expand) does not, so two versions can share a database while one replaces the other.
"""
BUSY_SECONDS = 5.0
"""Time limit for a lock of another worker or program, and for a new connection."""
ANSWER_SECONDS = 8.0
"""Seconds without an answer after which a database counts as unreachable."""
_ATTEMPT_SECONDS = 0.0005, 0.003
"""Bounds of the random time between two attempts to lock a file. SQLite's own interval grows to a tenth of a second, so
one of two busy workers could wait until its time limit.
"""
WRITING = {"writing": True}
"""The execution option of a connection that will write."""
THREADS = 4
"""Number of threads that call the database, and of its pooled connections."""
_POSTGRESQL = ("postgresql", "postgres")
_SILENCE_TIMEOUTS = {"tcp_user_timeout": 10_000, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 2}
"""Client timeouts for a silent database, in milliseconds (the first) and seconds; the last is a number of probes."""
_SERVER_TIMEOUTS = {
    "idle_in_transaction_session_timeout": 10_000,
    "tcp_user_timeout": 8_000,
    "tcp_keepalives_idle": 3,
    "tcp_keepalives_interval": 2,
    "tcp_keepalives_count": 2,
}
"""Timeouts by which PostgreSQL releases the locks of a dead server or machine, in milliseconds (the first two) and
seconds; the last is a number of probes.
"""


class _Now(sql.FunctionElement[int]):
    """The time in seconds since 1970 by the database's clock."""

    inherit_cache = True


@compiles(_Now)
def _now(element: _Now, compiler: Any, **_: Any) -> str:
    return "CAST(floor(extract(epoch FROM now())) AS BIGINT)"


@compiles(_Now, "sqlite")
def _now_sqlite(element: _Now, compiler: Any, **_: Any) -> str:
    return "(CAST(strftime('%s', 'now') AS INTEGER))"


LAYOUT = sql.Table("layout", METADATA, sql.Column("version", sql.Integer, primary_key=True))
"""The minimum layout version that a program needs for this database."""
MIGRATED = sql.Table("alembic_version", METADATA, sql.Column("version_num", sql.String(32), primary_key=True))
"""The last migration, as Alembic stores it."""
TABLES = sql.Table(
    "tables",
    METADATA,
    sql.Column("id", sql.Text, primary_key=True),
    sql.Column("game", sql.Text, nullable=False),
    sql.Column("players", sql.Integer, nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("created", sql.BigInteger, nullable=False),
    sql.Column("secret", sql.Text, nullable=False),
    sql.Column("given", sql.Integer, nullable=False),
)
"""The tables. ``given`` is the number of first events that come from another game."""
SEATS = sql.Table(
    "seats",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("bot", sql.Text),
    sql.Column("key_hash", sql.Text),
)
EVENTS = sql.Table(
    "events",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("by", sql.Integer, nullable=False),
    sql.Column("do", sql.Text, nullable=False),
    sql.Column("stood_in", sql.Integer, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False, server_default=_Now()),
)
"""The events by their numbers, from 0. ``stood_in`` is 1 if a bot decided the event for a person, ``at`` is the time in
seconds since 1970.
"""
MANNERS = sql.Table(
    "manners",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("manners", sql.Text, nullable=False),
)
SPENT = sql.Table(
    "spent",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("milliseconds", sql.BigInteger, nullable=False),
)
"""The milliseconds charged for events at tables with clocks."""
LISTED = sql.Table(
    "listed",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("opener", sql.Text, nullable=False, server_default=""),
    sql.Column("waited", sql.BigInteger, nullable=False, server_default="0"),
)
"""Tables of the lobby; ``opener`` is a hash of the opener's address (:mod:`parlour.server.store.lobby_list`).

``waited`` is the last time at which a person was seen to wait there, in seconds since 1970, or 0.
"""
ASKED = sql.Table(
    "asked",
    METADATA,
    sql.Column("key_hash", sql.Text, primary_key=True),
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), nullable=False, index=True),
    sql.Column("request", sql.Text, nullable=False),
)
"""The key and the request that opened each table, so that a repeated request opens no other one."""
FOLLOWS = sql.Table(
    "follows",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("next_id", sql.Text, sql.ForeignKey("tables.id"), nullable=False, unique=True),
)
"""The rematch of each table."""
SAID = sql.Table(
    "said",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("by", sql.Integer, nullable=False),
    sql.Column("said_id", sql.Text, nullable=False),
    sql.Column("words", sql.Text, nullable=False),
    sql.Column("sign", sql.Text, nullable=False),
    sql.Column("day", sql.Integer, nullable=False),
    sql.UniqueConstraint("table_id", "by", "said_id"),
)
"""The chat messages, by seat and the client's id; the words and signs of old ones are empty."""
DAYS = sql.Table("days", METADATA, sql.Column("day", sql.Integer, primary_key=True, autoincrement=False))
"""The days of operation, counted from 1970, by which the age of data is measured."""
PROBE = sql.Table(
    "probe",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("written", sql.BigInteger, nullable=False),
)
"""A row that health checks write."""
INSTANCES = sql.Table(
    "instances",
    METADATA,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("server", sql.Text, nullable=False),
    sql.Column("address", sql.Text, nullable=False),
    sql.Column("version", sql.Text, nullable=False),
    sql.Column("closing", sql.Integer, nullable=False),
)
"""The processes that share a database of PostgreSQL; ``server`` is the same for the workers of one server."""
OWNERS = sql.Table(
    "owners",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("instance", sql.Integer),
    sql.Column("epoch", sql.BigInteger, nullable=False),
)
"""The instance that has a table (null: the first that claims it), and the number of its claims."""

FINISHED = sql.Table(
    "finished",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("ended", sql.BigInteger, nullable=False, index=True),
    sql.Column("record", sql.LargeBinary, nullable=False),
)
"""Finished games, each as one record instead of all its events but the last."""
UNFINISHED = sql.Table(
    "unfinished",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("events", sql.Integer, nullable=False),
)
"""The number of events at which a game was last found unfinished."""
REVIEWS = sql.Table(
    "reviews",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("source", sql.Text, nullable=False),
    sql.Column("review", sql.LargeBinary, nullable=False),
)
"""The review of each finished game that has one; ``source`` is the hash of the program that computed it."""
CLOSED = sql.Table(
    "closed",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
)
"""The tables that the operator has closed."""
BANS = sql.Table(
    "bans",
    METADATA,
    sql.Column("address", sql.Text, primary_key=True),
    sql.Column("until", sql.BigInteger, nullable=False),
)
"""The addresses that the operator has banned, each until a time in seconds since 1970."""
ORDERS = sql.Table(
    "orders",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("what", sql.Text, nullable=False),
    sql.Column("table_id", sql.Text, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
    sqlite_autoincrement=True,
)
"""Changes that running servers have to follow, in order (:mod:`parlour.server.store.orders`)."""

_OLDEST_VERSION = 2
"""The oldest layout that can be migrated."""


class StoreError(ParlourError):
    """The database cannot be read or written.

    The text has the reason in English. The edge of the server translates it, for each of the people who are shown it.
    """


class DamagedError(StoreError):
    """The stored form of a table is damaged."""


class ConflictError(StoreError):
    """The row exists already, or is missing or changed: another process was quicker."""


class UnstorableError(ParlourError):
    """A client's text that the database cannot store, such as NUL with PostgreSQL: no failure of the database."""


QUICKER = deferred("another process was quicker")


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Convert the errors of SQLAlchemy and the database into :class:`StoreError` or :class:`UnstorableError`."""
    try:
        yield
    except exc.IntegrityError:
        raise ConflictError(QUICKER) from None
    except exc.DataError:
        raise UnstorableError(deferred("this text has a character that cannot be stored")) from None
    except (exc.SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(reason_of(error)) from None


def parse_location(location: Path | str) -> sql.URL:
    """Return the URL of a database: a file, or ``postgresql://…``. Raises :class:`StoreError`."""
    if "://" not in str(location):
        return sql.URL.create("sqlite", database=str(location))
    try:
        url = sql.make_url(str(location))
    except (exc.ArgumentError, ValueError):
        raise StoreError("that is no URL; it looks like postgresql://user@host/database") from None
    if url.drivername not in _POSTGRESQL:
        raise StoreError("it may be the name of a file (SQLite) or a URL that begins with postgresql://")
    if find_spec("psycopg") is None:
        raise StoreError("PostgreSQL needs psycopg: install Parlour with its extra, pip install '.[postgresql]'")
    return url.set(drivername="postgresql+psycopg")


def location_name(url: sql.URL) -> str:
    """Return the name of a database for people, without passwords."""
    if url.drivername == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)


class Database(NamedTuple):
    """An open database: its name without passwords, its URL, and SQLAlchemy's engine."""

    name: str
    url: sql.URL
    engine: sql.Engine


def open_database(location: Path | str, must_exist: bool = False) -> Database:
    """Open a database: a file, or ``postgresql://…``. Create its tables, unless they must exist.

    Raises:
        StoreError: the database cannot be used; the text names it.
    """
    name = str(location).partition("://")[0]
    try:
        url = parse_location(location)
        name = location_name(url)
        return Database(name, url, _open_engine(url, must_exist))
    except (StoreError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"{name}: {reason}") from None


def _open_engine(url: sql.URL, must_exist: bool) -> sql.Engine:
    """Return an engine whose acknowledged writes are durable. Raises :class:`StoreError`."""
    is_file = url.drivername == "sqlite"
    if is_file:
        arguments: dict[str, Any] = {"timeout": BUSY_SECONDS, "check_same_thread": False}
        make_private(Path(str(url.database)))
    else:
        arguments = {"connect_timeout": int(BUSY_SECONDS), **_SILENCE_TIMEOUTS}
    try:
        engine = sql.create_engine(url, connect_args=arguments, pool_size=THREADS, pool_timeout=BUSY_SECONDS * 2)
    except exc.ArgumentError:
        raise StoreError(NOT_VALID) from None
    sql_event.listen(engine, "connect", _prepare_sqlite if is_file else _prepare_postgresql)
    if is_file:
        sql_event.listen(engine, "begin", _begin_sqlite)
    try:
        with errors_in_words():
            _make_layout(engine, must_exist)
    except BaseException:
        engine.dispose()
        raise
    return engine


class SameFile:
    """A check that a file of SQLite is still the one that was opened.

    Without it, the writes of a running server would be lost after the file is removed or replaced.
    """

    def __init__(self, url: sql.URL) -> None:
        """Store the identity of the file; other databases have none."""
        self._path = Path(str(url.database)) if url.drivername == "sqlite" else None
        self._opened = self._identity()

    def check(self) -> None:
        """Raise :class:`StoreError` while the opened file is not in its place."""
        if self._identity() != self._opened:
            raise StoreError("the database's file was removed or replaced: put it back, or start the server again")

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat() if self._path else None
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found else None


def _prepare_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # transactions begin below, not in Python's driver
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: sql.Connection) -> None:
    """Begin a transaction; a writing one locks the file at once, so that it cannot fail to do so later."""
    if not connection.get_execution_options().get("writing"):
        connection.exec_driver_sql("BEGIN")
        return
    until = time.monotonic() + BUSY_SECONDS
    connection.exec_driver_sql("PRAGMA busy_timeout = 0")
    try:
        while not _try_begin_writing(connection, until):
            time.sleep(random.uniform(*_ATTEMPT_SECONDS))
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


def _try_begin_writing(connection: sql.Connection, until: float) -> bool:
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    except exc.OperationalError as error:
        busy = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
        if busy and time.monotonic() < until:
            return False
        raise
    return True


def _prepare_postgresql(connection: Any, record: Any) -> None:
    waiting = {"lock_timeout": int(BUSY_SECONDS * 1000), "statement_timeout": int(ANSWER_SECONDS * 1000)}
    for setting, value in {"synchronous_commit": "on", **waiting, **_SERVER_TIMEOUTS}.items():
        connection.execute(f"SET {setting} TO {value}")
    connection.commit()


def remove_time_limit(connection: sql.Connection) -> None:
    """Remove PostgreSQL's time limit of this transaction's statements."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET LOCAL statement_timeout TO 0")


def _make_layout(engine: sql.Engine, must_exist: bool) -> None:
    with engine.execution_options(**WRITING).begin() as connection:  # fails if the database cannot be written
        if engine.dialect.name != "sqlite":
            remove_time_limit(connection)
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7275)")  # one program at a time
        names = sql.inspect(connection).get_table_names()
        if names and LAYOUT.name not in names:
            raise StoreError("the database of another program, or of a Parlour before its first release")
        if names:
            _bring_up_to_date(connection, names)
        elif must_exist:
            raise StoreError("this database is empty: name that of the card room with --database")
        else:
            METADATA.create_all(connection)
            connection.execute(sql.insert(LAYOUT).values(version=LAYOUT_VERSION))
            connection.execute(sql.insert(MIGRATED).values(version_num=REVISION))


def _bring_up_to_date(connection: sql.Connection, names: Collection[str]) -> None:
    """Migrate an older database; leave a newer one that programs of this version can share."""
    version = connection.execute(sql.select(LAYOUT.c.version)).scalar_one()
    if not _OLDEST_VERSION <= version <= LAYOUT_VERSION:
        age = "a newer" if version > LAYOUT_VERSION else "a much older"
        raise StoreError(f"made by {age} version of Parlour: open it with that one, or name another with --database")
    if MIGRATED.name not in names:  # made before there were migrations
        MIGRATED.create(connection)
        connection.execute(sql.insert(MIGRATED).values(version_num=f"{version:04}"))
    if connection.execute(sql.select(MIGRATED.c.version_num)).scalar_one() < REVISION:
        from parlour.server.store.migration import migrate  # its import takes half a second

        migrate(connection)
    if version < LAYOUT_VERSION:
        connection.execute(sql.update(LAYOUT).values(version=LAYOUT_VERSION))
