"""Hints and reviews at a table: their recipients, their contents, and their secrecy."""

import asyncio
import json
import os
import threading
import time
from types import SimpleNamespace

import pytest

from parlour.bots.compilation import wait_until_ready
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.insight.explanation import explain
from parlour.insight.position import position_of
from parlour.insight.review import review_game
from parlour.render.page_folder import PAGE
from parlour.server.http.reports import review_prefetch, reviews
from parlour.server.http.reports.review_prefetch import PartialReview, discard_undone
from parlour.server.store.database import REVIEWS
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredSeat
from parlour.server.table.bots import hints
from parlour.server.table.bots.hints import BEING_MADE, NOT_HERE, NOT_NOW, hint_message, hints_given
from parlour.server.table.bots.readiness import Readiness
from parlour.server.table.messages import to_text
from parlour.server.table.replays import MOST_REVIEWED, ClosedError, reviewed_record
from tests.helpers import run_apart
from tests.server.card_room import PATIENCE, order, play_out, wait_until
from tests.server.two_players import QUIET, join, two_players

pytestmark = pytest.mark.slow

REVIEWED = 240
"""Time limit for a review, in seconds."""
ANN, BOT = StoredSeat("Ann", None, "x"), StoredSeat("Bot", "thumb")


def idle() -> tuple[float, float, float]:
    """Return the load of a machine that has just become idle."""
    return 0.0, 99.0, 99.0


@pytest.fixture(scope="module", autouse=True)
def searches():
    """Compile the searches before the tests wait for hints."""
    for game in ("trick-walls", "trime-kicker"):
        wait_until_ready(find_game(game), print)


class TestRecipients:
    def test_a_single_person_among_bots_gets_hints(self) -> None:
        assert hints_given({0: ANN, 1: BOT}, agreed=False)
        assert not hints_given({0: ANN, 1: BOT, 2: ANN}, agreed=False)

    def test_among_people_they_are_given_where_they_were_agreed_on(self) -> None:
        assert hints_given({0: ANN, 1: BOT, 2: ANN}, agreed=True)


class TestAtTheTable:
    def test_a_hint_uses_only_the_observation_of_the_seat(self, card_room) -> None:
        table = card_room.open("you", "thumb", game="trime-kicker", options={})
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            ann.say(type="hint")
            hint = ann.hear_type("hint")
            assert hint["candidates"][0]["do"] in ann.scene["legal"]
            match = Match(Setup(find_game("trime-kicker"), 2))
            for event in card_room.store.load(table["table"]).events[: hint["seen"]]:
                match.apply_event(event)
            found = explain(position_of(match, table["seat"], ["You", "Bot 1"]))
            assert hint == json.loads(to_text(hint_message(found, hint["seen"])))

    def test_simultaneous_requests_compute_one_hint(self, card_room, monkeypatch) -> None:
        go_on = threading.Event()
        monkeypatch.setattr(hints, "explain", lambda position: go_on.wait(PATIENCE) and explain(position))
        table = card_room.open("you", "thumb", game="trime-kicker", options={})
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            for _ in range(4):
                ann.say(type="hint")
            assert [ann.hear_type("refused")["reason"] for _ in range(3)] == [BEING_MADE] * 3
            go_on.set()
            assert ann.hear_type("hint")["candidates"]

    def test_hints_among_people_are_announced_to_the_others(self, card_room) -> None:
        with two_players(card_room, "trime-kicker", hints=True) as ((first, second), _):
            assert first.about["hints"]
            first.say(type="hint")
            assert first.hear_type("hint")["candidates"]
            assert second.hear_type("hinted") == {"type": "hinted", "by": first.scene["seat"]}

    def test_spectators_get_no_hint_but_its_announcement(self, card_room) -> None:
        table = card_room.open("you", "thumb", game="trime-kicker", options={})
        with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"]) as spectator:
            ann.until(lambda scene: scene["legal"])
            spectator.say(type="hint")
            assert spectator.hear_type("refused")["reason"] == NOT_NOW
            ann.say(type="hint")
            ann.hear_type("hint")
            assert spectator.hear_type("hinted") == {"type": "hinted", "by": table["seat"]}

    def test_hints_are_offered_from_the_beginning_of_the_game_to_its_end(self, card_room) -> None:
        def offered() -> bool:
            return card_room.http.get(f"/api/tables/{table['table']}").json()["hints"]

        wanted = {**order("you", "open"), "manners": {"hints": True}, "listed": True}
        table = card_room.http.post("/api/tables", json=wanted).json()
        assert not offered()
        assert not card_room.http.get("/api/tables").json()["tables"][0]["hints"]
        key = join(card_room, table)
        assert offered()
        with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"], key) as bo:
            play_out(ann, bo)
        assert not offered()

    def test_among_people_none_is_given(self, card_room) -> None:
        table = card_room.open("you", "open")
        join(card_room, table)
        assert card_room.http.get(f"/api/tables/{table['table']}").json()["hints"] is False
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.say(type="hint")
            assert ann.hear_type("refused")["reason"] == NOT_HERE


