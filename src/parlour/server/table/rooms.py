"""The tables of a server process: it opens them, loads them from the store on demand, and unloads idle ones."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from parlour.bots import BOTS
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.matches.deals import commitment_of, new_secret
from parlour.engine.setup import Setup
from parlour.games import find_game, game_ids
from parlour.languages import gettext
from parlour.server.logs import note_outcome
from parlour.server.metrics import metrics
from parlour.server.store.database import ConflictError, StoreError
from parlour.server.store.failure_reasons import SILENT
from parlour.server.store.lobby_list import ListingOrigin
from parlour.server.store.store import Store
from parlour.server.store.stored_table import OpeningRequest, StoredRematch, StoredSeat, StoredTable
from parlour.server.store.table_reader import public_game
from parlour.server.store.table_rows import rematch_after
from parlour.server.table.again import table_again
from parlour.server.table.close_codes import Closing
from parlour.server.table.clubs.club_nights import ClubNights
from parlour.server.table.daily.days import Days
from parlour.server.table.daily.settings import HERE, DailySettings
from parlour.server.table.lobby import Lobby
from parlour.server.table.ownership_client import OwnershipClient
from parlour.server.table.people.distinct_names import distinct_name
from parlour.server.table.people.keys import key_hash, new_key
from parlour.server.table.people.rematch import next_seat, rematch_message
from parlour.server.table.people.seat_requests import SeatError
from parlour.server.table.players import Players
from parlour.server.table.push.push_notices import PushNotices
from parlour.server.table.push.settings import NO_PUSH, PushSettings
from parlour.server.table.ratings.levels import check_rated
from parlour.server.table.replays import ClosedError, replay_match, sealed_reason
from parlour.server.table.room import Room
from parlour.server.table.services import Services
from parlour.server.table.shares import WHOLE, Share
from parlour.server.table.state import TableState
from parlour.server.table.table_ids import may_be_id, new_table_id
from parlour.server.table.table_setup import BotSeat, NewTable, PlayAgain, PlayOn, Seating, Seats, You

ROOMS_KEPT = 200
"""Number of tables in memory above which idle ones are removed."""
SETTLED_SECONDS = 5.0
"""Seconds after its loading for which a table with viewers is not handed over to another server."""


class UnknownTableError(ParlourError):
    """There is no such table."""


class ClosedTableError(UnknownTableError):
    """The operator has closed the table."""


class MisdirectedError(ParlourError):
    """The table belongs to another worker."""


class KeyUsedError(ParlourError):
    """The key belongs to another request for a table."""


class Rooms:
    """The tables of a server process; each of several workers has its share of them.

    Attributes:
        services: the shared services of the tables.
        in_memory: the loaded tables by id, the last used last.
        lobby: the listed tables with an open seat.
        days: the days of the daily deals.
        players: the players with a key of their own.
        club_nights: the club nights.
        push: the notices to closed pages.
        ownership: the ownership of tables among the servers of a database.
        closing: whether the server is being closed; load balancers then send it no more clients (``/readyz``).
    """

    def __init__(
        self, store: Store, share: Share = WHOLE, daily: DailySettings = HERE, push: PushSettings = NO_PUSH
    ) -> None:
        self._store = store
        self._share = share
        self.services = Services()
        self.days = Days(store, self.services, daily)
        self.players = Players(store, self.services, self.days, self._show_ratings)
        self.club_nights = ClubNights(store, self.services)
        self.services.game_over = self._note_over
        self.push = PushNotices(store, push)
        self.services.announce = self.push.announce
        self.in_memory: dict[str, Room] = {}
        self.lobby = Lobby(store, self.services)
        self.ownership = OwnershipClient(store, self._grant_request, self._close_lost, self.lobby.discard)
        self.closing = False
        self._changing: dict[str, asyncio.Task[None]] = {}

    def _note_over(self, state: TableState) -> None:
        """Begin to store the results of a game that has just ended."""
        self.days.note_over(state)
        self.players.note_over(state)
        self.club_nights.note_over(state)

    def _show_ratings(self, table_id: str) -> None:
        """Show the changed ratings of a table, if it is in memory."""
        self.lobby.discard()
        if (room := self.in_memory.get(table_id)) is not None and not room.state.outdated:
            room.audience.show_seats(lambda viewer: ())

    async def open_table(self, opening: NewTable, listing: ListingOrigin | None = None) -> dict[str, Any]:
        """Open a table. Return its id, and the seat and the key of the person who opens it, if any.

        ``listing`` has the address under which a listed table counts.

        Raises:
            TooManyListedError: the address has its maximum number of tables in the lobby.
            ParlourError: the game, the options or the seats are not valid.
        """
        game = find_game(opening.game)
        match = Match(Setup(game, opening.players, dict(opening.options)))
        return await self._open(
            match, opening, _opening_request("", opening), (listing or ListingOrigin()) if opening.listed else None
        )

    async def play_on(self, room: Room, opening: PlayOn, host: str) -> dict[str, Any]:
        """Open a table that begins with the events of another one. Return the same as :meth:`open_table`.

        ``host`` is the address of the client.

        Raises:
            ClosedError: the other game is not over or sealed, so its cards are still hidden.
            ParlourError: the other game has fewer events, the new one would be rated, or the seats are not valid.
        """
        state, match = room.state, room.state.match
        if not state.over:
            raise ClosedError(
                gettext("the game is not over: a new table can be opened from it only when all its cards may be seen")
            )
        if state.sealed:
            raise ClosedError(sealed_reason(state))
        if opening.manners.rated:
            raise ParlourError(gettext("a game that goes on from another one is not rated: its beginning is known"))
        ended = len(match.events) + (state.ending is not None)  # a game ended by resignation can go on from its end
        if opening.seen >= ended:
            raise ParlourError(f"seen: must be less than {ended}, when the game was over")
        again = await self.services.compute(host, _beginning_of, match, opening.seen)
        return await self._open(again, opening, _opening_request(room.id, opening))

    async def _open(
        self, match: Match, opening: Seating, request: OpeningRequest | None, listing: ListingOrigin | None = None
    ) -> dict[str, Any]:
        if len(opening.seats) != match.players:
            raise ParlourError(f"{match.players} players need {match.players} seats, not {len(opening.seats)}")
        own = [number for number, seat in enumerate(opening.seats) if isinstance(seat, You)]
        if len(own) > 1:
            raise ParlourError(gettext("only one seat can be yours"))
        key = opening.key or new_key()
        first = _first_seats(opening.seats, key)
        if opening.manners.fill is not None:
            _check_bot(opening.manners.fill.bot)
        if opening.manners.rated:
            bots = [seat.bot for seat in opening.seats if isinstance(seat, BotSeat)]
            check_rated(match.setup, [*bots, opening.manners.fill.bot] if opening.manners.fill else bots)
        manners = {**opening.manners.to_store(), **({"opener": own[0]} if own else {})}
        table = _new_table(match, first, manners)
        opened, secret = await self._store_once(table, listing, request)
        seat = {"seat": own[0], "key": key} if own else {"seat": -1, "key": None}
        return {"table": opened, **seat, "commitment": commitment_of(secret)}

    async def _store_once(
        self, table: StoredTable, listing: ListingOrigin | None, request: OpeningRequest | None
    ) -> tuple[str, str]:
        """Store a new table, unless this request has opened one before. Return the id and the secret of that table."""
        if request is None:
            await self._store.run(self._store.add_table, table, listing)
            return table.id, table.secret
        before = await self._store.run(self._store.find_opened, request.key_hash)
        if before is None:
            try:
                await self._store.run(self._store.add_table, table, listing, request)
                return table.id, table.secret
            except ConflictError:  # the same request came twice at the same time
                before = await self._store.run(self._store.find_opened, request.key_hash)
        if before is None:
            raise StoreError(gettext("the table could not be saved; try again"))
        same, opened, secret = before
        if same != request:
            raise KeyUsedError(gettext("another table was opened with this key: make a new key for each table"))
        return opened, secret

    async def rematch(self, room: Room, key: str) -> dict[str, Any]:
        """Propose a rematch of a finished game for one of its players: a table like it, with the seats turned by one.

        The first player who does so has a seat there, with the same key; the seats of other people are open, so that
        the game begins when they accept. All viewers are notified, and also people who return to a seat here later. A
        table has one rematch, which every later request returns.

        Raises:
            SeatError: the key is not that of a seat.
            ClosedError: the game is not over.
        """
        state = room.state
        asking, players = state.seat_of(key), state.match.players
        if asking is None:
            raise SeatError(gettext("only a player of this game can propose a rematch"))
        if not state.over:
            raise ClosedError(gettext("the game is not over"))
        stay = {next_seat(at, players): seat for at, seat in state.seats.items() if seat.bot or at == asking}
        own = next_seat(asking, players)
        after = _new_table(Match(state.match.setup), stay, {**state.manners.to_store(), "opener": own})
        rematch = await asyncio.shield(room.start(self._add_rematch(room, after, {asking: own})))
        message = rematch_message(rematch, state, asking)
        return {
            "table": rematch.table,
            "seat": message.seat,
            "by": message.by,
            "commitment": commitment_of(rematch.secret),
        }

    async def play_again(self, room: Room, choice: PlayAgain) -> dict[str, Any]:
        """Open a table like one whose game is over (:func:`table_again`). A repeated request has the same table."""
        key = choice.key or new_key()
        table = table_again(room.state, choice, key, new_secret())
        content = hashlib.sha256(f"{room.id} {choice.what}".encode()).hexdigest()
        request = OpeningRequest(key_hash(key), content) if choice.key else None
        opened, secret = await self._store_once(table, None, request)
        return {"table": opened, "seat": table.manners["opener"], "key": key, "commitment": commitment_of(secret)}

    async def _add_rematch(self, room: Room, after: StoredTable, seats: dict[int, int]) -> StoredRematch:
        """Store the rematch of a room, unless it has one, and announce it. Return the stored one."""
        rematch = await self._store.run(self._store.add_rematch, room.id, after, seats)
        room.add_rematch(rematch)
        return rematch

    async def game_of(self, table_id: str) -> Game | None:
        """Return the game of a table, without loading the table.

        ``None`` if it is not public, since the operator has closed the table, or not known, since the database cannot
        be read or the game is missing.

        Raises:
            UnknownTableError: there is no such table.
        """
        if table_id in self.in_memory:
            return self.in_memory[table_id].state.match.game
        try:
            found = await self._store.run(self._store.read, public_game, table_id) if may_be_id(table_id) else None
        except StoreError:
            return None
        if found is None:
            raise UnknownTableError(gettext("there is no such table"))
        return find_game(found) if found in game_ids() else None

    @asynccontextmanager
    async def use(self, table_id: str, address: str = "") -> AsyncIterator[Room]:
        """Provide the room of a table, which stays in memory within the context.

        The ``address`` of the client whose request loads the table becomes its host (:attr:`TableState.host`).

        Raises:
            UnknownTableError: there is no such table, or the operator has closed it.
            MisdirectedError: the table belongs to another worker.
            ElsewhereError: another server has the table.
            BrokenTableError: the stored table is damaged.
            StoreError: the database cannot be read.
        """
        if not may_be_id(table_id):
            raise UnknownTableError(gettext("there is no such table"))
        if not self._share.has(table_id):
            raise MisdirectedError(
                gettext("another process of the server has this table: send the request on a new connection")
            )
        while (room := self.in_memory.get(table_id)) is None or room.state.outdated:
            await self._load_once(table_id, address)
        self.in_memory[table_id] = self.in_memory.pop(table_id)  # the last used is the last
        room.users += 1
        try:
            with suppress(StoreError):  # it stays sealed
                await self._unseal(room)
            yield room
        finally:
            room.users -= 1
            self._remove_idle()

    async def _unseal(self, room: Room) -> None:
        """Unseal a table once its day or its round is closed. Raises :class:`StoreError`."""
        state = room.state
        daily = state.opened.daily
        if not state.sealed:
            return
        if daily is not None:
            state.sealed = not await self.days.is_closed(daily.day)
        elif (club := await self.club_nights.of_table(room.id)) is not None and not club.open and state.sealed:
            state.end_round(club)
            room.audience.show_end_of_round(club.counts)

    async def unseal(self, table_id: str) -> None:
        """Unseal a table if it is in memory, and its day or its round is closed. Raises :class:`StoreError`."""
        if (room := self.in_memory.get(table_id)) is not None:
            await self._unseal(room)

    async def _load_once(self, table_id: str, host: str) -> None:
        """Load a table once for simultaneous requests, after a pending handover."""
        if table_id not in self._changing:
            self._change(self._load, table_id, host)
        await asyncio.shield(self._changing[table_id])

    def _change(self, change: Callable[..., Coroutine[Any, Any, None]], table_id: str, *more: Any) -> None:
        """Start to load, close or hand over a table; one such task at a time.

        The task itself makes the coroutine: a task that is cancelled before its first step leaves none unawaited.
        """

        async def run() -> None:
            try:
                await change(table_id, *more)
            finally:  # not in a callback, which runs later: waiting for a task that is done does not suspend the waiter
                del self._changing[table_id]

        self._changing[table_id] = asyncio.create_task(run())
        self._changing[table_id].add_done_callback(note_outcome)

    async def _load(self, table_id: str, host: str) -> None:
        await self.ownership.claim(table_id)
        table = await self._store.run(self._store.load, table_id)
        if table is None:
            raise UnknownTableError(gettext("there is no such table"))
        if table.closed:
            raise ClosedTableError(gettext("the operator of this room has closed this table"))
        match = await self.services.compute(host or table_id, replay_match, table)
        room = self.in_memory[table_id] = Room(table, match, self._store, self.services, host)
        if room.state.is_automatic_turn:
            room.wake()
        if room.state.over:
            self.players.note_over(room.state)
            self.club_nights.note_over(room.state)  # the server may have been killed at the end of the game
        metrics().tables.set(len(self.in_memory))

    def _grant_request(self, table_id: str, by: int) -> None:
        """Hand a table over to an instance that requests it, unless it was loaded here a moment ago for a viewer."""
        room = self.in_memory.get(table_id)
        new = room is not None and room.watched and self.services.now() - room.loaded < SETTLED_SECONDS
        if table_id not in self._changing and not new:
            self._change(self._hand_over, table_id, by)

    async def _hand_over(self, table_id: str, to: int | None = None) -> None:
        """Close a table between two events, and give it to another instance."""
        room = self.in_memory.get(table_id)
        if room is not None:
            await room.close_for_handover()
            self._drop(room)
            metrics().tables_moved.labels("handed over").inc()
        await self.ownership.release(table_id, to)

    async def renew(self, table_id: str) -> None:
        """Close a table that was changed in the database, as an order says; its clients connect again."""
        self.lobby.discard()
        while table_id in self._changing:
            await asyncio.wait([self._changing[table_id]])
        if table_id in self.in_memory:
            self._change(self._close, table_id)
            await self._changing[table_id]

    async def renew_players(self, table_id: str) -> None:
        """Read the players of a table's seats again, if it is in memory."""
        if (room := self.in_memory.get(table_id)) is not None:
            await self.players.read_links(room.state)
            room.audience.end_forgotten()

    async def renew_rematch(self, table_id: str) -> None:
        """Read the rematch of a table again, if it is in memory, and show all viewers who has accepted it."""
        if (room := self.in_memory.get(table_id)) is not None:
            room.state.rematch = await self._store.run(self._store.read, rematch_after, table_id)
            room.audience.show_rematch()

    async def _close(self, table_id: str) -> None:
        if (room := self.in_memory.get(table_id)) is not None:
            await room.renew()
            self._drop(room)

    def _close_lost(self, table_ids: Sequence[str]) -> None:
        """Close tables that other instances took while this one was disconnected from the database."""
        for table_id in table_ids:
            if table_id in self.in_memory:
                self.in_memory[table_id].close_outdated()
                metrics().tables_moved.labels("lost").inc()

    def close_all(self) -> None:
        """Close all tables after the loss of the database: other instances may have taken them."""
        for room in list(self.in_memory.values()):
            room.report_unsaved(StoreError(SILENT))
            room.close(Closing.ELSEWHERE, "the server has lost the database")
            self._drop(room)
            metrics().tables_moved.labels("lost").inc()

    async def drain(self, seconds: float) -> None:
        """Begin to close: report it to load balancers, and hand over all tables if another server runs.

        Args:
            seconds: the time before the first handover, in which load balancers turn to other servers.
        """
        self.closing = True
        await self.push.hurry()
        if not await self.ownership.leave():
            return
        await asyncio.sleep(seconds)
        self.ownership.refuse()
        for table_id in list(self.in_memory):
            while table_id in self._changing:
                await asyncio.wait([self._changing[table_id]])
            self._change(self._hand_over, table_id)
            await self._changing[table_id]

    def _remove_idle(self) -> None:
        for table_id, room in list(self.in_memory.items()):
            if len(self.in_memory) <= ROOMS_KEPT:
                return
            if room.idle:
                self._drop(room)
                self.ownership.release_later(table_id)

    def _drop(self, room: Room) -> None:
        """Remove a room from memory, unless another caller has done so."""
        if self.in_memory.get(room.id) is room:
            del self.in_memory[room.id]
        metrics().tables.set(len(self.in_memory))

    async def stop(self) -> None:
        """End all connections; all events are in the store."""
        for room in self.in_memory.values():
            room.close(Closing.RESTART, "the server is being closed")
        await self.services.stop()
        await self.days.stop()
        await self.players.stop()
        await self.club_nights.stop()
        await self.push.stop()
        await asyncio.gather(*(room.finish() for room in self.in_memory.values()))


