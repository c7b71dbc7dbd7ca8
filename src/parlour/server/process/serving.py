"""How the application is served by one process: small limits, heartbeats, an orderly end."""

import asyncio
import gc
import logging
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

import uvicorn

from parlour.folders import remove_temporary
from parlour.server.http.app import create_app
from parlour.server.http.ledger import CONNECTIONS, Ledger
from parlour.server.http.limits import ADDRESS_RATES, Limits
from parlour.server.http.places import ADDRESS_CONNECTIONS, Entrance, Places
from parlour.server.http.protocols import Http
from parlour.server.http.proxies import Proxies
from parlour.server.logs import note_failure
from parlour.server.store.ownership import Instance
from parlour.server.store.store import Store
from parlour.server.table.shares import WHOLE, Share

try:
    import resource
except ImportError:  # it is Windows
    resource = None  # type: ignore[assignment]

MESSAGE_BYTES = 64 << 10
HEADER_BYTES = 16 << 10
HEARTBEAT_SECONDS = 20.0
_STOP_SECONDS = 1
"""Grace period for responses in flight at shutdown, in seconds."""
_LOOK_SECONDS = 0.1
_YOUNG, _ALL = 0, 2
"""Generations of Python's collector of cycles."""
_COLLECT_YOUNG_SECONDS = 0.2
_COLLECT_SECONDS = 300.0
_ACCEPTED_AT_ONCE = 100
"""Connections accepted in a row before those already open are served again."""
_OTHER_FILES = 200
"""Open files of a process that are kept free for other things than connections."""
_USUAL_FILES = 1024
QUEUE = 1024
"""Length of the listening queue; the system turns away connections beyond it."""


@dataclass(frozen=True)
class Settings:
    """What is chosen when the card room is opened.

    Attributes:
        host: the address to listen at.
        port: the port; 0 is any.
        database: a file or a URL; ``None`` is a file in the user's data folder.
        open_browser: whether to open it.
        workers: how many processes.
        names: by which the room may be called besides those of this machine.
        limited: whether there are limits to what one address may do.
        paced: whether bots answer at moments that tell nothing of what they hold, or else at once.
        limits_factor: times the usual limits.
        behind_proxy: the addresses and networks of the proxies that are believed about where requests come from.
        metrics_host: the address at which Prometheus may ask.
        metrics_port: the port there; 0 is nowhere.
        keep_finished: after how many days finished games are removed; ``None`` is never.
        log: ``json`` or ``human``.
        warm_up: whether to make the bots' searches ready beside the server.
        address: where programs reach this server itself, past a balancer; empty if nowhere.
        drain_seconds: how long the server goes on after it was asked to end, if another one is there, before it hands
            its tables over.
        server: drawn anew for each server; its processes have it in common.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    database: str | None = None
    open_browser: bool = False
    workers: int = 1
    names: tuple[str, ...] = ()
    limited: bool = True
    paced: bool = True
    limits_factor: float = 1.0
    behind_proxy: tuple[str, ...] = ()
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0
    keep_finished: int | None = None
    log: str = "json"
    warm_up: bool = True
    address: str = ""
    drain_seconds: float = 5.0
    server: str = field(default_factory=lambda: secrets.token_hex(8))


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


def make_limits(settings: Settings, ledger: Ledger | None = None) -> Limits:
    """To what an address may do in all processes that share the ledger."""
    return Limits(ADDRESS_RATES if settings.limited else None, ledger, settings.limits_factor)


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
            store, settings.names, limits, share, settings.paced, settings.host, settings.keep_finished, instance
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
