"""The protocols of a connection, HTTP and WebSocket, with time limits and with protection against faulty clients."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from parlour.server.http.access.connection_slots import LINE_SECONDS, SLOT, ConnectionSlot, Entrance, refusal
from parlour.server.http.access.limits import CONNECTION_MESSAGES, Bucket, RefusedError
from parlour.server.http.middleware import App, AsgiMessage, Receive, Send
from parlour.server.metrics import metrics
from parlour.server.table.close_codes import Closing

HEAD_SECONDS = 10.0
"""Time limit for the head of a request after its first line, in seconds."""
NEXT_SECONDS = 10.0
"""Time limit from a response to the first line of the next request, in seconds."""
ANSWER_SECONDS = 120.0
"""Time limit from the end of a request's head to the end of the response, in seconds; it includes the body."""
_REFUSED_SECONDS = 1.0
"""Time limit for the client to read a refusal, in seconds."""
_LINGER_SECONDS = 15.0
"""Time limit for the client to read the last data of a WebSocket that the server has closed, in seconds."""
_FRAGMENTS = 1000
"""Maximum number of fragments of a message, and of pieces of a request's body: each takes time, whatever its size."""

_PART_BYTES = 16 << 10
"""Number of bytes that are processed at once: a read may have thousands of frames."""
_WAITING = 1000
"""Maximum number of messages of a WebSocket that wait for the application."""


