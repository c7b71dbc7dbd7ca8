"""One of several workers: it receives its connections from the dispatcher (:mod:`.workers`)."""

import asyncio
import signal
import socket
from contextlib import suppress
from typing import Any

from parlour.engine.compiled import cache_folder
from parlour.server.http.access.shared_counters import SharedCounters
from parlour.server.http.catalogue import load_games
from parlour.server.logs import note, set_up_logs
from parlour.server.process.channel import ALIVE, LINE_BYTES, READY
from parlour.server.process.loop_watch import watch_loop
from parlour.server.process.resources import exit_process, schedule_garbage_collection
from parlour.server.process.settings import Settings
from parlour.server.process.warmup import warm_up_searches
from parlour.server.process.web_server import Server, make_config
from parlour.server.store.store import Store
from parlour.server.table.shares import Share


class WorkerServer(Server):
    """A server that receives connections on a channel, and ends with the dispatcher."""

    def __init__(self, config: Any, channel: socket.socket, drain_seconds: float = 0.0) -> None:
        super().__init__(config, schedule_garbage_collection, drain_seconds)
        self._channel = channel
        self._opening: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to receive connections."""
        await super().startup(sockets)
        self._channel.setblocking(False)
        asyncio.get_running_loop().add_reader(self._channel, self._take)
        self._channel.send(READY)
        self.pulse.on_beat = self._show_life

    def _show_life(self) -> None:
        """Give the dispatcher a sign of life; a stopped dispatcher leaves the channel full."""
        with suppress(OSError):
            self._channel.send(ALIVE)

    def _take(self) -> None:
        try:
            first, descriptors, *_ = socket.recv_fds(self._channel, LINE_BYTES, 1)
        except BlockingIOError:
            return
        except OSError:
            first, descriptors = b"", []
        if first and not descriptors:  # the process has no free file descriptor
            note("connection dropped", error="no file descriptor is free")
            return
        if not descriptors:
            asyncio.get_running_loop().remove_reader(self._channel)
            self.should_exit = True
            return
        connection = socket.socket(fileno=descriptors[0])
        connection.setblocking(False)
        task = asyncio.get_running_loop().create_task(self._open(connection, first))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _open(self, connection: socket.socket, first: bytes) -> None:
        def protocol() -> Any:
            http: Any = self.config.http_protocol_class
            made = http(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
            made.first = first
            return made

        with suppress(OSError):
            await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)

    def stop_accepting(self) -> None:
        """Receive no more connections."""
        asyncio.get_running_loop().remove_reader(self._channel)


def prepare() -> None:
    """Load the games and the cache folder, in the process from which the workers are forked."""
    load_games()
    with suppress(OSError):  # each worker reports it when it needs the folder
        cache_folder()  # a temporary one is shared by all workers


def work(channel: socket.socket, settings: Settings, share: Share, counters: SharedCounters) -> None:
    """Run a worker until its end."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})  # a pending one ends the process here
    set_up_logs(settings.log)
    store = Store(settings.database or "")
    try:
        server = WorkerServer(make_config(store, settings, share, counters), channel, settings.drain_seconds)
        watch = watch_loop(server.pulse, end=lambda: None)  # the dispatcher ends it, also if no thread of it can run
        with warm_up_searches(settings.warm_up and share.number == 0), watch:
            asyncio.run(server.serve([]))
    finally:
        store.close()
    exit_process()
