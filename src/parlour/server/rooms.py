"""All tables: opened, found again in the store when somebody asks, cleared from memory when nobody does."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from parlour.bots import BOTS
from parlour.engine.deals import commitment_of, new_secret
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.engine.views import SPECTATOR
from parlour.server.catalogue import playable_game
from parlour.server.company import SeatError
from parlour.server.crew import Crew
from parlour.server.keys import key_hash, new_key
from parlour.server.messages import BotSeat, NewTable, PlayOn, Seating, Seats, You
from parlour.server.metrics import metrics
from parlour.server.replays import BrokenTableError, ClosedError, replayed
from parlour.server.room import RESTART, Room, about
from parlour.server.shares import WHOLE, Share
from parlour.server.store import Store, StoredSeat, StoredTable
from parlour.server.viewers import play_events

OPEN_SECONDS = 24 * 3600
OPEN_LISTED = 30
"""Of the tables with an open seat those are listed that are not older, and not more of them."""
ROOMS_KEPT = 200
"""So many tables stay in memory when nobody is at them."""
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 14  # 69 bits


class UnknownTableError(ParlourError):
    """There is no such table."""


class MisdirectedError(ParlourError):
    """The table is kept by another worker."""


class Rooms:
    """The tables of a server, by id, and their ``crew``. Of several workers each keeps its share of them."""

    def __init__(self, store: Store, share: Share = WHOLE) -> None:
        self._store = store
        self._share = share
        self.crew = Crew()
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}

    async def open_table(self, wanted: NewTable) -> dict[str, Any]:
        """Open a table. Returns its id, and the seat and the key of the one who asked, if any.

        Raises:
            ParlourError: the game, the options or the seats are not right.
        """
        game = playable_game(wanted.game)
        match = Match(Setup(game, wanted.players, dict(wanted.options)))
        return await self._open(match, wanted, wanted.listed)

    async def play_on(self, room: Room, wanted: PlayOn) -> dict[str, Any]:
        """Open a table that begins with what happened at another; answers like :meth:`open_table`.

        Raises:
            ClosedError: the other game is not over, so that its cards are still hidden.
            ParlourError: it has no such moment, or the seats are not right.
        """
        if not room.match.over:
            raise ClosedError("the game is not over: it can only be played on from when all may be seen")
        match = room.match
        if wanted.seen >= len(match.events):
            raise ParlourError(f"seen: must be less than {len(match.events)}, when the game was over")
        again = Match(match.setup)
        await self.crew.helped(play_events, again, match.events[: wanted.seen])
        return await self._open(again, wanted, False)

    async def _open(self, match: Match, wanted: Seating, listed: bool) -> dict[str, Any]:
        if len(wanted.seats) != match.players:
            raise ParlourError(f"{match.players} players need {match.players} seats, not {len(wanted.seats)}")
        own = [number for number, seat in enumerate(wanted.seats) if isinstance(seat, You)]
        if len(own) > 1:
            raise ParlourError("only one seat can be yours")
        key = new_key() if own else None
        first = _first_seats(wanted.seats, key)
        manners = {**wanted.manners.model_dump(), **({"opener": own[0]} if own else {})}
        table = _new_table(match, first, manners)
        await self._store.run(self._store.add_table, table, listed)
        commitment = commitment_of(table.secret)
        return {"table": table.id, "seat": own[0] if own else -1, "key": key, "commitment": commitment}

    async def open_tables(self) -> list[dict[str, Any]]:
        """What anyone may know of the listed tables that have an open seat, the newest first."""
        since = int(time.time()) - OPEN_SECONDS
        found = []
        for table in await self._store.run(self._store.open_tables, since, OPEN_LISTED):
            with suppress(BrokenTableError, ValueError):
                found.append(about(table, replayed(table), table.seats, 0))
        return found

    async def rematch(self, room: Room, key: str) -> dict[str, Any]:
        """Open a table like another whose game is over, seats turned by one, for everyone who is still there.

        Whoever stays keeps the key; the seats of those who have gone are open. Everyone there is told. However often
        it is asked for, it is one table.

        Raises:
            SeatError: the key is not that of the one who opened the table.
            ClosedError: the game is not over.
        """
        company = room.people.company
        opener = company.opener
        if opener is None or room.seat_of(key) != opener:
            raise SeatError("only who opened the table opens another like it")
        if not room.match.over:
            raise ClosedError("the game is not over")
        if room.following is None or (room.following.done() and room.following.exception()):
            room.following = room.start(self._follow(room, opener))
        return await asyncio.shield(room.following)

    async def _follow(self, room: Room, opener: int) -> dict[str, Any]:
        company = room.people.company
        turned = {seat: (seat + 1) % room.match.players for seat in range(room.match.players)}
        stay = {
            turned[at]: seat for at, seat in room.seats.items() if seat.bot or company.there.get(at) or at == opener
        }
        manners = {**company.manners.model_dump(), "opener": turned[opener]}
        table = _new_table(Match(room.match.setup), stay, manners)
        await self._store.run(self._store.add_table, table)
        for viewer in room.viewers:
            seat = turned.get(viewer.seat, SPECTATOR)
            viewer.send({"type": "rematch", "table": table.id, "seat": seat if seat in stay else SPECTATOR})
        return {"table": table.id, "seat": turned[opener], "commitment": commitment_of(table.secret)}

    @asynccontextmanager
    async def use(self, table_id: str) -> AsyncIterator[Room]:
        """The room of a table, kept in memory meanwhile.

        Raises:
            UnknownTableError: there is none.
            MisdirectedError: it is not for this worker.
            BrokenTableError: what is stored of it is no game.
            StoreError: the database cannot be read.
        """
        if not table_id.isalnum() or not table_id.isascii() or len(table_id) > 40:
            raise UnknownTableError("there is no such table")
        if not self._share.has(table_id):
            raise MisdirectedError("this connection leads to another part of the server: ask on a new one")
        while (room := self._rooms.get(table_id)) is None or room.outdated:
            await self._load_once(table_id)
        self._rooms[table_id] = self._rooms.pop(table_id)  # the last used stands last
        room.users += 1
        try:
            yield room
        finally:
            room.users -= 1
            self._clear_away()

    async def _load_once(self, table_id: str) -> None:
        """However many ask at once, a table is loaded once."""
        if table_id not in self._loading:
            self._loading[table_id] = asyncio.create_task(self._load(table_id))
        await asyncio.shield(self._loading[table_id])

    async def _load(self, table_id: str) -> None:
        try:
            table = await self._store.run(self._store.load, table_id)
            if table is None:
                raise UnknownTableError("there is no such table")
            match = await self.crew.helped(replayed, table)
            room = self._rooms[table_id] = Room(table, match, self._store, self.crew)
            if room.goes_on:
                room.wake()
            metrics().tables.set(len(self._rooms))
        finally:
            del self._loading[table_id]

    def _clear_away(self) -> None:
        for table_id, room in list(self._rooms.items()):
            if len(self._rooms) <= ROOMS_KEPT:
                return
            if room.idle:
                del self._rooms[table_id]
                metrics().tables.set(len(self._rooms))

    async def stop(self) -> None:
        """End all connections; what was done is in the store."""
        for room in self._rooms.values():
            room.close(RESTART, "the server is being closed")
        await self.crew.stop()
        await asyncio.gather(*(room.finish() for room in self._rooms.values()))


def _new_id() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


def _new_table(match: Match, seats: dict[int, StoredSeat], manners: dict[str, Any]) -> StoredTable:
    """A table with chance of its own, from where the match stands."""
    return StoredTable(
        _new_id(),
        match.game.id,
        match.players,
        match.options,
        seats,
        new_secret(),
        match.events,
        given=len(match.events),
        manners=manners,
    )


def _first_seats(wanted: Seats, key: str | None) -> dict[int, StoredSeat]:
    seats = {}
    for number, seat in enumerate(wanted):
        if isinstance(seat, You) and key:
            seats[number] = StoredSeat(seat.name, None, key_hash(key))
        elif isinstance(seat, BotSeat):
            if seat.bot not in BOTS:  # those for study may think as long as one likes
                raise ParlourError(f"there is no bot {seat.bot!r}; there are {', '.join(BOTS)}")
            seats[number] = StoredSeat(seat.name, seat.bot)
    return seats
