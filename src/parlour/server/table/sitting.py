"""Who sits down at a table: on an open seat, or, where that may be, on a bot's."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from parlour.engine.errors import ParlourError
from parlour.render.words import said
from parlour.server.store.database import ConflictError, StoreError
from parlour.server.store.store import Store, StoredSeat
from parlour.server.table.commands import TakeSeat
from parlour.server.table.company import SeatError
from parlour.server.table.keys import key_hash

if TYPE_CHECKING:
    from parlour.server.table.room import Room


class Sitting:
    """Gives the seats of a room away; nothing else happens there meanwhile (``lock``)."""

    def __init__(self, room: "Room", store: Store, lock: asyncio.Lock) -> None:
        self._room = room
        self._store = store
        self._lock = lock

    async def take(self, wanted: TakeSeat) -> dict[str, Any]:
        """See :meth:`parlour.server.table.room.Room.take_seat`."""
        room, number = self._room, wanted.seat
        async with self._lock:
            if room.seat_of(wanted.key) == number:
                return {"key": wanted.key}
            before = self._seat_now(number, wanted.key)
            if before and room.begun:
                waiting = room.people.ask_for_seat(wanted)
                if waiting:
                    return {"waiting": waiting}
            await self._give(number, StoredSeat(wanted.name, None, key_hash(wanted.key)), before)
            return {"key": wanted.key}

    def _seat_now(self, number: int, key: str) -> StoredSeat | None:
        """The bot that has this seat, if any. Raises :class:`SeatError` if nobody may have it, or not with this key."""
        room = self._room
        if number not in range(room.match.players):
            raise ParlourError(f"there is no seat {number}; the seats are 0 to {room.match.players - 1}")
        if room.seat_of(key) is not None:
            raise SeatError("this key opens another seat at this table already")
        before = room.seats.get(number)
        if before and (before.bot is None or room.match.over):
            raise SeatError(f"seat {number} is taken")
        if room.outdated:
            raise StoreError("the table has moved on; try again")
        return before

    async def _give(self, number: int, seat: StoredSeat, before: StoredSeat | None) -> None:
        """Store who has a seat now, and tell everyone; of a bot's in a running game in words."""
        room = self._room
        bot = before.name if before and room.begun else ""
        keep = self._store.replace_bot if before else self._store.take_seat
        try:
            await self._store.run(keep, room.id, number, seat)
        except ConflictError:
            room.move_on()
            raise SeatError(f"seat {number} is taken") from None
        room.seats[number] = seat
        room.people.company.asking = None

        def words(viewer: int) -> Sequence[str]:
            return [f"{said(seat.name, 'take', viewer == number)} the seat of {bot}."] if bot else ()

        room.tell_table(words)
