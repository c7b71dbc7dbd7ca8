"""An acknowledged write is on the disk; a refused one is reported and has no effect."""

import asyncio
import os
import sqlite3
import threading
import time
from contextlib import closing, suppress
from dataclasses import replace
from random import Random

import pytest

from parlour.engine.events import Event
from parlour.server.process.run import AddressError, listen, serve
from parlour.server.process.settings import Settings
from parlour.server.store import database
from parlour.server.store.database import ConflictError, StoreError
from parlour.server.store.lobby_list import ListingOrigin
from parlour.server.store.maintenance import ABANDONED_DAYS, day_of, remove_old
from parlour.server.store.ownership import MovedError
from parlour.server.store.store import CHAT_IDS_KEPT, CHAT_MESSAGES_KEPT, Store
from parlour.server.store.stored_table import ChatMessage, OpeningRequest, StoredSeat, StoredTable
from parlour.server.table.bots import bot_turns
from tests.helpers import run_apart
from tests.server.card_room import PATIENCE, order, play_out

pytestmark = pytest.mark.slow

DAY = 86400


def stored_table(table_id="abc"):
    return StoredTable(table_id, "trick-walls", 2, {"rounds": 1}, {0: StoredSeat("Ann", None, "hash")}, "5e" * 32)


def append(store, table_id, *numbered):
    """Append events at the same moment; return the result of each."""

    async def together():
        kept = [store.append(table_id, number, event) for number, event in numbered]
        return await asyncio.gather(*kept, return_exceptions=True)

    return run_apart(together())


