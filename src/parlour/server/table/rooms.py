"""All tables: opened, found again in the store when somebody asks, cleared from memory when nobody does."""

import asyncio
import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

from parlour.bots import BOTS
from parlour.engine.deals import commitment_of, new_secret
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.logs import note_outcome
from parlour.server.metrics import metrics
from parlour.server.store.database import SILENT, ConflictError, StoreError
from parlour.server.store.listed import Listing
from parlour.server.store.store import OpeningRequest, Store, StoredRematch, StoredSeat, StoredTable
from parlour.server.store.table_reader import has_table
from parlour.server.table.close_codes import Closing
from parlour.server.table.events import play_events
from parlour.server.table.keys import key_hash, new_key
from parlour.server.table.lobby import Lobby
from parlour.server.table.ownership_client import Owners
from parlour.server.table.rematch import next_seat
from parlour.server.table.replays import ClosedError, replayed
from parlour.server.table.room import Room
from parlour.server.table.seat_requests import SeatError
from parlour.server.table.services import Services
from parlour.server.table.shares import WHOLE, Share
from parlour.server.table.table_setup import BotSeat, NewTable, PlayOn, Seating, Seats, You

ROOMS_KEPT = 200
"""Empty tables kept in memory."""
SETTLED_SECONDS = 5.0
"""Seconds that a table stays where somebody has come to it, whoever else wants it."""
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 14  # 69 bits


class UnknownTableError(ParlourError):
    """There is no such table."""


class ClosedTableError(UnknownTableError):
    """The operator has closed the table."""


class MisdirectedError(ParlourError):
    """The table is kept by another worker."""


class KeyUsedError(ParlourError):
    """A key of the client's making has been used for something else."""


