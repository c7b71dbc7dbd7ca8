"""What people do at a table beside playing: coming and going, thinking too long, talking, taking back."""

import asyncio
import time
from typing import TYPE_CHECKING, Any

from parlour.bots import find_bot
from parlour.engine.disclosure import discloses
from parlour.engine.match import Event, Match
from parlour.engine.views import SPECTATOR
from parlour.server.clocks import Clocks
from parlour.server.company import ASKED_SECONDS, Company, manners_of, spent_by
from parlour.server.database import StoreError
from parlour.server.messages import Allow, Say
from parlour.server.store import Saying, Store, StoredTable
from parlour.server.talk import Talk, said_json
from parlour.server.viewers import Viewer

if TYPE_CHECKING:
    from parlour.server.room import Room


_LOOK_AGAIN_SECONDS = 0.05


def now() -> float:
    """Seconds from some beginning; never set back."""
    return time.monotonic()


class People:
    """The company of a room, with the time and the connections it needs."""

    def __init__(self, room: "Room", table: StoredTable, store: Store) -> None:
        manners = manners_of(table)
        clocks = None
        if manners.clock:
            spent = spent_by(table.events, table.spent, range(table.players))
            clocks = Clocks(table.players, manners.clock.seconds, manners.clock.increment, spent)
        self.company = Company(manners, room.seats, table.manners.get("opener"), clocks)
        self.talk = Talk(manners.talk, table.said)
        self._talking = asyncio.Lock()
        self._store = store
        self._room = room
        self._timer: asyncio.TimerHandle | None = None
        self._last: dict[str, Any] = {}

    # Coming and going

    def came(self, viewer: Viewer) -> None:
        """A connection has said hello."""
        self.company.came(viewer.seat, now())
        if self.talk.said:
            viewer.send(said_json(self.talk.said))
        viewer.send(self.company.to_json(now()))
        if any(find_bot(seat.bot).searches for seat in self._room.seats.values() if seat.bot):
            self._room.crew.readiness.begin(self._room.match.game)
        self.tell()

    def went(self, viewer: Viewer) -> None:
        """A connection has gone."""
        self.company.went(viewer.seat, now())
        wish = self.company.wish
        if wish and not wish.waiting and not self._room.outdated:
            self._room.start(self._room.take_back(wish.by))
        self.tell()

    def tell(self) -> None:
        """Let everyone know what has changed, and see to the time."""
        about = self.company.to_json(now())
        if about != self._last:
            self._last = about
            for viewer in self._room.viewers:
                viewer.send(about)
        self._wait()

    async def until_ready(self) -> None:
        """Wait until one can look ahead at this game; everyone is told why nothing happens meanwhile."""
        readiness, game = self._room.crew.readiness, self._room.match.game
        if readiness.of(game):
            return
        self.company.readying = True
        self.tell()
        try:
            await readiness.wait(game)
        finally:
            self.company.readying = False
            self.tell()

    # Events

    def before(self, event: Event) -> int | None:
        """Something is about to happen. Returns the milliseconds it took, where there are clocks."""
        clocks = self.company.clocks
        person = self.company.is_person(event.by) and not self.company.bot_for(event.by)
        if clocks and event.by in self.company.out:
            return clocks.of_running_out(event.by)
        return clocks.took(event.by, now()) if clocks and person else None

    def after(self, event: Event, earlier: Match | None) -> None:
        """It has happened; ``earlier`` is the match before it, if it was a person's action."""
        self.company.moved_on()
        if self._room.match.over:
            self.company.asking = None
        if earlier and not discloses(earlier, self._room.match):
            self.company.undoable = event.by

    def begin_turn(self) -> None:
        """See whose clock is to run, and who plays for whom."""
        room, clocks = self._room, self.company.clocks
        actor = room.match.actor
        if clocks and room.begun and self.company.is_person(actor) and not self.company.bot_for(actor):
            clocks.start(actor, now())
        elif clocks:
            clocks.stop()
        self.tell()

    def _wait(self) -> None:
        """Come back when a bot is to stand in."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        room = self._room
        if not room.begun or room.outdated or room.match.over or not self._room.viewers:
            return
        due = self.company.due(room.match.actor, now())
        if due is not None:
            self._timer = asyncio.get_running_loop().call_later(due + 0.02, self._overdue)

    def _overdue(self) -> None:
        if self._room.storing:  # what was done in the last moment was done in time
            self._timer = asyncio.get_running_loop().call_later(_LOOK_AGAIN_SECONDS, self._overdue)
        elif self.company.stand_in(self._room.match.actor, now()):
            self._room.wake()
        else:
            self._wait()

    # A bot's seat

    def ask_for_seat(self, seat: int, name: str, key_hash: str | None) -> list[int]:
        """Somebody would like to have a bot's seat while the game runs; whose consent is still needed, if any's is.

        Raises:
            SeatError: it cannot be had.
        """
        asked_before = self.company.asking
        waiting = self.company.ask_for_seat(seat, name, key_hash, now())
        if self.company.asking is not asked_before:
            asyncio.get_running_loop().call_later(ASKED_SECONDS + 0.1, self._lapse)
        self.tell()
        return sorted(waiting)

    def _lapse(self) -> None:
        self.company.lapse(now())
        self.tell()

    def allow(self, viewer: Viewer, answer: Allow) -> None:
        """A player says whether somebody may have a bot's seat."""
        self.company.lapse(now())
        self.company.allow(viewer.seat, answer.id, answer.yes)
        self.tell()

    # Taking back and talking

    def may_take_back(self, seat: int, seen: int) -> bool:
        """Whether a seat's last action can still be undone."""
        return seat != SPECTATOR and self.company.undoable == seat and seen == self._room.seen

    async def say(self, viewer: Viewer, say: Say) -> None:
        """Store what somebody says and pass it on, or tell them why not."""
        if viewer.seat == SPECTATOR:
            self._room.refuse(viewer, "Only those who play talk at the table.")
        else:  # to the end, even if who says it is gone
            await asyncio.shield(self._room.start(self._say(viewer, say)))

    async def _say(self, viewer: Viewer, say: Say) -> None:
        saying = Saying(viewer.seat, say.id, say.words, say.sign)
        async with self._talking:
            if heard := self.talk.heard_before(saying):  # the answer got lost
                viewer.send(said_json([heard]))
                return
            if refused := self.talk.refusal(viewer.seat, say, now()):
                self._room.refuse(viewer, refused)
                return
            try:
                await self._store.run(self._store.keep_saying, self._room.id, saying)
            except StoreError as error:
                self._room.refuse(viewer, f"what you said could not be saved: {error}")
                return
            self.talk.hear(saying, now())
            for other in self._room.viewers:
                other.send(said_json([saying]))

    def close(self) -> None:
        """Nothing is waited for any more."""
        if self._timer:
            self._timer.cancel()
