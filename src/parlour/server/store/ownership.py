"""The ownership of tables among several servers on one database of PostgreSQL: only the owner appends events.

An instance is a serving process. It holds an advisory lock while its session lasts
(:mod:`parlour.server.store.session`): a free lock means that the instance has ended. The row of a table in ``owners``
has its instance and an epoch, which counts the claims. A server that writes events, seats, chat messages or the rematch
of a table locks and checks that row in the same transaction.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from importlib.metadata import version
from threading import Lock
from typing import Any

import sqlalchemy as sql

from parlour.languages import deferred
from parlour.server.pulse import Pulse
from parlour.server.store.database import INSTANCES, LISTED, OWNERS, ConflictError, StoreError, errors_in_words
from parlour.server.store.session import CHANNEL, LOCKS, NoticeHandler, Session

MOVED = deferred("the table has moved on; try again")


class MovedError(ConflictError):
    """Another instance has taken the table."""

    def __init__(self) -> None:
        super().__init__(MOVED)


class ElsewhereError(StoreError):
    """Another instance has the table, or this one is closing.

    Attributes:
        address: the address of the other instance for programs; empty if unknown.
    """

    def __init__(self, address: str = "") -> None:
        super().__init__(deferred("the table is at another server: ask again"))
        self.address = address


@dataclass(frozen=True)
class Instance:
    """The identity of a serving process.

    Attributes:
        server: the id of its server, shared by the server's processes.
        address: the address of the server for programs; empty if there is none.
    """

    server: str = ""
    address: str = ""


NAMELESS = Instance()
_OWN = "SELECT table_id, epoch FROM owners WHERE table_id = ANY(%s) AND instance = %s FOR SHARE"
"""Part of every append: as text it takes half as long as SQLAlchemy's form."""
_TAKE = """
    INSERT INTO owners (table_id, instance, epoch) SELECT id, %s, 1 FROM tables WHERE id = %s
    ON CONFLICT (table_id) DO UPDATE SET instance = excluded.instance, epoch = owners.epoch + 1
    WHERE owners.instance IS NULL OR owners.instance = excluded.instance
        OR pg_try_advisory_xact_lock_shared(%s, owners.instance)
    RETURNING epoch
"""
"""Take a table without a live owner, in one statement: after the death of a server, many are taken together."""
_ENTER = """
    INSERT INTO instances (id, server, address, version, closing)
    VALUES (:id, :server, :address, :version, :closing) ON CONFLICT DO NOTHING
"""


