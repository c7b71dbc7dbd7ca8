"""A table in play: a match, its seats, its bots and those who look on. Every event is stored before it happens."""

import asyncio
import hashlib
import hmac
import os
import secrets
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from parlour.bots import choose_at_random, find_bot, sight_of
from parlour.engine.chance import new_stream
from parlour.engine.deals import commitment_of, deal_of, draw_committed
from parlour.engine.errors import ParlourError
from parlour.engine.game import Refusal
from parlour.engine.match import Event, Match, loosely
from parlour.engine.records import Record, record_of
from parlour.engine.rules import CHANCE
from parlour.engine.views import SPECTATOR, actor_json
from parlour.games import find_game
from parlour.server.database import ConflictError, StoreError
from parlour.server.logs import note_failure
from parlour.server.metrics import metrics
from parlour.server.replays import ClosedError, Part, scenes_of
from parlour.server.store import Store, StoredSeat, StoredTable
from parlour.server.viewers import Rewatch, Viewer, Watch, play_event
from parlour.tables import find_table

RETRY_SECONDS = 5.0
"""After so long what could not be stored is tried again."""
FAILED = 1011
RESTART = 1012
"""Codes with which a connection is closed (RFC 6455): something failed; it is to be made anew."""

Answer = TypeVar("Answer")


class SeatError(ParlourError):
    """The seat is taken."""


class BrokenTableError(ParlourError):
    """The events in the store are not a game."""


