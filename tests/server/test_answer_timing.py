"""A bot's answer time discloses nothing about its hand."""

import asyncio
import threading
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle
from types import SimpleNamespace

import pytest

from parlour.bots import find_bot
from parlour.engine.events import Event
from parlour.engine.rules import CHANCE
from parlour.server.store.stored_table import UNDO
from parlour.server.table.bots import answer_timing, bot_turns
from parlour.server.table.bots.answer_timing import AnswerTiming
from parlour.server.table.bots.bot_turns import BotTurns
from parlour.server.table.table_setup import Manners
from tests.helpers import run_apart
from tests.server.card_room import PATIENCE, play_out, wait_until
from tests.server.decided_tables import play_automatic, table_of
from tests.server.two_players import join
from trials import timing

pytestmark = pytest.mark.slow


class Simulated:
    """A table of two bots with a simulated clock, which advances only while a bot thinks or rests.

    A bot thinks for ``thinking`` seconds about a choice; its search is compiled in ``compiling`` seconds, for which it
    waits, since the game is rated.
    """

    watched = True

    def __init__(self, paced, thinking, compiling=0.0):
        self.state = table_of("bot", "bot")
        self.state.manners = Manners(rated=True)
        self.timing, self.readiness = AnswerTiming(paced), SimpleNamespace(is_ready=lambda game: not self.compiling)
        self.thinking, self.compiling = thinking, compiling
        self.seconds = self.shown = 0.0
        self.taken = []

    def now(self):
        return self.seconds

    async def think(self, host, function, *arguments):
        answer = function(*arguments)
        self.seconds += 0.0 if answer is None else self.thinking
        return answer

    async def sleep(self, seconds):
        self.seconds += max(0.0, seconds)

    async def until_ready(self):
        self.seconds, self.compiling = self.seconds + self.compiling, 0.0

    async def add_automatic(self, event, seen):
        """Record the time since the event before, and whether the answer was forced."""
        if event.by != CHANCE:
            self.taken.append((round(self.seconds - self.shown, 6), len(self.state.match.moves()) == 1))
        play_automatic(self.state, event)
        self.shown = self.seconds

    def start(self, playing):
        return asyncio.ensure_future(playing)

    def begin_turn(self):
        """Do nothing: there are no viewers."""

    async def play(self):
        BotTurns(self.state, self, self).wake()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
        return self.taken


@pytest.fixture
def simulate(monkeypatch):
    """Return the answer times of a whole game in seconds, and whether each was forced."""
    drawn = cycle([0.3, 0.5, 0.7])
    monkeypatch.setattr(AnswerTiming, "draw", lambda own: next(drawn) if own.on else 0.0)

    def simulate(**wanted):
        taken = run_apart(Simulated(**wanted).play())
        assert {forced for _, forced in taken} == {True, False}
        return taken

    return simulate


def test_without_a_pace_a_choice_takes_longer(simulate):
    assert set(simulate(paced=False, thinking=0.1)) == {(0.0, True), (0.1, False)}


def test_at_a_pace_the_time_of_an_answer_is_drawn_independently_of_the_choices(simulate):
    seconds = [each for each, _ in simulate(paced=True, thinking=0.2)]
    assert set(seconds) == {0.3, 0.5, 0.7}
    assert all(each == seconds[number % 3] for number, each in enumerate(seconds))


def test_if_bots_think_longer_than_the_pace_forced_answers_take_as_long(simulate):
    noted = simulate(paced=True, thinking=0.9)
    thought = next(number for number, (_, forced) in enumerate(noted) if not forced)
    assert {seconds for seconds, _ in noted[thought:]} == {0.9}


def test_compilation_does_not_count_as_thinking(simulate, monkeypatch):
    searching = replace(find_bot("random"), searches=True)
    monkeypatch.setattr(bot_turns, "find_bot", lambda name: searching)
    seconds = [each for each, _ in simulate(paced=True, thinking=0.9, compiling=30.0)]
    assert seconds[0] >= 30.0
    assert max(seconds[1:]) == 0.9


class TestTheTimingTrial:
    """The program that measures a server's bots as an opponent would."""

    def test_it_measures_how_well_times_separate_forced_from_free_answers(self):
        noted = [(0.5, 1), (0.7, 1), (0.6, 2), (0.7, 3)]
        assert timing.auc(noted) == pytest.approx(2.5 / 4)
        assert timing.auc([(0.5, 1)]) is None
        summary = timing.summary([*noted, (0.9, 2)])
        assert (summary["decisions"], summary["forced"], summary["p50_ms"], summary["late"]) == (5, 2, 700, 0.2)

    def test_it_notes_the_answers_of_the_bots_at_a_real_server(self, card_room):
        def ask(path, body=None):
            return (card_room.http.get(path) if body is None else card_room.http.post(path, json=body)).json()

        server = SimpleNamespace(port=card_room.port, ask=ask)
        noted = run_apart(timing.time_decisions(server, "trick-walls", "random", 20, 1))
        assert len(noted) >= 20
        assert all(seconds > 0 for seconds, _ in noted)
        assert {legal == 1 for _, legal in noted} == {True, False}


