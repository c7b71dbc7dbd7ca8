"""The store: tables, seats and events. Events are only appended; a finished game becomes one record.

An append is acknowledged when it is on the disk, so no crash of the server or the machine loses an action that was
shown. The appends of many tables at the same moment share one transaction.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sql

from parlour.engine.events import Event
from parlour.server.store.archive import events_from_rows, unpack
from parlour.server.store.calls import Calls
from parlour.server.store.database import (
    ASKED,
    EVENTS,
    FOLLOWS,
    MANNERS,
    PROBE,
    QUICKER,
    SAID,
    SEATS,
    SPENT,
    TABLES,
    WRITING,
    ConflictError,
    SameFile,
    StoreError,
    errors_in_words,
    open_database,
    remove_time_limit,
)
from parlour.server.store.lobby_list import ListingOrigin, list_table, note_waiting, open_rows, remove_full
from parlour.server.store.maintenance import Health, day_of
from parlour.server.store.orders import REMATCH_SEAT, give_order
from parlour.server.store.ownership import MOVED, Ownership
from parlour.server.store.people.player_tables import AWAY
from parlour.server.store.people.players import copy_links
from parlour.server.store.people.ratings import table_ratings
from parlour.server.store.reviews import remove_reviews
from parlour.server.store.stored_table import ChatMessage, OpeningRequest, StoredRematch, StoredSeat, StoredTable
from parlour.server.store.table_reader import rows_of
from parlour.server.store.table_rows import (
    add_table_rows,
    club_of,
    daily_of,
    event_row,
    rematch_after,
    rematch_of,
    seat_row,
    stored_table,
)

CHAT_MESSAGES_KEPT = 50
"""Number of chat messages stored for each table."""
CHAT_IDS_KEPT = 1000
"""Number of ids of chat messages stored for each table, to recognize repeated chat messages."""
_TOGETHER = 200
"""Maximum number of events in one transaction."""

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
Row = dict[str, Any]
_Waiting = tuple[Row, int | None, "asyncio.Future[None]"]


class Store:
    """The database of a card room.

    Blocking methods are called through :meth:`run`, in the store's own threads.

    Attributes:
        name: the name of the database, without passwords.
        engine: the database.
        ownership: the ownership of tables by this process; with SQLite it owns all.
    """

    def __init__(self, location: Path | str, must_exist: bool = False) -> None:
        """Open a database: a file, or ``postgresql://…``. Create its tables, unless they must exist.

        Raises:
            StoreError: the database cannot be used; the text names it.
        """
        database = open_database(location, must_exist)
        self.name, self.engine = database.name, database.engine
        self.ownership = Ownership(self.engine)
        self._file = SameFile(database.url)
        self._writing = self.engine.execution_options(**WRITING)
        self._waiting: deque[_Waiting] = deque()
        self._writer: asyncio.Task[None] | None = None
        self._health = Health()
        self._probing: asyncio.Task[None] | None = None
        self._calls = Calls()

    async def run(
        self, function: Callable[Arguments, Answer], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Answer:
        """Call a blocking function with a time limit.

        Raises:
            StoreError: the database has not answered in time (:mod:`parlour.server.store.calls`).
        """
        return await self._calls.answer(function, *arguments, **named)

    async def run_long(
        self, function: Callable[Arguments, Answer], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Answer:
        """Call a blocking function without a time limit."""
        return await self._calls.begin(function, *arguments, **named)

    async def write_or_retry(
        self,
        function: Callable[Concatenate[sql.Connection, Arguments], Answer],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Answer:
        """Call a function that changes the database; call it once more if another request has written the same.

        Raises:
            StoreError: as :meth:`run` and :meth:`write`.
        """
        try:
            return await self.run(lambda: self.write(function, *arguments, **named))
        except ConflictError:
            return await self.run(lambda: self.write(function, *arguments, **named))

    def purge(self) -> None:
        """Remove deleted rows from SQLite's write-ahead log, unless other programs use it."""
        if self.engine.dialect.name == "sqlite":
            with errors_in_words(), closing(self.engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Wait for the pending calls, release all tables, and close the database."""
        self._calls.close()
        self.ownership.end()
        self.engine.dispose()

    @contextmanager
    def _write_transaction(self, *table_ids: str) -> Iterator[sql.Connection]:
        """Begin a transaction that writes to tables of this process, and record its result for :meth:`ready`."""
        try:
            with errors_in_words(), self._writing.begin() as connection:
                self._file.check()
                self.ownership.check(connection, table_ids)
                yield connection
            self._file.check()
        except ConflictError:
            raise
        except StoreError as error:
            self._health.record_failure(str(error))
            raise
        self._health.record_success()

    async def ready(self) -> None:
        """Check that the database can be written, by a small write if needed. Raises :class:`StoreError`."""
        if self._health.is_recent:
            if self._health.reason:
                raise StoreError(self._health.reason)
            return
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self.run(self._probe))
        try:
            await asyncio.shield(self._probing)
        except ConflictError:  # another worker has written the same
            return
        except StoreError as error:
            raise StoreError(str(error)) from None

    def _probe(self) -> None:
        row = {"number": 0, "written": int(time.time())}
        with self._write_transaction() as connection:
            if not connection.execute(sql.update(PROBE).values(row)).rowcount:
                connection.execute(sql.insert(PROBE).values(row))

    def add_table(
        self, table: StoredTable, listing: ListingOrigin | None = None, request: OpeningRequest | None = None
    ) -> None:
        """Store a new table with its seats and first events.

        With a ``listing`` the table is one of :meth:`open_tables` while a seat is open.

        Raises:
            ConflictError: a ``request`` with this key has opened a table before (:meth:`find_opened`).
            TooManyListedError: the address has its maximum number of tables in the lobby.
            StoreError: the table could not be written.
        """
        with self._write_transaction() as connection:
            add_table_rows(connection, table)
            if listing is not None:
                list_table(connection, table.id, table.secret, listing)
                self.ownership.notify_listed(connection, table.id)
            if request:
                row = {"key_hash": request.key_hash, "table_id": table.id, "request": request.content}
                connection.execute(sql.insert(ASKED).values(row))

    def find_opened(self, key_hash: str) -> tuple[OpeningRequest, str, str] | None:
        """Return the request with this key, and the id and the secret of its table; ``None`` if there is none."""
        found = sql.select(ASKED, TABLES.c.secret).join_from(ASKED, TABLES).where(ASKED.c.key_hash == key_hash)
        with errors_in_words(), self.engine.begin() as connection:
            row = connection.execute(found).one_or_none()
        return (OpeningRequest(row.key_hash, row.request), row.table_id, row.secret) if row else None

    def add_rematch(self, table_id: str, new: StoredTable, seats: Mapping[int, int] | None = None) -> StoredRematch:
        """Store the rematch of a table, unless it has one. Return the stored one.

        Args:
            table_id: the table.
            new: the table of the rematch.
            seats: the taken seats of the rematch, by their occupants' seats at this table.
        """
        try:
            with self._write_transaction(table_id) as connection:
                rematch = rematch_after(connection, table_id)
                if rematch is None:
                    add_table_rows(connection, new)
                    connection.execute(sql.insert(FOLLOWS).values(table_id=table_id, next_id=new.id))
                    copy_links(connection, table_id, new.id, seats or {}, new.rated)
                    rematch = rematch_after(connection, table_id)
        except ConflictError:  # another server was quicker
            with errors_in_words(), self.engine.begin() as connection:
                rematch = rematch_after(connection, table_id)
        if rematch is None:
            raise StoreError(MOVED)
        return rematch

    def add_chat_message(self, table_id: str, message: ChatMessage) -> None:
        """Store a chat message once, and remove the words of old chat messages. Raises :class:`StoreError`."""
        of_table = SAID.c.table_id == table_id
        with self._write_transaction(table_id) as connection:
            same = of_table & (SAID.c.by == message.by) & (SAID.c.said_id == message.id)
            if connection.execute(sql.select(SAID.c.number).where(same)).first():
                return
            last = connection.execute(sql.select(sql.func.max(SAID.c.number)).where(of_table)).scalar_one()
            number = 0 if last is None else last + 1
            row = {"table_id": table_id, "number": number, "by": message.by, "said_id": message.id, "day": day_of()}
            connection.execute(sql.insert(SAID).values({**row, "words": message.words, "sign": message.sign}))
            old = of_table & (SAID.c.number == number - CHAT_MESSAGES_KEPT)
            connection.execute(sql.update(SAID).where(old).values(words="", sign=""))
            connection.execute(sql.delete(SAID).where(of_table, SAID.c.number <= number - CHAT_IDS_KEPT))

    def open_tables(self, since: int, most: int) -> list[StoredTable]:
        """Return the listed tables with an open seat, without their events. Damaged tables are left out.

        Tables where people wait come first, then the newest.

        Args:
            since: a time in seconds since 1970; older tables are skipped.
            most: the maximum number of tables.
        """
        with errors_in_words(), self.engine.begin() as connection:
            rows = open_rows(connection, since, most)
            ids = [row.id for row in rows]
            seats = connection.execute(sql.select(SEATS).where(SEATS.c.table_id.in_(ids))).all()
            manners = connection.execute(sql.select(MANNERS).where(MANNERS.c.table_id.in_(ids))).all()
            ratings = table_ratings(connection, ids)
        agreed = {row.table_id: row for row in manners}
        found = []
        for row in rows:
            with suppress(StoreError):
                own = [seat for seat in seats if seat.table_id == row.id]
                found.append(replace(stored_table(row, own, agreed.get(row.id)), ratings=ratings[row.id]))
        return found

    def note_waiting(self, table_id: str, waits: bool, changed: bool) -> None:
        """Store whether a person waits at a listed table, and notify other servers if that has ``changed``."""
        with self._write_transaction(table_id) as connection:
            note_waiting(connection, table_id, waits)
            if changed:
                self.ownership.notify_listed(connection, table_id)

    def replace_bot(self, table_id: str, number: int, seat: StoredSeat) -> None:
        """Store the person who takes a bot's seat. Raises :class:`ConflictError` if the seat is not a bot's."""
        taken = sql.update(SEATS).where(SEATS.c.table_id == table_id, SEATS.c.seat == number, SEATS.c.bot.is_not(None))
        row = seat_row(table_id, number, seat)
        with self._write_transaction(table_id) as connection:
            if connection.execute(taken.values(row)).rowcount != 1:
                raise ConflictError(QUICKER)
            self.ownership.notify_listed(connection, table_id)

    def take_seat(self, table_id: str, number: int, seat: StoredSeat) -> None:
        """Store the occupant of an open seat. Raises :class:`ConflictError` if the seat is taken.

        If the table is a rematch, its former table is notified. The last event before the game, given by another one,
        counts as happening now: deadlines begin with the game.
        """
        given = sql.select(TABLES.c.given).where(TABLES.c.id == table_id).scalar_subquery()
        last = sql.update(EVENTS).where(EVENTS.c.table_id == table_id, EVENTS.c.number == given - 1)
        with self._write_transaction(table_id) as connection:
            connection.execute(sql.insert(SEATS).values(seat_row(table_id, number, seat)))
            connection.execute(last.values(at=int(time.time())))
            self.ownership.notify_listed(connection, table_id)
            remove_full(connection, table_id)
            former = connection.execute(sql.select(FOLLOWS.c.table_id).where(FOLLOWS.c.next_id == table_id)).scalars()
            if found := former.all():
                give_order(connection, REMATCH_SEAT, found)

    def rename_seat(self, table_id: str, number: int, name: str) -> None:
        """Store the new name of a person's seat, and remove the review, which has the old one.

        Raises:
            ConflictError: the seat is not a person's.
        """
        seat = sql.update(SEATS).where(SEATS.c.table_id == table_id, SEATS.c.seat == number, SEATS.c.bot.is_(None))
        with self._write_transaction(table_id) as connection:
            if connection.execute(seat.values(name=name)).rowcount != 1:
                raise ConflictError(QUICKER)
            remove_reviews(connection, [table_id])
            self.ownership.notify_listed(connection, table_id)

    def set_away(self, table_id: str, seats: Collection[int]) -> None:
        """Store the seats of a table over days that a bot plays until their people return."""
        with self._write_transaction(table_id) as connection:
            connection.execute(sql.delete(AWAY).where(AWAY.c.table_id == table_id))
            if seats:
                connection.execute(sql.insert(AWAY), [{"table_id": table_id, "seat": seat} for seat in sorted(seats)])

    async def append(
        self, table_id: str, number: int, event: Event, spent: int | None = None, stood_in: bool = False
    ) -> None:
        """Store event ``number`` of a table, its milliseconds, and whether a bot decided it for a person.

        The event is on the disk when this returns.

        Raises:
            ConflictError: the table has an event of this number, or was removed.
            StoreError: the event could not be written.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((event_row(table_id, number, event, stood_in), spent, done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        """Write the waiting events; those that arrive during a transaction share the next one."""
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), _TOGETHER))]
            error = await self._append_batch(batch)
            if not isinstance(error, ConflictError):
                _settle(batch, error)
                continue
            for waiting in batch:  # the conflict is that of one event: the others are written one by one
                _settle([waiting], await self._append_batch([waiting]))

    async def _append_batch(self, batch: "Sequence[_Waiting]") -> StoreError | None:
        """Write events; return the error instead of raising it, since each caller waits for an answer."""
        try:
            await self.run(self.append_all, [(row, spent) for row, spent, _ in batch])
        except StoreError as error:
            return error
        except BaseException as error:
            failure = StoreError("the database failed")
            failure.__cause__ = error
            return failure
        return None

    def append_all(self, rows: "Sequence[tuple[Row, int | None]]") -> None:
        """Store events with their milliseconds, all or none. Raises :class:`StoreError`."""
        spent = [
            {"table_id": row["table_id"], "number": row["number"], "milliseconds": took}
            for row, took in rows
            if took is not None
        ]
        with self._write_transaction(*{row["table_id"] for row, _ in rows}) as connection:
            connection.execute(sql.insert(EVENTS), [row for row, _ in rows])
            if spent:
                connection.execute(sql.insert(SPENT), spent)

    def load(self, table_id: str) -> StoredTable | None:
        """Return a table with all its data; ``None`` if there is no such table. Raises :class:`StoreError`."""
        with errors_in_words(), self.engine.begin() as connection:
            rows = rows_of(connection, table_id)
        if rows is None:
            return None
        table, seats = rows.table, [seat for seat in rows.seats if seat.table_id == table_id]
        timed = [event for event in rows.events if event.milliseconds is not None]
        stored = events_from_rows(rows.events, timed) if table.record is None else unpack(table.record)
        return replace(
            stored_table(table, seats, table if table.manners else None),
            events=stored.events,
            spent=stored.spent,
            stood_in=stored.stood_in,
            chat_messages=[ChatMessage(each.by, each.said_id, each.words, each.sign) for each in rows.said],
            rematch=rematch_of(table.next_id, table.next_secret, rows.seats),
            closed=table.closed is not None,
            links=frozenset((link.seat, link.player) for link in rows.links),
            ratings=rows.ratings,
            away=rows.away,
            last_event_at=rows.events[-1].at if rows.events else table.created,
            club=club_of(table),
            **daily_of(table),
        )

    def read(
        self,
        function: Callable[Concatenate[sql.Connection, Arguments], Answer],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Answer:
        """Call a function that reads the database, without a limit for its statements. Raises :class:`StoreError`."""
        with errors_in_words(), self.engine.begin() as connection:
            remove_time_limit(connection)
            return function(connection, *arguments, **named)

    def write(
        self,
        function: Callable[Concatenate[sql.Connection, Arguments], Answer],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Answer:
        """Call a function that changes the database, in one transaction without a limit for its statements.

        The ownership of tables is not checked. Raises :class:`StoreError`.
        """
        with self._write_transaction() as connection:
            remove_time_limit(connection)
            return function(connection, *arguments, **named)


def _settle(batch: "Sequence[_Waiting]", error: StoreError | None) -> None:
    for *_, done in batch:
        with suppress(asyncio.InvalidStateError):  # its caller has been cancelled
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)