def key_hash(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def replayed(table: StoredTable) -> Match:
    """The match of a stored table. Raises :class:`BrokenTableError`."""
    try:
        find_table(table.game)
        match = Match(find_game(table.game), table.players, table.options)
        for number, seat in table.seats.items():
            if number not in range(table.players):
                raise ValueError("a seat that the game does not have")
            find_bot(seat.bot or "random")
        deal_of(table.secret)
    except (ParlourError, LookupError, TypeError, ValueError):
        raise _broken("what is played and by whom") from None
    for event in table.events:
        try:
            play_event(match, event)
        except Exception as error:
            note_failure("a stored table does not replay", error)
            raise _broken(f"its event {len(match.events) + 1}") from None
    return match


def _broken(what: str) -> BrokenTableError:
    return BrokenTableError(f"this table cannot be opened again: {what} is damaged in the database")


class Room:
    """One table.

    Attributes:
        match: the game.
        seats: who has which seat; an open one has no entry.
        viewers: the connections.
        users: how many are busy with the room, so that it is not cleared away under them.
        outdated: whether it is to be loaded again from the store, since it does not agree with it or is closed.
    """

    def __init__(self, table: StoredTable, match: Match, store: Store, thinkers: ThreadPoolExecutor) -> None:
        self.id = table.id
        self.match = match
        self.seats = dict(table.seats)
        self._secret = table.secret
        self._given = table.given
        self.viewers: set[Viewer] = set()
        self.users = 0
        self.outdated = False
        self._store = store
        self._thinkers = thinkers
        self._lock = asyncio.Lock()
        self._watches: dict[int, Watch] = {}
        self._streams = {seat: new_stream(int.from_bytes(os.urandom(7))) for seat in range(match.players)}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._driver: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._troubled = False

    @property
    def seen(self) -> int:
        """How many events there have been."""
        return len(self.match.events)

    @property
    def begun(self) -> bool:
        """Whether every seat is taken."""
        return len(self.seats) == self.match.players

    @property
    def idle(self) -> bool:
        """Whether nothing is lost if the room is cleared away: all is in the store."""
        return not (self.users or self.viewers or self._tasks)

    @property
    def names(self) -> list[str]:
        """What the players are called."""
        return [
            self.seats[seat].name if seat in self.seats else f"Seat {seat + 1}" for seat in range(self.match.players)
        ]

    def about(self) -> dict[str, Any]:
        """What anyone may know of the table."""
        seats = []
        for number in range(self.match.players):
            seat = self.seats.get(number)
            kind = "open" if seat is None else "bot" if seat.bot else "person"
            seats.append({"name": seat.name if seat else "", "kind": kind, "taken": seat is not None})
        return {
            "table": self.id,
            "game": self.match.game.id,
            "title": self.match.game.title,
            "players": self.match.players,
            "options": self.match.options,
            "seats": seats,
            "begun": self.begun,
            "over": self.match.over,
            "actor": actor_json(self.match.actor) if self.begun else None,
            "seen": self.seen,
            "commitment": commitment_of(self._secret),
        }

    def record(self) -> Record | None:
        """The record with the players' names and the secret that was committed to, when the game is over."""
        if not self.match.over:
            return None
        return {**record_of(self.match), "names": self.names, "deal": deal_of(self._secret, self._given)}

    async def replay(self, part: Part, key: str | None) -> list[dict[str, Any]]:
        """The scenes of a part of the game. While it goes on, only spectators' and, with its key, a seat's own.

        Raises:
            ClosedError: somebody else's view is wanted, and the game is not over.
        """
        ended = self.match.over
        own = key is not None and part.viewer == self.seat_of(key)
        if not (ended or own or part.viewer == SPECTATOR):
            raise ClosedError("the game is not over: that view would show hidden cards")
        game, players, options = self.match.game, self.match.players, self.match.options
        wanted = (game, players, options, list(self.match.events), self.names, part, ended)
        return await asyncio.get_running_loop().run_in_executor(self._thinkers, scenes_of, *wanted)

    def seat_of(self, key: str) -> int | None:
        """The seat that a key opens."""
        given = key_hash(key)
        fits = [n for n, seat in self.seats.items() if seat.key_hash and hmac.compare_digest(seat.key_hash, given)]
        return fits[0] if fits else None

    # Those who look on

    async def enter(self, viewer: Viewer) -> None:
        """Show a viewer the table as it is, and from now on whatever happens."""
        watch = await self._watch(viewer.seat)
        viewer.send({"type": "table", **self.about(), "seat": viewer.seat})
        viewer.send_all(watch)
        self.viewers.add(viewer)
        metrics().connections.inc()
        self.wake()

    def leave(self, viewer: Viewer) -> None:
        """The connection is gone."""
        if viewer in self.viewers:
            self.viewers.remove(viewer)
            metrics().connections.dec()

    async def _watch(self, seat: int) -> Watch:
        """What this seat has been shown; made by replay, beside the loop, when it is asked for the first time."""
        if seat not in self._watches:
            rewatch = Rewatch(self.match.game, self.match.players, self.match.options, seat, self.names)
            if self.match.events:
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._thinkers, rewatch.advance, list(self.match.events))
                rewatch.advance(self.match.events)
            self._watches.setdefault(seat, rewatch.watch)
        return self._watches[seat]

    def _tell_event(self) -> None:
        try:
            for watch in self._watches.values():
                watch.advance(self.match, self.names)
            for viewer in self.viewers:
                viewer.send_scene(self._watches[viewer.seat])
        except Exception as error:
            note_failure("a scene could not be laid out", error)
            self._watches.clear()
            for viewer in self.viewers:
                viewer.end(FAILED, "the table could not be shown")

    def _tell_table(self) -> None:
        for watch in self._watches.values():
            watch.look(self.match, self.names)
        for viewer in self.viewers:
            viewer.send({"type": "table", **self.about(), "seat": viewer.seat})
            viewer.send_scene(self._watches[viewer.seat])

    def close(self, code: int, reason: str) -> None:
        """End every connection and stop the bots; what has happened is in the store."""
        self.outdated = True
        for viewer in self.viewers:
            viewer.end(code, reason)
        if self._retry:
            self._retry.cancel()

    async def finish(self) -> None:
        """Wait for what is being stored."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What happens

    async def take_seat(self, number: int, name: str) -> str:
        """Give an open seat, or a bot's, to somebody, and the key to it. Raises :class:`SeatError` if it is taken."""
        key = await self._kept(self._take_seat(number, name))
        self.wake()
        return key

    async def _take_seat(self, number: int, name: str) -> str:
        async with self._lock:
            if number not in range(self.match.players):
                raise ParlourError(f"there is no seat {number}; the seats are 0 to {self.match.players - 1}")
            if number in self.seats and (self.seats[number].bot is None or self.match.over):
                raise SeatError(f"seat {number} is taken")
            if self.outdated:
                raise StoreError("the table has moved on; try again")
            key = new_key()
            seat = StoredSeat(name, None, key_hash(key))
            keep = self._store.replace_bot if number in self.seats else self._store.take_seat
            try:
                await self._store.run(keep, self.id, number, seat)
            except ConflictError:
                self.close(RESTART, "the table has moved on")
                raise SeatError(f"seat {number} is taken") from None
            self.seats[number] = seat
            self._tell_table()
            return key

    async def do(self, viewer: Viewer, typed: str, seen: int) -> None:
        """Let a player act. What comes of it is sent to everyone, or a refusal to the player."""
        await self._kept(self._do(viewer, typed, seen))
        self.wake()

    async def _do(self, viewer: Viewer, typed: str, seen: int) -> None:
        async with self._lock:
            if self.outdated:
                self.refuse(viewer, "The table has moved on; try again.", typed)
                return
            if self._doubled(viewer.seat, typed, seen):
                viewer.send_scene(self._watches[viewer.seat])
                return
            if viewer.seat != SPECTATOR and self.begun and seen != len(self.match.events):
                self.refuse(viewer, f"That was decided after {seen} events, but now there are {self.seen}.", typed)
                viewer.send_scene(self._watches[viewer.seat])
                return
            refusal = self._refusal(viewer.seat, typed)
            if refusal:
                self.refuse(viewer, refusal.reason, typed, refusal.clause)
                return
            try:
                await self._happen(Event(viewer.seat, self.match.complete_action(typed)))
            except StoreError as error:
                self.refuse(viewer, f"the table could not be saved: {error}", typed)

    def why(self, viewer: Viewer, typed: str) -> None:
        """Tell a viewer why something may not be done now."""
        refusal = self._refusal(viewer.seat, typed) or Refusal("", "This is legal.")
        viewer.send({"type": "why", "do": typed, "reason": refusal.reason, "clause": refusal.clause})

    def refuse(self, viewer: Viewer, reason: str, typed: str = "", clause: str = "") -> None:
        """Tell a viewer that something is not done."""
        metrics().refusals.inc()
        viewer.send({"type": "refused", "do": typed, "reason": reason, "clause": clause, "seen": self.seen})

    def _doubled(self, seat: int, typed: str, seen: int) -> bool:
        """Whether exactly this has been done already: the answer got lost, or somebody clicked twice."""
        if seat == SPECTATOR or seen not in range(self.seen):
            return False
        event = self.match.events[seen]
        return event.by == seat and loosely(event.do) == loosely(typed)

    def _refusal(self, seat: int, typed: str) -> Refusal | None:
        """Why a seat may not do this now. Only the seat to act is told by the rules: it may know what they speak of."""
        if seat == SPECTATOR:
            return Refusal("", "You are only looking on.")
        if not self.begun:
            return Refusal("", "The game has not begun: a seat is still open.")
        if self.match.over:
            return Refusal("", "The game is over.")
        if self.match.actor != seat:
            whose = (
                "The cards are being dealt" if self.match.actor == CHANCE else f"It is the turn of {self._actor_name}"
            )
            return Refusal("", f"{whose}.")
        text = self.match.complete_action(typed)
        return None if text in self.match.legal() else self.match.refusal(text)

    @property
    def _actor_name(self) -> str:
        return self.names[self.match.actor]

    async def _happen(self, event: Event) -> None:
        """Store an event, then carry it out, then show it. Needs the lock.

        Raises:
            StoreError: it could not be stored, so it has not happened.
        """
        try:
            with metrics().append.time():
                await self._store.append(self.id, self.seen, event)
        except ConflictError:
            self.close(RESTART, "the table has moved on")
            raise
        except StoreError:
            metrics().failures.inc()
            raise
        play_event(self.match, event)
        metrics().events.labels(self.match.game.id, self._kind_of(event.by)).inc()
        with metrics().tell.time():
            self._tell_event()

    def _kind_of(self, by: int) -> str:
        return "chance" if by == CHANCE else "bot" if self.seats[by].bot else "person"

    async def _kept(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        """Finish something even if the one who asked for it is gone, so that match and store never differ."""
        return await asyncio.shield(self._start(coroutine))

    def _start(self, coroutine: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Bots and chance

    def _goes_on(self) -> bool:
        """Whether what comes next needs no person."""
        if not self.begun or self.outdated or self.match.over:
            return False
        return self.match.actor == CHANCE or self.seats[self.match.actor].bot is not None

    def wake(self) -> None:
        """Let the bots go on, if it is their turn and they do not already."""
        if self._goes_on() and (self._driver is None or self._driver.done()):
            self._driver = self._start(self._drive())

    async def _drive(self) -> None:
        try:
            while self._goes_on():
                event = Event(self.match.actor, await self._next_outcome())
                async with self._lock:
                    if self._goes_on():  # unless somebody has taken the bot's seat meanwhile
                        await self._happen(event)
                self._troubled = False
        except ConflictError:
            return
        except StoreError as error:
            self._try_later(error)
        except Exception as error:
            note_failure("a table stands still", error)

    async def _next_outcome(self) -> str:
        if self.match.actor == CHANCE:
            return draw_committed(self.match, self._secret)
        seat = self.match.actor
        sight = sight_of(self.match, self._streams[seat])
        bot = find_bot(self.seats[seat].bot or "")
        try:
            loop = asyncio.get_running_loop()
            action = await loop.run_in_executor(self._thinkers, bot.choose, sight)
            if action not in self.match.actions():
                raise ValueError("not a legal action")
        except Exception as error:
            note_failure(f"the bot {bot.id} failed at {self.match.game.id}", error)
            action = choose_at_random(sight)
        return self.match.action_name(action)

    def _try_later(self, error: StoreError) -> None:
        """The bots cannot go on: say so once, and try again while somebody looks on."""
        if not self._troubled:
            for viewer in self.viewers:
                self.refuse(viewer, f"the table could not be saved: {error}")
        self._troubled = True
        if self._retry:
            self._retry.cancel()
        self._retry = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._try_again)

    def _try_again(self) -> None:
        if self.viewers:
            self.wake()


def new_key() -> str:
    """A key that nobody can guess (192 bits)."""
    return secrets.token_urlsafe(24)
