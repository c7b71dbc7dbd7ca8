"""A WebSocket connection to a table, from hello to its end."""

import asyncio
from contextlib import suppress
from functools import partial

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from parlour.engine.errors import ParlourError
from parlour.engine.rules import SPECTATOR
from parlour.languages import gettext
from parlour.server.http.access.admission import address_of_client
from parlour.server.http.access.bans import Bans
from parlour.server.http.access.connection_slots import slot_of
from parlour.server.http.access.limits import CONNECTION_MESSAGES, Bucket, LimitError, Limits, network_of
from parlour.server.http.requests import (
    NO_SUBJECT,
    ClientMessage,
    Hello,
    MessageError,
    MessageSubject,
    Ping,
    parse_message,
    subject_of,
)
from parlour.server.logs import note_failure
from parlour.server.store.ownership import ElsewhereError
from parlour.server.table.close_codes import Closing
from parlour.server.table.messages import ErrorMessage, PongMessage, RefusedMessage, to_text
from parlour.server.table.people.keys import key_hash
from parlour.server.table.replays import sealed_reason
from parlour.server.table.room import Room
from parlour.server.table.rooms import Rooms, UnknownTableError
from parlour.server.table.viewers import Viewer

HELLO_SECONDS = 10.0
"""Time limit for hello after the table has been loaded, in seconds."""
BAD_MESSAGES = 20
"""Maximum number of wrong messages; one more closes the connection."""
_CLOSE_SECONDS = 2.0
"""Time limit for the last message, and again for the close, in seconds."""
_BROKEN = (1005, 1006)
"""Codes of a connection that ended without a close code from the client, as when it broke."""