class TestStore:
    @pytest.fixture(params=["sqlite", "postgresql"])
    def kind(self, request):
        return request.param

    def test_a_table_comes_back_as_it_was(self, store):
        store.add_table(stored_table())
        store.take_seat("abc", 1, StoredSeat("Bo", "thumb"))
        append(store, "abc", (0, Event(-1, "dealer A")), (1, Event(1, "7H")))
        table = store.load("abc")
        assert table.seats == {0: StoredSeat("Ann", None, "hash"), 1: StoredSeat("Bo", "thumb")}
        assert table.events == [Event(-1, "dealer A"), Event(1, "7H")]
        assert table.options == {"rounds": 1}
        assert table.secret == "5e" * 32
        assert store.load("other") is None

    def test_nothing_is_overwritten(self, store):
        store.add_table(stored_table())
        append(store, "abc", (0, Event(-1, "dealer A")))
        with pytest.raises(ConflictError):
            store.add_table(stored_table())
        with pytest.raises(ConflictError):
            store.take_seat("abc", 0, StoredSeat("Cy"))
        with pytest.raises(ConflictError):
            store.replace_bot("abc", 0, StoredSeat("Cy"))
        assert isinstance(append(store, "abc", (0, Event(-1, "dealer B")))[0], ConflictError)
        assert store.load("abc").events == [Event(-1, "dealer A")]

    def test_a_late_event_does_not_block_events_stored_with_it(self, store):
        store.add_table(stored_table())
        store.add_table(stored_table("def"))
        append(store, "abc", (0, Event(-1, "dealer A")))

        async def together():
            late = [store.append("abc", 0, Event(-1, "dealer B")) for _ in range(3)]
            return await asyncio.gather(*late, store.append("def", 0, Event(-1, "dealer A")), return_exceptions=True)

        *late, fine = run_apart(together())
        assert all(isinstance(each, ConflictError) for each in late)
        assert fine is None
        assert store.load("def").events == store.load("abc").events == [Event(-1, "dealer A")]

    def test_a_table_that_another_server_has_taken_does_not_block_events_of_others(self, store, monkeypatch):
        store.add_table(stored_table())
        store.add_table(stored_table("def"))
        append_all = store.append_all

        def refuse_one(rows):
            if any(row["table_id"] == "abc" for row, _ in rows):
                raise MovedError
            append_all(rows)

        monkeypatch.setattr(store, "append_all", refuse_one)

        async def together():
            taken = [store.append("abc", number, Event(-1, "dealer A")) for number in range(2)]
            own = store.append("def", 0, Event(-1, "dealer A"))
            return await asyncio.wait_for(asyncio.gather(*taken, own, return_exceptions=True), 10)

        *taken, own = run_apart(together())
        assert [type(each) for each in taken] == [MovedError, MovedError]
        assert own is None
        assert store.load("def").events == [Event(-1, "dealer A")]

    @pytest.mark.parametrize("failures", [1, 2])
    def test_an_unforeseen_error_is_an_answer_too(self, store, monkeypatch, failures):
        def fail(rows):
            raise ConflictError("the first event") if len(rows) > 3 - failures else ZeroDivisionError

        store.add_table(stored_table())
        monkeypatch.setattr(store, "append_all", fail)
        answers = append(store, "abc", (0, Event(-1, "dealer A")), (1, Event(1, "7H")))
        assert [str(each) for each in answers] == ["the database failed"] * 2
        assert isinstance(answers[0].__cause__, ZeroDivisionError)

    def test_a_removed_table_gets_no_events(self, store):
        assert isinstance(append(store, "abc", (0, Event(-1, "dealer A")))[0], ConflictError)

    def test_a_gap_in_the_events_is_noticed(self, store):
        store.add_table(stored_table())
        append(store, "abc", (1, Event(0, "7H")))
        with pytest.raises(StoreError, match="missing"):
            store.load("abc")

    def test_every_append_is_on_the_disk(self, store, kind):
        settings = {"PRAGMA journal_mode": "wal", "PRAGMA synchronous": 2}
        if kind == "postgresql":
            settings = {"SHOW synchronous_commit": "on"}
        with store.engine.connect() as connection:
            for text, value in settings.items():
                assert connection.exec_driver_sql(text).scalar() == value

    def grow_old(self, store, days, first=1):
        """Let ``days`` days pass on a running server; return the number of removed tables."""
        return sum(store.write(remove_old, day_of(time.time() + day * DAY)) for day in range(first, first + days))

    def test_only_tables_without_events_are_removed_and_only_after_a_month(self, store):
        for name in ("begun", "never"):
            store.add_table(replace(stored_table(name), manners={"talk": "none"}), listing=ListingOrigin())
        append(store, "begun", (0, Event(-1, "dealer A")))
        store.add_rematch("begun", stored_table("next"))
        store.add_table(
            replace(stored_table("given"), events=[Event(-1, "dealer A")], prefix_length=1),
            request=OpeningRequest("key", "hash"),
        )
        store.add_chat_message("never", ChatMessage(0, "a", "hello"))
        assert self.grow_old(store, ABANDONED_DAYS) == 0
        assert self.grow_old(store, 2, ABANDONED_DAYS + 1) == 3
        assert store.load("never") is store.load("given") is store.load("next") is None
        assert store.load("begun").events
        assert store.load("begun").rematch is store.find_opened("key") is None
        assert store.open_tables(0, 10) == [], "a table that is too old for the lobby leaves its list for good"

    def test_a_clock_that_is_far_ahead_or_behind_removes_nothing(self, store):
        store.add_table(stored_table("never"))
        store.add_chat_message("never", ChatMessage(0, "a", "hello"))
        now = time.time()
        for ahead in (0, 10_000, 10_001, 1, -4_000, 2):
            assert store.write(remove_old, day_of(now + ahead * DAY)) == 0
        assert store.load("never").chat_messages
        assert self.grow_old(store, ABANDONED_DAYS + 2) == 1

    def test_a_table_keeps_its_last_chat_messages_and_the_ids_of_earlier_messages(self, store):
        store.add_table(stored_table())
        messages = [
            ChatMessage(number % 2, f"id{number}", f"words {number}") for number in range(CHAT_MESSAGES_KEPT + 5)
        ]
        for message in (*messages, messages[3]):
            store.add_chat_message("abc", message)
        said = store.load("abc").chat_messages
        assert said[-CHAT_MESSAGES_KEPT:] == messages[5:]
        assert said[:5] == [ChatMessage(message.by, message.id) for message in messages[:5]]
        with store.engine.begin() as connection:
            connection.exec_driver_sql(f"UPDATE said SET number = number + {CHAT_IDS_KEPT} WHERE number > 52")
        store.add_chat_message("abc", ChatMessage(0, "more", "words"))
        assert [message.id for message in store.load("abc").chat_messages] == ["id53", "id54", "more"]

    def test_talk_is_removed_after_a_month_at_every_table(self, store):
        store.add_table(stored_table())
        append(store, "abc", (0, Event(-1, "dealer A")))
        store.add_chat_message("abc", ChatMessage(0, "a", "hello"))
        self.grow_old(store, ABANDONED_DAYS + 2)
        assert store.load("abc").chat_messages == []

    def test_a_table_has_one_rematch(self, store):
        store.add_table(stored_table())
        first = store.add_rematch("abc", stored_table("next"))
        assert store.add_rematch("abc", stored_table("other")) == first == store.load("abc").rematch
        assert (first.table, first.key_hashes) == ("next", {0: "hash"})
        assert store.load("other") is None

    def test_a_key_opens_one_table(self, store):
        store.add_table(stored_table(), request=OpeningRequest("key", "hash"))
        with pytest.raises(ConflictError):
            store.add_table(stored_table("other"), request=OpeningRequest("key", "other"))
        assert store.load("other") is None
        assert store.find_opened("key") == (OpeningRequest("key", "hash"), "abc", "5e" * 32)

    def test_a_stand_ins_event_is_marked_in_the_store(self, store):
        store.add_table(stored_table())

        async def both():
            await store.append("abc", 0, Event(0, "7H"), stood_in=True)
            await store.append("abc", 1, Event(1, "2C"))

        run_apart(both())
        assert store.load("abc").stood_in == {0}

    def test_charges_are_stored_with_their_events_or_not_at_all(self, store):
        store.add_table(stored_table())

        async def together():
            kept = [store.append("abc", 0, Event(0, "7H"), 1500), store.append("abc", 0, Event(0, "8H"), 9)]
            kept += [store.append("abc", 1, Event(1, "2C")), store.append("abc", 2, Event(0, "undo"), 20)]
            return await asyncio.gather(*kept, return_exceptions=True)

        assert [type(each) for each in run_apart(together()) if each] == [ConflictError]
        table = store.load("abc")
        assert table.spent == {0: 1500, 2: 20}
        assert table.game_events == [Event(0, "7H")]

    def test_a_continued_table_begins_with_the_given_events(self, store):
        given = [Event(-1, "dealer A"), Event(1, "7H")]
        store.add_table(replace(stored_table(), events=given, prefix_length=2, manners={"opener": 0}))
        table = store.load("abc")
        assert (table.events, table.prefix_length, table.manners) == (given, 2, {"opener": 0})


