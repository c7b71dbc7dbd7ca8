"""What the server remembers: tables, seats and events in SQLite, only ever added to.

An append is on the disk before it is acknowledged (write-ahead log, ``synchronous=FULL``), so neither a crash of the
server nor one of the machine loses an action that a player has seen happen.
"""

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import sqlalchemy as sql
from sqlalchemy import event as sql_event
from sqlalchemy import exc

from parlour.engine.errors import ParlourError
from parlour.engine.game import Value
from parlour.engine.match import Event

LAYOUT = 1
"""The layout of the database, kept in its ``user_version``."""
BUSY_SECONDS = 2.0
"""How long a lock of another program is waited for."""
_THREADS = 4

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

_METADATA = sql.MetaData()
_TABLES = sql.Table(
    "tables",
    _METADATA,
    sql.Column("id", sql.Text, primary_key=True),
    sql.Column("game", sql.Text, nullable=False),
    sql.Column("players", sql.Integer, nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("created", sql.Integer, nullable=False),
    sql.Column("secret", sql.Text, nullable=False),
)
_SEATS = sql.Table(
    "seats",
    _METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("bot", sql.Text),
    sql.Column("key_hash", sql.Text),
)
_EVENTS = sql.Table(
    "events",
    _METADATA,
    sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("by", sql.Integer, nullable=False),
    sql.Column("do", sql.Text, nullable=False),
)


class StoreError(ParlourError):
    """The database cannot be read or written; the text says why, in words."""


class ConflictError(StoreError):
    """What was to be appended is there already: someone else was quicker."""


@dataclass(frozen=True)
class StoredSeat:
    """A seat that is taken: by a bot, or by a person, of whose key only the hash is kept."""

    name: str
    bot: str | None = None
    key_hash: str | None = None


@dataclass(frozen=True)
class StoredTable:
    """A table as it is kept.

    ``options`` are all options with their values; a seat without an entry is open; all chance of the game follows from
    ``secret`` (:mod:`parlour.engine.deals`).
    """

    id: str
    game: str
    players: int
    options: dict[str, Value]
    seats: dict[int, StoredSeat]
    secret: str = field(repr=False)
    events: Sequence[Event] = ()


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
}


def reason_of(error: BaseException) -> str:
    """A database error in words, without any of the data."""
    if isinstance(error, exc.TimeoutError):
        return "the database is too busy"
    name = getattr(getattr(error, "orig", error), "sqlite_errorname", "") or ""
    known = next((words for code, words in _REASONS.items() if name.startswith(code)), None)
    return known or f"the database failed ({name or type(error).__name__})"


@contextmanager
def _in_words() -> Any:
    """Turn what SQLAlchemy and SQLite raise into a :class:`StoreError`."""
    try:
        yield
    except exc.IntegrityError:
        raise ConflictError("somebody else was quicker") from None
    except (exc.SQLAlchemyError, sqlite3.Error) as error:
        raise StoreError(reason_of(error)) from None


class Store:
    """The database of a card room.

    The methods block; the server calls them through :meth:`run`, in threads of the store's own.
    """

    def __init__(self, path: Path | str) -> None:
        """Open a database, or make a new one. Raises :class:`StoreError`, which names the file."""
        self.path = Path(path)
        self._threads = ThreadPoolExecutor(_THREADS, "store")
        self.engine = sql.create_engine(
            sql.URL.create("sqlite", database=str(self.path)),
            connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
            pool_size=_THREADS,
            pool_timeout=BUSY_SECONDS * 2,
        )
        sql_event.listen(self.engine, "connect", _prepare)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _in_words():
                self._make_layout()
        except (StoreError, OSError) as error:
            self.engine.dispose()
            reason = error.strerror if isinstance(error, OSError) else error
            raise StoreError(f"{self.path}: {reason}") from None

    def _make_layout(self) -> None:
        with self.engine.connect() as connection:
            version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            names = sql.inspect(connection).get_table_names()
            if version > LAYOUT:
                raise StoreError("made by a newer version of Parlour")
            if version == 0 and names:
                raise StoreError("the database of another program")
            connection.rollback()
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # a file that cannot be written is noticed here
            _METADATA.create_all(connection)
            if version == 0:
                connection.exec_driver_sql(f"PRAGMA user_version={LAYOUT}")
            connection.commit()

    async def run(
        self, function: Callable[Arguments, Answer], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Answer:
        """Call something that blocks in one of the store's threads."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: function(*arguments, **named))

    def close(self) -> None:
        """Finish what is being written and let the file go."""
        self._threads.shutdown(wait=True)
        self.engine.dispose()

    def add_table(self, table: StoredTable) -> None:
        """Keep a new table with the seats that are taken from the beginning."""
        row = {
            "id": table.id,
            "game": table.game,
            "players": table.players,
            "options": json.dumps(table.options),
            "created": int(time.time()),
            "secret": table.secret,
        }
        with _in_words(), self.engine.begin() as connection:
            connection.execute(sql.insert(_TABLES).values(row))
            for number, seat in table.seats.items():
                connection.execute(sql.insert(_SEATS).values(_seat_row(table.id, number, seat)))

    def take_seat(self, table_id: str, number: int, seat: StoredSeat) -> None:
        """Keep who took a seat. Raises :class:`ConflictError` if it is taken."""
        with _in_words(), self.engine.begin() as connection:
            connection.execute(sql.insert(_SEATS).values(_seat_row(table_id, number, seat)))

    def append(self, table_id: str, number: int, event: Event) -> None:
        """Keep event ``number`` of a table; when this returns it is on the disk.

        Raises:
            ConflictError: the table has an event of this number.
            StoreError: it could not be written.
        """
        with _in_words(), self.engine.begin() as connection:
            connection.execute(
                sql.insert(_EVENTS).values(table_id=table_id, number=number, by=event.by, do=event.do),
            )

    def load(self, table_id: str) -> StoredTable | None:
        """A table with its seats and events, or ``None`` if there is none of this id."""
        with _in_words(), self.engine.begin() as connection:
            row = connection.execute(sql.select(_TABLES).where(_TABLES.c.id == table_id)).one_or_none()
            if row is None:
                return None
            seats = connection.execute(sql.select(_SEATS).where(_SEATS.c.table_id == table_id)).all()
            events = connection.execute(
                sql.select(_EVENTS).where(_EVENTS.c.table_id == table_id).order_by(_EVENTS.c.number)
            ).all()
        if [event.number for event in events] != list(range(len(events))):
            raise StoreError("an event of this table is missing from the database")
        return StoredTable(
            row.id,
            row.game,
            row.players,
            _options_in(row.options),
            {seat.seat: StoredSeat(seat.name, seat.bot, seat.key_hash) for seat in seats},
            row.secret,
            [Event(event.by, event.do) for event in events],
        )


def _prepare(connection: Any, record: Any) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _seat_row(table_id: str, number: int, seat: StoredSeat) -> dict[str, Any]:
    return {"table_id": table_id, "seat": number, "name": seat.name, "bot": seat.bot, "key_hash": seat.key_hash}


def _options_in(text: str) -> dict[str, Value]:
    try:
        options = json.loads(text)
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise StoreError("the options of this table are damaged")
    return options
