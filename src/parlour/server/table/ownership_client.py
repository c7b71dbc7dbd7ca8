"""The ownership of tables among the processes that serve one database: claims, handovers, losses.

PostgreSQL decides (:mod:`parlour.server.store.ownership`). This module receives the notices of other instances, on the
event loop.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

from parlour.server.logs import note
from parlour.server.pending_tasks import PendingTasks
from parlour.server.pulse import Pulse
from parlour.server.store.database import StoreError
from parlour.server.store.failure_reasons import SILENT
from parlour.server.store.ownership import ElsewhereError, Instance
from parlour.server.store.session import LEASE_SECONDS
from parlour.server.store.store import Store

HANDOVER_SECONDS = 3.0
"""Seconds for which a table is requested from its instance before the client is redirected there."""
_RETRY_SECONDS = 0.5
_WATCH_SECONDS = 1.0


class OwnershipClient:
    """The tables that this process owns, among all processes of a database; a single process owns every table.

    Attributes:
        other_notice: called with the words of every notice on a subject other than tables.
        is_cut_off: whether the database has been silent for longer than the lease of the tables.
    """

    def __init__(
        self,
        store: Store,
        requested: Callable[[str, int], None],
        lost: Callable[[Sequence[str]], None],
        listed: Callable[[], None],
    ) -> None:
        """Set the callbacks; none is called before :meth:`begin`.

        Args:
            store: the database.
            requested: called with a table that another instance asks for, and the id of that instance.
            lost: called with tables that another instance has taken.
            listed: called when listed tables have, or may have, changed.
        """
        self._store, self._requested, self._lost, self._listed = store, requested, lost, listed
        self.other_notice: Callable[[Sequence[str]], None] = lambda words: None
        self._freed: dict[str, asyncio.Event] = {}
        self._tasks = PendingTasks()
        self._leaving = False
        self.is_cut_off = False

    async def begin(self, instance: Instance, pulse: Pulse) -> None:
        """Become an instance; see :meth:`parlour.server.store.ownership.Ownership.begin`."""
        loop = asyncio.get_running_loop()

        def forward(words: list[str]) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._receive_notice, words)

        await self._store.run(self._store.ownership.begin, instance, forward, pulse)

    def _receive_notice(self, words: list[str]) -> None:
        match words:
            case ["listed", *_]:
                self._listed()
            case []:
                self._listed()
                self._tasks.start(self._look_for_lost())
            case ["want", table_id, by] if int(by) != self._store.ownership.id:
                self._requested(table_id, int(by))
            case ["free", table_id, _] if table_id in self._freed:
                self._freed[table_id].set()
            case ["want" | "free", *_]:
                pass
            case _:
                self.other_notice(words)

    async def watch(self, on_silence: Callable[[], None]) -> None:
        """Call ``on_silence`` when the database has been silent for a lease, and then replace the connection.

        If the silence goes on, replace the connection again after each further lease.
        """
        ownership, last_hang_up = self._store.ownership, 0.0
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            silent, before = ownership.silent, self.is_cut_off
            self.is_cut_off = silent > LEASE_SECONDS
            if self.is_cut_off and not before:
                note("cut off from the database", logging.ERROR)
                on_silence()
            if silent - last_hang_up > LEASE_SECONDS:
                ownership.hang_up()
                last_hang_up = silent
            elif not self.is_cut_off:
                last_hang_up = 0.0

    async def _look_for_lost(self) -> None:
        """Find the tables that other instances took while the connection was lost.

        A table that has been claimed and loaded again since then is not lost.
        """
        ownership = self._store.ownership
        with suppress(StoreError):
            lost = await self._store.run(ownership.forget_lost)
            self._lost([table_id for table_id in lost if not ownership.has(table_id)])

    async def claim(self, table_id: str) -> None:
        """Take ownership of a table; ask the instance that has it for a handover.

        Raises:
            ElsewhereError: the other instance keeps it, or this one is closing.
            StoreError: the database is silent or cannot be written.
        """
        self.check()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + HANDOVER_SECONDS
        while not self._leaving:
            freed = self._freed[table_id] = asyncio.Event()
            try:
                return await self._store.run(self._store.ownership.claim, table_id)
            except ElsewhereError:
                if loop.time() > deadline:
                    raise
                with suppress(TimeoutError):
                    await asyncio.wait_for(freed.wait(), _RETRY_SECONDS)
            finally:
                del self._freed[table_id]
        raise ElsewhereError

    def check(self) -> None:
        """Raise :class:`StoreError` while the database is silent for longer than the lease."""
        if self.is_cut_off:
            raise StoreError(SILENT)

    def release_later(self, table_id: str) -> None:
        """Start to release a table that has left memory."""
        self._tasks.start(self.release(table_id))

    async def release(self, table_id: str, to: int | None = None) -> None:
        """Release a closed table, to another instance or to the first that claims it."""
        ownership = self._store.ownership
        try:
            await self._store.run(ownership.release, table_id, ownership.forget(table_id), to)
        except StoreError as error:
            note("table not given up", error=str(error))

    async def leave(self) -> bool:
        """Announce that this process is closing. Return whether another server runs."""
        try:
            return await self._store.run(self._store.ownership.leave)
        except StoreError:
            return False

    def refuse(self) -> None:
        """Refuse all further claims."""
        self._leaving = True