def test_a_busy_writer_does_not_block_another(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 30.0)
    location, begun, over = tmp_path / "tables.sqlite", threading.Event(), threading.Event()
    mine = Store(location)

    def write_without_end():
        with closing(sqlite3.connect(location, isolation_level=None, timeout=0)) as other:
            while not over.is_set():
                with suppress(sqlite3.OperationalError):
                    other.execute("BEGIN IMMEDIATE")
                    begun.set()
                    time.sleep(0.01)
                    other.execute("COMMIT")
                    time.sleep(0.002)

    busy = threading.Thread(target=write_without_end)
    busy.start()
    begun.wait()
    try:
        for number in range(40):
            mine.add_table(stored_table(f"table{number}"))
    finally:
        over.set()
        busy.join()
        mine.close()


class TestADatabaseThatCannotBeOpened:
    def refusal(self, path):
        with pytest.raises(StoreError) as error:
            Store(path)
        assert str(path) in str(error.value)
        return str(error.value)

    def test_a_file_that_is_no_database_is_refused(self, tmp_path):
        path = tmp_path / "x"
        path.write_bytes(b"hello " * 1000)
        assert "not a database" in self.refusal(path)

    def test_a_database_of_another_program_is_refused(self, tmp_path):
        path = tmp_path / "x"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE songs (name)")
        assert "another program" in self.refusal(path)

    @pytest.mark.parametrize(("version", "age"), [(99, "a newer version"), (1, "a much older version")])
    def test_a_database_of_an_incompatible_version_is_refused(self, tmp_path, version, age):
        path = tmp_path / "x"
        Store(path).close()
        with sqlite3.connect(path) as connection:
            connection.execute(f"UPDATE layout SET version = {version}")
        assert f"{age} of Parlour: open it with that one, or name another with --database" in self.refusal(path)

    def test_a_folder_or_a_path_that_cannot_exist_is_refused(self, tmp_path):
        assert "cannot be opened" in self.refusal(tmp_path)
        (tmp_path / "file").write_text("")
        self.refusal(tmp_path / "file" / "x")

    def test_a_locked_file_is_refused(self, tmp_path, monkeypatch):
        monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
        path = tmp_path / "x"
        Store(path).close()
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        assert "locked" in self.refusal(path)
        other.close()

    @pytest.mark.skipif(os.geteuid() == 0, reason="everything can be written by root")
    def test_a_read_only_file_is_refused(self, tmp_path):
        path = tmp_path / "x"
        Store(path).close()
        path.chmod(0o400)
        assert "read-only" in self.refusal(path)

    @pytest.mark.usefixtures("restored_logging")
    def test_a_port_in_use_or_an_invalid_address_is_refused(self, tmp_path):
        with listen("127.0.0.1", 0) as taken, pytest.raises(AddressError, match=r"in use.*--port"):
            serve(Settings(port=taken.getsockname()[1], database=str(tmp_path / "x")))
        with pytest.raises(AddressError, match="no address"):
            listen("no such host", 0)

    @pytest.mark.usefixtures("restored_logging")
    @pytest.mark.parametrize("host", ["a..b", 70 * "a"])
    def test_a_name_that_is_no_address_for_metrics_is_refused(self, tmp_path, host):
        with pytest.raises(AddressError, match=f"there is no address '{host}' for metrics"):
            serve(Settings(port=0, database=str(tmp_path / "x"), metrics_host=host, metrics_port=9))


