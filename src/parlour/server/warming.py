"""Has the bots' searches made ready beside the server, in a process that takes what nobody else needs."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from parlour.bots.ready import unready_games
from parlour.server.logs import note


@contextmanager
def warmed_up() -> Iterator[None]:
    """Make the searches ready, as far as it gets until the end."""
    if not unready_games():
        yield
        return
    command = [sys.executable, "-m", "parlour.bots.ready"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    teller = threading.Thread(target=_tell, args=(process,), daemon=True)
    teller.start()
    try:
        yield
    finally:
        process.terminate()
        process.wait()
        teller.join()


def _tell(process: "subprocess.Popen[str]") -> None:
    for line in process.stdout or ():
        note("search ready", game=line.strip())
