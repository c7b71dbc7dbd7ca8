"""The tables in the lobby: the listed ones with an open seat, of all servers."""

import asyncio
import time
from contextlib import suppress

from parlour.server.store.lobby_list import OPEN_SECONDS, WAITING_SECONDS
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredTable
from parlour.server.table.messages import LobbyTable, TableInfo
from parlour.server.table.replays import BrokenTableError, replay_match
from parlour.server.table.state import manners_of
from parlour.server.table.table_info import fills_in, table_info

OPEN_LISTED = 30
"""Maximum number of tables in the lobby."""
_KEPT_SECONDS = 10.0
"""Seconds after which the list is read again without a notice of a change."""


class Lobby:
    """The public facts of the tables with an open seat.

    With PostgreSQL the list is read once for each change, of which the database gives notice; with SQLite for each
    request.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = asyncio.Lock()
        self._tables: list[tuple[StoredTable, TableInfo]] = []
        self._until = 0.0
        self._changes = 0

    def discard(self) -> None:
        """Discard the list: a table was listed, a seat taken, or people have come or gone."""
        self._changes += 1
        self._until = 0.0

    async def tables(self) -> list[LobbyTable]:
        """Return the tables: those where people wait, then the newest.

        Raises:
            StoreError: the database cannot be read.
        """
        async with self._lock:
            if time.monotonic() >= self._until:
                changes = self._changes
                self._tables = await self._read()
                if self._store.ownership.shared and changes == self._changes:
                    self._until = time.monotonic() + _KEPT_SECONDS
            return [_lobby_table(table, info) for table, info in self._tables]

    async def _read(self) -> list[tuple[StoredTable, TableInfo]]:
        since = int(time.time()) - OPEN_SECONDS
        found = []
        for table in await self._store.run(self._store.open_tables, since, OPEN_LISTED):
            with suppress(BrokenTableError, ValueError):
                found.append((table, table_info(table, replay_match(table), table.seats, table.ratings, 0)))
        return found


def _lobby_table(table: StoredTable, info: TableInfo) -> LobbyTable:
    """Return the facts of a table with what changes by the time."""
    facts = {**vars(info), "fills_in": fills_in(manners_of(table), table.created)}
    waits = (table.waited or 0) >= time.time() - WAITING_SECONDS
    bots = [seat.bot for _, seat in sorted(table.seats.items()) if seat.bot]
    return LobbyTable(**facts, waits=waits, bots=bots)
