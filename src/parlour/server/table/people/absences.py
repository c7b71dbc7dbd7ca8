"""The seats of a table over days that a bot plays until their people return, in the store.

A table without viewers leaves memory, and at a table over days that is the usual state.
"""

import asyncio

from parlour.server.logs import note_failure
from parlour.server.pending_tasks import TaskOwner
from parlour.server.store.database import StoreError
from parlour.server.store.store import Store
from parlour.server.table.state import TableState


class Absences:
    """The writer of the seats of absent people. At other tables it writes nothing."""

    def __init__(self, state: TableState, store: Store, tasks: TaskOwner) -> None:
        self._state = state
        self._store = store
        self._tasks = tasks
        self._stored = set(state.presence.away)
        self._write: asyncio.Task[None] | None = None

    def update(self) -> None:
        """Follow a change of the absent people."""
        writing = self._write is not None and not self._write.done()
        if self._state.manners.days is not None and not writing and self._state.presence.away != self._stored:
            self._write = self._tasks.start(self._store_changes())

    async def _store_changes(self) -> None:
        while (away := set(self._state.presence.away)) != self._stored and not self._state.outdated:
            try:
                await self._store.run(self._store.set_away, self._state.id, away)
            except StoreError as error:  # the next change tries again
                note_failure("the seats of absent people could not be stored", error)
                return
            self._stored = away
