"""What bytes on a connection mean: HTTP and WebSocket, with a patience that ends, and what a client may get wrong."""

from contextlib import suppress
from functools import partial
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from parlour.server.http.connection_slots import LINE_SECONDS, PLACE, Entrance, Place, refusal
from parlour.server.http.limits import RefusedError
from parlour.server.http.middleware import App, Message, Receive, Send
from parlour.server.metrics import metrics
from parlour.server.table.close_codes import Closing

HEAD_SECONDS = 10.0
"""Seconds the rest of a request's head may take after its first line."""
NEXT_SECONDS = 10.0
"""Seconds an answered connection may stay idle until the first line of the next request is there."""
ANSWER_SECONDS = 120.0
"""Seconds that a request may take in all: its body, and the reading of what is answered."""
_REFUSED_SECONDS = 1.0
"""Seconds a client that is not let in has for reading so."""
_LINGER_SECONDS = 15.0
_FRAGMENTS = 1000


class Http(H11Protocol):
    """A connection that has a place, and gives it back when it asks nothing, or never comes to an end.

    ``first`` is what has been read from the connection already, before it was handed over.
    """

    first = b""

    def __init__(self, entrance: Entrance, **given: Any) -> None:
        super().__init__(**given)
        self._entrance = entrance
        self._place: Place | None = None
        self._asking = False  # a first line is there, and its request not yet
        self._patience = self.loop.call_later(LINE_SECONDS, self._give_up)

    def connection_made(self, transport: Any) -> None:
        """Let it in, or say why not."""
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        try:
            self._place = self._entrance.let_in(peer, transport.abort, counted=bool(self.first))
        except RefusedError as error:
            transport.write(refusal(error))
            with suppress(OSError):  # it has gone already
                transport.write_eof()
            self._wait(_REFUSED_SECONDS)
            return
        if self.first:
            self.data_received(self.first)

    def data_received(self, data: bytes) -> None:
        """Take in what was sent."""
        if self._place is None:  # it has not been let in
            return
        if not self._asking and not self._answering() and b"\n" in data:
            self._asking = True
            self._wait(HEAD_SECONDS)
        super().data_received(data)
        self._settle()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._wait(NEXT_SECONDS)
        self._asking = self._answering()  # what was asked meanwhile is being answered already
        self._settle()

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _settle(self) -> None:
        """Have the place be in use while there is something to answer, and the patience fit."""
        if self._place is None or self.transport.get_protocol() is not self:
            return
        if not self._answering():
            self._place.rest()
        elif self._asking:
            self._asking = False
            self._place.work()
            self._wait(ANSWER_SECONDS)

    def _wait(self, seconds: float) -> None:
        self._patience.cancel()
        self._patience = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._patience.cancel()
        if self._place is not None:
            self._place.leave()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Say that this is no HTTP."""
        metrics().client_errors.inc()
        super().send_400_response(msg)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection, and its place, over."""
        if any(name in (b"content-length", b"transfer-encoding") for name, _ in self.headers):
            self.send_400_response("The request for a WebSocket has no body.")  # the library would say nothing at all
            return
        self._patience.cancel()
        self.ws_protocol_class = partial(WebSocket, self._place)  # type: ignore[assignment, arg-type]
        super().handle_websocket_upgrade(event)


class WebSocket(WebSocketsSansIOProtocol):
    """Refuses a message of endless fragments, which may be empty and so never reach the size limit; cuts off a
    client that does not read what is still to be sent when the connection ends; is no error of the server's when
    a client breaks the protocol.
    """

    def __init__(self, place: Place, **given: Any) -> None:
        super().__init__(**given)
        self.app = partial(self._serve, self.app)
        self._place = place
        place.drop = self._make_room

    def handle_connect(self, event: Any) -> None:
        """Begin the handshake; the application is told the place."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][PLACE] = {"place": self._place}

    async def _serve(self, app: App, scope: Message, receive: Receive, send: Send) -> None:
        await app(scope, receive, send)
        if not self.handshake_complete and self.transport.is_closing():
            raise ClientDisconnected  # else the library logs an error of ours

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._place.leave()
        super().connection_lost(exc)

    def _make_room(self) -> None:
        """End the connection for somebody else's sake."""
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
        """Have the connection end when the application has ended it."""
        super().on_task_complete(task)
        self._cut_off_later()

    def handle_cont(self, event: Any) -> None:
        """Take in a further fragment."""
        if len(self.frames) >= _FRAGMENTS:
            self._break_off(Closing.TOO_BIG, "too many fragments")
            return
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Tell the application a message that is whole."""
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
        """End a connection that broke the protocol."""
        metrics().client_errors.inc()
        super().handle_parser_exception()

    async def send(self, message: Message) -> None:  # type: ignore[override]
        """Send for the application, which cannot know that the client's mistake has ended the connection."""
        try:
            await super().send(message)  # type: ignore[arg-type]
        except RuntimeError:
            if self.close_sent and message["type"] == "websocket.send":
                raise ClientDisconnected from None
            raise
