"""The watch of the dispatcher over a worker: it kills a worker whose event loop gives no sign of life.

Looks are counted instead of seconds, as in :mod:`parlour.server.process.loop_watch`: after a stop of the whole server
the signs of life are read with the second look at the latest. A worker that was stopped by itself, by SIGSTOP or a
debugger, is left alone.
"""

import asyncio
import logging
import socket
from multiprocessing.process import BaseProcess
from pathlib import Path

from parlour.server.logs import note
from parlour.server.process.channel import LINE_BYTES
from parlour.server.process.loop_watch import ENDED_LOOKS, LOOK_SECONDS

_STOPPED = {"T", "t"}
"""States of a stopped process in Linux: by a signal, by a debugger."""


async def kill_silent(channel: socket.socket, process: BaseProcess, number: int) -> None:
    """Kill a worker after :data:`~parlour.server.process.loop_watch.ENDED_LOOKS` looks without a sign of life.

    The log has a line first: it is not written, and the worker not killed, while the log itself stands still.

    Args:
        channel: the channel to the worker.
        process: the worker's process.
        number: the worker's number, for the log.
    """
    looks = 0
    while looks <= ENDED_LOOKS:
        message = await _next_message(channel)
        if message == b"":  # it has ended
            return
        looks = 0 if message or _is_stopped(process.pid) else looks + 1
        if looks == ENDED_LOOKS:
            note("worker hangs", logging.ERROR, number=number)
    process.kill()


async def _next_message(channel: socket.socket) -> bytes | None:
    """Return the next message of a worker, empty after its end; ``None`` if there is none within a look."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            return await asyncio.get_running_loop().sock_recv(channel, LINE_BYTES)
    except TimeoutError:
        return None
    except OSError:
        return b""


def _is_stopped(process: int | None) -> bool:
    """Return whether a process is stopped, as ``/proc`` shows it."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] in _STOPPED
