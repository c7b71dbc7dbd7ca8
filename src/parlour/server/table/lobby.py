"""The tables in the lobby: those that are listed and have an open seat, at whichever server they are."""

import asyncio
import time
from contextlib import suppress

from parlour.server.store.listed import OPEN_SECONDS
from parlour.server.store.store import Store
from parlour.server.table.messages import TableInfo
from parlour.server.table.replays import BrokenTableError, replayed
from parlour.server.table.table_info import table_info

OPEN_LISTED = 30
"""How many open tables the lobby shows at most."""
_KEPT_SECONDS = 10.0
"""Seconds after which the list is made anew, should no notice of a change have come."""


class Lobby:
    """What anyone may know of the tables that wait for somebody.

    Where PostgreSQL gives notice of every change, the database is asked once for each change, not once for everybody
    who looks.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking = asyncio.Lock()
        self._found: list[TableInfo] = []
        self._until = 0.0
        self._changes = 0

    def changed(self) -> None:
        """A table was listed, or a seat taken."""
        self._changes += 1
        self._until = 0.0

    async def tables(self) -> list[TableInfo]:
        """The tables, the newest first. Raises :class:`~parlour.server.store.database.StoreError`."""
        async with self._asking:
            if time.monotonic() >= self._until:
                changes = self._changes
                self._found = await self._look()
                if self._store.ownership.shared and changes == self._changes:
                    self._until = time.monotonic() + _KEPT_SECONDS
            return self._found

    async def _look(self) -> list[TableInfo]:
        since = int(time.time()) - OPEN_SECONDS
        found = []
        for table in await self._store.run(self._store.open_tables, since, OPEN_LISTED):
            with suppress(BrokenTableError, ValueError):
                found.append(table_info(table, replayed(table), table.seats, 0))
        return found