class _CloseError(Exception):
    """The server has to close the connection, with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Connection:
    """The connection of a client at a table: it reads the client's messages and sends those for its viewer.

    A slow client delays no others.
    """

    def __init__(self, socket: WebSocket, rooms: Rooms, table_id: str, limits: Limits, bans: Bans) -> None:
        self._socket = socket
        self._rooms = rooms
        self._table_id = table_id
        self._bad = 0
        self._limits = limits
        self._bans = bans
        self._address = address_of_client(socket.scope)
        self._host = network_of(self._address)
        self._bucket = Bucket(CONNECTION_MESSAGES)
        self._slot = slot_of(socket.scope)

    async def run(self) -> None:
        """Serve the connection until either side ends it."""
        await self._socket.accept()
        try:
            async with self._rooms.use(self._table_id, self._host) as room:
                viewer = await self._greet(room)
                with room.audience.connect(viewer, self._limits.spectators) as admitted:
                    if not admitted:
                        raise _CloseError(Closing.TOO_MANY, "too many spectators of your address at this table")
                    await self._watch(room, viewer)
        except (WebSocketDisconnect, asyncio.CancelledError):
            return
        except _CloseError as closed:
            await self._close(closed.code, closed.reason)
        except ElsewhereError as error:
            await self._close(Closing.ELSEWHERE, f"the table is at {error.address or 'another server'}")
        except ParlourError as error:
            await self._fail(
                gettext(str(error)), Closing.NO_TABLE if isinstance(error, UnknownTableError) else Closing.FAILED
            )
        except Exception as error:
            note_failure("a connection failed", error)
            await self._fail(gettext("something went wrong in the server"), Closing.FAILED)

    async def _watch(self, room: Room, viewer: Viewer) -> None:
        """Serve a viewer in the room, until either side ends the connection."""
        try:
            await room.enter(viewer)
            with self._bans.register(self._address, partial(viewer.end, Closing.BANNED)):
                await self._serve(room, viewer)
        finally:
            room.leave(viewer)

    async def _greet(self, room: Room) -> Viewer:
        """Wait for hello. Return a viewer of the key's seat, or a spectator."""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello = await self._receive_hello(room)
        except TimeoutError:
            raise _CloseError(Closing.SILENT, "no hello") from None
        if hello.key is None:
            if room.state.sealed:
                reason = sealed_reason(room.state)
                await self._refuse(room, f"{reason[0].upper()}{reason[1:]}.")
                raise _CloseError(Closing.SEALED, "only its players may see these cards now")
            return Viewer(SPECTATOR, hello.seen, hello.name or "", host=self._host)
        seat = await room.seat_at_hello(hello.key)
        if seat is None:
            await self._refuse(room, gettext("This key does not fit any seat."))
            raise _CloseError(Closing.WRONG_KEY, "this key does not fit any seat")
        return Viewer(seat, hello.seen, key_hash=key_hash(hello.key), host=self._host)

    async def _receive_hello(self, room: Room) -> Hello:
        while True:
            try:
                message = parse_message(await self._receive())
                if isinstance(message, Hello):
                    return message
                raise MessageError(gettext("say hello first"), subject_of(vars(message)))
            except MessageError as error:
                self._count_bad()
                await self._refuse(room, str(error), error.subject)

    async def _serve(self, room: Room, viewer: Viewer) -> None:
        tasks = [
            asyncio.create_task(self._read(room, viewer)),
            asyncio.create_task(self._write(room, viewer)),
            asyncio.create_task(viewer.overloaded.wait()),
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if viewer.overloaded.is_set():
            raise _CloseError(Closing.TOO_SLOW, "too much was waiting to be sent")
        for task in done:
            task.result()

    async def _read(self, room: Room, viewer: Viewer) -> None:
        while True:
            text, subject = await self._next_text(room, viewer), NO_SUBJECT
            try:
                message = parse_message(text)
                subject = subject_of(vars(message))
                await self._handle(room, viewer, message)
                continue
            except MessageError as error:
                self._count_bad()
                reason, subject = str(error), error.subject
            except ParlourError as error:
                reason = gettext(str(error))
            except Exception as error:
                note_failure("a message could not be answered", error)
                reason = gettext("something went wrong in the server")
            room.audience.refuse(viewer, reason, subject.action, chat_id=subject.chat_id)

    async def _next_text(self, room: Room, viewer: Viewer) -> str | None:
        """Return the next message, and record that the client is alive, also if it closes with a code."""
        try:
            text = await self._receive()
        except WebSocketDisconnect as ended:
            if ended.code not in _BROKEN:
                room.note_alive(viewer)
            raise
        room.note_alive(viewer)
        return text

    async def _handle(self, room: Room, viewer: Viewer, message: ClientMessage) -> None:
        if isinstance(message, Ping):
            viewer.send(PongMessage())
        elif isinstance(message, Hello):
            raise MessageError(gettext("hello has been said"))
        else:
            await room.handle(viewer, message)

    async def _write(self, room: Room, viewer: Viewer) -> None:
        while (text := await viewer.next_text()) is not None:
            await self._socket.send_text(text)
            self._update_slot(room)
        raise _CloseError(*(viewer.leave or (Closing.FAILED, "")))

    def _update_slot(self, room: Room) -> None:
        """Mark the connection as active or idle: a full room closes idle connections first.

        It is active if the game is not over and at least one person with a seat is connected.
        """
        if self._slot is None:
            return
        if not room.state.over and any(viewer.seat != SPECTATOR for viewer in room.audience.viewers):
            self._slot.set_active()
        else:
            self._slot.set_idle()

    async def _receive(self) -> str | None:
        """Return the next message's text, ``None`` for a binary one."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        self._count_message()
        text: str | None = message.get("text")
        return text

    def _count_message(self) -> None:
        if self._limits.on and self._bucket.take():
            raise _CloseError(Closing.TOO_MANY, "too many messages in a short time")
        try:
            self._limits.take("messages", self._address)
        except LimitError as error:
            raise _CloseError(Closing.TOO_MANY, str(error)) from None

    def _count_bad(self) -> None:
        self._bad += 1
        if self._bad > BAD_MESSAGES:
            raise _CloseError(Closing.TOO_MANY_BAD, "too many messages that cannot be understood")

    async def _refuse(self, room: Room, reason: str, subject: MessageSubject = NO_SUBJECT) -> None:
        seen = 0 if room.state.sealed else room.state.seen
        message = RefusedMessage(subject.action, reason, "", seen, subject.chat_id)
        await self._socket.send_text(to_text(message))

    async def _fail(self, reason: str, code: int) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._socket.send_text(to_text(ErrorMessage(reason)))
        await self._close(code, reason)

    async def _close(self, code: int, reason: str) -> None:
        if self._socket.application_state is WebSocketState.DISCONNECTED:
            return
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._socket.close(code, reason[:100])
