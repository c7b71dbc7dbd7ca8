"""What a process has of its machine: files, memory that is swept, and its end."""

import asyncio
import gc
import logging
import os
import sys
from contextlib import suppress
from typing import NoReturn

from parlour.folders import remove_temporary
from parlour.server.http.shared_counters import CONNECTIONS

try:
    import resource
except ImportError:  # it is Windows
    resource = None  # type: ignore[assignment]

_YOUNG, _ALL = 0, 2
"""Generations of Python's collector of cycles."""
_COLLECT_YOUNG_SECONDS = 0.2
_COLLECT_SECONDS = 300.0
_OTHER_FILES = 200
"""Open files of a process that are kept free for other things than connections."""
_USUAL_FILES = 1024
QUEUE = 1024
"""Length of the listening queue; the system turns away connections beyond it."""


def raise_file_limit() -> None:
    """Let this process, and those it starts, have as many connections as they may."""
    if resource is not None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_connections() -> int:
    """How many connections this process may have, which needs a file each."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource is not None else _USUAL_FILES
    if resource is not None and files == resource.RLIM_INFINITY:
        return CONNECTIONS
    return max(1, min(CONNECTIONS, files - _OTHER_FILES))


def spare_the_collector() -> None:
    """Have Python's collector of cycles look often at what is new, and seldom at everything.

    By default a collection starts after a number of net allocations. At a thousand tables, where each scene replaces
    another, tens of thousands of objects have come by then, and nobody is answered while it looks at them. The objects
    of now are never looked at again.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    loop = asyncio.get_running_loop()
    _collect_regularly(loop, _YOUNG, _COLLECT_YOUNG_SECONDS)
    _collect_regularly(loop, _ALL, _COLLECT_SECONDS)


def leave() -> NoReturn:
    """Exit with status 0 once everything is stored and closed.

    Bots may still be thinking, and Python would wait for their threads; they cannot be stopped, and nobody waits for
    what they find.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    remove_temporary()
    os._exit(0)


def _collect_regularly(loop: asyncio.AbstractEventLoop, generation: int, seconds: float) -> None:
    def collect() -> None:
        gc.collect(generation)
        loop.call_later(seconds, collect)

    loop.call_later(seconds, collect)
