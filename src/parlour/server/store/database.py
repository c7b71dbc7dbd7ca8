"""Where tables are kept: a file of SQLite, or a database of PostgreSQL, with the same layout and errors in words."""

import os
import random
import sqlite3
import stat
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sql
from sqlalchemy import event as sql_event
from sqlalchemy import exc
from sqlalchemy.ext.compiler import compiles

from parlour.engine.errors import ParlourError
from parlour.server.logs import note

REVISION = "0007"
"""The newest migration (:mod:`parlour.server.store.migrations`): what follows is the layout after it."""
LAYOUT_VERSION = 4
"""The newest layout that a program of this version knows how to share.

It is counted up only when something is taken away that programs before it need (contract); what is added (expand) lets
them work on, so that two versions can share a database while one replaces the other.
"""
BUSY_SECONDS = 5.0
"""How long a lock of another worker or program, or a connection, is waited for."""
ANSWER_SECONDS = 8.0
"""Seconds after which a database that has not answered is taken to be out of reach."""
_LOOK_SECONDS = 0.0005, 0.003
"""So often a file that somebody else writes is looked at again, at random: SQLite's own way soon looks ten times a
second, and of two workers that both have much to write one may be left waiting until it gives up.
"""
WRITING = {"writing": True}
"""The execution option of a connection that is going to write."""
THREADS = 4
_POSTGRESQL = ("postgresql", "postgres")
_NOTICING_SILENCE = {"tcp_user_timeout": 10_000, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 2}
"""Timeouts for a database that falls silent, in milliseconds (the first) and seconds."""
_LETTING_GO = {
    "idle_in_transaction_session_timeout": 10_000,
    "tcp_user_timeout": 8_000,
    "tcp_keepalives_idle": 3,
    "tcp_keepalives_interval": 2,
    "tcp_keepalives_count": 2,
}
"""By these PostgreSQL notices that a server, or its machine, is no more, and lets go what it had locked."""
_PRIVATE = 0o600

METADATA = sql.MetaData()


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
"""The layout that a program must know, at least, to work with this database."""
MIGRATED = sql.Table("alembic_version", METADATA, sql.Column("version_num", sql.String(32), primary_key=True))
"""The last migration, as Alembic keeps it."""
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
LISTED = sql.Table(
    "listed",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("opener", sql.Text, nullable=False, server_default=""),
)
"""The tables of the lobby; ``opener`` is a hash of the address that opened it (:mod:`parlour.server.store.listed`)."""
ASKED = sql.Table(
    "asked",
    METADATA,
    sql.Column("key_hash", sql.Text, primary_key=True),
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), nullable=False, index=True),
    sql.Column("request", sql.Text, nullable=False),
)
"""With which key each table was opened by which request, so that the same request is not carried out twice."""
FOLLOWS = sql.Table(
    "follows",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("next_id", sql.Text, sql.ForeignKey("tables.id"), nullable=False, unique=True),
)
"""The one other game that was opened after each table's own."""
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
DAYS = sql.Table("days", METADATA, sql.Column("day", sql.Integer, primary_key=True, autoincrement=False))
"""The days, counted from 1970, on which a server was open: by them things grow old, whatever a clock says."""
PROBE = sql.Table(
    "probe",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("written", sql.BigInteger, nullable=False),
)
"""Written to find out whether anything can be."""
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
"""Which instance has a table now (none: the first that is asked for it), and how often it has been loaded."""

FINISHED = sql.Table(
    "finished",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("ended", sql.BigInteger, nullable=False, index=True),
    sql.Column("record", sql.LargeBinary, nullable=False),
)
"""Games that are over, each as one record instead of its events but the last."""
UNFINISHED = sql.Table(
    "unfinished",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("events", sql.Integer, nullable=False),
)
"""How many events there were when somebody last looked whether a game was over, and it was not."""
REVIEWS = sql.Table(
    "reviews",
    METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("source", sql.Text, nullable=False),
    sql.Column("review", sql.LargeBinary, nullable=False),
)
"""The review of each finished game that has one; ``source`` is the hash of the program that worked it out."""
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
"""What commands have changed under running servers, in order; ``table_id`` is empty where no table is concerned."""

_OLDEST_VERSION = 2


class StoreError(ParlourError):
    """The database cannot be read or written; the text says why, in words."""