class Ownership:
    """The tables that this instance owns, in a database that others may share.

    Its methods block. Before :meth:`begin`, and with SQLite, writes are not checked.

    Attributes:
        id: the number of this instance; 0 before :meth:`begin`, and with SQLite.
    """

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine
        self._session: Session | None = None
        self._epochs: dict[str, int] = {}
        self._lock = Lock()  # claims and looks for lost tables are in threads of their own
        self._row: dict[str, Any] = {}
        self.id = 0

    def begin(self, instance: Instance, on_notice: NoticeHandler, pulse: Pulse | None = None) -> None:
        """Become an instance.

        Args:
            instance: the identity of this process.
            on_notice: called in the session's thread with the words of each notice of an instance; without words after
                a lost session, when notices may have been missed.
            pulse: the pulse of the event loop that serves the tables; while the loop hangs, others may take them.

        Raises:
            StoreError: the database cannot be used.
        """
        if self._engine.dialect.name == "sqlite":  # a file has only one server
            return
        self._row = {**asdict(instance), "version": version("parlour"), "closing": 0}
        with errors_in_words(), self._engine.begin() as connection:
            connection.execute(sql.delete(INSTANCES).where(_has_ended(INSTANCES.c.id)))
            entered = sql.insert(INSTANCES).values(self._row).returning(INSTANCES.c.id)
            self.id = self._row["id"] = connection.execute(entered).scalar_one()
        self._session = Session(self._engine, self.id, on_notice, pulse)
        with errors_in_words(), self._engine.begin() as connection:
            self._enter(connection)

    def _enter(self, connection: sql.Connection) -> None:
        """Enter this instance in the list, from which others remove instances without a lock."""
        connection.execute(sql.text(_ENTER), self._row)

    @property
    def shared(self) -> bool:
        """Whether this instance receives notices of others."""
        return self._session is not None

    @property
    def silent(self) -> float:
        """Seconds since the session's last answer; 0 without a session."""
        return self._session.silent if self._session is not None else 0.0

    def hang_up(self) -> None:
        """Replace the session's connection, which does not answer, by a new one."""
        if self._session is not None:
            self._session.hang_up()

    def end(self) -> None:
        """End the session, which releases all tables."""
        if self._session is not None:
            self._session.end()
            self._session = None

    def claim(self, table_id: str) -> None:
        """Take ownership of a table, or ask the instance that has it for a handover.

        Raises:
            ElsewhereError: another instance has it.
            StoreError: the database cannot be written.
        """
        if self._session is None:
            return
        address = None
        with errors_in_words(), self._engine.begin() as connection:
            epoch = self._take(connection, table_id)
            if epoch is None:
                owned = sql.select(OWNERS.c.instance).where(OWNERS.c.table_id == table_id).with_for_update()
                row = connection.execute(owned).one_or_none()
                if row is None:  # there is no such table
                    return
                address = self._address_of(connection, row.instance)
                if address is None:  # released meanwhile
                    epoch = self._take(connection, table_id)
                else:
                    self._notify(connection, "want", table_id)
        if epoch is None:
            raise ElsewhereError(address or "")
        with self._lock:
            self._epochs[table_id] = epoch

    def _take(self, connection: sql.Connection, table_id: str) -> int | None:
        """Take a table without a live owner. Return the new epoch; ``None`` if it has an owner or does not exist."""
        taken = connection.exec_driver_sql(_TAKE, (self.id, table_id, LOCKS))
        return taken.scalar_one_or_none()

    def _address_of(self, connection: sql.Connection, instance: int | None) -> str | None:
        """Return the address of another instance; ``None`` if there is none, or it has ended."""
        if (
            instance in (None, self.id)
            or connection.execute(sql.select(_has_ended(sql.literal(instance)))).scalar_one()
        ):
            return None
        found = sql.select(INSTANCES.c.address).where(INSTANCES.c.id == instance)
        return connection.execute(found).scalar_one_or_none() or ""

    def forget(self, table_id: str) -> int | None:
        """Allow no more writes to a table. Return its epoch. This method does not block."""
        with self._lock:
            return self._epochs.pop(table_id, None)

    def has(self, table_id: str) -> bool:
        """Return whether this instance has claimed a table and not forgotten it."""
        return table_id in self._epochs

    def release(self, table_id: str, epoch: int | None, to: int | None = None) -> None:
        """Release a table, with a notice, for one instance or for the first that claims it.

        Args:
            table_id: the table.
            epoch: its epoch; ``None`` if this instance had forgotten the table before.
            to: the instance, if any.

        Raises:
            StoreError: the database cannot be written.
        """
        if self._session is None:
            return
        own = (OWNERS.c.table_id == table_id) & (OWNERS.c.instance == self.id)
        if epoch is not None:
            own &= OWNERS.c.epoch == epoch
        with errors_in_words(), self._engine.begin() as connection:
            if connection.execute(sql.update(OWNERS).where(own).values(instance=to)).rowcount:
                self._notify(connection, "free", table_id)

    def check(self, connection: sql.Connection, table_ids: Collection[str]) -> None:
        """Check that this instance owns these tables, and lock their rows until the transaction ends.

        Raises:
            MovedError: it does not own one of them, so it may not write.
        """
        if self._session is None or not table_ids:
            return
        rows = connection.exec_driver_sql(_OWN, (list(table_ids), self.id)).all()
        if {table_id for table_id, epoch in rows if epoch == self._epochs.get(table_id)} != set(table_ids):
            raise MovedError

    def forget_lost(self) -> list[str]:
        """Forget and return the tables that another instance has taken; enter this instance in the list again.

        A table that this instance has claimed again meanwhile has another epoch, and is not forgotten.
        """
        had = dict(self._epochs)
        with errors_in_words(), self._engine.begin() as connection:
            self._enter(connection)
            rows = connection.execute(sql.select(OWNERS).where(OWNERS.c.table_id.in_(had))).all()
        own = {row.table_id for row in rows if row.instance == self.id}
        return [
            table_id for table_id, epoch in had.items() if table_id not in own and self._forget_claim(table_id, epoch)
        ]

    def _forget_claim(self, table_id: str, epoch: int) -> bool:
        """Forget a table with this epoch. Return false if it has been claimed again or forgotten."""
        with self._lock:
            if self._epochs.get(table_id) != epoch:
                return False
            del self._epochs[table_id]
            return True

    def leave(self) -> bool:
        """Announce that this instance is closing. Return whether another server runs that is not closing."""
        if self._session is None:
            return False
        self._row["closing"] = 1
        others = sql.select(INSTANCES.c.id).where(INSTANCES.c.server != self._row["server"], INSTANCES.c.closing == 0)
        with errors_in_words(), self._engine.begin() as connection:
            connection.execute(sql.update(INSTANCES).where(INSTANCES.c.id == self.id).values(closing=1))
            found = connection.execute(others).scalars().all()
            return any(self._address_of(connection, each) is not None for each in found)

    def notify_listed(self, connection: sql.Connection, table_id: str) -> None:
        """Notify all instances that a table is new or has changed, if it is listed."""
        if self._session is not None:
            connection.execute(self._notice("listed", table_id).where(LISTED.c.table_id == table_id))

    def notify(self, text: str) -> None:
        """Send a notice to all instances. Raises :class:`StoreError`."""
        if self._session is not None:
            with errors_in_words(), self._engine.begin() as connection:
                connection.execute(sql.select(sql.func.pg_notify(CHANNEL, text)))

    def _notify(self, connection: sql.Connection, what: str, table_id: str) -> None:
        """Send a notice on a table to all instances at the end of the transaction."""
        if self._session is not None:
            connection.execute(self._notice(what, table_id))

    def _notice(self, what: str, table_id: str) -> "sql.Select[Any]":
        return sql.select(sql.func.pg_notify(CHANNEL, f"{what} {table_id} {self.id}"))


def _has_ended(instance: sql.ColumnElement[int]) -> sql.ColumnElement[bool]:
    """Return the condition that an instance has ended: its lock is free."""
    return sql.func.pg_try_advisory_xact_lock_shared(LOCKS, instance)