def reviewed_tables(store):
    """Return the ids of the tables with a stored review."""
    return list(store.read(lambda connection: connection.execute(REVIEWS.select()).scalars()))


def no_room(*arguments, **named):
    """Fail to store a review: the disk is full."""
    raise OSError(28, "No space left on device")


def answer_of(card_room, address, *passing):
    """Return the answer once its status is none of ``passing``."""
    return wait_until(lambda: (answer := card_room.http.get(address)).status_code not in passing and answer, REVIEWED)


class TestReviewPrefetch:
    def test_results_for_undone_events_are_discarded(self) -> None:
        known = {("value", 0, 1): "a", ("decision", 0, 1): "b", ("value", 0, 2): "c", ("decision", 0, 0): "d"}
        found = PartialReview(["one", "two", "three"], dict(known))
        discard_undone(found, ["one", "other"])
        assert found.results == {("value", 0, 1): "a", ("decision", 0, 0): "d"}
        assert found.events == ["one", "other"]

    @pytest.fixture
    def prefetch(self, monkeypatch):
        """Yield a prefetch of two tables at most, whose worker only records its tasks."""
        monkeypatch.setattr(review_prefetch, "_TABLES", 2)
        monkeypatch.setattr(os, "getloadavg", idle)
        looking = review_prefetch.ReviewPrefetch(SimpleNamespace(is_ready=lambda game: True))
        looking.submitted = []
        monkeypatch.setattr(looking._worker, "submit", lambda *work: looking.submitted.append(work))
        yield looking
        looking.stop()

    @staticmethod
    def follow(looking, *tables, events=0):
        match = SimpleNamespace(game=None, events=[None] * events, record=lambda: {"events": [], "players": 2})
        for table in tables:
            seats = {0: StoredSeat("Ann"), 1: StoredSeat("Bot", "thumb")}
            looking.update(SimpleNamespace(id=table, seats=seats, begun=True, match=match, names=["Ann", "Bot"]))

    def test_tables_beyond_the_maximum_are_skipped(self, prefetch):
        self.follow(prefetch, *"abcd" * 5)
        assert list(prefetch._partial) == ["a", "b"]
        assert len(prefetch.submitted) == 2

    def test_an_inactive_table_is_replaced(self, prefetch, monkeypatch):
        self.follow(prefetch, *"aba")
        left = prefetch._partial["b"]
        later = time.monotonic() + 601
        monkeypatch.setattr(time, "monotonic", lambda: later)
        self.follow(prefetch, "c")
        assert list(prefetch._partial) == ["a", "c"]
        assert left.taken, "the rest of a review that no client awaits is cancelled"

    def test_a_game_that_is_too_long_for_a_review_is_skipped(self, prefetch):
        self.follow(prefetch, "a", events=MOST_REVIEWED + 1)
        assert prefetch.submitted == []
        self.follow(prefetch, "a", events=MOST_REVIEWED)
        assert len(prefetch.submitted) == 1

    def test_on_a_busy_machine_nothing_is_begun(self, prefetch, monkeypatch):
        monkeypatch.setattr(os, "getloadavg", lambda: (os.cpu_count() + 0.1, 0.0, 0.0))
        self.follow(prefetch, "a")
        assert prefetch.submitted == []
        monkeypatch.setattr(os, "getloadavg", idle)
        self.follow(prefetch, "a")
        assert len(prefetch.submitted) == 1