class Rooms:
    """The tables of a server, and their ``services``. Of several workers each keeps its share of them.

    Attributes:
        in_memory: the tables that need not be loaded, by id, the last used last.
        services: where bots think.
        lobby: those with an open seat, for everyone.
        owners: who else has tables.
        closing: whether nobody new is to be sent here.
    """

    def __init__(self, store: Store, share: Share = WHOLE) -> None:
        self._store = store
        self._share = share
        self.services = Services()
        self.in_memory: dict[str, Room] = {}
        self.lobby = Lobby(store)
        self.owners = Owners(store, self._wanted, self._lost, self.lobby.changed)
        self.closing = False
        self._changing: dict[str, asyncio.Task[None]] = {}

    async def open_table(self, wanted: NewTable, listing: Listing | None = None) -> dict[str, Any]:
        """Open a table. Returns its id, and the seat and the key of the one who asked, if any.

        ``listing`` says for whom a table that is to be listed counts.

        Raises:
            TooManyListedError: it is listed, and the address has as many tables in the lobby as it may have.
            ParlourError: the game, the options or the seats are not right.
        """
        game = find_game(wanted.game)
        match = Match(Setup(game, wanted.players, dict(wanted.options)))
        return await self._open(match, wanted, _asked("", wanted), (listing or Listing()) if wanted.listed else None)

    async def play_on(self, room: Room, wanted: PlayOn) -> dict[str, Any]:
        """Open a table that begins with what happened at another; answers like :meth:`open_table`.

        Raises:
            ClosedError: the other game is not over, so that its cards are still hidden.
            ParlourError: it has no such moment, or the seats are not right.
        """
        match = room.state.match
        if not match.over:
            raise ClosedError("the game is not over: it can only be played on from when all may be seen")
        if wanted.seen >= len(match.events):
            raise ParlourError(f"seen: must be less than {len(match.events)}, when the game was over")
        again = Match(match.setup)
        await self.services.compute(play_events, again, match.events[: wanted.seen])
        return await self._open(again, wanted, _asked(room.id, wanted))

    async def _open(
        self, match: Match, wanted: Seating, asked: OpeningRequest | None, listing: Listing | None = None
    ) -> dict[str, Any]:
        if len(wanted.seats) != match.players:
            raise ParlourError(f"{match.players} players need {match.players} seats, not {len(wanted.seats)}")
        own = [number for number, seat in enumerate(wanted.seats) if isinstance(seat, You)]
        if len(own) > 1:
            raise ParlourError("only one seat can be yours")
        key = wanted.key or new_key()
        first = _first_seats(wanted.seats, key)
        manners = {**wanted.manners.model_dump(), **({"opener": own[0]} if own else {})}
        table = _new_table(match, first, manners)
        opened, secret = await self._kept_once(table, listing, asked)
        seat = {"seat": own[0], "key": key} if own else {"seat": -1, "key": None}
        return {"table": opened, **seat, "commitment": commitment_of(secret)}

    async def _kept_once(
        self, table: StoredTable, listing: Listing | None, asked: OpeningRequest | None
    ) -> tuple[str, str]:
        """Store a new table, unless it was asked for before. The id and the secret of whichever it is."""
        if asked is None:
            await self._store.run(self._store.add_table, table, listing)
            return table.id, table.secret
        before = await self._store.run(self._store.find_opened, asked.key_hash)
        if before is None:
            try:
                await self._store.run(self._store.add_table, table, listing, asked)
                return table.id, table.secret
            except ConflictError:  # the same request came twice at once
                before = await self._store.run(self._store.find_opened, asked.key_hash)
        if before is None:
            raise StoreError("the table could not be saved; try again")
        same, opened, secret = before
        if same != asked:
            raise KeyUsedError("another table was opened with this key: make a new key for each table")
        return opened, secret

    async def rematch(self, room: Room, key: str) -> dict[str, Any]:
        """Open a table like another whose game is over, seats next_seat by one, for everyone who is still there.

        Whoever stays keeps the key; the seats of those who have gone when it is first asked for are open. Everyone
        there is told, and whoever has a seat here and comes back. However often it is asked for, it is one table.

        Raises:
            SeatError: the key is not that of the one who opened the table.
            ClosedError: the game is not over.
        """
        state = room.state
        opener, players = state.opener, state.match.players
        if opener is None or state.seat_of(key) != opener:
            raise SeatError("only who opened the table opens another like it")
        if not state.match.over:
            raise ClosedError("the game is not over")
        stay = {
            next_seat(at, players): seat
            for at, seat in state.seats.items()
            if seat.bot or at in state.presence.people or at == opener
        }
        own = next_seat(opener, players)
        manners = {**state.manners.model_dump(), "opener": own}
        after = _new_table(Match(state.match.setup), stay, manners)
        rematch = await asyncio.shield(room.start(self._add_rematch(room, after)))
        return {"table": rematch.table, "seat": own, "commitment": commitment_of(rematch.secret)}

    async def _add_rematch(self, room: Room, after: StoredTable) -> StoredRematch:
        """Have one other game follow a room's, and tell everyone there of it. Returns which it is."""
        rematch = await self._store.run(self._store.add_rematch, room.id, after)
        room.add_rematch(rematch)
        return rematch

    async def has(self, table_id: str) -> bool:
        """Whether there is a table of this id, wherever it is kept; true as well while the database cannot be read."""
        if table_id in self.in_memory:
            return True
        try:
            return _may_be_id(table_id) and await self._store.run(self._store.read, has_table, table_id)
        except StoreError:
            return True

    @asynccontextmanager
    async def use(self, table_id: str, address: str = "") -> AsyncIterator[Room]:
        """The room of a table, kept in memory meanwhile.

        The ``address`` of the client that has it loaded becomes the table's host (:attr:`TableState.host`).

        Raises:
            UnknownTableError: there is none, or the operator has closed it.
            MisdirectedError: it is not for this worker.
            ElsewhereError: another server has it.
            BrokenTableError: what is stored of it is no game.
            StoreError: the database cannot be read.
        """
        if not _may_be_id(table_id):
            raise UnknownTableError("there is no such table")
        if not self._share.has(table_id):
            raise MisdirectedError("this connection leads to another part of the server: ask on a new one")
        while (room := self.in_memory.get(table_id)) is None or room.state.outdated:
            await self._load_once(table_id, address)
        self.in_memory[table_id] = self.in_memory.pop(table_id)  # the last used stands last
        room.users += 1
        try:
            yield room
        finally:
            room.users -= 1
            self._clear_away()

    async def _load_once(self, table_id: str, host: str) -> None:
        """However many ask at once, a table is loaded once; one that is being handed over is gone first."""
        if table_id not in self._changing:
            self._change(table_id, self._load(table_id, host))
        await asyncio.shield(self._changing[table_id])

    def _change(self, table_id: str, coroutine: Coroutine[Any, Any, None]) -> None:
        """Let a table come or go, one after the other."""
        self._changing[table_id] = asyncio.create_task(coroutine)
        self._changing[table_id].add_done_callback(lambda _: self._changing.pop(table_id))
        self._changing[table_id].add_done_callback(note_outcome)

    async def _load(self, table_id: str, host: str) -> None:
        await self.owners.claim(table_id)
        table = await self._store.run(self._store.load, table_id)
        if table is None:
            raise UnknownTableError("there is no such table")
        if table.closed:
            raise ClosedTableError("the operator of this room has closed this table")
        match = await self.services.compute(replayed, table)
        room = self.in_memory[table_id] = Room(table, match, self._store, self.services, host)
        if room.state.goes_on:
            room.wake()
        metrics().tables.set(len(self.in_memory))

    def _wanted(self, table_id: str, by: int) -> None:
        """Another instance is asked for a table: it may have it, unless people have only just come to it here."""
        room = self.in_memory.get(table_id)
        new = room is not None and room.watched and self.services.now() - room.loaded < SETTLED_SECONDS
        if table_id not in self._changing and not new:
            self._change(table_id, self._hand_over(table_id, by))

    async def _hand_over(self, table_id: str, to: int | None = None) -> None:
        """Close a table between two events, and let another instance go on."""
        room = self.in_memory.get(table_id)
        if room is not None:
            await room.move_away()
            self._drop(room)
            metrics().moved.labels("handed over").inc()
        await self.owners.give(table_id, to)

    async def renew(self, table_id: str) -> None:
        """Close a table that a command has changed in the database; its people connect again, and find it changed."""
        self.lobby.changed()
        while table_id in self._changing:
            await asyncio.wait([self._changing[table_id]])
        if table_id in self.in_memory:
            self._change(table_id, self._close(self.in_memory[table_id]))
            await self._changing[table_id]

    async def _close(self, room: Room) -> None:
        await room.renew()
        self._drop(room)

    def _lost(self, table_ids: Sequence[str]) -> None:
        """Other instances have taken tables while nothing was heard of them here."""
        for table_id in table_ids:
            if table_id in self.in_memory:
                self.in_memory[table_id].move_on()
                metrics().moved.labels("lost").inc()

    def cut_off(self) -> None:
        """Say that nothing can be saved, and let all tables go: other instances may have taken them by now."""
        for room in list(self.in_memory.values()):
            room.not_saved(StoreError(SILENT))
            room.close(Closing.ELSEWHERE, "the server has lost the database")
            self._drop(room)
            metrics().moved.labels("lost").inc()

    async def drain(self, seconds: float) -> None:
        """Say that nobody is to be sent here any more, and hand over all tables, if another server is there.

        Args:
            seconds: until the first table goes, so that it is noticed.
        """
        self.closing = True
        if not await self.owners.leave():
            return
        await asyncio.sleep(seconds)
        self.owners.refuse()
        for table_id in list(self.in_memory):
            while table_id in self._changing:
                await asyncio.wait([self._changing[table_id]])
            self._change(table_id, self._hand_over(table_id))
            await self._changing[table_id]

    def _clear_away(self) -> None:
        for table_id, room in list(self.in_memory.items()):
            if len(self.in_memory) <= ROOMS_KEPT:
                return
            if room.idle:
                self._drop(room)
                self.owners.let_go(table_id)

    def _drop(self, room: Room) -> None:
        """Have a room in memory no longer. Another caller may have dropped it meanwhile."""
        if self.in_memory.get(room.id) is room:
            del self.in_memory[room.id]
        metrics().tables.set(len(self.in_memory))

    async def stop(self) -> None:
        """End all connections; what was done is in the store."""
        for room in self.in_memory.values():
            room.close(Closing.RESTART, "the server is being closed")
        await self.services.stop()
        await asyncio.gather(*(room.finish() for room in self.in_memory.values()))


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


def _asked(of: str, wanted: Seating) -> OpeningRequest | None:
    """With which key what was asked for, as it is kept; ``of`` is the table that is played on from, if any."""
    if wanted.key is None:
        return None
    request = json.dumps([of, wanted.model_dump(exclude={"key"})], sort_keys=True)
    return OpeningRequest(key_hash(wanted.key), hashlib.sha256(request.encode()).hexdigest())


def _first_seats(wanted: Seats, key: str) -> dict[int, StoredSeat]:
    seats = {}
    for number, seat in enumerate(wanted):
        if isinstance(seat, You):
            seats[number] = StoredSeat(seat.name, None, key_hash(key))
        elif isinstance(seat, BotSeat):
            if seat.bot not in BOTS:  # those for study may think as long as one likes
                raise ParlourError(f"there is no bot {seat.bot!r}; there are {', '.join(BOTS)}")
            seats[number] = StoredSeat(seat.name, seat.bot)
    return seats


def _may_be_id(table_id: str) -> bool:
    """Whether a text looks like the id of a table."""
    return table_id.isalnum() and table_id.isascii() and len(table_id) <= 40
