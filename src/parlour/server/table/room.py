"""A table in play: its state with a lock, the store, the viewers and the bots.

The room decides on a command (:func:`decide`), stores the change if it is one of ``Stored``, applies it
(:func:`apply`), and then shows it to all viewers. It shows no such change before it is stored.
"""

import asyncio
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from parlour.bots import find_bot
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.rules import SPECTATOR
from parlour.languages import gettext
from parlour.server.logs import note_failure
from parlour.server.metrics import metrics
from parlour.server.pending_tasks import Answer, PendingTasks
from parlour.server.store.database import ConflictError, StoreError
from parlour.server.store.ownership import MovedError
from parlour.server.store.store import Store
from parlour.server.store.stored_table import RESIGN, UNDO, StoredRematch, StoredTable
from parlour.server.table.audience import Audience, unsaved_text
from parlour.server.table.bots.bot_turns import BotTurns
from parlour.server.table.bots.hints import compute_hint
from parlour.server.table.bots.stand_in import due, run_clock, stand_in_change
from parlour.server.table.close_codes import Closing
from parlour.server.table.commands import Act, Command, GameCommand, PeopleCommand, Rename, Resign, Say
from parlour.server.table.decide import decide, decide_automatic, decide_fill, decide_granted, decide_seat
from parlour.server.table.messages import TableInfo
from parlour.server.table.outcomes import (
    Acted,
    Change,
    Declined,
    Hinted,
    Outcome,
    Refused,
    Renamed,
    Said,
    SaidBefore,
    SeatRequested,
    SeatTaken,
    Unchanged,
)
from parlour.server.table.people.absences import Absences
from parlour.server.table.people.chat import said_message
from parlour.server.table.people.onlookers import OnlookerNotices
from parlour.server.table.people.open_seats import RETRY_SECONDS, OpenSeats
from parlour.server.table.people.rematch import seat_at_hello
from parlour.server.table.people.seat_lines import rename_line, seat_line
from parlour.server.table.people.seat_requests import ASKED_SECONDS, SeatApplication, SeatError
from parlour.server.table.push.notices import TurnNotices
from parlour.server.table.services import Services
from parlour.server.table.state import apply, state_of
from parlour.server.table.viewers import Viewer

_RETRY_SECONDS = 0.05
"""Seconds from a timeout during a write to the next check of the clock."""


