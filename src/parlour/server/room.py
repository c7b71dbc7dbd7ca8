"""A table in play: a match, its seats, its bots and those who look on. Every event is stored before it happens."""

import asyncio
import hmac
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from parlour.engine.deals import commitment_of, deal_of, draw_committed
from parlour.engine.game import Refusal
from parlour.engine.match import Event, Match, loosely
from parlour.engine.records import Record
from parlour.engine.rules import CHANCE
from parlour.engine.views import SPECTATOR, actor_json
from parlour.render.text import scene_text
from parlour.server.company import Company, manners_of
from parlour.server.crew import Crew
from parlour.server.database import ConflictError, StoreError
from parlour.server.driver import Driver
from parlour.server.following import rematch_json
from parlour.server.hints import Hints, hints_given
from parlour.server.keys import key_hash
from parlour.server.logs import note_failure
from parlour.server.messages import TakeSeat
from parlour.server.metrics import metrics
from parlour.server.people import People, now
from parlour.server.replays import ClosedError, Part, scenes_of
from parlour.server.sitting import Sitting
from parlour.server.store import TAKEN_BACK, Store, StoredSeat, StoredTable
from parlour.server.viewers import Rewatch, Viewer, Watch, play_event
from parlour.tables import find_table

NO_ACTION = "These do not go together: nothing can be done with them."
_REASONS = 3
"""So many reasons at most are given at once."""
FAILED = 1011
RESTART = 1012
"""Codes with which a connection is closed (RFC 6455): something failed; it is to be made anew."""

Answer = TypeVar("Answer")


def about(table: StoredTable, match: Match, seats: Mapping[int, StoredSeat], seen: int) -> dict[str, Any]:
    """What anyone may know of a table where ``seen`` events have been stored."""
    begun = len(seats) == match.players
    manners = manners_of(table)
    return {
        "table": table.id,
        "game": match.game.id,
        "title": match.game.title,
        "players": match.players,
        "options": match.options,
        "seats": [_seat_json(seats.get(number)) for number in range(match.players)],
        "begun": begun,
        "over": match.over,
        "actor": actor_json(match.actor) if begun else None,
        "manners": manners.model_dump(),
        "hints": hints_given(seats, manners.hints),
        "take_over": begun and not match.over and Company(manners, seats).gives_bots_seats,
        "seen": seen,
        "commitment": commitment_of(table.secret),
        "given": table.given,
    }


def _seat_json(seat: StoredSeat | None) -> dict[str, Any]:
    kind = "open" if seat is None else "bot" if seat.bot else "person"
    return {"name": seat.name if seat else "", "kind": kind, "taken": seat is not None}


