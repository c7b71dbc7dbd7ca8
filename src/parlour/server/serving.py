"""How the application is served by one process: small limits, heartbeats, an orderly end."""

import asyncio
import gc
import logging
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NoReturn

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from parlour.server.app import create_app
from parlour.server.limits import ADDRESS_RATES, Limits
from parlour.server.shares import WHOLE, Share
from parlour.server.store import Store

MESSAGE_BYTES = 64 << 10
HEADER_BYTES = 16 << 10
HEARTBEAT_SECONDS = 20.0
REQUEST_SECONDS = 20.0
"""A connection on which nothing has been asked after so long is closed."""
_STOP_SECONDS = 1
"""So long at most it is waited, when all is to end, for answers that are being given."""
_YOUNG, _ALL = 0, 2
"""Generations of Python's collector of cycles."""
_COLLECT_YOUNG_SECONDS = 0.2
_COLLECT_SECONDS = 300.0
_LINGER_SECONDS = 15.0
_CONNECTIONS = 4000
_FRAGMENTS = 1000


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
        behind_proxy: whether to believe a proxy on this machine about where requests come from.
        metrics_port: where Prometheus may ask, on this machine alone; 0 is nowhere.
        log: ``json`` or ``human``.
        warm_up: whether to make the bots' searches ready beside the server.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    database: str | None = None
    open_browser: bool = False
    workers: int = 1
    names: tuple[str, ...] = ()
    limited: bool = True
    behind_proxy: bool = False
    metrics_port: int = 0
    log: str = "json"
    warm_up: bool = True


def raise_file_limit() -> None:
    """Let this process, and those it starts, have as many connections as they may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def spare_the_collector() -> None:
    """Have Python's collector of cycles look often at what is new, and seldom at everything.

    By itself it begins when much more has come than has gone. At a thousand tables, where each scene replaces another,
    that is after tens of thousands of things have come, and while it looks at them nobody is answered. What is there
    now is never looked at again.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    loop = asyncio.get_running_loop()
    _collect_regularly(loop, _YOUNG, _COLLECT_YOUNG_SECONDS)
    _collect_regularly(loop, _ALL, _COLLECT_SECONDS)


def leave() -> NoReturn:
    """End the process, with a good conscience, when all is stored and closed.

    Bots may still be thinking, and Python would wait for their threads; they cannot be stopped, and nobody waits for
    what they find.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _collect_regularly(loop: asyncio.AbstractEventLoop, generation: int, seconds: float) -> None:
    def collect() -> None:
        gc.collect(generation)
        loop.call_later(seconds, collect)

    loop.call_later(seconds, collect)


class _Http(H11Protocol):
    """Closes a connection that never gets around to asking anything, or anything more.

    ``first`` is what has been read from the connection already, before it was handed over.
    """

    first = b""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._patience = self.loop.call_later(REQUEST_SECONDS, self._give_up)
        if self.first:
            self.data_received(self.first)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._patience.cancel()
        self._patience = self.loop.call_later(REQUEST_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._patience.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._patience.cancel()
        super().handle_websocket_upgrade(event)


class _WebSocket(WebSocketsSansIOProtocol):
    """Refuses a message of endless fragments, which may be empty and so never reach the size limit; and cuts off a
    client that does not read what is still to be sent when the connection ends.
    """

    def on_task_complete(self, task: Any) -> None:
        super().on_task_complete(task)
        self.loop.call_later(_LINGER_SECONDS, self.transport.abort)

    def handle_cont(self, event: Any) -> None:
        if len(self.frames) >= _FRAGMENTS:
            self.conn.fail(1009, "too many fragments")
            self.handle_parser_exception()
            return
        super().handle_cont(event)


class Server(uvicorn.Server):
    """Says where the room is when it is open; ends in an orderly way when it is interrupted or terminated."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._announce = announce

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End when asked to, and with a good conscience: Uvicorn would let the signal have its way afterwards."""
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
        if not self.should_exit:
            self._announce()


def make_config(store: Store, settings: Settings | None = None, share: Share = WHOLE) -> uvicorn.Config:
    """How the application is served: small limits, a heartbeat, no log of who asked for what."""
    settings = settings or Settings()
    limits = Limits(ADDRESS_RATES if settings.limited else None, share.workers)
    return uvicorn.Config(
        create_app(store, settings.names, limits, share, settings.host),
        http=_Http,
        ws=_WebSocket,
        ws_max_size=MESSAGE_BYTES,
        ws_ping_interval=HEARTBEAT_SECONDS,
        ws_ping_timeout=HEARTBEAT_SECONDS,
        ws_per_message_deflate=False,  # what others say and what a seat alone sees would share a length
        h11_max_incomplete_event_size=HEADER_BYTES,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_STOP_SECONDS,
        access_log=False,
        log_config=None,
        log_level="error",
        server_header=False,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1",
    )
