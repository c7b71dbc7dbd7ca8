"""The open seats of a table before its game: the lobby learns that people wait there, and bots take them after a time.

Both need a person at the table. The time counts from the opening of the table, so it outlasts a restart.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from parlour.server.pending_tasks import TaskOwner
from parlour.server.store.database import StoreError
from parlour.server.store.store import Store
from parlour.server.table.state import TableState
from parlour.server.table.table_info import fills_in

BEAT_SECONDS = 20.0
"""Seconds between two reports that people wait."""
RETRY_SECONDS = 5.0
"""Seconds from a failed write to the next attempt to seat bots."""


class SeatTable(TaskOwner, Protocol):
    """The table with the open seats."""

    async def fill_seats(self) -> None:
        """Give the open seats to bots, if their time has come and a person waits."""


class OpenSeats:
    """The timers of a table's open seats."""

    def __init__(self, state: TableState, store: Store, table: SeatTable) -> None:
        self._state = state
        self._store = store
        self._table = table
        self._fill: asyncio.TimerHandle | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._report: asyncio.Task[None] | None = None
        self._reported: bool | None = False  # None: to be reported again

    @property
    def _waits(self) -> bool:
        return not self._state.begun and not self._state.outdated and bool(self._state.connected_players)

    def update(self, least: float = 0.0) -> None:
        """Follow a change of the people or the seats; bots are seated after ``least`` seconds or later."""
        seconds = fills_in(self._state.manners, self._state.opened.created) if self._waits else None
        self._fill = self._timer(self._fill, None if seconds is None else max(seconds, least), self._begin_to_fill)
        listed = self._state.opened.waited is not None and not self._state.begun and not self._state.outdated
        if listed and self._waits != self._reported and (self._report is None or self._report.done()):
            self._report = self._table.start(self._send_reports())

    def close(self) -> None:
        """Stop all timers."""
        self._fill, self._beat = self._timer(self._fill), self._timer(self._beat)

    @staticmethod
    def _timer(
        before: asyncio.TimerHandle | None, seconds: float | None = None, act: Callable[[], None] = lambda: None
    ) -> asyncio.TimerHandle | None:
        """Replace a timer by one for these seconds; ``None``: by none."""
        if before is not None:
            before.cancel()
        return None if seconds is None else asyncio.get_running_loop().call_later(seconds, act)

    def _begin_to_fill(self) -> None:
        self._table.start(self._table.fill_seats())

    async def _send_reports(self) -> None:
        with suppress(StoreError):  # the next beat tries again
            while (waits := self._waits) != self._reported and not self._state.begun:
                changed = self._reported is not None
                await self._store.run(self._store.note_waiting, self._state.id, waits, changed)
                self._reported = waits
        self._beat = self._timer(self._beat, BEAT_SECONDS if self._waits else None, self._report_again)

    def _report_again(self) -> None:
        self._reported = None
        self.update()
