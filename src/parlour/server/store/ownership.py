"""Which of several servers on one database of PostgreSQL has a table: PostgreSQL decides, and lets nobody else write.

An instance is a process that serves. It holds an advisory lock as long as its session lasts
(:mod:`parlour.server.store.session`): whoever can have that lock knows that the instance is no more. The row of a table
in ``owners`` names the instance that has it, and an epoch that counts how often it has been loaded. Whatever is written
of a table is written in one transaction with a look at that row, which cannot change meanwhile.
"""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import sqlalchemy as sql

from parlour.server.store.database import INSTANCES, LISTED, OWNERS, ConflictError, StoreError, in_words
from parlour.server.store.session import CHANNEL, LOCKS, Heard, Session


class MovedError(ConflictError):
    """Another instance has the table now."""

    def __init__(self) -> None:
        super().__init__("the table has moved on; try again")


class ElsewhereError(StoreError):
    """The table is at another instance, or this one has no table any more.

    Attributes:
        address: where programs reach the other one; empty if that is not known.
    """

    def __init__(self, address: str = "") -> None:
        super().__init__("the table is at another server: ask again")
        self.address = address


@dataclass(frozen=True)
class Instance:
    """What a process that serves tells of itself.

    Attributes:
        server: the same for the processes of one server.
        address: where programs reach this server itself; empty if nowhere.
    """

    server: str = ""
    address: str = ""


NAMELESS = Instance()
_OWN = "SELECT table_id, epoch FROM owners WHERE table_id = ANY(%s) AND instance = %s FOR SHARE"
"""With every append: as text it takes half as long."""
_TAKE = """
    INSERT INTO owners (table_id, instance, epoch) SELECT id, %s, 1 FROM tables WHERE id = %s
    ON CONFLICT (table_id) DO UPDATE SET instance = excluded.instance, epoch = owners.epoch + 1
    WHERE owners.instance IS NULL OR owners.instance = excluded.instance
        OR pg_try_advisory_xact_lock_shared(%s, owners.instance)
    RETURNING epoch
"""
"""Have a table, if nobody has it who is still there: all at once, since many are taken together when a server dies."""
_ENTER = """
    INSERT INTO instances (id, server, address, version, closing)
    VALUES (:id, :server, :address, :version, :closing) ON CONFLICT DO NOTHING
"""


