"""The pulse of an event loop: its signs of life, which other threads and processes watch."""

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

BEAT_SECONDS = 0.5
"""Seconds between two beats of a loop that works."""


class Pulse:
    """The beats of an event loop. A loop that hangs has none.

    Attributes:
        beats: the number of beats.
        on_beat: called on the loop at each beat.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._thread = threading.get_ident()
        self.beats = 0
        self.on_beat: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin to beat on the running loop, until it is closed."""
        self._thread = threading.get_ident()
        self._beat_regularly(asyncio.get_running_loop())

    def _beat_regularly(self, loop: asyncio.AbstractEventLoop) -> None:
        self.beat()
        loop.call_later(BEAT_SECONDS, self._beat_regularly, loop)

    def beat(self) -> None:
        """Give a sign of life."""
        self._last = self._clock()
        self.beats += 1
        self.on_beat()

    @property
    def silent(self) -> float:
        """Seconds since the last beat."""
        return self._clock() - self._last

    @property
    def frame(self) -> FrameType | None:
        """The frame that the loop's thread executes; ``None`` if it has ended."""
        return sys._current_frames().get(self._thread)
