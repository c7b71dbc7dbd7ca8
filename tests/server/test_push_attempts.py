"""The attempts to deliver a notice: whether it is still news is asked before each, and each ends in one way."""

import asyncio
from contextlib import closing
from types import SimpleNamespace

import pytest

from parlour.server.store.database import StoreError
from parlour.server.store.people.subscriptions import Subscription, subscribe, subscriptions_of
from parlour.server.store.store import Store
from parlour.server.table.push import push_notices
from parlour.server.table.push.notices import Delivery, Notice, Subject
from parlour.server.table.push.push_notices import PushNotices
from parlour.server.table.push.settings import PushSettings
from tests.helpers import run_apart
from tests.server.decided_tables import first_action, happen, table_of
from tests.server.stored_tables import table

HOST = "push.example.org"
SETTINGS = PushSettings("cards@example.org", (HOST,))
PAUSES = (push_notices.GRACE_SECONDS, *push_notices.RETRY_SECONDS)
"""Seconds before each attempt."""
ATTEMPTS = len(PAUSES)


class Sender:
    """A sender that notes the names of the browsers to which it sends, and gives these results in turn."""

    def __init__(self, *results):
        self.results = list(results)
        self.sent = []

    def send(self, to, text, topic, seconds):
        self.sent.append(to.endpoint.rpartition("/")[2])
        return self.results.pop(0) if self.results else Delivery.LATER


@pytest.fixture
def store(database):
    with closing(Store(database)) as store:
        store.add_table(table("t", []))
        yield store


@pytest.fixture
def deliver(store):
    """Return a function that sends notices, and lets something happen in one of the pauses before an attempt."""

    def run(state, seats, subject=Subject.TURN, results=(), pause=None, change=lambda push: None, notices=1):
        for seat in seats:
            browser = Subscription(f"https://{HOST}/seat-{seat}", "point", "secret", "en")
            store.write(subscribe, "t", seat, browser)
        sender, pauses = Sender(*results), []

        async def send_all():
            push = PushNotices(store, SETTINGS)
            push._sender = sender

            async def pause_briefly(seconds):
                is_first = seconds not in pauses
                pauses.append(seconds)
                if is_first and pause is not None and seconds == PAUSES[pause]:
                    change(push)

            push._pause = pause_briefly
            for _ in range(notices):
                push.announce(Notice(state, frozenset(seats), subject, state.seen))
            await push._tasks.finish()
            push._threads.shutdown()
            return push

        push = run_apart(send_all())
        return SimpleNamespace(sent=sender.sent, pauses=pauses, push=push)

    return run


def left(store):
    return {seat for seat, browsers in store.read(subscriptions_of, "t", range(4)).items() if browsers}


@pytest.mark.parametrize("pause", range(ATTEMPTS))
class TestAPauseBeforeAnAttempt:
    """Pause 0 is the grace period; each later one follows an attempt that the push service did not accept."""

    @pytest.mark.parametrize("subject", Subject)
    def test_is_the_last_for_a_player_who_returns_in_it(self, deliver, pause, subject):
        state = table_of("person", "person")
        done = deliver(state, [0], subject, pause=pause, change=lambda push: state.presence.connect(0, 0.0))
        assert done.sent == ["seat-0"] * pause

    def test_is_the_last_only_for_the_player_who_returns_in_it(self, deliver, pause):
        state = table_of("person", "person")
        change = {"pause": pause, "change": lambda push: state.presence.connect(0, 0.0)}
        done = deliver(state, [0, 1], Subject.OVER, **change)
        assert done.sent.count("seat-1") == ATTEMPTS
        assert done.sent.count("seat-0") <= pause

    def test_is_the_last_if_the_turn_ends_in_it(self, deliver, pause):
        state = table_of("person", "person")
        act = first_action(state)
        done = deliver(state, [0], pause=pause, change=lambda push: happen(state, *act))
        assert done.sent == ["seat-0"] * pause

    def test_is_not_the_last_for_the_notice_of_an_end_with_an_event_in_it(self, deliver, pause):
        state = table_of("person", "person")
        act = first_action(state)
        done = deliver(state, [0], Subject.OVER, pause=pause, change=lambda push: happen(state, *act))
        assert done.sent == ["seat-0"] * ATTEMPTS

    def test_is_followed_by_one_attempt_of_a_room_that_stops(self, deliver, pause):
        stop = {"pause": pause, "change": lambda push: push._stopping.set()}
        assert deliver(table_of("person", "person"), [0], **stop).sent == ["seat-0"] * (pause + 1)


class TestTheResult:
    @pytest.mark.parametrize("before", range(ATTEMPTS))
    @pytest.mark.parametrize("result", [Delivery.SENT, Delivery.GONE, Delivery.REFUSED])
    def test_ends_the_attempts_and_only_a_browser_that_is_gone_is_removed(self, deliver, store, before, result):
        done = deliver(table_of("person", "person"), [0], results=[Delivery.LATER] * before + [result])
        assert done.sent == ["seat-0"] * (before + 1)
        assert left(store) == (set() if result is Delivery.GONE else {0})

    def test_leaves_the_browser_after_the_last_attempt(self, deliver, store):
        done = deliver(table_of("person", "person"), [0])
        assert tuple(done.pauses) == PAUSES
        assert (len(done.sent), left(store)) == (ATTEMPTS, {0})

    def test_does_not_concern_another_browser(self, deliver, store):
        done = deliver(table_of("person", "person"), [0, 1], results=[Delivery.GONE])
        assert sorted(map(done.sent.count, ("seat-0", "seat-1"))) == [1, ATTEMPTS]
        assert len(left(store)) == 1


class TestPendingNotices:
    @pytest.fixture(autouse=True)
    def few(self, monkeypatch):
        monkeypatch.setattr(push_notices, "MOST_PENDING", 2)

    def test_are_dropped_beyond_the_maximum(self, deliver):
        done = deliver(table_of("person", "person"), [0], results=[Delivery.SENT] * 5, notices=5)
        assert done.sent == ["seat-0"] * 2

    @pytest.mark.parametrize("failure", [None, StoreError("the database does not answer"), RuntimeError("a fault")])
    def test_are_counted_no_more_after_any_end(self, deliver, monkeypatch, failure):
        def fail(*arguments):
            raise failure

        if failure:
            monkeypatch.setattr(push_notices, "subscriptions_of", fail)
        done = deliver(table_of("person", "person"), [0], results=[Delivery.SENT] * 2, notices=2)
        assert (done.push._pending, done.push._in_grace) == (0, 0)

    def test_are_none_in_a_room_that_has_stopped(self, store):
        async def announce_late():
            push = PushNotices(store, SETTINGS)
            push._sender = Sender()
            await push.stop()
            state = table_of("person", "person")
            push.announce(Notice(state, frozenset({0}), Subject.TURN, state.seen))
            await asyncio.sleep(0)
            return push._pending

        assert run_apart(announce_late()) == 0
