"""Several processes behind one port: a dispatcher reads the first line of each connection and hands it to a worker.

Each table belongs to one worker (:mod:`parlour.server.table.shares`). The dispatcher does not respond itself: it passes
the socket on, with the bytes that it has read. It restarts a worker that dies; the worker's tables are in the store. If
the restart fails, the whole server ends, so that its supervisor notices. Workers are forked from a process that has
loaded their modules (:mod:`parlour.server.process.preload`).
"""

import asyncio
import itertools
import logging
import multiprocessing
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any

from parlour.engine.errors import ParlourError
from parlour.server.http.access.connection_slots import LINE_SECONDS, ConnectionSlots, Entrance, refusal
from parlour.server.http.access.limits import RefusedError
from parlour.server.http.access.proxies import Proxies
from parlour.server.http.access.shared_counters import SharedCounters
from parlour.server.logs import note
from parlour.server.metrics import forget_process
from parlour.server.process.channel import LINE_BYTES, READY
from parlour.server.process.resources import most_connections
from parlour.server.process.settings import Settings, make_limits
from parlour.server.process.worker_watch import kill_silent
from parlour.server.table.shares import Share, owner_of, table_in

_PRELOAD = "parlour.server.process.preload"
_RESTART_SECONDS = 1.0
"""Delay before the restart of a worker that has ended, in seconds; doubled after each failed start."""
_STARTS = 6
"""Consecutive failed starts of a worker after which the server ends: a minute with the delays."""
_READY_SECONDS = 120.0
"""Time limit for a restarted worker to become ready, in seconds; usual are one or two."""
_STOP_SECONDS = 10.0
_PENDING = 2000
"""Maximum number of connections without a complete first line; beyond it the oldest are closed."""
_PENDING_EACH = 100
"""The same for one address."""
_HANDOVER_SECONDS = 20.0
"""Time limit for the handover of a connection to a busy or restarting worker, in seconds."""
_REFUSED_SECONDS = 1.0
"""Time limit for the client to read a refusal, in seconds."""


def run_workers(listening: socket.socket, settings: Settings, announce: Callable[[], None]) -> None:
    """Run the workers and the dispatcher until a signal or a failure; call ``announce`` when all workers are ready."""
    if not hasattr(os, "memfd_create"):
        raise ParlourError("several workers need Linux, which hands sockets and memory over: use --workers 1")
    asyncio.run(_Dispatcher(listening, settings, announce).run())


class _Worker:
    """A process, and the channel to it for connections."""

    def __init__(self, number: int, settings: Settings, counters: SharedCounters) -> None:
        self.number = number
        self._settings = settings
        self._counters = counters
        self.started = 0
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([_PRELOAD])

    def start(self) -> None:
        """Start the process; connections wait in the channel meanwhile.

        Raises:
            ParlourError: the process could not be started.
        """
        self.channel, remote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.channel.setblocking(False)
        share = Share(self.number, self._settings.workers)
        process = self._context.Process(
            target=_work, args=(remote, self._settings, share, self._counters), name=f"worker {self.number}"
        )
        with remote, _deferred_stop():
            try:
                process.start()
            except Exception as error:  # multiprocessing passes on any error of the fork server
                self.channel.close()
                reason = str(error) or type(error).__name__
                raise ParlourError(f"worker {self.number} could not be started: {reason}") from error
        self.process: BaseProcess = process
        self.started += 1


