"""Has the bots' searches compiled beside the server, all of them and at leisure.

A game that a player waits for is compiled at once: :mod:`parlour.server.table.readiness`.
"""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.bots.ready import command, unready_games
from parlour.server.logs import note


@contextmanager
def warmed_up() -> Iterator[None]:
    """Compile searches in a process of the lowest priority until the end of the ``with`` block."""
    if not unready_games():
        yield
        return
    process = subprocess.Popen(
        command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    teller = threading.Thread(target=_tell, args=(process,), daemon=True)
    teller.start()
    try:
        yield
    finally:
        process.kill()
        process.wait()
        teller.join()


def _tell(process: "subprocess.Popen[str]") -> None:
    for line in process.stdout or ():
        note("search ready", game=line.strip())