def test_a_moment_is_drawn_evenly_and_people_do_not_wait_for_long():
    drawn = sorted(AnswerTiming().draw() for _ in range(1000))
    earliest, latest = answer_timing.EARLIEST_SECONDS, answer_timing.LATEST_SECONDS
    assert earliest <= drawn[0] < drawn[-1] <= latest < 0.8
    for part in (1, 2, 3):
        assert drawn[250 * part] == pytest.approx(earliest + part * (latest - earliest) / 4, abs=0.05)
    assert AnswerTiming(on=False).draw() == 0.0


def test_a_forced_answer_takes_as_long_as_a_recent_choice_of_the_same_bot():
    times = AnswerTiming()
    assert times.forced_duration("walls", "master") == 0.0
    for seconds in (9.0, *(0.5, 0.7) * 10):
        times.note("walls", "master", seconds)
    times.note("walls", "casual", 0.1)
    assert {times.forced_duration("walls", "master") for _ in range(200)} == {0.5, 0.7}
    assert AnswerTiming(on=False).forced_duration("walls", "master") == 0.0


class TestEventsDuringThinking:
    """A bot's decision for an earlier position is dropped."""

    @pytest.fixture
    def answer_event(self, card_room):
        """Bots with a decision answer only while this event is set."""
        answering = threading.Event()
        answering.set()

        async def sleep(seconds):
            self.sleeps.append(seconds)
            while not answering.is_set():
                await asyncio.sleep(0.01)
            if seconds == bot_turns.UNDO_STEP:
                await asyncio.sleep(0.01)

        self.sleeps = []
        card_room.config.app.state.rooms.services.sleep = sleep
        yield answering
        answering.set()

    def test_an_undo_while_a_bot_waits_cancels_its_answer(self, card_room, answer_event):
        table = card_room.open("you", "thumb", game="tricky-tribes")
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann, until=lambda scene: any(action.startswith("dark") for action in scene["legal"]))
            before, room = ann.scene, card_room.rooms[table["table"]]
            answer_event.clear()
            ann.do(next(action for action in before["legal"] if action.startswith("dark")))
            ann.until_company(lambda company: company["undoable"] == 0)
            ann.say(type="undo", seen=before["seen"] + 1)
            ann.until_seen(before["seen"] + 2)
            assert ann.scene["legal"] == before["legal"]
            answer_event.set()
            wait_until(lambda: not room.busy)  # the bot's answer to the undone action waits there
            assert room.state.seen == before["seen"] + 2
            assert card_room.store.load(table["table"]).events[-1].do == UNDO

    @contextmanager
    def requested(self, card_room, answer_event):
        """Yield two people, and the events before the second one's action, whose undo is requested at once."""
        table = card_room.open("you", "open", "thumb", game="tricky-tribes")
        key = join(card_room, table)
        with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"], key) as bo:
            play_out(bo, ann, until=lambda scene: any(action.startswith("dark") for action in scene["legal"]))
            before = bo.scene["seen"]
            answer_event.clear()
            bo.do(next(action for action in bo.scene["legal"] if action.startswith("dark")))
            bo.until_company(lambda company: company["undoable"] == 1)
            bo.say(type="undo", seen=before + 1)
            ann.until_company(lambda company: company["undo_request"])
            yield ann, bo, before, card_room.rooms[table["table"]]

    def test_a_bot_waits_while_people_decide_on_an_undo(self, card_room, answer_event, monkeypatch):
        monkeypatch.setattr(bot_turns, "UNDO_SECONDS", PATIENCE)
        with self.requested(card_room, answer_event) as (ann, bo, before, room):
            answer_event.set()
            wait_until(lambda: self.sleeps.count(bot_turns.UNDO_STEP) > 3)
            assert room.state.seen == before + 1
            ann.say(type="agree", yes=True, seen=before + 1)
            bo.until_seen(before + 2)
            assert room.state.history[-1] == Event(1, UNDO)

    @pytest.mark.parametrize("refused", [False, True])
    def test_a_bot_goes_on_when_people_refuse_an_undo_or_do_not_answer(
        self, card_room, answer_event, monkeypatch, refused
    ):
        monkeypatch.setattr(bot_turns, "UNDO_SECONDS", PATIENCE if refused else 0.05)
        with self.requested(card_room, answer_event) as (ann, bo, before, room):
            answer_event.set()
            if refused:
                ann.say(type="agree", yes=False, seen=before + 1)
            bo.until_seen(before + 2)
            assert room.state.history[before + 1].by == 2
            assert bo.until_company(lambda company: not company["undo_request"])

    def test_a_decision_for_an_earlier_position_is_dropped(self, card_room, answer_event):
        """It is still legal, in the same bot's turn; only the number of events differs."""
        table = card_room.open("you", "thumb", "thumb", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            room = card_room.rooms[table["table"]]
            answer_event.clear()
            ann.do(ann.scene["legal"][0])
            ann.until(lambda scene: scene["actor"] in (1, 2, 3))
            seen = room.state.seen
            action = room.state.match.legal()[0]
            card_room.call(room.add_automatic, Event(room.state.match.actor, action), seen - 1)
            assert room.state.seen == seen
            assert len(card_room.store.load(table["table"]).events) == seen
