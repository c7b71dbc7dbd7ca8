"""Two tables that differ only in information hidden from one viewer, and all data sent to that viewer."""

import logging
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace

import httpx
from prometheus_client import REGISTRY

from parlour.authors.histories import record_of
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import determinize
from parlour.engine.matches.records import replay
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import SPECTATOR
from parlour.server.http.access.limits import Limits
from parlour.server.http.app import create_app
from parlour.server.logs import log
from parlour.server.store.ownership import Ownership
from parlour.server.store.stored_table import StoredSeat, StoredTable
from parlour.server.table.commands import Act, Agree, Allow, Hint, Rename, Resign, Say, Text, Undo, Why
from parlour.server.table.people.keys import key_hash
from parlour.server.table.rooms import Rooms
from parlour.server.table.viewers import Viewer
from tests.helpers import ALL_CARDS

TABLE = "twin"
MANNERS = {"clock": {"seconds": 600, "increment": 5}, "talk": "words", "opener": 0, "hints": True, "take_over": True}
NEW_KEY = "a-key-that-the-client-has-made"
QUESTIONS = (
    f"/api/tables/{TABLE}",
    f"/api/tables/{TABLE}/record",
    f"/api/tables/{TABLE}/replay?view=spectator",
    f"/api/tables/{TABLE}/replay?view=all",
    f"/api/tables/{TABLE}/replay?view=0",
    f"/api/tables/{TABLE}/replay?view=1",
    f"/api/tables/{TABLE}/review",
    "/api/tables",
    f"/table/{TABLE}",
    f"/game/{TABLE}",
    f"/game/{TABLE}/review",
)
"""Public HTTP requests about a table."""


def twin_of(match, viewer, number):
    """Return a game that the viewer cannot distinguish from the real one at any moment.

    A determinization has another order of the seat's own draws, so tests compare two such games, not one with the real
    game.
    """
    for seat in range(match.players) if viewer == SPECTATOR else [viewer]:
        sampled = determinize(match.observed(seat), seat, new_stream(number))
        match = replay(record_of(match, sampled), steps=COMPILED)
    return match


class Memory:
    """A store without a disk."""

    def __init__(self, table):
        self.table = table
        self.ownership = Ownership(None)

    async def run(self, function, *arguments):
        return function(*arguments)

    def load(self, table_id):
        return self.table if table_id == self.table.id else None

    def read(self, function, table_id):
        return table_id == self.table.id

    def open_tables(self, since, most):
        seats = {seat: taken for seat, taken in self.table.seats.items() if seat}
        return [replace(self.table, seats=seats, events=())]

    def replace_bot(self, *seat):
        pass

    def rename_seat(self, *seat):
        pass

    def write(self, function, *arguments):
        pass

    def add_chat_message(self, *message):
        pass

    async def append(self, *event):
        pass