def _new_table(match: Match, seats: dict[int, StoredSeat], manners: dict[str, Any]) -> StoredTable:
    """Return a new table with a secret of its own, which begins with the events of the match."""
    return StoredTable(
        new_table_id(),
        match.game.id,
        match.players,
        match.options,
        seats,
        new_secret(),
        match.events,
        prefix_length=len(match.events),
        manners=manners,
    )


def _opening_request(of: str, opening: Seating) -> OpeningRequest | None:
    """Return a request in its stored form, if it has a key; ``of`` is the table that it continues, if any.

    Defaults are left out, so that a request can be repeated at a program whose requests have further fields.
    """
    if opening.key is None:
        return None
    request = json.dumps([of, opening.model_dump(exclude={"key"}, exclude_defaults=True)], sort_keys=True)
    return OpeningRequest(key_hash(opening.key), hashlib.sha256(request.encode()).hexdigest())


def _first_seats(places: Seats, key: str) -> dict[int, StoredSeat]:
    """Return the taken seats of a new table. Bots whose names others have get numbers."""
    people = {number: seat for number, seat in enumerate(places) if isinstance(seat, You)}
    bots = {number: seat for number, seat in enumerate(places) if isinstance(seat, BotSeat)}
    seats = {number: StoredSeat(person.name, None, key_hash(key)) for number, person in people.items()}
    for number, bot in bots.items():
        _check_bot(bot.bot)
        seats[number] = StoredSeat(distinct_name(bot.name, [other.name for other in seats.values()]), bot.bot)
    return seats


def _check_bot(bot: str) -> None:
    """Raise :class:`ParlourError` if a bot may not play here."""
    if bot not in BOTS:  # bots for study have no time limit
        raise ParlourError(f"there is no bot {bot!r}; there are {', '.join(BOTS)}")


def _beginning_of(match: Match, events: int) -> Match:
    """Return a match with the first events of another one."""
    again = Match(match.setup)
    for event in match.events[:events]:
        again.apply_event(event)
    return again
