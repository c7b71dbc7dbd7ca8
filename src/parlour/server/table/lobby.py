"""The tables in the lobby: the listed tables of all servers that still have an open seat."""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress

from parlour.server.store.database import StoreError
from parlour.server.store.lobby_list import OPEN_SECONDS, WAITING_SECONDS
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredTable
from parlour.server.table.messages import LobbyTable, TableInfo
from parlour.server.table.replays import BrokenTableError, replay_match
from parlour.server.table.services import THE_ROOM, Services
from parlour.server.table.state import manners_of
from parlour.server.table.table_info import fills_in, table_info

OPEN_LISTED = 30
"""Maximum number of tables in the lobby."""
_KEPT_SECONDS = 10.0
"""Seconds after which a request reads the list again without a notice of a change."""


class Lobby:
    """The public facts of the tables with an open seat.

    With SQLite every request reads the list from the database. PostgreSQL gives notice of changes; a request then reads
    the list only after a change, or if it is older than ``_KEPT_SECONDS``.
    """

    def __init__(self, store: Store, services: Services) -> None:
        self._store = store
        self._services = services
        self._lock = asyncio.Lock()
        self._tables: list[tuple[StoredTable, TableInfo]] = []
        self._until = 0.0
        self._changes = 0
        self._failures = 0
        self._failure = ""

    def discard(self) -> None:
        """Discard the list after a change: of a listed table, its seats, its people or their ratings."""
        self._changes += 1
        self._until = 0.0

    async def tables(self) -> list[LobbyTable]:
        """Return the tables: those where people wait, then the others; the newest first.

        Raises:
            StoreError: the database cannot be read.
        """
        failures = self._failures
        async with self._lock:
            if failures != self._failures:  # the next read would wait as long for a silent database as the one before
                raise StoreError(self._failure)
            if time.monotonic() >= self._until:
                changes = self._changes
                try:
                    self._tables = await self._read()
                except StoreError as error:
                    self._failures, self._failure = self._failures + 1, str(error)
                    raise
                if self._store.ownership.shared and changes == self._changes:
                    self._until = time.monotonic() + _KEPT_SECONDS
            return [_lobby_table(table, info) for table, info in self._tables]

    async def _read(self) -> list[tuple[StoredTable, TableInfo]]:
        since = int(time.time()) - OPEN_SECONDS
        tables = await self._store.run(self._store.open_tables, since, OPEN_LISTED)
        return await self._services.compute(THE_ROOM, _replayed, tables)


def _replayed(tables: Iterable[StoredTable]) -> list[tuple[StoredTable, TableInfo]]:
    """Return the tables that can be replayed, with their facts."""
    found = []
    for table in tables:
        with suppress(BrokenTableError, ValueError):
            found.append((table, table_info(table, replay_match(table), table.seats, table.ratings, 0)))
    return found


def _lobby_table(table: StoredTable, info: TableInfo) -> LobbyTable:
    """Return the facts of a table as a message, with the values that depend on the current time."""
    facts = {**vars(info), "fills_in": fills_in(manners_of(table), table.created)}
    waits = (table.waited or 0) >= time.time() - WAITING_SECONDS
    bots = [seat.bot for _, seat in sorted(table.seats.items()) if seat.bot]
    return LobbyTable(**facts, waits=waits, bots=bots)
