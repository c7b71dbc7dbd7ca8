"""The watch over an event loop: a thread that reports a loop that hangs, and then ends the process.

The watch counts looks at the pulse instead of seconds. A process that was stopped, a machine that slept or one that is
overloaded has few looks in a long time, and a loop that works gives a sign of life between two of them. A line of the
log that cannot be written, such as one for a terminal that Ctrl-S has stopped, stops the watch too: another process
would not write it either.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from parlour.server.logs import note, places_in
from parlour.server.process.resources import exit_process
from parlour.server.pulse import Pulse

LOOK_SECONDS = 1.0
"""Seconds between two looks at a loop."""
REPORTED_LOOKS = 8
"""Looks in a row without a sign of life after which the log has the places in the program where the loop hangs."""
ENDED_LOOKS = 30
"""Looks in a row without a sign of life after which a process ends or is ended."""
HANGS = 1
"""The exit status of a process that ends because its loop hangs."""


class LoopWatch:
    """The looks at the pulse of an event loop."""

    def __init__(self, pulse: Pulse, end: Callable[[], object]) -> None:
        """Watch a pulse; ``end`` is called after :data:`ENDED_LOOKS` looks without a beat."""
        self._pulse = pulse
        self._end = end
        self._beats = pulse.beats
        self._looks = 0

    def look(self) -> None:
        """Look once. A loop that has not begun, or that a debugger has stopped at a line, counts as one that works."""
        beats, frame = self._pulse.beats, self._pulse.frame
        if not beats or beats != self._beats or frame is None or _is_traced(frame):
            self._beats, self._looks = beats, 0
            return
        self._looks += 1
        if self._looks == REPORTED_LOOKS:
            places = places_in(frame)
            note("event loop hangs", logging.ERROR, place=places[-1], traceback=places)
        elif self._looks == ENDED_LOOKS:
            self._end()


def end_process() -> NoReturn:
    """End this process, so that its supervisor starts another one."""
    note("event loop hangs: the process ends", logging.ERROR)
    exit_process(HANGS)


@contextmanager
def watch_loop(pulse: Pulse, end: Callable[[], object] = end_process) -> Iterator[None]:
    """Watch a pulse in a thread, until the context ends."""
    over = threading.Event()
    watch = LoopWatch(pulse, end)

    def run() -> None:
        while not over.wait(LOOK_SECONDS):
            watch.look()

    threading.Thread(target=run, name="loop watch", daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _is_traced(frame: FrameType | None) -> bool:
    """Return whether a debugger in this process follows the lines of a frame or of its callers."""
    while frame is not None:
        if frame.f_trace is not None:
            return True
        frame = frame.f_back
    return False
