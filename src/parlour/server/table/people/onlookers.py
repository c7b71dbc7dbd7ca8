"""The onlookers of a table, of whom its players see the number and the names that were given."""

import asyncio
from collections.abc import Callable, Iterable

from parlour.engine.rules import SPECTATOR
from parlour.server.table.messages import OnlookersMessage
from parlour.server.table.viewers import Viewer

DELAY_SECONDS = 0.5
"""Seconds that changes wait for others: a thousand onlookers may come at once."""
MOST_NAMES = 20
"""Maximum number of names in a message."""


def onlookers_message(viewers: Iterable[Viewer]) -> OnlookersMessage:
    """Return the message on the onlookers among these viewers."""
    onlookers = [viewer for viewer in viewers if viewer.seat == SPECTATOR]
    names = sorted(viewer.name for viewer in onlookers if viewer.name)
    return OnlookersMessage(len(onlookers), names[:MOST_NAMES])


class OnlookerNotices:
    """The notices of changed onlookers; several changes are shown together."""

    def __init__(self, show: Callable[[], None]) -> None:
        self._show = show
        self._timer: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        """Show a change after a moment."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(DELAY_SECONDS, self._show_now)

    def _show_now(self) -> None:
        self._timer = None
        self._show()

    def close(self) -> None:
        """Show no more."""
        if self._timer is not None:
            self._timer.cancel()
