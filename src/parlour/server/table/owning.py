"""Which tables this process has, where others serve the same database: asked for, given up, lost.

PostgreSQL decides (:mod:`parlour.server.store.ownership`); what instances say to each other is heard here, on the loop.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from parlour.server.logs import note
from parlour.server.store.database import SILENT, StoreError
from parlour.server.store.ownership import ElsewhereError, Instance
from parlour.server.store.session import LEASE_SECONDS
from parlour.server.store.store import Store

HANDED_OVER_SECONDS = 3.0
"""Seconds that a table is asked of whoever has it before somebody is sent away."""
_ASK_AGAIN_SECONDS = 0.5
_LOOK_SECONDS = 1.0


class Owners:
    """This process among those that share a database; alone, it has every table.

    Attributes:
        heard_else: is told what else instances say, word by word.
        cut_off: whether the database has been silent for so long that another instance may have taken any table.
    """

    def __init__(
        self,
        store: Store,
        wanted: Callable[[str, int], None],
        lost: Callable[[Sequence[str]], None],
        listed: Callable[[], None],
    ) -> None:
        """Nothing is heard before :meth:`begin`.

        Args:
            store: where tables are kept.
            wanted: is told of a table that another instance asks for, and which one asks.
            lost: is told of tables that another instance has taken.
            listed: is told that the tables with an open seat are others now.
        """
        self._store, self._wanted, self._lost, self._listed = store, wanted, lost, listed
        self.heard_else: Callable[[Sequence[str]], None] = lambda words: None
        self._freed: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._leaving = False
        self.cut_off = False

    async def begin(self, instance: Instance) -> None:
        """Be one of the instances; see :meth:`parlour.server.store.ownership.Ownership.begin`."""
        loop = asyncio.get_running_loop()

        def heard(words: list[str]) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._hear, words)

        await self._store.run(self._store.ownership.begin, instance, heard)

    def _hear(self, words: list[str]) -> None:
        match words:
            case ["listed", *_]:
                self._listed()
            case []:
                self._listed()
                self._start(self._look_for_lost())
            case ["want", table_id, by] if int(by) != self._store.ownership.id:
                self._wanted(table_id, int(by))
            case ["free", table_id, _] if table_id in self._freed:
                self._freed[table_id].set()
            case ["want" | "free", *_]:
                pass
            case _:
                self.heard_else(words)

    async def watch(self, cut_off: Callable[[], None]) -> None:
        """Notice when the database falls silent, and call ``cut_off`` then; ask on a new connection meanwhile."""
        ownership, hung_up = self._store.ownership, 0.0
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            silent, before = ownership.silent, self.cut_off
            self.cut_off = silent > LEASE_SECONDS
            if self.cut_off and not before:
                note("cut off from the database", logging.ERROR)
                cut_off()
            if silent - hung_up > LEASE_SECONDS:
                ownership.hang_up()
                hung_up = silent
            elif not self.cut_off:
                hung_up = 0.0

    def _start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_for_lost(self) -> None:
        """Nothing was heard for a while, and for that while other instances took this one for dead."""
        with suppress(StoreError):
            self._lost(await self._store.run(self._store.ownership.lost))

    async def claim(self, table_id: str) -> None:
        """Have a table from now on; another instance that has it is asked for it.

        Raises:
            ElsewhereError: the other one keeps it, or this one is being closed.
            StoreError: the database cannot be written.
        """
        self.check()
        loop = asyncio.get_running_loop()
        until = loop.time() + HANDED_OVER_SECONDS
        while not self._leaving:
            freed = self._freed[table_id] = asyncio.Event()
            try:
                return await self._store.run(self._store.ownership.claim, table_id)
            except ElsewhereError:
                if loop.time() > until:
                    raise
                with suppress(TimeoutError):
                    await asyncio.wait_for(freed.wait(), _ASK_AGAIN_SECONDS)
            finally:
                del self._freed[table_id]
        raise ElsewhereError

    def check(self) -> None:
        """Raises :class:`StoreError` while the database is silent."""
        if self.cut_off:
            raise StoreError(SILENT)

    def let_go(self, table_id: str) -> None:
        """A table is not in memory any more: whoever is asked for it may have it."""
        self._start(self.give(table_id))

    async def give(self, table_id: str, to: int | None = None) -> None:
        """Let another instance have a table that is closed here, or any that is asked for it."""
        ownership = self._store.ownership
        try:
            await self._store.run(ownership.release, table_id, ownership.forget(table_id), to)
        except StoreError as error:
            note("table not given up", error=str(error))

    async def leave(self) -> bool:
        """Say that this process is being closed. Returns whether another server is there to go on."""
        try:
            return await self._store.run(self._store.ownership.leave)
        except StoreError:
            return False

    def refuse(self) -> None:
        """Have no new table from now on."""
        self._leaving = True
