"""Has the bots' searches compiled beside the server, all of them and at leisure.

A game that a player waits for is compiled at once: :mod:`parlour.server.table.readiness`.
"""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.bots.compilation import command, unready_games
from parlour.server.logs import note


@contextmanager
def warmed_up(wanted: bool) -> Iterator[None]:
    """If it is wanted, compile searches in a process of the lowest priority until the end of the ``with`` block."""
    warming = _Warming()
    if wanted:
        warming.start()
    try:
        yield
    finally:
        warming.end()


class _Warming(threading.Thread):
    """Looks which games are not ready, which takes a quarter of a second, and has them compiled."""

    def __init__(self) -> None:
        super().__init__(name="warming", daemon=True)
        self._one_at_a_time = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._ended = False

    def run(self) -> None:
        """Compile, and tell of each game that is ready."""
        if not unready_games():
            return
        with self._one_at_a_time:
            if self._ended:
                return
            self._process = subprocess.Popen(
                command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        for line in self._process.stdout or ():
            note("search ready", game=line.strip())

    def end(self) -> None:
        """Give it up."""
        with self._one_at_a_time:
            self._ended = True
            if self._process is not None:
                self._process.kill()
                self._process.wait()
