"""Several processes behind one port: a door that reads the first line of each connection and hands it to its worker.

Each table lives in one worker (:mod:`parlour.server.table.shares`). The door never answers anything itself: it passes
the socket on, with what it has read, and is rid of it. A worker that dies is started again; its tables are in the
store. If it cannot be started again the whole server ends, so that what supervises it notices. Workers are forked from
a process that has loaded all they need (:mod:`parlour.server.process.preload`).
"""

import asyncio
import itertools
import logging
import multiprocessing
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.process import BaseProcess
from typing import Any

from parlour.engine.errors import ParlourError
from parlour.server.http.connection_slots import LINE_SECONDS, Entrance, Places, refusal
from parlour.server.http.limits import RefusedError
from parlour.server.http.proxies import Proxies
from parlour.server.http.shared_counters import Ledger
from parlour.server.logs import note
from parlour.server.metrics import forget_process
from parlour.server.process.channel import LINE_BYTES, READY
from parlour.server.process.resources import most_connections
from parlour.server.process.settings import Settings, make_limits
from parlour.server.table.shares import Share, owner_of, table_in

_PRELOAD = "parlour.server.process.preload"
_AGAIN_SECONDS = 1.0
"""Delay before a worker that has ended is started again; doubled after each failed start."""
_STARTS = 6
"""Failed starts of one worker in a row after which the whole server ends: half a minute with the delays between."""
_STOP_SECONDS = 10.0
_WAITING = 2000
"""Maximum number of connections whose request line hasn't arrived; beyond it the oldest are closed."""
_WAITING_EACH = 100
"""The same for one address."""
_HANDED_SECONDS = 20.0
"""Seconds a connection may wait for its worker, which may be busy or restarting."""
_REFUSED_SECONDS = 1.0
"""Seconds a refused client has to read the refusal."""


def run_workers(listening: socket.socket, settings: Settings, announce: Callable[[], None]) -> None:
    """Run the workers and the door until the process is asked to end. ``announce`` is called when all is open."""
    if not hasattr(os, "memfd_create"):
        raise ParlourError("several workers need Linux, which hands sockets and memory over: use --workers 1")
    asyncio.run(_Door(listening, settings, announce).run())


class _Worker:
    """A process, and the channel on which it is handed connections."""

    def __init__(self, number: int, settings: Settings, ledger: Ledger) -> None:
        self.number = number
        self._settings = settings
        self._ledger = ledger
        self.started = 0
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([_PRELOAD])

    def start(self) -> None:
        """Start the process; what is handed over meanwhile waits in the channel.

        Raises:
            ParlourError: the process could not be started.
        """
        self.channel, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.channel.setblocking(False)
        share = Share(self.number, self._settings.workers)
        process = self._context.Process(
            target=_work, args=(far, self._settings, share, self._ledger), name=f"worker {self.number}"
        )
        with far:
            try:
                process.start()
            except Exception as error:  # multiprocessing passes on whatever befalls the fork server
                self.channel.close()
                reason = str(error) or type(error).__name__
                raise ParlourError(f"worker {self.number} could not be started: {reason}") from error
        self.process: BaseProcess = process
        self.started += 1