class Http(H11Protocol):
    """An HTTP connection with a slot and time limits.

    Attributes:
        first: the bytes that the dispatcher read before it handed the connection over; empty without a dispatcher.
    """

    first = b""

    def __init__(self, entrance: Entrance, **options: Any) -> None:
        super().__init__(**options)
        self.conn.next_event = partial(self._next_event, self.conn.next_event)  # type: ignore[method-assign]
        self._pieces = 0
        self._entrance = entrance
        self._slot: ConnectionSlot | None = None
        self._head_pending = False  # the first line of a request was received, the rest of its head was not
        self._timeout = self.loop.call_later(LINE_SECONDS, self._time_out)

    def connection_made(self, transport: Any) -> None:
        """Take a slot, or send the refusal."""
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        try:
            self._slot = self._entrance.admit(peer, transport.abort, counted=bool(self.first))
        except RefusedError as error:
            transport.write(refusal(error))
            with suppress(OSError):  # the client has disconnected
                transport.write_eof()
            self._set_time_limit(_REFUSED_SECONDS)
            return
        if self.first:
            self.data_received(self.first)

    def data_received(self, data: bytes) -> None:
        """Process received bytes."""
        if self._slot is None:  # refused
            return
        if not self._head_pending and not self._is_responding() and b"\n" in data:
            self._head_pending = True
            self._set_time_limit(HEAD_SECONDS)
        super().data_received(data)
        self._update()

    def _next_event(self, read: Callable[[], Any]) -> Any:
        """Return the next event of the connection. Raises ``RemoteProtocolError`` for a body in too many pieces."""
        event = read()
        self._pieces = 0 if isinstance(event, h11.Request) else self._pieces + isinstance(event, h11.Data)
        if self._pieces > _FRAGMENTS:
            raise h11.RemoteProtocolError("too many pieces")
        return event

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._set_time_limit(NEXT_SECONDS)
        self._head_pending = self._is_responding()  # a pipelined request is being answered
        self._update()

    def _is_responding(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _update(self) -> None:
        """Mark the slot as idle or active; a complete head starts the time limit of its response."""
        if self._slot is None or self.transport.get_protocol() is not self:
            return
        if not self._is_responding():
            self._slot.set_idle()
        elif self._head_pending:
            self._head_pending = False
            self._slot.set_active()
            self._set_time_limit(ANSWER_SECONDS)

    def _set_time_limit(self, seconds: float) -> None:
        self._timeout.cancel()
        self._timeout = self.loop.call_later(seconds, self._time_out)

    def _time_out(self) -> None:
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the slot."""
        self._timeout.cancel()
        if self._slot is not None:
            self._slot.release()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Count a malformed request, and send the response to it."""
        metrics().client_errors.inc()
        super().send_400_response(msg)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection and its slot to the WebSocket protocol."""
        if any(name in (b"content-length", b"transfer-encoding") for name, _ in self.headers):
            self.send_400_response("The request for a WebSocket has no body.")  # the library would send no response
            return
        self._timeout.cancel()
        self.ws_protocol_class = partial(WebSocket, self._slot)  # type: ignore[assignment, arg-type]
        super().handle_websocket_upgrade(event)


class WebSocket(WebSocketsSansIOProtocol):
    """The WebSocket protocol with further limits.

    It refuses a message of too many fragments (empty ones never reach the size limit), pings and pongs beyond the
    rate of messages, and a text that is not UTF-8, cuts off a client that does not read the last data of a closed
    connection, and logs no error when a client breaks the protocol.
    """

    def __init__(self, slot: ConnectionSlot, **options: Any) -> None:
        super().__init__(**options)
        self.app = partial(self._serve, self.app)
        self._slot = slot
        self._controls = Bucket(CONNECTION_MESSAGES)
        slot.drop = self._make_room

    def handle_connect(self, event: Any) -> None:
        """Begin the handshake, with the slot in the scope."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][SLOT] = {"slot": self._slot}

    async def _serve(self, app: App, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        await app(scope, receive, send)
        if not self.handshake_complete and self.transport.is_closing():
            raise ClientDisconnected  # otherwise the library logs an error of the application

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the slot."""
        self._slot.release()
        super().connection_lost(exc)

    def _make_room(self) -> None:
        """Close this idle connection, whose slot a new connection gets."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": Closing.FULL})
        if self.handshake_complete and not self.close_sent:
            self.conn.send_close(Closing.FULL, "the room is full")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
        self.transport.close()
        self._cut_off_later()

    def _cut_off_later(self) -> None:
        self.loop.call_later(_LINGER_SECONDS, self.transport.abort)

    def on_task_complete(self, task: Any) -> None:
        """Close the connection after the application has ended."""
        super().on_task_complete(task)
        self._cut_off_later()

    def data_received(self, data: bytes) -> None:
        """Process received bytes, or close the connection after too many messages at once."""
        for start in range(0, len(data), _PART_BYTES):
            super().data_received(data[start : start + _PART_BYTES])
            if self.queue.qsize() > _WAITING:
                self._break_off(Closing.TOO_MANY, "too many messages at once")
            if self.transport.is_closing():
                return

    def handle_cont(self, event: Any) -> None:
        """Process a further fragment, or close the connection after too many."""
        if len(self.frames) >= _FRAGMENTS:
            self._break_off(Closing.TOO_BIG, "too many fragments")
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, or close the connection after too many."""
        if self._may_control():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """Process a pong, or close the connection after too many."""
        if self._may_control():
            super().handle_pong(event)

    def _may_control(self) -> bool:
        if self._controls.take() and not self.close_sent:
            self._break_off(Closing.TOO_MANY, "too many pings in a short time")
        return not self.close_sent

    def send_receive_event_to_app(self) -> None:
        """Pass a complete message to the application, or close the connection if a text is not UTF-8."""
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._break_off(Closing.NOT_UTF8, "a text is not UTF-8")
                return
        super().send_receive_event_to_app()

    def _break_off(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    def handle_parser_exception(self) -> None:
        """Count the error of a client that broke the protocol, and close its connection."""
        metrics().client_errors.inc()
        super().handle_parser_exception()

    async def send(self, message: AsgiMessage) -> None:  # type: ignore[override]
        """Send a message of the application.

        Raises:
            ClientDisconnected: the connection has been closed meanwhile. The library would raise a ``RuntimeError``.
        """
        try:
            await super().send(message)  # type: ignore[arg-type]
        except RuntimeError:
            if self.close_sent and message["type"] == "websocket.send":
                raise ClientDisconnected from None
            raise
