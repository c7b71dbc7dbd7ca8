"""The tables in the lobby: the listed ones with an open seat, of all servers."""

import asyncio
import time
from contextlib import suppress

from parlour.server.store.lobby_list import OPEN_SECONDS
from parlour.server.store.store import Store
from parlour.server.table.messages import TableInfo
from parlour.server.table.replays import BrokenTableError, replay_match
from parlour.server.table.table_info import table_info

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
        self._tables: list[TableInfo] = []
        self._until = 0.0
        self._changes = 0

    def discard(self) -> None:
        """Discard the list: a table was listed, or a seat taken."""
        self._changes += 1
        self._until = 0.0

    async def tables(self) -> list[TableInfo]:
        """Return the tables, the newest first. Raises :class:`~parlour.server.store.database.StoreError`."""
        async with self._lock:
            if time.monotonic() >= self._until:
                changes = self._changes
                self._tables = await self._read()
                if self._store.ownership.shared and changes == self._changes:
                    self._until = time.monotonic() + _KEPT_SECONDS
            return self._tables

    async def _read(self) -> list[TableInfo]:
        since = int(time.time()) - OPEN_SECONDS
        found = []
        for table in await self._store.run(self._store.open_tables, since, OPEN_LISTED):
            with suppress(BrokenTableError, ValueError):
                found.append(table_info(table, replay_match(table), table.seats, 0))
        return found