class _Door:
    def __init__(self, listening: socket.socket, settings: Settings, announce: Callable[[], None]) -> None:
        self._listening = listening
        self._announce = announce
        ledger = Ledger(settings.workers)
        self._workers = [_Worker(number, settings, ledger) for number in range(settings.workers)]
        self._turns = itertools.cycle(self._workers)
        each = round(_WAITING_EACH * settings.limits_factor) if settings.limited else None
        waiting = Places(each, min(_WAITING, most_connections()))  # in a ledger of its own: they are in no worker yet
        self._entrance = Entrance(waiting, make_limits(settings, ledger), Proxies(settings.behind_proxy))
        self._tasks: set[asyncio.Task[None]] = set()
        self._keeping: list[asyncio.Task[None]] = []
        self._drain_seconds = settings.drain_seconds
        self._closing = asyncio.Event()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._closing.set)
        self._listening.setblocking(False)
        serving, closed = self._task(self._serve()), self._task(self._wait_closing())
        try:
            await asyncio.wait([serving, closed], return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
        finally:
            await self._stop()

    async def _serve(self) -> None:
        """Start the workers, then accept connections; returns only by an exception, when a worker stays away."""
        for worker in self._workers:
            worker.start()
        await asyncio.gather(*(self._ready(worker) for worker in self._workers))
        self._keeping = [self._task(self._keep_alive(worker)) for worker in self._workers]
        accepting = self._task(self._accept())
        self._announce()
        await asyncio.gather(accepting, *self._keeping)

    async def _wait_closing(self) -> None:
        await self._closing.wait()

    def _task(self, coroutine: Any) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _ready(self, worker: _Worker) -> None:
        loop = asyncio.get_running_loop()
        said = b""
        with suppress(ConnectionError):
            said = await loop.sock_recv(worker.channel, len(READY))
        if said != READY:
            raise ParlourError(f"worker {worker.number} did not start; its own message stands above")

    async def _keep_alive(self, worker: _Worker) -> None:
        """Start a worker again whenever it has ended. Raises :class:`ParlourError` when it stays away."""
        loop = asyncio.get_running_loop()
        while True:
            ended = asyncio.Event()
            loop.add_reader(worker.process.sentinel, ended.set)
            await ended.wait()
            loop.remove_reader(worker.process.sentinel)
            note("worker ended", number=worker.number, status=worker.process.exitcode, started=worker.started)
            forget_process(worker.process.pid or 0)
            await self._start_again(worker)

    async def _start_again(self, worker: _Worker) -> None:
        """Start a worker, after a growing delay. Raises :class:`ParlourError` after :data:`_STARTS` failed starts."""
        for failures in range(_STARTS):
            await asyncio.sleep(_AGAIN_SECONDS * 2**failures)
            worker.channel.close()
            try:
                worker.start()
                await self._ready(worker)
                return
            except ParlourError as error:
                note("worker not started", logging.ERROR, number=worker.number, error=str(error))
        raise ParlourError(f"worker {worker.number} could not be started {_STARTS} times in a row: the server ends")

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(self._listening)
            except OSError as error:  # no file descriptors left, or the client has gone
                note("accept failed", error=os.strerror(error.errno or 0))
                await asyncio.sleep(0.1)
                continue
            self._let_in(connection, peer[0])
            await asyncio.sleep(0)  # however many come, those that have come are served

    def _let_in(self, connection: socket.socket, peer: str) -> None:
        connection.setblocking(False)
        try:
            place = self._entrance.let_in(peer, lambda: task.cancel())
        except RefusedError as error:
            self._task(_turn_away(connection, refusal(error)))
            return
        task = self._task(self._hand_over(connection))
        task.add_done_callback(lambda _: place.leave())

    async def _hand_over(self, connection: socket.socket) -> None:
        with connection, suppress(OSError, TimeoutError):
            async with asyncio.timeout(LINE_SECONDS):
                first = await _first_line(connection)
            if not first:
                return
            table = table_in(first)
            worker = next(self._turns) if table is None else self._workers[owner_of(table, len(self._workers))]
            async with asyncio.timeout(_HANDED_SECONDS):
                while not _sent(worker.channel, first, connection):
                    await asyncio.sleep(0.02)

    async def _stop(self) -> None:
        """Ask the workers to finish, and let in who comes until they have; kill those that don't exit in time."""
        for task in self._keeping:
            task.cancel()
        alive = [worker.process for worker in self._workers if worker.started]
        for process in alive:
            process.terminate()
        loop = asyncio.get_running_loop()
        patience = self._drain_seconds + _STOP_SECONDS
        await asyncio.gather(*(loop.run_in_executor(None, process.join, patience) for process in alive))
        for task in list(self._tasks):
            task.cancel()
        self._listening.close()
        for process in alive:
            process.kill()


async def _turn_away(connection: socket.socket, answer: bytes) -> None:
    """Say why, and wait a moment for it to be read: who closes with something unread cuts off what was said."""
    loop = asyncio.get_running_loop()
    with connection, suppress(OSError, TimeoutError):
        async with asyncio.timeout(_REFUSED_SECONDS):
            await loop.sock_sendall(connection, answer)
            connection.shutdown(socket.SHUT_WR)
            while await loop.sock_recv(connection, LINE_BYTES):
                pass


async def _first_line(connection: socket.socket) -> bytes:
    """What a connection sends until its first line is whole, or longer than any line may be."""
    loop = asyncio.get_running_loop()
    read = b""
    while b"\n" not in read and len(read) < LINE_BYTES:
        data = await loop.sock_recv(connection, LINE_BYTES - len(read))
        if not data:
            return b""
        read += data
    return read


def _sent(channel: socket.socket, first: bytes, connection: socket.socket) -> bool:
    """Hand a connection over; ``False`` if the worker cannot take it now."""
    try:
        socket.send_fds(channel, [first], [connection.fileno()])
    except OSError:  # the worker is busy, or has ended: its channel is closed until it is started again
        return False
    return True


def _work(channel: socket.socket, settings: Settings, share: Share, ledger: Ledger) -> None:
    """A worker's whole life, in a process of its own."""
    from parlour.server.process.worker import work  # the door has no use for all that this loads

    work(channel, settings, share, ledger)