class DamagedError(StoreError):
    """What is kept of one table is damaged."""


class ConflictError(StoreError):
    """What was to be appended is there already: someone else was quicker."""


SILENT = "the database does not answer"
_REASONS = {
    "SQLITE_BUSY": "another program keeps the database locked",
    "SQLITE_LOCKED": "another program keeps the database locked",
    "SQLITE_READONLY": "the database is read-only",
    "SQLITE_PERM": "the database may not be written",
    "SQLITE_CANTOPEN": "the database cannot be opened",
    "SQLITE_CORRUPT": "the database is damaged",
    "SQLITE_NOTADB": "the file is not a database",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_IOERR": "the disk cannot be read or written",
    "53100": "the disk is full",
    "53": "the database has no room or no connection left",
    "25006": "the database is read-only",
    "28": "the database does not let this user in",
    "3D000": "there is no database of this name",
    "42501": "the database may not be written",
    "55P03": "another program keeps the database locked",
    "57014": SILENT,
    "57P": "the database is being closed",
    "08": "the database cannot be reached",
    "XX001": "the database is damaged",
    "XX002": "the database is damaged",
    "58030": "the disk cannot be read or written",
}
"""By the beginning of SQLite's name for an error, or of PostgreSQL's code for it (appendix A of its manual)."""


def reason_of(error: BaseException) -> str:
    """A database error in words, without any of the data."""
    if isinstance(error, exc.TimeoutError):
        return "the database is too busy"
    original = getattr(error, "orig", error)
    name = str(getattr(original, "sqlite_errorname", None) or getattr(original, "sqlstate", None) or "")
    known = next((words for code, words in _REASONS.items() if name.startswith(code)), None)
    if known is None and not name and type(original).__module__.startswith("psycopg"):
        return "the database cannot be reached"
    return known or f"the database failed ({name or type(error).__name__})"


@contextmanager
def in_words() -> Iterator[None]:
    """Turn what SQLAlchemy and the database raise into a :class:`StoreError`."""
    try:
        yield
    except exc.IntegrityError:
        raise ConflictError("somebody else was quicker") from None
    except (exc.SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(reason_of(error)) from None


def parse_place(place: Path | str) -> sql.URL:
    """The URL of a database: a file's name, or ``postgresql://…``. Raises :class:`StoreError`."""
    if "://" not in str(place):
        return sql.URL.create("sqlite", database=str(place))
    try:
        url = sql.make_url(str(place))
    except (exc.ArgumentError, ValueError):
        raise StoreError("that is no URL; it looks like postgresql://user@host/database") from None
    if url.drivername not in _POSTGRESQL:
        raise StoreError("it may be the name of a file (SQLite) or a URL that begins with postgresql://")
    if find_spec("psycopg") is None:
        raise StoreError("PostgreSQL needs psycopg: install Parlour with its extra, pip install '.[postgresql]'")
    return url.set(drivername="postgresql+psycopg")


def place_name(url: sql.URL) -> str:
    """A database as it is shown to people, without passwords."""
    if url.drivername == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)


class Database(NamedTuple):
    """A database that has been opened: its name as people are shown it, its URL, and what speaks to it."""

    name: str
    url: sql.URL
    engine: sql.Engine


def open_database(place: Path | str) -> Database:
    """Open a database, or make a new one: a file, or ``postgresql://…``.

    Raises:
        StoreError: it cannot be used; names the database.
    """
    name = str(place).partition("://")[0]
    try:
        url = parse_place(place)
        name = place_name(url)
        return Database(name, url, _open_engine(url))
    except (StoreError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"{name}: {reason}") from None


