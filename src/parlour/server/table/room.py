"""A table in play: a lock, the store, the connections and the bots around its state.

A command is decided on (:func:`decide`), what comes of it is stored, then applied (:func:`apply`), then shown to
everyone. Nothing is shown that was not stored before.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from parlour.bots import find_bot
from parlour.engine.match import Match
from parlour.engine.observation import SPECTATOR
from parlour.render.words import said
from parlour.server.logs import note_failure, note_outcome
from parlour.server.metrics import metrics
from parlour.server.store.database import ConflictError, StoreError
from parlour.server.store.ownership import MovedError
from parlour.server.store.store import TAKEN_BACK, Following, Store, StoredTable
from parlour.server.table.audience import Audience
from parlour.server.table.bot_turns import BotTurns
from parlour.server.table.chat import said_message
from parlour.server.table.close_codes import Closing
from parlour.server.table.commands import (
    Act,
    Agree,
    Allow,
    AskHint,
    AskText,
    AskWhy,
    Bring,
    Command,
    Say,
    TakeSeat,
    Undo,
)
from parlour.server.table.decide import decide, granted
from parlour.server.table.hints import work_out
from parlour.server.table.messages import TableTold
from parlour.server.table.outcomes import (
    Answered,
    Change,
    Declined,
    Happened,
    HeardBefore,
    HintTaken,
    Outcome,
    Refused,
    Said,
    SeatAsked,
    SeatTaken,
)
from parlour.server.table.replays import ClosedError, ReplaySlice, scenes_of
from parlour.server.table.seat_requests import ASKED_SECONDS, SeatError
from parlour.server.table.services import Services
from parlour.server.table.stand_in import due, run_clock, stands_in
from parlour.server.table.state import apply, state_of
from parlour.server.table.viewers import Viewer

_LOOK_AGAIN_SECONDS = 0.05
NOT_SAVED = "the table could not be saved: {}"

Answer = TypeVar("Answer")


class Room:
    """One table in play.

    Attributes:
        id: the table's.
        state: the table as it is now.
        audience: the connections, and what each seat has been shown.
        users: how many are busy with the room, so that it is not cleared away under them.
        loaded: when it was loaded.
    """

    def __init__(self, table: StoredTable, match: Match, store: Store, threads: Services, host: str = "") -> None:
        self.id = table.id
        self.state = state_of(table, match)
        self.state.host = host or table.id
        self.audience = Audience(self.state, threads)
        self.users = 0
        self.loaded = threads.now()
        self._store = store
        self._threads = threads
        self._lock = asyncio.Lock()
        self._talking = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._bot_turns = BotTurns(self.state, threads, self)

    @property
    def storing(self) -> bool:
        """Whether a write is in flight, so the current state may be about to change."""
        return self._lock.locked()

    @property
    def idle(self) -> bool:
        """Whether nothing is lost if the room is cleared away: all is in the store."""
        return not (self.users or self.audience.viewers or self.busy)

    @property
    def busy(self) -> bool:
        """Whether something goes on that is to be finished: a command, a bot's turn, a hint."""
        return bool(self._tasks)

    @property
    def watched(self) -> bool:
        """Whether anyone looks on."""
        return bool(self.audience.viewers)

    def about(self) -> TableTold:
        """What anyone may know of the table."""
        return self.audience.about()

    async def replay(self, part: ReplaySlice, key: str | None) -> list[dict[str, Any]]:
        """The scenes of a part of the game. While it goes on, only spectators' and, with its key, a seat's own.

        Raises:
            ClosedError: somebody else's view is wanted, and the game is not over.
        """
        state, match = self.state, self.state.match
        own = key is not None and part.viewer == state.seat_of(key)
        if not (match.over or own or part.viewer == SPECTATOR):
            raise ClosedError("the game is not over: that view would show hidden cards")
        wanted = (match.game, match.players, match.options, list(match.events), state.names, part, match.over)
        return await self._threads.helped(scenes_of, *wanted)

    # Coming and going

    async def enter(self, viewer: Viewer) -> None:
        """Show a viewer the table as it is, and from now on whatever happens."""
        await self.audience.prepare(viewer)
        if self.state.outdated:  # meanwhile, and nobody will be told anything here any more
            viewer.end(Closing.RESTART, "the table has moved on")
            return
        self.audience.welcome(viewer)
        self.heard(viewer)
        self.state.came(viewer.seat, self._threads.now())
        self.audience.greet(viewer, self._threads.now())
        if any(find_bot(seat.bot).searches for seat in self.state.seats.values() if seat.bot):
            self._threads.readiness.begin(self.state.match.game)
        self.tell()
        self.wake()

    def leave(self, viewer: Viewer) -> None:
        """The connection is gone."""
        if not self.audience.leave(viewer):
            return
        if self.state.presence.went(viewer.seat, self._threads.now(), viewer.heard):
            self.state.taking_back.spare(viewer.seat)
        if self.state.taking_back.granted and not self.state.outdated:
            self.start(self._grant())
        self.begin_turn()

    def heard(self, viewer: Viewer) -> None:
        """A viewer has said something, so its connection is alive."""
        viewer.heard = self._threads.now()

    def close(self, code: int, reason: str) -> None:
        """End every connection and stop the bots; what has happened is in the store."""
        self.state.outdated = True
        self.audience.end(code, reason)
        self._bot_turns.close()
        self._set_alarm(None)

    def move_on(self) -> None:
        """Somebody else was quicker at another server: the table is to be loaded again."""
        self.close(Closing.RESTART, "the table has moved on")

    async def move_away(self) -> None:
        """Close the table once what is being stored is stored: it goes to another server."""
        async with self._lock:
            self.close(Closing.ELSEWHERE, "the table goes to another server")

    async def renew(self) -> None:
        """Close the table once what is being stored is stored: a command has changed it in the database."""
        async with self._talking, self._lock:
            self.close(Closing.RESTART, "the table was changed by the operator")

    async def finish(self) -> None:
        """Wait for what is being stored; the threads have been stopped."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Commands

    async def handle(self, viewer: Viewer, command: Command) -> None:
        """Do what a viewer's seat wants. What comes of it is sent to everyone, or an answer to the viewer."""
        match command:
            case Act() | Undo() | Agree():
                await self._kept(self._play(viewer, command))
            case Say():
                await self._kept(self._say(viewer, command))
            case Allow():
                self._answer(viewer, decide(self.state, command, self._threads.now()))
                self.tell()
            case AskHint():
                self._answer(viewer, decide(self.state, command, self._threads.now()))
            case AskWhy():
                self.audience.send_why(viewer, command)
            case AskText():
                self.audience.send_text(viewer, command)

    async def _play(self, viewer: Viewer, command: Act | Undo | Agree) -> None:
        """Decide on what concerns the game, alone, and carry it out; then those go on whose turn it is."""
        async with self._lock:
            if self.state.outdated:
                action = command.action if isinstance(command, Act) else ""
                self.audience.refuse(viewer, "The table has moved on; try again.", action)
                return
            outcome = decide(self.state, command, self._threads.now())
            if outcome == Answered():
                return
            if not isinstance(outcome, Happened):
                self._answer(viewer, outcome)
            elif isinstance(command, Act):
                try:
                    await self._happen(outcome)
                except StoreError as error:
                    self.audience.refuse(viewer, NOT_SAVED.format(error), command.action)
            else:
                await self._take_back(outcome)
        self.wake()

    async def _take_back(self, taken_back: Happened) -> None:
        try:
            await self._happen(taken_back)
        except StoreError as error:
            self._change(Declined())
            self.tell()
            self.not_saved(error)

    async def _grant(self) -> None:
        """Take back what somebody wished to, since those who had not agreed have gone."""
        async with self._lock:
            outcome = granted(self.state)
            if isinstance(outcome, Happened) and not self.state.outdated:
                await self._take_back(outcome)
        self.wake()

    async def bring(self, decided: Bring) -> None:
        """Let happen what chance or a bot has decided, unless the table has moved on since.

        Raises:
            StoreError: it could not be stored, so it has not happened.
        """
        async with self._lock:
            outcome = decide(self.state, decided, self._threads.now())
            if isinstance(outcome, Happened):
                await self._happen(outcome)

    async def take_seat(self, wanted: TakeSeat) -> dict[str, Any]:
        """Give an open seat, or a bot's, to somebody: the ``key`` to it, or those for whose consent it is ``waiting``.

        Asked again with the same key it is the same answer.

        Raises:
            SeatError: the seat cannot be had.
        """
        return await self._kept(self._take_seat(wanted))

    async def _take_seat(self, wanted: TakeSeat) -> dict[str, Any]:
        async with self._lock:
            outcome = decide(self.state, wanted, self._threads.now())
            if outcome == Answered("key"):
                return {"key": wanted.key}
            if self.state.outdated:
                raise StoreError("the table has moved on; try again")
            if isinstance(outcome, SeatTaken):
                await self._seat(outcome)
            else:
                self._ask(outcome)
        self.wake()
        return {"key": wanted.key} if isinstance(outcome, SeatTaken) else {"waiting": sorted(self.state.unasked)}

    def _ask(self, outcome: Outcome) -> None:
        """Ask those who play whether somebody may have a bot's seat, unless they are being asked already."""
        if isinstance(outcome, SeatAsked):
            self._change(outcome)
            asyncio.get_running_loop().call_later(ASKED_SECONDS + 0.1, self.tell)  # it has lapsed
        self.tell()

    def _answer(self, viewer: Viewer, outcome: Outcome) -> None:
        """Carry out what needs no store, or tell a viewer why nothing happens."""
        match outcome:
            case Refused():
                self.audience.refuse(viewer, outcome.reason, outcome.action, outcome.clause)
                if outcome.scene:
                    self.audience.send_scene_again(viewer)
            case Answered("scene"):
                self.audience.send_scene_again(viewer)
            case Answered("company"):
                self.audience.send_company(viewer, self._threads.now())
            case Answered() | HeardBefore():
                return
            case HintTaken(seat):
                self._change(outcome)
                self.audience.show_hinted(seat)  # now, since how long it takes says how much there is to choose from
                self.start(self._hint(viewer))
            case _:
                self._change(outcome)

    def _change(self, change: Change) -> None:
        apply(self.state, change, self._threads.now())

    # What is stored

    async def _happen(self, happened: Happened) -> None:
        """Store an event, then carry it out, then show it. Needs the lock.

        Raises:
            StoreError: it could not be stored, so it has not happened.
        """
        state, event = self.state, happened.event
        await self._append(happened)
        self._change(happened)
        if event.do == TAKEN_BACK:
            self.audience.show_taken_back(event.by)
            return
        metrics().events.labels(state.match.game.id, happened.kind).inc()
        with metrics().tell.time():
            self.audience.show_event()
        state.taking_back.judge(event.by, state.match)
        if happened.kind == "person":
            self._threads.follow(state)

    async def _append(self, happened: Happened) -> None:
        try:
            with metrics().append.time():
                await self._store.append(self.id, self.state.seen, happened.event, happened.spent, happened.stood_in)
        except ConflictError:
            self.move_on()
            raise
        except StoreError:
            metrics().failures.inc()
            raise

    async def _seat(self, taken: SeatTaken) -> None:
        """Store who has a seat now, and tell everyone; of a bot's in a running game in words."""
        number, name = taken.number, taken.seat.name
        bot = taken.before.name if taken.before and self.state.begun else ""
        keep = self._store.replace_bot if taken.before else self._store.take_seat
        try:
            await self._store.run(keep, self.id, number, taken.seat)
        except MovedError:
            self.move_on()
            raise
        except ConflictError:
            self.move_on()
            raise SeatError(f"seat {number} is taken") from None
        self._change(taken)
        self.audience.show_seats(
            lambda viewer: [f"{said(name, 'take', viewer == number)} the seat of {bot}."] if bot else ()
        )

    async def _say(self, viewer: Viewer, say: Say) -> None:
        async with self._talking:
            outcome = decide(self.state, say, self._threads.now())
            if isinstance(outcome, HeardBefore):  # the answer got lost
                viewer.send(said_message([outcome.saying]))
            elif isinstance(outcome, Said):
                try:
                    await self._store.run(self._store.keep_saying, self.id, outcome.saying)
                except StoreError as error:
                    self.audience.refuse(viewer, f"what you said could not be saved: {error}")
                    if isinstance(error, MovedError):
                        self.move_on()
                    return
                self._change(outcome)
                self.audience.tell(said_message([outcome.saying]))
            else:
                self._answer(viewer, outcome)

    def follow(self, following: Following) -> None:
        """Another game was opened after this one: tell everyone, once."""
        if self.state.following is None or self.state.following.table != following.table:
            self.state.following = following
            self.audience.show_following()

    # What goes on by itself

    def wake(self) -> None:
        """Let the bots go on, if it is their turn and they do not already; or the clock of whoever is to act."""
        self._bot_turns.wake()
        self.begin_turn()

    def begin_turn(self) -> None:
        """See whose clock is to run now, and tell everyone what has changed."""
        run_clock(self.state, self._threads.now())
        self.tell()

    def tell(self) -> None:
        """Send changes among those who are there to everyone, and reschedule the stand-in timer."""
        self.audience.show_company(self._threads.now())
        self._wait()

    def _wait(self) -> None:
        state = self.state
        waits = state.begun and not state.outdated and not state.match.over and self.watched
        self._set_alarm(due(state, self._threads.now()) if waits else None)

    def _set_alarm(self, seconds: float | None) -> None:
        if self._alarm:
            self._alarm.cancel()
        self._alarm = None
        if seconds is not None:
            self._alarm = asyncio.get_running_loop().call_later(seconds + 0.02, self.look_at_clock)

    def look_at_clock(self) -> None:
        """Let a bot stand in, if it is time."""
        if self.storing:  # what was done in the last moment was done in time
            self._set_alarm(_LOOK_AGAIN_SECONDS)
        elif stood_in := stands_in(self.state, self._threads.now()):
            self._change(stood_in)
            self.wake()
        else:
            self._wait()

    async def until_ready(self) -> None:
        """Wait until one can look ahead at this game; everyone is told why nothing happens meanwhile."""
        readiness, game = self._threads.readiness, self.state.match.game
        if readiness.of(game):
            return
        self.state.readying = True
        self.tell()
        try:
            await readiness.wait(game)
        finally:
            self.state.readying = False
            self.tell()

    async def _hint(self, viewer: Viewer) -> None:
        try:
            viewer.send(await work_out(self.state, viewer.seat, self._threads, self.until_ready))
        except Exception as error:
            note_failure("a hint could not be worked out", error)
            self.audience.refuse(viewer, "the hint could not be worked out")

    def not_saved(self, error: StoreError) -> None:
        """Tell everyone that something could not be stored."""
        self.audience.refuse_all(NOT_SAVED.format(error))

    async def _kept(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        """Run a command to completion even if its client disconnects, so that match and store never differ."""
        return await asyncio.shield(self.start(coroutine))

    def start(self, coroutine: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Do something that is finished before the room is cleared away or the server stops."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(note_outcome)
        return task