class Room:
    """One table.

    Attributes:
        match: the game.
        history: all events as they are stored, in order.
        stood_in: the numbers of those that a bot decided for a person.
        people: the company at the table.
        crew: threads for what takes long.
        seats: who has which seat; an open one has no entry.
        viewers: the connections.
        following: the other game that was opened after this one.
        users: how many are busy with the room, so that it is not cleared away under them.
        outdated: whether it is to be loaded again from the store, since it does not agree with it or is closed.
    """

    def __init__(self, table: StoredTable, match: Match, store: Store, crew: Crew) -> None:
        self.id = table.id
        self.match = match
        self.seats = dict(table.seats)
        self._table = replace(table, events=(), spent={}, stood_in=frozenset(), said=(), following=None)
        self.history = list(table.events)
        self.stood_in = set(table.stood_in)
        self.viewers: set[Viewer] = set()
        self.following = table.following
        self.users = 0
        self.outdated = False
        self._store = store
        self.crew = crew
        self._lock = asyncio.Lock()
        self._watches: dict[int, Watch] = {}
        self._earlier: Match | None = None  # as it was before a person's action, the last event
        self._tasks: set[asyncio.Task[Any]] = set()
        self.people = People(self, table, store)
        self._driver = Driver(self)
        self._sitting = Sitting(self, store, self._lock)
        self._hints = Hints(crew, self.people.company.manners.hints)

    @property
    def seen(self) -> int:
        """How many events there have been, with those that were taken back and the taking back."""
        return len(self.history)

    @property
    def begun(self) -> bool:
        """Whether every seat is taken."""
        return len(self.seats) == self.match.players

    @property
    def goes_on(self) -> bool:
        """Whether what comes next needs no person."""
        if not self.begun or self.outdated or self.match.over:
            return False
        return self.match.actor == CHANCE or self.people.company.bot_for(self.match.actor) is not None

    @property
    def storing(self) -> bool:
        """Whether something is just being stored, so that what is now may be over."""
        return self._lock.locked()

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
        return about(self._table, self.match, self.seats, self.seen)

    def record(self) -> Record | None:
        """The record with the players' names and the secret that was committed to, when the game is over."""
        if not self.match.over:
            return None
        return {**self.match.record(), "names": self.names, "deal": deal_of(self._table.secret, self._table.given)}

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
        return await self.crew.helped(scenes_of, *wanted)

    def seat_of(self, key: str) -> int | None:
        """The seat that a key opens."""
        given = key_hash(key)
        fits = [n for n, seat in self.seats.items() if seat.key_hash and hmac.compare_digest(seat.key_hash, given)]
        return fits[0] if fits else None

    # Those who look on

    async def enter(self, viewer: Viewer) -> None:
        """Show a viewer the table as it is, and from now on whatever happens."""
        watch = await self._watch(viewer.seat)
        if self.outdated:  # meanwhile, and nobody will be told anything here any more
            viewer.end(RESTART, "the table has moved on")
            return
        viewer.send({"type": "table", **self.about(), "seat": viewer.seat})
        viewer.send_all(watch)
        self.viewers.add(viewer)
        metrics().connections.inc()
        if self.following and viewer.seat != SPECTATOR:
            viewer.send(rematch_json(self.following, self.seats, self.match.players, viewer.seat))
        self.people.came(viewer)
        self.wake()

    def leave(self, viewer: Viewer) -> None:
        """The connection is gone."""
        if viewer in self.viewers:
            self.viewers.remove(viewer)
            metrics().connections.dec()
            self.people.went(viewer)

    async def _watch(self, seat: int) -> Watch:
        """What this seat has been shown; made by replay, beside the loop, when it is asked for the first time."""
        if seat not in self._watches:
            match = self.match
            rewatch = Rewatch(match.game, match.players, match.options, seat, self.names)
            if self.history:
                await self.crew.helped(rewatch.advance, list(self.history), self.stood_in)
                rewatch.advance(self.history, self.stood_in)
            self._watches.setdefault(seat, rewatch.watch)
        return self._watches[seat]

    def _tell_event(self) -> None:
        stood_in = self.seen - 1 in self.stood_in
        self._tell(lambda watch: watch.advance(self.match, self.names, stood_in))

    def _tell(self, happened: Callable[[Watch], None]) -> None:
        """Bring every watch up to what has happened, and show everyone."""
        try:
            for watch in self._watches.values():
                happened(watch)
            for viewer in self.viewers:
                viewer.send_scene(self._watches[viewer.seat])
        except Exception as error:
            note_failure("a scene could not be laid out", error)
            self._watches.clear()
            for viewer in self.viewers:
                viewer.end(FAILED, "the table could not be shown")

    def tell_table(self, told: Callable[[int], Sequence[str]]) -> None:
        """Tell everyone who has which seat now, and each viewer, by its seat, something of it in words."""
        for seat, watch in self._watches.items():
            watch.look(self.match, self.names, told(seat))
        for viewer in self.viewers:
            viewer.send({"type": "table", **self.about(), "seat": viewer.seat})
            send = viewer.send_scene if told(viewer.seat) else viewer.send_again
            send(self._watches[viewer.seat])

    def close(self, code: int, reason: str) -> None:
        """End every connection and stop the bots; what has happened is in the store."""
        self.outdated = True
        for viewer in self.viewers:
            viewer.end(code, reason)
        self.people.close()
        self._driver.close()

    def move_on(self) -> None:
        """Somebody else was quicker at another server: the table is to be loaded again."""
        self.close(RESTART, "the table has moved on")

    async def finish(self) -> None:
        """Wait for what is being stored; the crew has been stopped."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What happens

    async def take_seat(self, wanted: TakeSeat) -> dict[str, Any]:
        """Give an open seat, or a bot's, to somebody: the ``key`` to it, or those for whose consent it is ``waiting``.

        Asked again with the same key it is the same answer.

        Raises:
            SeatError: the seat cannot be had.
        """
        answer = await self._kept(self._sitting.take(wanted))
        self.wake()
        return answer

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
                viewer.send_again(self._watches[viewer.seat])
                return
            if viewer.seat != SPECTATOR and self.begun and seen != self.seen:
                self.refuse(viewer, f"That was decided after {seen} events, but now there are {self.seen}.", typed)
                viewer.send_again(self._watches[viewer.seat])
                return
            refusal = self._refusal(viewer.seat, typed)
            if refusal:
                self.refuse(viewer, refusal.reason, typed, refusal.clause)
                return
            try:
                await self._happen(Event(viewer.seat, self.match.complete_action(typed)))
            except StoreError as error:
                self.refuse(viewer, f"the table could not be saved: {error}", typed)

    def why(self, viewer: Viewer, typed: str, tokens: Sequence[str] = ()) -> None:
        """Tell a viewer why something may not be done now: an action, or what was chosen on the table for one."""
        meant: Sequence[str] = [typed]
        if tokens and self.match.actor == viewer.seat:
            watch = self._watches[viewer.seat]
            there = watch.laid(self.names).tokens
            shown = [token for token in tokens if token in there]
            meant = find_table(self.match.game.id).meant(watch.view, shown) if shown else ()
        refusals = dict.fromkeys(self._refusal(viewer.seat, action) for action in meant)
        reasons = [{"reason": each.reason, "clause": each.clause} for each in refusals if each][:_REASONS]
        if not reasons:
            reasons = [{"reason": NO_ACTION if tokens else "This is legal.", "clause": ""}]
        viewer.send({"type": "why", "do": typed, "tokens": tokens, "reasons": reasons})

    def as_text(self, viewer: Viewer) -> None:
        """Send a viewer the table as the terminal prints it."""
        text = scene_text(self._watches[viewer.seat].laid(self.names), plain=True)
        viewer.send({"type": "text", "text": text.plain, "seen": self.seen})

    def hint(self, viewer: Viewer) -> None:
        """Give the seat to act a hint, or say why not; the others are told that it takes one."""
        refusal = self._hints.refusal(self.match, self.seats, viewer.seat)
        if refusal:
            self.refuse(viewer, refusal)
        else:
            self._hints.begin(viewer.seat)
            for other in self.viewers:  # now, since how long it takes says how much there is to choose from
                if other.seat != viewer.seat:
                    other.send({"type": "hinted", "by": viewer.seat})
            self.start(self._hint(viewer, self.seen))

    async def _hint(self, viewer: Viewer, seen: int) -> None:
        try:
            hint = await self._hints.work_out(self.match, viewer.seat, self.names, self.people.until_ready)
            viewer.send({**hint, "seen": seen})
        except Exception as error:
            note_failure("a hint could not be worked out", error)
            self.refuse(viewer, "the hint could not be worked out")

    def refuse(self, viewer: Viewer, reason: str, typed: str = "", clause: str = "") -> None:
        """Tell a viewer that something is not done."""
        metrics().refusals.inc()
        viewer.send({"type": "refused", "do": typed, "reason": reason, "clause": clause, "seen": self.seen})

    def _doubled(self, seat: int, typed: str, seen: int) -> bool:
        """Whether exactly this has been done already: the answer got lost, or somebody clicked twice."""
        if seat == SPECTATOR or seen not in range(self.seen):
            return False
        event = self.history[seen]
        return event.by == seat and loosely(event.do) == loosely(typed)

    def _refusal(self, seat: int, typed: str) -> Refusal | None:
        """Why a seat may not do this now. Only the seat to act is told by the rules: it may know what they speak of."""
        if seat == SPECTATOR:
            return Refusal("", "You are only looking on.")
        if not self.begun:
            return Refusal("", "The game has not begun: a seat is still open.")
        if self.match.over:
            return Refusal("", "The game is over.")
        if seat in self.people.company.out:
            return Refusal("", "Your time is up: a bot plays for you to the end of the game.")
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
        by_person = self._kind_of(event.by) == "person"
        earlier = self.match.copy() if by_person else None
        spent = self.people.before(event)
        await self._append(event, spent, not by_person and self.people.company.is_person(event.by))
        play_event(self.match, event)
        self._earlier = earlier
        metrics().events.labels(self.match.game.id, self._kind_of(event.by)).inc()
        with metrics().tell.time():
            self._tell_event()
        self.people.after(event, earlier)
        if by_person:
            self.crew.follow(self)

    def _kind_of(self, by: int) -> str:
        return "chance" if by == CHANCE else "bot" if self.people.company.bot_for(by) else "person"

    def draw_chance(self) -> str:
        """The outcome of the chance event that comes next, as it was committed to."""
        return draw_committed(self.match, self._table.secret)

    async def bring(self, event: Event, seen: int) -> None:
        """Let happen what chance or a bot has decided after ``seen`` events, unless the table has moved on since.

        Raises:
            StoreError: it could not be stored, so it has not happened.
        """
        async with self._lock:
            if seen == self.seen and self.goes_on:
                await self._happen(event)

    async def _append(self, event: Event, spent: int | None, stood_in: bool = False) -> None:
        try:
            with metrics().append.time():
                await self._store.append(self.id, self.seen, event, spent, stood_in)
        except ConflictError:
            self.move_on()
            raise
        except StoreError:
            metrics().failures.inc()
            raise
        if stood_in:
            self.stood_in.add(self.seen)
        self.history.append(event)
        if clocks := self.people.company.clocks:
            clocks.charge(event.by, spent)

    # Taking back

    async def undo(self, viewer: Viewer, seen: int) -> None:
        """A player wants to take the last action back: at once where nobody has to agree."""
        wish = self.people.company.wish
        if self._doubled(viewer.seat, TAKEN_BACK, seen):
            viewer.send_again(self._watches[viewer.seat])
        elif wish is not None and wish.by == viewer.seat and seen == self.seen:
            viewer.send(self.people.company.to_json(now()))
        elif not self.people.may_take_back(viewer.seat, seen):
            self.refuse(viewer, "That cannot be taken back: somebody has acted since, or learned something by it.")
        elif self.people.company.ask(viewer.seat):
            await self._kept(self.take_back(viewer.seat))
        self.people.tell()

    async def agree(self, viewer: Viewer, yes: bool, seen: int) -> None:
        """Another player allows it or not."""
        wish = self.people.company.wish
        if wish is None or seen != self.seen:
            return
        if self.people.company.agree(viewer.seat, yes):
            await self._kept(self.take_back(wish.by))
        self.people.tell()

    async def take_back(self, seat: int) -> None:
        """Undo the last action, which is a seat's own; everyone is shown the table as it was before it."""
        async with self._lock:
            if self.outdated or self._earlier is None or not self.people.may_take_back(seat, self.seen):
                return
            company = self.people.company
            spent = company.clocks.of_taking_back() if company.clocks else None
            try:
                await self._append(Event(seat, TAKEN_BACK), spent)
            except StoreError as error:
                company.wish = None
                self.people.tell()
                for viewer in self.viewers:
                    self.refuse(viewer, f"the table could not be saved: {error}")
                return
            company.moved_on()
            self.match, self._earlier = self._earlier, None
            self._tell(lambda watch: watch.take_back(self.match, self.names, seat))
        self.wake()

    def wake(self) -> None:
        """Let the bots go on, if it is their turn and they do not already."""
        self._driver.wake()
        self.people.begin_turn()

    async def _kept(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        """Finish something even if the one who asked for it is gone, so that match and store never differ."""
        return await asyncio.shield(self.start(coroutine))

    def start(self, coroutine: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Do something that is finished before the room is cleared away or the server stops."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