def _open_engine(url: sql.URL) -> sql.Engine:
    """The database, with what makes an acknowledged write a durable one. Raises :class:`StoreError`."""
    is_file = url.drivername == "sqlite"
    if is_file:
        arguments: dict[str, Any] = {"timeout": BUSY_SECONDS, "check_same_thread": False}
        _make_private(Path(str(url.database)))
    else:
        arguments = {"connect_timeout": int(BUSY_SECONDS), **_NOTICING_SILENCE}
    engine = sql.create_engine(url, connect_args=arguments, pool_size=THREADS, pool_timeout=BUSY_SECONDS * 2)
    sql_event.listen(engine, "connect", _prepare_sqlite if is_file else _prepare_postgresql)
    if is_file:
        sql_event.listen(engine, "begin", _begin_sqlite)
    try:
        with in_words():
            _make_layout(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _make_private(path: Path) -> None:
    """Let nobody else on this machine read a file of SQLite, which holds hidden hands; make it if it is not there.

    SQLite gives the files that it makes beside it (``-wal``, ``-shm``) the rights of this one. Where this is a symbolic
    link, they stand beside the file that it leads to.
    """
    path = path.resolve()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE))
    for each in (path, *(path.with_name(path.name + more) for more in ("-wal", "-shm"))):
        if each.is_file() and stat.S_IMODE(each.stat().st_mode) & ~_PRIVATE:
            try:
                each.chmod(_PRIVATE)
            except OSError as error:
                note("readable by others", file=str(each), error=error.strerror)
            else:
                note("made private", file=str(each))


class SameFile:
    """Sees to it that the file of SQLite is still the one that was opened.

    Whoever removes or replaces it under a running server would otherwise have what is written go nowhere.
    """

    def __init__(self, url: sql.URL) -> None:
        """Remember the file; a database of another kind is always the same."""
        self._path = Path(str(url.database)) if url.drivername == "sqlite" else None
        self._opened = self._identity()

    def check(self) -> None:
        """Raises :class:`StoreError` while the file that was opened is not in its place."""
        if self._identity() != self._opened:
            raise StoreError("the database's file was removed or replaced: put it back, or start the server again")

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat() if self._path else None
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found else None


def _prepare_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # transactions are begun below, not by Python
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: sql.Connection) -> None:
    """Begin a transaction; one that writes gets the file for itself at once, so that it cannot fail for that later."""
    if not connection.get_execution_options().get("writing"):
        connection.exec_driver_sql("BEGIN")
        return
    until = time.monotonic() + BUSY_SECONDS
    connection.exec_driver_sql("PRAGMA busy_timeout = 0")
    try:
        while not _begun_writing(connection, until):
            time.sleep(random.uniform(*_LOOK_SECONDS))
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


def _begun_writing(connection: sql.Connection, until: float) -> bool:
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
    for setting, value in {"synchronous_commit": "on", **waiting, **_LETTING_GO}.items():
        connection.execute(f"SET {setting} TO {value}")
    connection.commit()


def take_time(connection: sql.Connection) -> None:
    """Let the statements of this transaction take as long as they need: nobody waits for them at a table."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET LOCAL statement_timeout TO 0")


def _make_layout(engine: sql.Engine) -> None:
    with engine.execution_options(**WRITING).begin() as connection:  # what cannot be written is noticed here
        if engine.dialect.name != "sqlite":
            take_time(connection)
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7275)")  # one program at a time
        names = sql.inspect(connection).get_table_names()
        if names and LAYOUT.name not in names:
            raise StoreError("the database of another program, or of a Parlour before its first release")
        if names:
            _bring_up_to_date(connection, names)
        else:
            METADATA.create_all(connection)
            connection.execute(sql.insert(LAYOUT).values(version=LAYOUT_VERSION))
            connection.execute(sql.insert(MIGRATED).values(version_num=REVISION))


def _bring_up_to_date(connection: sql.Connection, names: Collection[str]) -> None:
    """Migrate an older database; leave a newer one as it is if it can be shared with programs of this version."""
    version = connection.execute(sql.select(LAYOUT.c.version)).scalar_one()
    if not _OLDEST_VERSION <= version <= LAYOUT_VERSION:
        age = "a newer" if version > LAYOUT_VERSION else "a much older"
        raise StoreError(f"made by {age} version of Parlour: open it with that one, or name another with --database")
    if MIGRATED.name not in names:  # it was made before there were migrations, which are counted on from its version
        MIGRATED.create(connection)
        connection.execute(sql.insert(MIGRATED).values(version_num=f"{version:04}"))
    if connection.execute(sql.select(MIGRATED.c.version_num)).scalar_one() < REVISION:
        from parlour.server.store.migration import migrate  # Alembic takes half a second to load, and is needed seldom

        migrate(connection)
    if version < LAYOUT_VERSION:
        connection.execute(sql.update(LAYOUT).values(version=LAYOUT_VERSION))