class Transcript:
    """All data sent to a seat or spectator while a table is loaded again and the last event of its game happens."""

    def __init__(self, match, viewer, actor, linked=False):
        """``linked``: whether the seats are linked with players who have a key of their own."""
        self.viewer = viewer
        *before, self.last = match.events
        self.actor = actor
        self.heard = []
        seats = range(match.players)
        self.there = {viewer, actor, (actor + 1) % match.players, SPECTATOR}
        self.bot = next((seat for seat in seats if seat not in self.there), None)
        everyone = {seat: StoredSeat(f"Player {seat}", None, key_hash(str(seat))) for seat in seats}
        if self.bot is not None:
            everyone[self.bot] = StoredSeat("Bot", "thumb")
        table = StoredTable(
            TABLE, match.game.id, match.players, match.options, everyone, "5e" * 32, before, manners=MANNERS,
            spent={0: 1000}, links=frozenset({(actor, key_hash("player"))} if linked else ()),
        )  # fmt: skip
        self.app = create_app(Memory(table), limits=Limits(None))
        self.rooms: Rooms = self.app.state.rooms
        self.rooms.services.now = lambda: 0.0

    async def take(self):
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as self.http:
            with count_block(self.heard):
                async with self.rooms.use(TABLE) as self.room:
                    await self._play()
                self.room.close(1012, "closed")
                await self.rooms.services.stop()
        return self.heard

    async def _play(self):
        await self._enter()
        await self._act()
        await self._talk()
        await self.room.finish()  # a hint comes from a thread, before or after the refusals
        await self._press_what_is_refused()
        await self._ask_for_a_seat()
        await self._ask()
        self._hear("after the action")
        await self._take_back()
        self._hear("after the taking back")
        await self._send(self.actor, Rename(name="Eve"))
        self._hear("after the new name")
        await self._send(self.actor, Resign())
        self._hear("after the resignation")
        for viewer in self.viewers.values():
            self.room.leave(viewer)
        await self._enter()
        self._hear("on coming back")

    async def _enter(self):
        self.viewers = {seat: Viewer(seat) for seat in self.there}
        for viewer in self.viewers.values():
            await self.room.enter(viewer)
        self._hear("on coming")

    async def _act(self):
        await self._send(self.actor, Act(do=self.last.do, seen=self.room.state.seen))
        await self.room.finish()

    async def _send(self, seat, command):
        await self.room.handle(self.viewers[seat], command)

    async def _talk(self):
        await self._send(self.viewer, Say(id="1", words="well, well"))
        await self._send(self.viewer, Text())
        for seat in self.viewers:
            await self._send(seat, Hint())
        await self.room.finish()  # in threads, which may be slower for one table than for the other
        for card in ALL_CARDS[::3]:
            await self._send(self.viewer, Why(do=card))
            await self._send(self.viewer, Why(tokens=[card]))

    async def _press_what_is_refused(self):
        """Send commands that the viewer may not, or no longer, send."""
        seen = self.room.state.seen
        await self._send(self.viewer, Undo(seen=seen - 1))
        for card in ALL_CARDS[::5]:
            await self._send(self.viewer, Act(do=card, seen=seen - 1))
            if self.room.state.match.actor != self.viewer:
                await self._send(self.viewer, Act(do=card, seen=seen))

    async def _ask_for_a_seat(self):
        """Let a new person request every seat; the players agree to requests for bots' seats."""
        for seat in self.room.state.seats:
            for _ in range(2):
                wanted = {"seat": seat, "name": "Cy", "key": NEW_KEY}
                self._note("seats", await self.http.post(f"/api/tables/{TABLE}/seats", json=wanted))
                if request := self.room.state.requests.open:
                    for viewer in self.viewers:
                        await self._send(viewer, Allow(id=request.id, yes=True))
        self._hear("after a seat was asked for")

    async def _take_back(self):
        seen = self.room.state.seen
        await self._send(self.actor, Undo(seen=seen))
        for other in self.viewers:
            await self._send(other, Agree(yes=True, seen=seen))
        await self.room.finish()
        self.taken_back = self.room.state.seen > seen

    async def _ask(self):
        """Send HTTP requests, with the viewer's key if it has one, and without it."""
        await self.room.finish()
        key = {} if self.viewer == SPECTATOR else {"authorization": f"Bearer {self.viewer}"}
        for address in QUESTIONS:
            self._note(address, await self.http.get(address, headers=key))
        bots = [{"kind": "bot", "bot": "thumb", "name": "Bot"}] * self.room.state.match.players
        for path, body in (("on", {"seen": 1, "seats": bots}), ("rematch", {"key": "0"})):
            self._note(path, await self.http.post(f"/api/tables/{TABLE}/{path}", json=body))

    def _note(self, what, answer):
        self.heard.append((what, answer.status_code, answer.headers.raw, answer.content))

    def _hear(self, when):
        viewer = self.viewers[self.viewer]
        self.heard += [(when, text) for _, text in viewer._queue]
        viewer._queue.clear()


@contextmanager
def count_block(heard):
    """Append the log lines and counters of the block, without times, to ``heard``."""
    before, lines = figures(), []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append((record.getMessage(), str(getattr(record, "fields", ""))))
    logging.getLogger().addHandler(handler)
    level = log.level
    log.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        log.setLevel(level)
        logging.getLogger().removeHandler(handler)
        heard += [("logged", *line) for line in lines]
        heard.append(("counted", figures() - before))


def figures():
    return Counter(
        {
            (sample.name, *sample.labels.values()): sample.value
            for family in REGISTRY.collect()
            if family.name.startswith("parlour")
            for sample in family.samples
            if sample.name.endswith(("_total", "_count"))
        }
    )