class Room:
    """A table in play.

    Attributes:
        id: the id of the table.
        state: the state of the table.
        audience: the viewers, and the displays of their seats.
        users: the number of callers that use the room; it stays in memory while there are any.
        loaded: the time at which it was loaded, in seconds from any origin.
    """

    def __init__(self, table: StoredTable, match: Match, store: Store, services: Services, host: str = "") -> None:
        self.id = table.id
        self.state = state_of(table, match)
        self.state.host = host or table.id
        self.state.epoch = time.time() - services.now()
        self.state.last_event_at = min(services.now(), table.last_event_at - self.state.epoch)
        self.audience = Audience(self.state, services)
        self.users = 0
        self.loaded = services.now()
        self._store = store
        self._services = services
        self._lock = asyncio.Lock()
        self._talk_lock = asyncio.Lock()
        self._tasks = PendingTasks()
        self._alarm: asyncio.TimerHandle | None = None
        self._bot_turns = BotTurns(self.state, services, self)
        self._onlookers = OnlookerNotices(self.audience.show_onlookers)
        self._open_seats = OpenSeats(self.state, store, self)
        self._absences = Absences(self.state, store, self)
        self._turn_notices = TurnNotices(self.state, services.now, services.announce)

    @property
    def storing(self) -> bool:
        """Whether a write is in flight, so that the state may be about to change."""
        return self._lock.locked()

    @property
    def idle(self) -> bool:
        """Whether the room can leave memory without loss: everything is in the store."""
        return not (self.users or self.audience.viewers or self.busy)

    @property
    def busy(self) -> bool:
        """Whether a task runs: a command, a bot's turn, a hint."""
        return bool(self._tasks)

    @property
    def watched(self) -> bool:
        """Whether the table has viewers."""
        return bool(self.audience.viewers)

    def info(self, key: str | None = None) -> TableInfo:
        """Return the public facts of the table; of a sealed game all of them only to the key of a seat."""
        info = self.audience.table_info()
        hidden = self.state.sealed and (key is None or self.state.seat_of(key) is None)
        return replace(info, actor=None, seen=0, deadline=None) if hidden else info

    # Connections

    async def enter(self, viewer: Viewer) -> None:
        """Add a viewer, and send it the table."""
        await self.audience.prepare(viewer)
        if self.state.outdated:  # the room was closed during the preparation
            viewer.end(Closing.RESTART, "the table has moved on")
            return
        self.audience.add(viewer)
        self.note_alive(viewer)
        self.state.connect(viewer.seat, self._services.now())
        self.audience.greet(viewer, self._services.now())
        if viewer.seat == SPECTATOR:
            self._onlookers.changed()
        if any(find_bot(seat.bot).searches for seat in self.state.seats.values() if seat.bot):
            self._services.readiness.begin(self.state.match.game)
        self.show_company()
        self.wake()

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer whose connection has ended."""
        if not self.audience.remove(viewer) or self.state.outdated:
            return  # a closed table keeps the presence at its end, for pending notices
        if viewer.seat == SPECTATOR:
            self._onlookers.changed()
        if self.state.presence.disconnect(viewer.seat, self._services.now(), viewer.last_message_at):
            self.state.undo.stop_waiting_for(viewer.seat)
            self._turn_notices.leave(viewer.seat, viewer.last_message_at)
        if self.state.undo.granted:
            self.start(self._grant())
        self.begin_turn()

    def note_alive(self, viewer: Viewer) -> None:
        """Record that a viewer's connection is alive: a message has come."""
        viewer.last_message_at = self._services.now()

    def close(self, code: int, reason: str) -> None:
        """End all connections and stop the bots; everything is in the store."""
        self.state.outdated = True
        self.audience.end(code, reason)
        self._bot_turns.close()
        self._onlookers.close()
        self._open_seats.close()
        self._set_alarm(None)

    def close_outdated(self) -> None:
        """Close the table because another process has changed or removed it: it has to be loaded again."""
        self.close(Closing.RESTART, "the table has moved on")

    async def close_for_handover(self) -> None:
        """Close the table after the pending write: another server takes it over."""
        async with self._lock:
            self.close(Closing.ELSEWHERE, "the table goes to another server")

    async def renew(self) -> None:
        """Close the table after the pending writes: it was changed in the database, as an order says."""
        async with self._talk_lock, self._lock:
            self.close(Closing.RESTART, "the table was changed by the operator")

    async def finish(self) -> None:
        """Wait for the pending writes. The caller has stopped the threads before."""
        await self._tasks.finish()

    # Commands

    async def handle(self, viewer: Viewer, command: Command) -> None:
        """Carry out a command of a viewer. All viewers receive the change, or this viewer an answer.

        The class of a command (:mod:`parlour.server.table.commands`) decides which lock it needs, if any. Commands of
        a viewer whose connection is closing are ignored: the client may have been banned or forgotten.
        """
        if viewer.leave is not None:
            return
        if isinstance(command, GameCommand):
            await self._finish(self._play(viewer, command))
        elif isinstance(command, Say):
            await self._finish(self._say(viewer, command))
        elif isinstance(command, Rename):
            await self._finish(self._rename(viewer, command))
        elif isinstance(command, PeopleCommand):
            self._answer(viewer, decide(self.state, viewer.seat, command, self._services.now()))
            self.show_company()
        else:
            self.audience.answer(viewer, command)

    async def _play(self, viewer: Viewer, command: GameCommand) -> None:
        """Decide on a command under the lock, carry it out, and continue with the bots."""
        async with self._lock:
            action = command.do if isinstance(command, Act) else ""
            if self.audience.refuse_if_outdated(viewer, action):
                return
            outcome = decide(self.state, viewer.seat, command, self._services.now())
            if not isinstance(outcome, Acted):
                self._answer(viewer, outcome)
            elif isinstance(command, Act | Resign):
                try:
                    await self._carry_out(outcome)
                except StoreError as error:
                    self.audience.refuse(viewer, unsaved_text(error), action)
            else:
                await self._undo(outcome)
        self.wake()

    async def _undo(self, undone: Acted) -> None:
        try:
            await self._carry_out(undone)
        except StoreError as error:
            self._change(Declined())
            self.show_company()
            self.report_unsaved(error)

    async def _grant(self) -> None:
        """Carry out a requested undo after the last seat that had to agree has left."""
        async with self._lock:
            outcome = decide_granted(self.state)
            if isinstance(outcome, Acted) and not self.state.outdated:
                await self._undo(outcome)
        self.wake()

    async def add_automatic(self, event: Event, seen: int) -> None:
        """Carry out an event that chance or a bot decided after ``seen`` events, unless others followed.

        Raises:
            StoreError: the event could not be stored, so it is not carried out.
        """
        async with self._lock:
            outcome = decide_automatic(self.state, event, seen, self._services.now())
            if isinstance(outcome, Acted):
                await self._carry_out(outcome)

    async def take_seat(self, application: SeatApplication) -> dict[str, Any]:
        """Give a person an open seat or a bot's. Return its ``key``, or the seats still ``waiting`` to agree.

        A repetition with the same key changes nothing until all have agreed; then it takes the bot's seat.

        Raises:
            SeatError: the seat is not available.
        """
        return await self._finish(self._take_seat(application))

    async def _take_seat(self, application: SeatApplication) -> dict[str, Any]:
        async with self._lock:
            outcome = decide_seat(self.state, application, self._services.now())
            if outcome == Unchanged("key"):
                return {"key": application.key}
            if self.state.outdated:
                raise StoreError(gettext("the table has moved on; try again"))
            if isinstance(outcome, SeatTaken):
                await self._seat(outcome)
            elif isinstance(outcome, SeatRequested):
                self._change(outcome)
                asyncio.get_running_loop().call_later(ASKED_SECONDS + 0.1, self.show_company)
        self.wake()
        return {"key": application.key} if isinstance(outcome, SeatTaken) else {"waiting": sorted(self.state.undecided)}

    async def seat_at_hello(self, key: str) -> int | None:
        """Return the seat that a key opens, if any. A player who comes to a rematch with the former key takes one."""
        return await seat_at_hello(self, self._store, key)

    async def fill_seats(self) -> None:
        """Give the open seats to bots, if their time has come and a person waits."""
        async with self._lock:
            try:
                for taken in () if self.state.outdated else decide_fill(self.state, time.time()):
                    await self._seat(taken)
            except (StoreError, SeatError) as error:
                note_failure("bots could not take open seats", error)
                self._open_seats.update(RETRY_SECONDS)
                return
        self.wake()

    def _answer(self, viewer: Viewer, outcome: Outcome) -> None:
        """Carry out a change that is not stored, or send the viewer the reason why there is none."""
        match outcome:
            case Refused():
                self.audience.refuse(viewer, outcome.reason, outcome.action, outcome.clause, outcome.chat_id)
                if outcome.scene:
                    self.audience.send_scene_again(viewer)
            case Unchanged("scene"):
                self.audience.send_scene_again(viewer)
            case Unchanged("company"):
                self.audience.send_company(viewer, self._services.now())
            case Unchanged() | SaidBefore():
                return
            case Hinted(seat):
                self._change(outcome)
                self.audience.show_hinted(seat)  # at once: the duration of a hint depends on the number of actions
                self.start(self._hint(viewer))
            case _:
                self._change(outcome)

    def _change(self, change: Change) -> None:
        apply(self.state, change, self._services.now())

    # Stored changes

    async def _carry_out(self, acted: Acted) -> None:
        """Store an event, apply it, and show it. Needs the lock.

        Raises:
            StoreError: the event could not be stored, so it is not applied.
        """
        state, event = self.state, acted.event
        await self._append(acted)
        self._change(acted)
        if event.do == UNDO:
            self.audience.show_undo(event.by)
            return
        if event.do == RESIGN:
            self._show_resignation(event.by)
            return
        metrics().events.labels(state.match.game.id, acted.kind).inc()
        with metrics().scenes_seconds.time():
            self.audience.show_event()
        state.undo.judge(event.by, state.match)
        if acted.kind == "person":
            self._services.person_acted(state)
        if state.match.over:
            self._services.game_over(state)

    def _show_resignation(self, seat: int) -> None:
        self.audience.show_resignation(seat)
        if self.state.over:
            self._services.game_over(self.state)

    async def _append(self, acted: Acted) -> None:
        with self._storing(), metrics().append_seconds.time():
            await self._store.append(self.id, self.state.seen, acted.event, acted.spent, acted.stood_in)

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Close the table after a conflict in the database; count other failures. Raises :class:`StoreError`."""
        try:
            yield
        except ConflictError:
            self.close_outdated()
            raise
        except StoreError:
            metrics().store_failures.inc()
            raise

    async def _seat(self, taken: SeatTaken) -> None:
        """Store the new occupant of a seat, and show it; of a bot's seat in a running game with a log line."""
        number, name = taken.number, taken.seat.name
        bot = taken.before.name if taken.before and self.state.begun else ""
        write = self._store.replace_bot if taken.before else self._store.take_seat
        try:
            with self._storing():
                await self._store.run(write, self.id, number, taken.seat)
        except MovedError:
            raise
        except ConflictError:
            raise SeatError(gettext("seat {number} is taken", number=number)) from None
        self._change(taken)
        self.audience.show_seats(lambda viewer: [seat_line(name, bot, viewer == number)] if bot else ())

    async def _rename(self, viewer: Viewer, command: Rename) -> None:
        """Store a seat's new name, and show it with a log line; an onlooker's name is not stored."""
        if viewer.seat == SPECTATOR:
            viewer.name = command.name
            self._onlookers.changed()
            return
        async with self._lock:
            if self.audience.refuse_if_outdated(viewer):
                return
            outcome = decide(self.state, viewer.seat, command, self._services.now())
            if not isinstance(outcome, Renamed):
                self._answer(viewer, outcome)
                return
            before = self.state.names[viewer.seat]
            try:
                with self._storing():
                    await self._store.run(self._store.rename_seat, self.id, outcome.seat, outcome.name)
            except StoreError as error:
                self.audience.refuse(viewer, unsaved_text(error))
                return
            self._change(outcome)
        self.audience.show_seats(lambda seat: [rename_line(before, outcome.name, seat == outcome.seat)])

    async def _say(self, viewer: Viewer, say: Say) -> None:
        async with self._talk_lock:
            if self.audience.refuse_if_outdated(viewer, chat_id=say.id):
                return
            outcome = decide(self.state, viewer.seat, say, self._services.now())
            if isinstance(outcome, SaidBefore):  # the client repeats it, since the answer was lost
                viewer.send(said_message([outcome.message]))
            elif isinstance(outcome, Said):
                try:
                    with self._storing():
                        await self._store.run(self._store.add_chat_message, self.id, outcome.message)
                except StoreError as error:
                    reason = gettext("your message could not be saved: {error}", error=gettext(str(error)))
                    self.audience.refuse(viewer, reason, chat_id=say.id)
                    return
                self._change(outcome)
                self.audience.send_all(said_message([outcome.message]))
            else:
                self._answer(viewer, outcome)

    def add_rematch(self, rematch: StoredRematch) -> None:
        """Keep a rematch as it is stored now; announce it to all viewers, once."""
        before, self.state.rematch = self.state.rematch, rematch
        if before is None or before.table != rematch.table:
            self.audience.show_rematch()

    # Bots, clocks and hints

    def wake(self) -> None:
        """Start the turns of bots and chance, if any, and the clock of the seat to act."""
        self._bot_turns.wake()
        self.begin_turn()

    def begin_turn(self) -> None:
        """Start the clock of the seat to act, and send what has changed."""
        run_clock(self.state, self._services.now())
        self.show_company()
        self._open_seats.update()
        self._turn_notices.update()

    def show_company(self) -> None:
        """Send changes among the people to all viewers, and schedule the next stand-in."""
        self.audience.show_company(self._services.now())
        self._schedule_stand_in()
        self._absences.update()

    def _schedule_stand_in(self) -> None:
        state = self.state
        waits = state.begun and not state.outdated and not state.over and self.watched
        self._set_alarm(due(state, self._services.now()) if waits else None)

    def _set_alarm(self, seconds: float | None) -> None:
        if self._alarm:
            self._alarm.cancel()
        self._alarm = None
        if seconds is not None:
            self._alarm = asyncio.get_running_loop().call_later(seconds + 0.02, self.check_clock)

    def check_clock(self) -> None:
        """Let a bot stand in, if it is due."""
        if self.storing:  # an action that is being stored came in time
            self._set_alarm(_RETRY_SECONDS)
        elif stood_in := stand_in_change(self.state, self._services.now()):
            self._change(stood_in)
            self.wake()
        else:
            self._schedule_stand_in()

    async def until_ready(self) -> None:
        """Wait for the compiled search of the game; `readying` gives all viewers the reason of the delay."""
        readiness, game = self._services.readiness, self.state.match.game
        if readiness.is_ready(game):
            return
        self.state.readying = True
        self.show_company()
        try:
            await readiness.wait(game)
        finally:
            self.state.readying = False
            self.show_company()

    async def _hint(self, viewer: Viewer) -> None:
        try:
            viewer.send(await compute_hint(self.state, viewer.seat, self._services, self.until_ready))
        except Exception as error:
            note_failure("a hint could not be computed", error)
            self.audience.refuse(viewer, gettext("the hint could not be computed"))

    def report_unsaved(self, error: StoreError) -> None:
        """Send all viewers the reason why an event could not be stored."""
        self.audience.refuse_all(lambda: unsaved_text(error))

    async def _finish(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        """Finish a command even if its client disconnects, so that state and store never differ."""
        return await asyncio.shield(self.start(coroutine))

    def start(self, coroutine: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Start a task that is finished before the room leaves memory or the server stops."""
        return self._tasks.start(coroutine)
