"""The compilation of all bots' searches beside the server, at low priority.

A game that a player waits for is compiled first: :mod:`parlour.server.table.bots.readiness`.
"""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.bots.compilation import command, unready_games
from parlour.server.logs import note


@contextmanager
def warm_up_searches(enabled: bool) -> Iterator[None]:
    """Compile searches in a process of the lowest priority within the context, if ``enabled``."""
    warmup = _Warmup()
    if enabled:
        warmup.start()
    try:
        yield
    finally:
        warmup.end()


class _Warmup(threading.Thread):
    """A thread that finds the games without compiled searches (a quarter of a second) and compiles these searches."""

    def __init__(self) -> None:
        super().__init__(name="warmup", daemon=True)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._ended = False

    def run(self) -> None:
        """Compile, and log each finished game."""
        if not unready_games():
            return
        with self._lock:
            if self._ended:
                return
            self._process = subprocess.Popen(
                command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
        for line in self._process.stdout or ():
            note("search ready", game=line.strip())

    def end(self) -> None:
        """End the compilation."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()
                self._process.wait()
