"""Runs the card room for browsers, until it is stopped."""

import asyncio
import errno
import logging
import signal
import socket
import threading
import webbrowser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import platformdirs
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from parlour.engine.errors import ParlourError
from parlour.server.app import create_app
from parlour.server.limits import Limits
from parlour.server.store import Store

MESSAGE_BYTES = 64 << 10
HEADER_BYTES = 16 << 10
HEARTBEAT_SECONDS = 20.0
REQUEST_SECONDS = 20.0
"""A connection on which nothing has been asked after so long is closed."""
_STOP_SECONDS = 5
_LINGER_SECONDS = 15.0
_CONNECTIONS = 800
_FRAGMENTS = 1000


class AddressError(ParlourError):
    """The server cannot listen at this address."""


class _Http(H11Protocol):
    """Closes a connection that never gets around to asking anything."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._patience = self.loop.call_later(REQUEST_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if self.cycle is None:
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

    def __init__(self, config: uvicorn.Config, address: str = "", database: str = "", browser: bool = False) -> None:
        super().__init__(config)
        self._address = address
        self._database = database
        self._browser = browser

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
        if not self._address or self.should_exit:
            return
        click.echo(f"The room is open at {self._address} (Ctrl-C closes it).\nTables are kept in {self._database}.")
        if self._browser:
            threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()


def make_config(store: Store, names: Iterable[str] = (), limits: Limits | None = None) -> uvicorn.Config:
    """How the application is served: small limits, a heartbeat, no log of who asked for what."""
    return uvicorn.Config(
        create_app(store, names, limits),
        http=_Http,
        ws=_WebSocket,
        ws_max_size=MESSAGE_BYTES,
        ws_ping_interval=HEARTBEAT_SECONDS,
        ws_ping_timeout=HEARTBEAT_SECONDS,
        h11_max_incomplete_event_size=HEADER_BYTES,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_STOP_SECONDS,
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
    )


def listen(host: str, port: int) -> socket.socket:
    """A socket at this address. Raises :class:`AddressError`."""
    place = f"{host}:{port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError):
        raise AddressError(f"there is no address {host!r} to listen at") from None
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise AddressError(
                f"port {port} is in use, perhaps because Parlour is open already at {address_of(host, port)}; "
                "choose another with --port"
            ) from None
        raise AddressError(f"cannot listen at {place}: {error.strerror}") from None
    return listening


def address_of(host: str, port: int) -> str:
    """The address to type into a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def default_database() -> Path:
    """Where tables are kept when nothing else is said."""
    return Path(platformdirs.user_data_dir("parlour")) / "tables.sqlite"


def serve(host: str, port: int, database: str | None, open_browser: bool) -> None:
    """Run the card room until it is stopped.

    Raises:
        ParlourError: the address or the database cannot be used.
    """
    logging.basicConfig(level=logging.ERROR, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    listening = listen(host, port)
    try:
        store = Store(database or default_database())
        address = address_of(host, listening.getsockname()[1])
        server = Server(make_config(store), address, store.place, open_browser)
        try:
            asyncio.run(server.serve([listening]))
        finally:
            store.close()
        click.echo("The room is closed.")
    finally:
        listening.close()
