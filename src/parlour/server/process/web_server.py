"""The web server of one process: small limits, heartbeats, an orderly end."""

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any

import uvicorn

from parlour.server.http.access.connection_slots import ADDRESS_CONNECTIONS, ConnectionSlots, Entrance
from parlour.server.http.access.limit_gossip import LimitGossip
from parlour.server.http.access.proxies import Proxies
from parlour.server.http.access.shared_counters import SharedCounters
from parlour.server.http.app import create_app
from parlour.server.http.protocols import Http
from parlour.server.logs import note_failure
from parlour.server.process.resources import QUEUE, most_connections
from parlour.server.process.settings import Settings, make_limits, read_daily, read_push
from parlour.server.pulse import Pulse
from parlour.server.store.ownership import Instance
from parlour.server.store.store import Store
from parlour.server.table.shares import WHOLE, Share

MESSAGE_BYTES = 64 << 10
HEADER_BYTES = 16 << 10
HEARTBEAT_SECONDS = 20.0
_STOP_SECONDS = 1
"""Grace period for pending responses at shutdown, in seconds."""
_POLL_SECONDS = 0.1
_ACCEPTED_AT_ONCE = 100
"""Connections accepted in a row before those already open are served again."""


class Server(uvicorn.Server):
    """A server that announces its address, and hands its tables over when it is interrupted or terminated.

    Attributes:
        pulse: the pulse of its event loop.
    """

    def __init__(
        self, config: uvicorn.Config, announce: Callable[[], None] = lambda: None, drain_seconds: float = 0.0
    ) -> None:
        super().__init__(config)
        app: Any = config.app
        self.pulse: Pulse = app.state.pulse
        self._announce = announce
        self._drain_seconds = drain_seconds
        self._hurried = False

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Exit cleanly on SIGINT or SIGTERM. Uvicorn would raise the signal again afterwards.

        After an orderly end further interrupts are ignored: the process closes its database and threads, and exits.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        orderly = False
        try:
            yield
            orderly = True
        finally:
            for number, handler in before.items():
                ignored = orderly and self.should_exit and number == signal.SIGINT
                signal.signal(number, signal.SIG_IGN if ignored else handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the end; a second interrupt skips the handover.

        Uvicorn's method would let it skip the end of the app, too, with its last writes.
        """
        self._hurried = self._hurried or (self.should_exit and sig == signal.SIGINT)
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(QUEUE)  # asyncio has shortened the queue to its backlog
        if not self.should_exit:
            self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Hand the tables over to other servers, if any; then accept no more connections, and close the open ones.

        A second interrupt skips the handover.
        """
        app: Any = self.config.app
        draining = asyncio.create_task(app.state.rooms.drain(self._drain_seconds))
        while not (draining.done() or self._hurried):
            await asyncio.wait([draining], timeout=_POLL_SECONDS)
        draining.cancel()
        await asyncio.wait([draining])
        if not draining.cancelled() and (error := draining.exception()):
            note_failure("the tables were not handed over", error)
        self.stop_accepting()
        await super().shutdown(sockets)

    def stop_accepting(self) -> None:
        """Stop other sources of connections than the sockets; this class has none."""


def make_config(
    store: Store, settings: Settings | None = None, share: Share = WHOLE, counters: SharedCounters | None = None
) -> uvicorn.Config:
    """Return the configuration: small limits, a heartbeat, no access log."""
    settings, counters = settings or Settings(), counters or SharedCounters()
    limits = make_limits(settings, counters)
    each = round(ADDRESS_CONNECTIONS * settings.limits_factor) if settings.limited else None
    slots = ConnectionSlots(each, most_connections(), counters, share.number)
    instance = Instance(settings.server, settings.address)
    proxies = Proxies(settings.behind_proxy)
    entrance = Entrance(slots, limits, proxies)
    return uvicorn.Config(
        create_app(
            store,
            names=settings.names,
            limits=limits,
            share=share,
            paced=settings.paced,
            listens=settings.host,
            keep_days=settings.keep_finished,
            instance=instance,
            gossip=LimitGossip(limits, slots, settings.server, share),
            daily=read_daily(settings),
            push=read_push(settings),
        ),
        http=partial(Http, entrance),  # type: ignore[arg-type]
        ws="websockets-sansio",
        ws_max_size=MESSAGE_BYTES,
        ws_ping_interval=HEARTBEAT_SECONDS,
        ws_ping_timeout=HEARTBEAT_SECONDS,
        ws_per_message_deflate=False,  # the compressed length depends on the seat's own cards: others' chat could probe
        h11_max_incomplete_event_size=HEADER_BYTES,
        backlog=_ACCEPTED_AT_ONCE,
        timeout_graceful_shutdown=_STOP_SECONDS,
        access_log=False,
        log_config=None,
        log_level="error",
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )
