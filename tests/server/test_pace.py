"""How long a bot takes to answer tells nothing of what it holds."""

import asyncio
import random
import time
from dataclasses import replace
from uuid import uuid4

import pytest

import parlour
from parlour.bots import choose_at_random, find_bot
from parlour.engine.match import Match
from parlour.engine.rules import CHANCE
from parlour.lab import timing
from parlour.server.process.settings import Settings
from parlour.server.store.store import TAKEN_BACK, StoredTable
from parlour.server.table import bot_turns, pace
from parlour.server.table.commands import Bring
from parlour.server.table.pace import Pace
from parlour.server.table.state import state_of
from parlour.server.table.threads import Threads
from tests.helpers import play_at_random, run_apart
from tests.server.house import PATIENCE, House, play_out

pytestmark = pytest.mark.slow

SOONEST, LATEST = 0.05, 0.11
DECISIONS, TABLES = 160, 4
CLOSE = 0.16
"""Of so many decisions, a third of them forced, an AUC seldom differs more from 0.5 by chance."""


class Ask:
    """A house as the measuring program knows a server."""

    def __init__(self, house):
        self.port = house.port
        self._http = house.http

    def ask(self, path, body=None):
        return (self._http.get(path) if body is None else self._http.post(path, json=body)).json()


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """What an opponent's clock tells of bots that think for so many seconds wherever there is a choice."""

    def measure(paced, *thinking, decisions=DECISIONS):
        def choose(sight):
            time.sleep(random.uniform(*thinking))
            return choose_at_random(sight)

        monkeypatch.setattr(pace, "SOONEST", SOONEST)
        monkeypatch.setattr(pace, "LATEST", LATEST)
        monkeypatch.setattr(bot_turns, "find_bot", lambda name: replace(find_bot(name), choose=choose))
        house = House(tmp_path / f"{uuid4()}.sqlite", Settings(limited=False, paced=paced))
        try:
            return timing.summary(run_apart(timing.watch(Ask(house), "trick-walls", "random", decisions, TABLES)))
        finally:
            house.stop()

    return measure


def once(measure, holds):
    """Whether it holds in one of five measurements: beside other work a single one is noisy, a leak shows in all."""
    found = []
    for _ in range(5):
        found.append(measure())
        if holds(found[-1]):
            return True
    raise AssertionError(found)


def test_without_a_pace_a_clock_tells_who_has_a_choice(measured):
    assert once(lambda: measured(False, 0.1, 0.15, decisions=40), lambda told: told["auc"] > 0.5 + CLOSE)


def test_at_a_pace_it_tells_nothing_and_nobody_waits_longer(measured):
    def nothing_told(told):
        return abs(told["auc"] - 0.5) < CLOSE and SOONEST * 1000 < told["p50_ms"] < 4 * LATEST * 1000

    assert once(lambda: measured(True, 0.02, 0.03), nothing_told)


def test_nor_where_bots_think_longer_than_that(measured):
    assert once(lambda: measured(True, 0.1, 0.15), lambda told: abs(told["auc"] - 0.5) < CLOSE)


def test_a_moment_is_drawn_evenly_and_people_do_not_wait_for_long():
    drawn = sorted(Pace().draw() for _ in range(1000))
    assert pace.SOONEST <= drawn[0] < drawn[500] < 0.8
    assert drawn[-1] <= pace.LATEST
    assert Pace(on=False).draw() == 0.0


def test_what_needs_no_thought_takes_as_long_as_a_choice_of_the_same_bot_took_lately():
    paces = Pace()
    assert paces.like_others("walls", "master") == 0.0
    for seconds in (9.0, *(0.5, 0.7) * 10):
        paces.note("walls", "master", seconds)
    paces.note("walls", "casual", 0.1)
    assert {paces.like_others("walls", "master") for _ in range(200)} == {0.5, 0.7}
    assert Pace(on=False).like_others("walls", "master") == 0.0


def test_waiting_for_a_search_to_be_compiled_is_not_thinking(monkeypatch):
    """The clock is moved on by compiling and by thinking alone."""
    clock = [0.0]

    class Table:
        async def until_ready(self):
            clock[0] += 60.0

    def choose(sight):
        clock[0] += 0.5
        return choose_at_random(sight)

    async def decide():
        threads = Threads()
        threads.now = lambda: clock[0]
        monkeypatch.setattr(threads.readiness, "of", lambda game: False)
        bot = replace(find_bot("casual"), at_once=lambda sight: None, look_ahead=choose)
        await bot_turns.BotTurns(state, threads, Table())._choice(bot, match, match.actor)
        await threads.stop()
        return threads.pace.like_others(match.game.id, "casual")

    match = Match(parlour.make("trime-kicker"))
    playing = play_at_random(match, seed=1)
    while match.actor == CHANCE or len(match.legal()) == 1:
        next(playing)
    state = state_of(StoredTable("abc", match.game.id, match.players, match.options, {}, "secret"), match)
    assert run_apart(decide()) == 0.5


class TestATableThatMovesOn:
    """What a bot decided for a position that is no more does not happen."""

    @pytest.fixture
    def slow(self, tmp_path, monkeypatch):
        """A house whose bots answer after a while."""
        monkeypatch.setattr(pace, "SOONEST", 0.4)
        house = House(tmp_path / "tables.sqlite", Settings(limited=False))
        yield house
        house.stop()

    def test_what_was_taken_back_while_a_bot_waits_is_not_answered(self, slow):
        table = slow.open("you", "thumb", game="tricky-tribes")
        with slow.sit(table["table"], table["key"]) as ann:
            play_out(ann, until=lambda scene: any(action.startswith("dark") for action in scene["legal"]))
            before, room = ann.scene, slow.rooms[table["table"]]
            ann.do(next(action for action in before["legal"] if action.startswith("dark")))
            ann.until_company(lambda company: company["undoable"] == 0)
            ann.say(type="undo", seen=before["seen"] + 1)
            ann.until_seen(before["seen"] + 2)
            assert ann.scene["legal"] == before["legal"]
            while room.busy:  # the bot's answer to what was taken back waits there
                time.sleep(0.01)
            assert room.state.seen == before["seen"] + 2
            assert slow.store.load(table["table"]).events[-1].do == TAKEN_BACK

    def test_what_was_decided_for_an_earlier_position_does_not_happen(self, slow):
        """It would be legal still, and it is the same bot's turn: only the number of events tells."""
        table = slow.open("you", "thumb", "thumb", "thumb")
        with slow.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            room = slow.rooms[table["table"]]
            ann.do(ann.scene["legal"][0])
            ann.until(lambda scene: scene["actor"] in (1, 2, 3))
            seen = room.state.seen
            action = room.state.match.legal()[0]
            stale = room.bring(Bring(room.state.match.actor, action, seen - 1))
            asyncio.run_coroutine_threadsafe(stale, slow.loop).result(PATIENCE)
            assert room.state.seen == seen
            assert len(slow.store.load(table["table"]).events) == seen
