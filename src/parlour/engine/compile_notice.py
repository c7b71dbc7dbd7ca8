"""The notice on standard error that a game is being compiled, which explains the wait.

The environment variable ``PARLOUR_QUIET`` with any nonempty value suppresses it, also in child processes.
"""

import multiprocessing
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

QUIET = "PARLOUR_QUIET"
_MARK = "announced"
_MARK_SECONDS = 1800
"""Seconds during which worker processes do not repeat the notice of another process."""
_announced: set[str] = set()


def announce_compilation(title: str, folder: Path) -> None:
    """Print the notice once per process and game.

    A worker process prints it only if no other process has printed it within the last ``_MARK_SECONDS``.

    Args:
        title: the game's title.
        folder: the cache folder of the game; the time of a file in it tells worker processes of the last notice.
    """
    if title in _announced:
        return
    _announced.add(title)
    if os.environ.get(QUIET) or sys.stderr is None:
        return
    mark = folder / _MARK
    if multiprocessing.parent_process() is not None and _is_recent(mark):
        return
    with suppress(OSError):  # a full disk prevents the mark, not the compilation
        mark.touch()
    notice = f"parlour: compiling {title} for this machine (once; a search takes up to some minutes)"
    print(notice, file=sys.stderr, flush=True)


def _is_recent(mark: Path) -> bool:
    try:
        return time.time() - mark.stat().st_mtime < _MARK_SECONDS
    except FileNotFoundError:
        return False