class TestReviews:
    def test_an_unfinished_game_has_no_review(self, card_room) -> None:
        table = card_room.open("you", "thumb")
        answer = card_room.http.get(f"/api/tables/{table['table']}/review")
        assert answer.status_code == 409
        assert "the game is not over" in answer.json()["error"]

    def test_a_game_with_too_many_events_has_no_review(self) -> None:
        def table(events: int) -> SimpleNamespace:
            return SimpleNamespace(ending=None, sealed=False, record=lambda: {"events": [None] * events})

        assert len(reviewed_record(table(MOST_REVIEWED))["events"]) == MOST_REVIEWED
        with pytest.raises(ClosedError, match="more than 1000 events"):
            reviewed_record(table(MOST_REVIEWED + 1))

    def test_the_page_knows_the_longest_game_with_a_review(self) -> None:
        link = (PAGE / "js" / "replay" / "review_link.js").read_text(encoding="utf-8")
        assert f"export const MOST_REVIEWED = {MOST_REVIEWED};" in link

    def test_a_finished_game_is_reviewed_once(self, card_room, monkeypatch) -> None:
        computed = []
        monkeypatch.setattr(
            reviews, "review_game", lambda *game, **how: computed.append(game) or review_game(*game, **how)
        )
        table = card_room.open("you", "thumb", options={"rounds": 1})
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann)
        address = f"/api/tables/{table['table']}/review"
        waiting = card_room.http.get(address)
        assert waiting.status_code == 202
        assert set(waiting.json()) == {"share", "seconds", "waits", "review"}
        assert not waiting.json()["waits"]
        answer = answer_of(card_room, address, 202)
        assert answer.status_code == 200
        assert answer.json()["names"] == ["Ann", "Bot 1"]
        assert len(answer.json()["texts"]["courses"]) == 2
        assert reviewed_tables(card_room.store) == [table["table"]]
        assert card_room.http.get(address).status_code == 200
        assert len(computed) == 1

    def test_an_unfinished_review_has_the_persons_course_and_the_time_left(self, card_room, monkeypatch) -> None:
        go_on, half = threading.Event(), threading.Event()

        def reviewed(record, progress, **given):
            def stop_at_the_half(share, so_far):
                progress(share, so_far)
                if share >= 0.5:
                    half.set()
                    go_on.wait(REVIEWED)

            return review_game(record, effort=2000, progress=stop_at_the_half, **given)

        monkeypatch.setattr(reviews, "review_game", reviewed)
        monkeypatch.setattr(reviews, "reruns_of", lambda *wanted: [])
        table = card_room.open("you", "thumb", options={"rounds": 1})
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann)
        address = f"/api/tables/{table['table']}/review"
        assert card_room.http.get(address).status_code == 202
        assert half.wait(REVIEWED)
        waiting = wait_until(lambda: (found := card_room.http.get(address).json())["share"] and found)
        assert waiting["share"] >= 0.5
        assert waiting["seconds"] >= 0
        assert [course["seat"] for course in waiting["review"]["courses"]] == [table["seat"]]
        (course,) = waiting["review"]["texts"]["courses"]
        assert (
            len(course["chances"])
            == len(card_room.http.get(f"/api/tables/{table['table']}/record").json()["events"]) + 1
        )
        go_on.set()
        assert answer_of(card_room, address, 202).status_code == 200

    def test_the_strongest_bots_game_is_added_later(self, card_room, monkeypatch) -> None:
        played, go_on = [], threading.Event()

        def reruns(record, table, seats, seed, work):
            go_on.wait(REVIEWED)
            played.append(seats)
            return []

        monkeypatch.setattr(reviews, "reruns_of", reruns)
        table = card_room.open("you", "thumb", options={"rounds": 1})
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann)
        address = f"/api/tables/{table['table']}/review"
        first = answer_of(card_room, address, 202).json()
        assert first["reruns"] is None
        assert first["texts"]["reruns"] is None
        go_on.set()
        last = wait_until(
            lambda: (found := card_room.http.get(address).json())["reruns"] is not None and found, REVIEWED
        )
        assert last == {**first, "reruns": [], "texts": {**first["texts"], "reruns": []}}
        assert played == [[table["seat"]]]

    def test_a_review_that_ends_during_a_read_is_not_begun_again(self, database, monkeypatch) -> None:
        store = Store(database)
        kept = reviews.Reviews(store, Readiness())
        kept._running["table"] = reviews.Progress(1)
        text = to_text({"outcomes": [], "texts": {}, "reruns": None})
        monkeypatch.setattr(kept, "_read", lambda table, record: kept._running.clear() or (text, False))
        assert run_apart(kept.find("table", {}, [], "host")) == text
        assert not kept._running
        store.close()

    def test_a_review_that_could_not_begin_can_be_begun_again(self, database) -> None:
        class Failing(Readiness):
            async def wait(self, game):
                raise RuntimeError("the search could not be compiled")

        async def begin_twice():
            for _ in range(2):
                progress = await kept.find("table", {"game": "trime-kicker"}, [], "host")
                assert isinstance(progress, reviews.Progress)
                await asyncio.wait(kept._tasks)
                assert not kept._running

        store = Store(database)
        kept = reviews.Reviews(store, Failing())
        kept._read = lambda table, record: ("", False)
        run_apart(begin_twice())
        store.close()

    def test_addresses_take_turns(self, database, monkeypatch) -> None:
        """An address that asks for many reviews delays another one by the review in work only."""
        computed, begin = [], threading.Event()

        async def request():
            wanted = [("1", "many"), ("2", "many"), ("3", "many"), ("4", "one")]
            for table, host in wanted:
                await kept.find(table, {"game": "trime-kicker"}, [], host)
            while sum(map(len, kept._turns._waiting.values())) < 3:
                await asyncio.sleep(0.01)
            begin.set()
            await asyncio.wait(kept._tasks)

        class Ready(Readiness):
            async def wait(self, game):
                pass

        store = Store(database)
        kept = reviews.Reviews(store, Ready())
        kept._read = lambda table, record: ("", False)
        kept._compute = lambda table, record, people, progress: begin.wait(PATIENCE) and computed.append(table)
        kept._compute_reruns = lambda *wanted: None
        run_apart(request())
        assert computed == ["1", "4", "2", "3"]
        store.close()

    def test_one_game_after_another_is_reviewed_whole(self, card_room, monkeypatch) -> None:
        monkeypatch.setattr("parlour.insight.review.STRONGEST", "thumb")
        for _ in range(2):
            table = card_room.open("you", "thumb", options={"rounds": 1})
            with card_room.sit(table["table"], table["key"]) as ann:
                play_out(ann)
            address = f"/api/tables/{table['table']}/review"
            answer_of(card_room, address, 202)

            def reruns(address=address):
                return card_room.http.get(address).json()["reruns"]

            assert len(wait_until(reruns, REVIEWED)) == 1

    def test_it_is_begun_while_a_game_with_bots_is_played_and_says_the_same(self, card_room, monkeypatch) -> None:
        monkeypatch.setattr(reviews, "reruns_of", lambda *wanted: [])
        monkeypatch.setattr(os, "getloadavg", idle)
        table = card_room.open("you", "thumb", options={"rounds": 1})
        prefetch = card_room.config.app.state.reviews.prefetch
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann)
        found = prefetch._partial[table["table"]]
        wait_until(lambda: found.results, REVIEWED)
        assert {key[1] for key in list(found.results)} == {table["seat"]}
        unfinished = answer_of(card_room, f"/api/tables/{table['table']}/review", 202).json()
        record = card_room.http.get(f"/api/tables/{table['table']}/record").json()
        brief = [seat for seat in range(2) if seat != table["seat"]]
        assert unfinished["brief"] == brief
        assert unfinished["courses"] == review_game(record, brief=brief).to_json()["courses"]

    def test_no_review_of_a_game_among_people_begins_before_its_end(self, card_room, monkeypatch) -> None:
        monkeypatch.setattr(os, "getloadavg", idle)
        prefetch = card_room.config.app.state.reviews.prefetch
        with two_players(card_room, "trick-walls", QUIET) as ((first, _), table):
            seen = first.scene["seen"]
            first.say(type="act", do=first.scene["legal"][0], seen=seen)
            first.until(lambda scene: scene["seen"] > seen)
        assert table not in prefetch._partial

    def test_a_failed_review_can_be_repeated_after_a_while(self, card_room, monkeypatch) -> None:
        table = card_room.open("you", "thumb", options={"rounds": 1})
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann)
        address = f"/api/tables/{table['table']}/review"
        monkeypatch.setattr(reviews, "RETRY_SECONDS", 1)
        with monkeypatch.context() as full:
            full.setattr(reviews, "review_game", no_room)
            assert answer_of(card_room, address, 202).status_code == 500
        assert answer_of(card_room, address, 202, 500).status_code == 200
