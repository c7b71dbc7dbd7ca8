"""How the application is served by one process: small limits, heartbeats, an orderly end."""

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn

from parlour.server.http.app import create_app
from parlour.server.http.connection_slots import ADDRESS_CONNECTIONS, Entrance, Places
from parlour.server.http.limit_gossip import Sharing
from parlour.server.http.protocols import Http
from parlour.server.http.proxies import Proxies
from parlour.server.http.shared_counters import Ledger
from parlour.server.logs import note_failure
from parlour.server.process.resources import QUEUE, most_connections
from parlour.server.process.settings import Settings, make_limits
from parlour.server.store.ownership import Instance
from parlour.server.store.store import Store
from parlour.server.table.shares import WHOLE, Share

MESSAGE_BYTES = 64 << 10
HEADER_BYTES = 16 << 10
HEARTBEAT_SECONDS = 20.0
_STOP_SECONDS = 1
"""Grace period for responses in flight at shutdown, in seconds."""
_LOOK_SECONDS = 0.1
_ACCEPTED_AT_ONCE = 100
"""Connections accepted in a row before those already open are served again."""


class Server(uvicorn.Server):
    """Says where the room is when it is open; ends in an orderly way when it is interrupted or terminated."""

    def __init__(
        self, config: uvicorn.Config, announce: Callable[[], None] = lambda: None, drain_seconds: float = 0.0
    ) -> None:
        super().__init__(config)
        self._announce = announce
        self._drain_seconds = drain_seconds

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Exit cleanly on SIGINT or SIGTERM. Uvicorn would raise the signal again afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(QUEUE)  # asyncio has made the queue as short as it takes turns
        if not self.should_exit:
            self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Hand the tables over to other servers, if there are any; then take no more connections, and end those left.

        Who interrupts a second time does not wait for the handing over.
        """
        app: Any = self.config.app
        draining = asyncio.create_task(app.state.rooms.drain(self._drain_seconds))
        while not (draining.done() or self.force_exit):
            await asyncio.wait([draining], timeout=_LOOK_SECONDS)
        draining.cancel()
        await asyncio.wait([draining])
        if not draining.cancelled() and (error := draining.exception()):
            note_failure("the tables were not handed over", error)
        self.stop_taking()
        await super().shutdown(sockets)

    def stop_taking(self) -> None:
        """Take no more connections that come in another way than through the sockets."""


def make_config(
    store: Store, settings: Settings | None = None, share: Share = WHOLE, ledger: Ledger | None = None
) -> uvicorn.Config:
    """How the application is served: small limits, a heartbeat, no log of who asked for what."""
    settings, ledger = settings or Settings(), ledger or Ledger()
    limits = make_limits(settings, ledger)
    each = round(ADDRESS_CONNECTIONS * settings.limits_factor) if settings.limited else None
    places = Places(each, most_connections(), ledger, share.number)
    instance = Instance(settings.server, settings.address)
    proxies = Proxies(settings.behind_proxy)
    entrance = Entrance(places, limits, proxies)
    return uvicorn.Config(
        create_app(
            store,
            settings.names,
            limits,
            share,
            settings.paced,
            settings.host,
            settings.keep_finished,
            instance,
            Sharing(limits, places, settings.server, share),
        ),
        http=partial(Http, entrance),  # type: ignore[arg-type]
        ws="websockets-sansio",
        ws_max_size=MESSAGE_BYTES,
        ws_ping_interval=HEARTBEAT_SECONDS,
        ws_ping_timeout=HEARTBEAT_SECONDS,
        ws_per_message_deflate=False,  # what others say and what a seat alone sees would share a length
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