class _Dispatcher:
    """The process that accepts connections, hands them to the workers, and restarts workers that die."""

    def __init__(self, listening: socket.socket, settings: Settings, announce: Callable[[], None]) -> None:
        self._listening = listening
        self._announce = announce
        counters = SharedCounters(settings.workers)
        self._workers = [_Worker(number, settings, counters) for number in range(settings.workers)]
        self._turns = itertools.cycle(self._workers)
        each = round(_PENDING_EACH * settings.limits_factor) if settings.limited else None
        # these slots have counters of their own: no worker has the connections yet
        waiting = ConnectionSlots(each, min(_PENDING, most_connections()))
        self._entrance = Entrance(waiting, make_limits(settings, counters), Proxies(settings.behind_proxy))
        self._tasks: set[asyncio.Task[None]] = set()
        self._supervisors: list[asyncio.Task[None]] = []
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
            if not self._supervisors:  # it would report that workers did not start, or announce a closed room
                serving.cancel()
            await self._stop()

    async def _serve(self) -> None:
        """Start the workers, then accept connections. Raises :class:`ParlourError` when a start or a restart fails."""
        for worker in self._workers:
            worker.start()
        await asyncio.gather(*(self._ready(worker) for worker in self._workers))
        self._supervisors = [self._task(self._supervise(worker)) for worker in self._workers]
        accepting = self._task(self._accept())
        self._announce()
        await asyncio.gather(accepting, *self._supervisors)

    async def _wait_closing(self) -> None:
        await self._closing.wait()

    def _task(self, coroutine: Any) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _ready(self, worker: _Worker) -> None:
        loop = asyncio.get_running_loop()
        message = b""
        with suppress(ConnectionError):
            message = await loop.sock_recv(worker.channel, len(READY))
        if message != READY:
            raise ParlourError(f"worker {worker.number} did not start; its own message stands above")

    async def _ready_in_time(self, worker: _Worker) -> None:
        """Wait until a restarted worker is ready; kill one that takes too long. Raises :class:`ParlourError` then."""
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await self._ready(worker)
        except TimeoutError:
            worker.process.kill()
            raise ParlourError(f"worker {worker.number} was not ready in {_READY_SECONDS:.0f} seconds") from None

    async def _supervise(self, worker: _Worker) -> None:
        """Kill a worker when it hangs, and restart it whenever it has ended.

        Raises:
            ParlourError: it could not be started again.
        """
        loop = asyncio.get_running_loop()
        while True:
            ended = asyncio.Event()
            loop.add_reader(worker.process.sentinel, ended.set)
            watch = self._task(kill_silent(worker.channel, worker.process, worker.number))
            await ended.wait()
            watch.cancel()
            loop.remove_reader(worker.process.sentinel)
            note("worker ended", number=worker.number, status=worker.process.exitcode, started=worker.started)
            forget_process(worker.process.pid or 0)
            await self._restart(worker)

    async def _restart(self, worker: _Worker) -> None:
        """Restart a worker after a growing delay. Raises :class:`ParlourError` after :data:`_STARTS` failed starts."""
        for failures in range(_STARTS):
            await asyncio.sleep(_RESTART_SECONDS * 2**failures)
            worker.channel.close()
            try:
                worker.start()
                await self._ready_in_time(worker)
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
            self._admit(connection, peer[0])
            await asyncio.sleep(0)  # lets the accepted connections proceed

    def _admit(self, connection: socket.socket, peer: str) -> None:
        connection.setblocking(False)
        try:
            slot = self._entrance.admit(peer, lambda: task.cancel())
        except RefusedError as error:
            self._task(_refuse(connection, refusal(error)))
            return
        task = self._task(self._hand_over(connection))
        task.add_done_callback(lambda _: slot.release())

    async def _hand_over(self, connection: socket.socket) -> None:
        with connection, suppress(OSError, TimeoutError):
            async with asyncio.timeout(LINE_SECONDS):
                first = await _first_line(connection)
            if not first:
                return
            table = table_in(first)
            worker = next(self._turns) if table is None else self._workers[owner_of(table, len(self._workers))]
            async with asyncio.timeout(_HANDOVER_SECONDS):
                while not _try_send(worker.channel, first, connection):
                    await asyncio.sleep(0.02)

    async def _stop(self) -> None:
        """End the workers, and accept connections until then; kill workers that do not exit in time."""
        for task in self._supervisors:
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


@contextmanager
def _deferred_stop() -> Iterator[None]:
    """Block the signals that end the server. Processes started in the context inherit that.

    A terminal and systemd send these signals to all processes of the server. They would end a fork server that has not
    loaded its modules, and no worker could be started. Workers ask for SIGTERM themselves, and never get SIGINT.
    """
    resource_tracker.ensure_running()  # otherwise it starts in the context, and unblocks the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


async def _refuse(connection: socket.socket, answer: bytes) -> None:
    """Send a refusal, and wait until the client has read it: closing with unread input would cut it off."""
    loop = asyncio.get_running_loop()
    with connection, suppress(OSError, TimeoutError):
        async with asyncio.timeout(_REFUSED_SECONDS):
            await loop.sock_sendall(connection, answer)
            connection.shutdown(socket.SHUT_WR)
            while await loop.sock_recv(connection, LINE_BYTES):
                await asyncio.sleep(0)  # a read of waiting data does not suspend, and a flood would hold the loop


async def _first_line(connection: socket.socket) -> bytes:
    """Return the first bytes of a connection, with a complete line or of maximum length; empty if it ends before."""
    loop = asyncio.get_running_loop()
    read = b""
    while b"\n" not in read and len(read) < LINE_BYTES:
        data = await loop.sock_recv(connection, LINE_BYTES - len(read))
        if not data:
            return b""
        read += data
    return read


def _try_send(channel: socket.socket, first: bytes, connection: socket.socket) -> bool:
    """Hand a connection over. Return whether the worker could receive it."""
    try:
        socket.send_fds(channel, [first], [connection.fileno()])
    except OSError:  # the worker is busy or restarting
        return False
    return True


def _work(channel: socket.socket, settings: Settings, share: Share, counters: SharedCounters) -> None:
    """Run a worker in a process of its own."""
    from parlour.server.process.worker import work  # the dispatcher does not need these imports

    work(channel, settings, share, counters)