class TestAFileThatFailsDuringAGame:
    @pytest.fixture(autouse=True)
    def _poll_often(self, monkeypatch):
        monkeypatch.setattr(bot_turns, "RETRY_SECONDS", 0.2)

    def test_refuses_actions_while_it_is_locked(self, card_room, monkeypatch):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            other = sqlite3.connect(card_room.database, isolation_level=None, timeout=PATIENCE)
            other.execute("BEGIN IMMEDIATE")
            with monkeypatch.context() as hasty:  # only for requests that must fail: others may need longer
                hasty.setattr(database, "BUSY_SECONDS", 0.1)
                answer = card_room.http.post("/api/tables", json=order("you", "thumb"))
                assert (answer.status_code, list(answer.json())) == (503, ["error"])
                assert "locked" in answer.json()["error"]
                assert card_room.http.get(f"/api/tables/{table['table']}").status_code == 200
                seen, action = ann.scene["seen"], ann.scene["legal"][0]
                ann.do(action)
                refused = ann.hear_type("refused")
            assert refused["reason"] == "the table could not be saved: another program keeps the database locked"
            assert refused["seen"] == seen
            ann.say(type="ping")
            assert ann.hear() == {"type": "pong"}
            other.rollback()
            ann.do(action)
            ann.until(lambda scene: scene["seen"] > seen and scene["legal"])
            other.close()

    def test_bots_continue_as_soon_as_the_database_works_again(self, card_room):
        table = card_room.open("you", "open", "thumb", "thumb", "thumb")
        address = f"/api/tables/{table['table']}"
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.hear_type("scenes")
            room = card_room.rooms[table["table"]]
            append_all, failing = card_room.store.append_all, [True]

            def append_or_fail(rows):
                if failing[0]:
                    raise StoreError("the disk is full")
                append_all(rows)

            card_room.store.append_all = append_or_fail
            assert card_room.http.post(f"{address}/seats", json={"seat": 1, "name": "Bo"}).status_code == 201
            assert ann.hear_type("refused")["reason"] == "the table could not be saved: the disk is full"
            assert room.state.seen == 0
            failing[0] = False
            ann.until(lambda scene: scene["seen"] >= 3)

    def test_is_of_no_harm_to_other_tables_if_one_is_damaged(self, card_rooms):
        card_room = card_rooms()
        whole, broken = card_room.open("you", "thumb"), card_room.open("you", "thumb")
        for table in (whole, broken):
            with card_room.sit(table["table"], table["key"]) as ann:
                play_out(ann, until=lambda scene: scene["seen"] >= 8 and scene["legal"])
        card_room.stop()
        with sqlite3.connect(card_room.database) as connection:
            connection.execute("UPDATE events SET do = 'XB' WHERE table_id = ? AND number = 5", [broken["table"]])
        card_room = card_rooms()
        answer = card_room.http.get(f"/api/tables/{broken['table']}")
        assert answer.status_code == 500
        assert answer.json()["error"] == "this table cannot be opened again: its event 6 is damaged in the database"
        with card_room.sit(broken["table"], broken["key"], hello=False) as ann:
            assert ann.hear()["type"] == "error"
            assert ann.close_code() == 1011
        with card_room.sit(whole["table"], whole["key"]) as ann:
            play_out(ann)

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE events SET do = x'00ff' WHERE number = 4",
            "UPDATE events SET by = 77 WHERE number = 4",
            "UPDATE events SET do = 'deal' WHERE number = 2",
            "UPDATE events SET do = 'undo' WHERE number = 0",
            "DELETE FROM events WHERE number = 4",
            "UPDATE tables SET game = 'poker'",
            "UPDATE tables SET players = 7",
            "UPDATE tables SET secret = '5e'",
            "UPDATE tables SET options = '{'",
            "UPDATE tables SET options = '{\"nix\": 1}'",
            "UPDATE seats SET seat = 9 WHERE seat = 1",
            "UPDATE seats SET bot = 'nix' WHERE seat = 1",
        ],
    )
    def test_is_reported_as_damaged_wherever_the_damage_is(self, card_rooms, damage):
        card_room = card_rooms()
        table = card_room.open("you", "thumb", options={"rounds": 1})
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann, until=lambda scene: scene["seen"] >= 8 and scene["legal"])
        card_room.stop()
        with sqlite3.connect(card_room.database) as connection:
            connection.execute(damage)
        card_room = card_rooms()
        for path in ("", "/record"):
            answer = card_room.http.get(f"/api/tables/{table['table']}{path}")
            assert answer.status_code in (500, 503)
            assert "damaged" in answer.json()["error"] or "missing" in answer.json()["error"]
        assert card_room.works()

    def test_is_reported_as_damaged_if_it_has_garbage(self, card_rooms):
        card_room = card_rooms()
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
        card_room.stop()
        with closing(sqlite3.connect(card_room.database)) as connection:
            (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tables'").fetchone()
            (size,) = connection.execute("PRAGMA page_size").fetchone()
        with card_room.database.open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(Random(1).randbytes(size))
        card_room = card_rooms()
        answer = card_room.http.get(f"/api/tables/{table['table']}")
        assert (answer.status_code, answer.json()) == (503, {"error": "the database is damaged"})
        with card_room.sit(table["table"], table["key"], hello=False) as ann:
            assert ann.hear() == {"type": "error", "error": "the database is damaged"}
        assert card_room.http.get("/api/games").status_code == 200


class TestTheOpenersAddressOfATableInTheLobby:
    @staticmethod
    def openers(store):
        return store.read(lambda connection: connection.exec_driver_sql("SELECT opener FROM listed").scalars().all())

    def test_is_stored_only_as_a_hash_and_for_two_days_at_most(self, store, monkeypatch):
        for name in ("one", "two"):
            store.add_table(replace(stored_table(name), secret=name), ListingOrigin("203.0.113.7", 3))
        one, two = self.openers(store)
        assert "203" not in one + two
        assert one != two
        store.write(remove_old, day_of())
        assert self.openers(store) == [one, two]
        monkeypatch.setattr("time.time", lambda now=time.time: now() + 86401)
        store.write(remove_old, day_of())
        assert self.openers(store) == ["", ""]
