"""A list that changes while it is read, and bots whose actions cannot be stored, without a server."""

import asyncio
import time
from types import SimpleNamespace

from parlour.engine.events import Event
from parlour.server.store.database import StoreError
from parlour.server.table.bots import bot_turns
from parlour.server.table.bots.bot_turns import BotTurns
from parlour.server.table.lobby import Lobby
from parlour.server.table.services import Services
from tests.helpers import run_apart
from tests.server.card_room import PATIENCE


class TestTheLobbysList:
    def reads(self, shared, changes):
        """Return the number of database reads for one request per entry; an entry counts the changes during a read."""
        waiting, reads = list(changes), []

        async def read(*ignored):
            reads.append(1)
            for _ in range(waiting[len(reads) - 1]):
                lobby.discard()
            return []

        store = SimpleNamespace(run=read, open_tables=None, ownership=SimpleNamespace(shared=shared))
        lobby = Lobby(store, Services())

        async def ask():
            for _ in changes:
                assert await lobby.tables() == []

        run_apart(ask())
        return len(reads)

    def test_is_read_once_while_nothing_changes(self):
        assert self.reads(True, [0, 0, 0]) == 1

    def test_is_read_again_if_it_has_changed_meanwhile(self):
        assert self.reads(True, [1, 2, 0, 0]) == 3

    def test_is_read_for_each_request_where_no_notice_comes(self):
        assert self.reads(False, [0, 0, 0]) == 3


class _Table:
    """A table whose writes fail with the planned reasons; ``None`` is a success."""

    watched = True

    def __init__(self, planned):
        self.planned, self.reported, self.stored = list(planned), [], 0
        undo = SimpleNamespace(request=None)
        self.state = SimpleNamespace(match=SimpleNamespace(players=2), seen=0, is_automatic_turn=True, undo=undo)
        self.done = asyncio.Event()

    async def add_automatic(self, event, seen):
        if (reason := self.planned.pop(0)) is not None:
            raise StoreError(reason)
        self.stored += 1
        self.state.is_automatic_turn = bool(self.planned)

    def start(self, coroutine):
        return asyncio.create_task(coroutine)

    def begin_turn(self):
        self.done.set()

    def report_unsaved(self, error):
        self.reported.append(str(error))


class _Turns(BotTurns):
    async def _decide(self):
        return Event(0, "pass")


class TestBotsWhoseActionCannotBeStored:
    def play_turns(self, monkeypatch, planned):
        monkeypatch.setattr(bot_turns, "RETRY_SECONDS", 0)

        async def play():
            table = _Table(planned)
            _Turns(table.state, SimpleNamespace(now=time.monotonic), table).wake()
            await asyncio.wait_for(table.done.wait(), PATIENCE)
            return table

        return run_apart(play())

    def test_try_again_until_it_is_and_say_so_once(self, monkeypatch):
        table = self.play_turns(monkeypatch, ["full", "full", "still full", None])
        assert (table.reported, table.stored) == (["full"], 1)

    def test_say_so_again_at_the_next_failure(self, monkeypatch):
        table = self.play_turns(monkeypatch, ["full", None, "locked", "locked", None])
        assert (table.reported, table.stored) == (["full", "locked"], 2)