class Ownership:
    """What one instance knows of the tables that it has, in a database that others may share.

    Its methods block. Until :meth:`begin` it has no table, and whatever is written is not looked at.
    """

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine
        self._session: Session | None = None
        self._epochs: dict[str, int] = {}
        self._row: dict[str, Any] = {}
        self.id = 0

    def begin(self, instance: Instance, heard: Heard) -> None:
        """Be an instance from now on.

        Args:
            instance: what it tells of itself.
            heard: is told, in a thread of the session's, what instances say to each other, word by word; of nothing
                when the session was lost and is there again, so that something may have been missed.

        Raises:
            StoreError: the database cannot be used.
        """
        if self._engine.dialect.name == "sqlite":  # a file has one server
            return
        self._row = {**asdict(instance), "version": version("parlour"), "closing": 0}
        with in_words(), self._engine.begin() as connection:
            connection.execute(sql.delete(INSTANCES).where(_gone(INSTANCES.c.id)))
            entered = sql.insert(INSTANCES).values(self._row).returning(INSTANCES.c.id)
            self.id = self._row["id"] = connection.execute(entered).scalar_one()
        self._session = Session(self._engine, self.id, heard)
        with in_words(), self._engine.begin() as connection:
            self._enter(connection)

    def _enter(self, connection: sql.Connection) -> None:
        """Be in the list: another instance strikes out those without a lock, and this one was, for a moment."""
        connection.execute(sql.text(_ENTER), self._row)

    @property
    def shared(self) -> bool:
        """Whether other instances are heard."""
        return self._session is not None

    @property
    def silent(self) -> float:
        """Seconds since the database last answered, where it is asked again and again; otherwise 0."""
        return self._session.silent if self._session is not None else 0.0

    def hang_up(self) -> None:
        """Give up the session's connection, which does not answer, for a new one."""
        if self._session is not None:
            self._session.hang_up()

    def end(self) -> None:
        """Be an instance no longer: whoever wants a table that this one had may have it."""
        if self._session is not None:
            self._session.end()
            self._session = None

    def claim(self, table_id: str) -> None:
        """Have a table from now on, if nobody else has it; whoever has it is asked for it.

        Raises:
            ElsewhereError: another instance has it.
            StoreError: the database cannot be written.
        """
        if self._session is None:
            return
        address = None
        with in_words(), self._engine.begin() as connection:
            epoch = self._take(connection, table_id)
            if epoch is None:
                owned = sql.select(OWNERS.c.instance).where(OWNERS.c.table_id == table_id).with_for_update()
                row = connection.execute(owned).one_or_none()
                if row is None:  # there is no such table
                    return
                address = self._address_of(connection, row.instance)
                if address is None:  # it has come free meanwhile
                    epoch = self._take(connection, table_id)
                else:
                    self._say(connection, "want", table_id)
        if epoch is None:
            raise ElsewhereError(address or "")
        self._epochs[table_id] = epoch

    def _take(self, connection: sql.Connection, table_id: str) -> int | None:
        """Have a table from now on, if it is there and nobody else has it. Returns the epoch that begins with that."""
        taken = connection.exec_driver_sql(_TAKE, (self.id, table_id, LOCKS))
        return taken.scalar_one_or_none()

    def _address_of(self, connection: sql.Connection, instance: int | None) -> str | None:
        """The address of another instance, or ``None`` if it is no more."""
        if instance in (None, self.id) or connection.execute(sql.select(_gone(sql.literal(instance)))).scalar_one():
            return None
        found = sql.select(INSTANCES.c.address).where(INSTANCES.c.id == instance)
        return connection.execute(found).scalar_one_or_none() or ""

    def forget(self, table_id: str) -> int | None:
        """Write nothing more of a table. Returns the epoch in which it was this instance's. Blocks nothing."""
        return self._epochs.pop(table_id, None)

    def release(self, table_id: str, epoch: int | None, to: int | None = None) -> None:
        """Have a table no longer, and say so: it is for one instance, or for the first that is asked for it.

        Args:
            table_id: the table.
            epoch: that it is given up in; ``None`` if this instance has forgotten it before.
            to: an instance.

        Raises:
            StoreError: the database cannot be written.
        """
        if self._session is None:
            return
        own = (OWNERS.c.table_id == table_id) & (OWNERS.c.instance == self.id)
        if epoch is not None:
            own &= OWNERS.c.epoch == epoch
        with in_words(), self._engine.begin() as connection:
            if connection.execute(sql.update(OWNERS).where(own).values(instance=to)).rowcount:
                self._say(connection, "free", table_id)

    def check(self, connection: sql.Connection, table_ids: Collection[str]) -> None:
        """See to it that these tables are this instance's until the transaction ends.

        Raises:
            MovedError: one of them is not, and nothing may be written of it.
        """
        if self._session is None or not table_ids:
            return
        rows = connection.exec_driver_sql(_OWN, (list(table_ids), self.id)).all()
        if {table_id for table_id, epoch in rows if epoch == self._epochs.get(table_id)} != set(table_ids):
            raise MovedError

    def lost(self) -> list[str]:
        """The tables that were this instance's, as far as it knew, and are another one's."""
        had = list(self._epochs)
        with in_words(), self._engine.begin() as connection:
            self._enter(connection)
            rows = connection.execute(sql.select(OWNERS).where(OWNERS.c.table_id.in_(had))).all()
        own = {row.table_id for row in rows if row.instance == self.id}
        gone = [table_id for table_id in had if table_id not in own]
        for table_id in gone:
            self._epochs.pop(table_id, None)
        return gone

    def leave(self) -> bool:
        """Say that this instance is being closed. Returns whether another server is there to go on."""
        if self._session is None:
            return False
        self._row["closing"] = 1
        others = sql.select(INSTANCES.c.id).where(INSTANCES.c.server != self._row["server"], INSTANCES.c.closing == 0)
        with in_words(), self._engine.begin() as connection:
            connection.execute(sql.update(INSTANCES).where(INSTANCES.c.id == self.id).values(closing=1))
            found = connection.execute(others).scalars().all()
            return any(self._address_of(connection, each) is not None for each in found)

    def say_listed(self, connection: sql.Connection, table_id: str) -> None:
        """Have all instances hear that a listed table may have gone from those with an open seat, or come."""
        if self._session is not None:
            connection.execute(self._saying("listed", table_id).where(LISTED.c.table_id == table_id))

    def tell(self, text: str) -> None:
        """Have all instances hear some words. Raises :class:`StoreError`."""
        if self._session is not None:
            with in_words(), self._engine.begin() as connection:
                connection.execute(sql.select(sql.func.pg_notify(CHANNEL, text)))

    def _say(self, connection: sql.Connection, what: str, table_id: str) -> None:
        """Have all instances hear something when the transaction is done."""
        if self._session is not None:
            connection.execute(self._saying(what, table_id))

    def _saying(self, what: str, table_id: str) -> "sql.Select[Any]":
        return sql.select(sql.func.pg_notify(CHANNEL, f"{what} {table_id} {self.id}"))


def _gone(instance: sql.ColumnElement[int]) -> sql.ColumnElement[bool]:
    """Whether an instance is no more, which it is if its lock can be had."""
    return sql.func.pg_try_advisory_xact_lock_shared(LOCKS, instance)
