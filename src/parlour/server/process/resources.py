"""The resources of a process: open files, garbage collection, and its exit."""

import asyncio
import gc
import logging
import os
import sys
from contextlib import suppress
from typing import NoReturn

from parlour.folders import remove_temporary
from parlour.server.http.access.shared_counters import CONNECTIONS

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

_YOUNG, _ALL = 0, 2
"""Generations of Python's garbage collector."""
_COLLECT_YOUNG_SECONDS = 0.2
_COLLECT_SECONDS = 300.0
_OTHER_FILES = 200
"""Number of open files of a process reserved for other purposes than connections."""
_USUAL_FILES = 1024
QUEUE = 1024
"""Length of the listening queue; the system refuses connections beyond it."""


def raise_file_limit() -> None:
    """Raise the limit of open files for this process and those it starts to its maximum."""
    if resource is not None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_connections() -> int:
    """Return the maximum number of connections of this process, each of which needs a file."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource is not None else _USUAL_FILES
    if resource is not None and files == resource.RLIM_INFINITY:
        return CONNECTIONS
    return max(1, min(CONNECTIONS, files - _OTHER_FILES))


def schedule_garbage_collection() -> None:
    """Collect new garbage often, and all garbage seldom, at regular times.

    By default a collection starts after a number of net allocations. With a thousand tables, at which each scene
    replaces another, tens of thousands of objects have accumulated by then, and the collection blocks all responses.
    The objects that exist at the call are never collected.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    loop = asyncio.get_running_loop()
    _collect_regularly(loop, _YOUNG, _COLLECT_YOUNG_SECONDS)
    _collect_regularly(loop, _ALL, _COLLECT_SECONDS)


def exit_process(status: int = 0) -> NoReturn:
    """Exit when everything is stored and closed, without waiting for the threads of bots."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    remove_temporary()
    os._exit(status)


def _collect_regularly(loop: asyncio.AbstractEventLoop, generation: int, seconds: float) -> None:
    def collect() -> None:
        gc.collect(generation)
        loop.call_later(seconds, collect)

    loop.call_later(seconds, collect)
