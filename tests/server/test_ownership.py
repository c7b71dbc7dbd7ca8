"""Several servers on one database of PostgreSQL: each table has one owner, and moves on request."""

import asyncio
import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest
import sqlalchemy as sql
from trials.relays import Relay

from parlour.engine.events import Event
from parlour.server.process.settings import Settings
from parlour.server.pulse import Pulse
from parlour.server.store import calls, ownership, session
from parlour.server.store.database import INSTANCES, OWNERS, StoreError
from parlour.server.store.lobby_list import ListingOrigin
from parlour.server.store.ownership import ElsewhereError, Instance, MovedError
from parlour.server.store.store import Store
from parlour.server.store.stored_table import ChatMessage, StoredSeat, StoredTable
from parlour.server.table import ownership_client, rooms
from parlour.server.table.close_codes import Closing
from tests.server.card_room import PATIENCE, order, play_out, wait_until

pytestmark = pytest.mark.slow

TABLE = StoredTable("abc", "trick-walls", 2, {"rounds": 1}, {0: StoredSeat("Ann", None, "hash")}, "secret")


@pytest.fixture
def kind():
    return "postgresql"


class Server:
    """The store of an instance, with the notices it receives."""

    def __init__(self, database, name, pulse=None):
        self.store = Store(database)
        self.heard = []
        self.hears = threading.Event()
        self.ownership = self.store.ownership
        self.ownership.begin(Instance(name, f"http://{name}"), self.hear, pulse)

    def hear(self, words):
        self.heard.append(words)
        self.hears.set()

    def write(self, number):
        row = {"table_id": "abc", "number": number, "by": 0, "do": "x", "stood_in": 0}
        self.store.append_all([(row, None)])

    def events(self):
        return list(self.store.load("abc").events)

    def rows(self, table):
        with self.store.engine.begin() as connection:
            return connection.execute(sql.select(table)).all()

    def claim_when_ended(self):
        """Claim the table of a closed server: PostgreSQL ends its session a moment after it has closed."""

        def claimed():
            try:
                self.ownership.claim("abc")
            except ElsewhereError:
                return False
            return True

        wait_until(claimed)

    def cut_off(self):
        """Let PostgreSQL end the session, as it does with a silent client."""
        asked = "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s"
        with self.store.engine.begin() as connection:
            connection.exec_driver_sql(asked, (self.ownership.id,)).all()


@pytest.fixture
def two_servers(database):
    servers = [Server(database, "a"), Server(database, "b")]
    servers[0].store.add_table(TABLE)
    yield servers
    for server in servers:
        server.store.close()


class TestATable:
    def test_belongs_to_the_first_instance_whose_address_the_other_gets(self, two_servers):
        a, b = two_servers
        a.ownership.claim("abc")
        with pytest.raises(ElsewhereError) as error:
            b.ownership.claim("abc")
        assert error.value.address == "http://a"
        assert a.hears.wait(PATIENCE)
        assert a.heard == [["want", "abc", str(b.ownership.id)]]

    def test_is_written_only_by_its_owner(self, two_servers):
        a, b = two_servers
        a.ownership.claim("abc")
        for write in (
            lambda: b.write(0),
            lambda: b.store.take_seat("abc", 1, StoredSeat("Bo", None, "x")),
            lambda: b.store.replace_bot("abc", 1, StoredSeat("Bo", None, "x")),
            lambda: b.store.add_chat_message("abc", ChatMessage(0, "1", "hello")),
            lambda: b.store.add_rematch("abc", StoredTable("next", "trick-walls", 2, {}, {}, "s")),
        ):
            with pytest.raises(StoreError, match="moved on"):
                write()
        a.write(0)
        assert a.events() == [Event(0, "x")]
        assert len(a.store.load("abc").seats) == 1

    def test_is_given_to_the_one_that_asks_for_it(self, two_servers):
        a, b = two_servers
        a.ownership.claim("abc")
        a.ownership.release("abc", a.ownership.forget("abc"), b.ownership.id)
        with pytest.raises(ElsewhereError):
            a.ownership.claim("abc")
        b.ownership.claim("abc")
        with pytest.raises(MovedError):
            a.write(0)
        b.write(0)

    def test_is_not_released_by_an_instance_that_has_loaded_it_again(self, two_servers):
        a, b = two_servers
        a.ownership.claim("abc")
        before = a.ownership.forget("abc")
        with pytest.raises(MovedError):
            a.write(0)
        a.ownership.claim("abc")
        a.ownership.release("abc", before)
        a.write(0)
        with pytest.raises(ElsewhereError):
            b.ownership.claim("abc")

    def test_a_missing_table_has_no_owner(self, two_servers):
        two_servers[0].ownership.claim("none")
        assert two_servers[0].rows(OWNERS) == []

    def test_is_loaded_for_a_client_that_comes_at_the_end_of_a_handover(self, card_room):
        """The client's task continues in the same iteration of the event loop, behind that of the handover."""
        rooms, table = card_room.config.app.state.rooms, card_room.open("you", "thumb")["table"]

        async def meet():
            end = asyncio.get_running_loop().create_future()

            async def hand_over(table):
                await end
                rooms._drop(rooms.in_memory[table])

            async def come():
                await end
                async with rooms.use(table) as room:
                    return room.id

            async with rooms.use(table):
                rooms._change(hand_over, table)
                await asyncio.sleep(0)
            coming = asyncio.create_task(come())
            await asyncio.sleep(0)
            end.set_result(None)
            return await coming

        assert card_room.call(meet) == table


class TestAnEndedInstance:
    def test_another_has_its_tables_and_strikes_it_out(self, two_servers, database):
        a, b = two_servers
        a.ownership.claim("abc")
        a.store.close()
        b.claim_when_ended()
        b.write(0)
        c = Server(database, "c")
        assert {row.server for row in c.rows(INSTANCES)} == {"b", "c"}
        c.store.close()

    def test_an_instance_that_was_cut_off_is_notified_and_writes_nothing_more(self, two_servers, monkeypatch):
        a, b = two_servers
        claimed, connect = threading.Event(), session.Session._connect
        monkeypatch.setattr(session.Session, "_connect", lambda own: claimed.wait(PATIENCE) and connect(own))
        a.ownership.claim("abc")
        a.write(0)
        a.cut_off()
        b.ownership.claim("abc")
        claimed.set()
        with pytest.raises(MovedError):
            a.write(1)
        b.write(1)
        assert b.events() == [Event(0, "x")] * 2
        assert a.hears.wait(PATIENCE)
        assert a.heard == [[]]
        assert a.ownership.forget_lost() == ["abc"]
        with pytest.raises(ElsewhereError):
            a.ownership.claim("abc")

    def test_a_table_that_is_claimed_again_during_the_look_for_lost_ones_is_kept(self, two_servers, monkeypatch):
        a, b = two_servers
        a.ownership.claim("abc")
        claimed, connect = threading.Event(), session.Session._connect
        monkeypatch.setattr(session.Session, "_connect", lambda own: claimed.wait(PATIENCE) and connect(own))
        a.cut_off()
        b.ownership.claim("abc")
        claimed.set()
        assert a.hears.wait(PATIENCE)
        in_words = ownership.errors_in_words

        @contextmanager
        def then_claim_again():
            with in_words():
                yield
            monkeypatch.setattr(ownership, "errors_in_words", in_words)
            b.ownership.release("abc", b.ownership.forget("abc"), a.ownership.id)
            a.ownership.claim("abc")

        monkeypatch.setattr(ownership, "errors_in_words", then_claim_again)
        assert a.ownership.forget_lost() == []
        a.write(0)

    def test_an_instance_that_is_back_before_another_claim_continues(self, two_servers):
        a, _ = two_servers
        a.ownership.claim("abc")
        a.cut_off()
        assert a.hears.wait(PATIENCE)
        assert a.ownership.forget_lost() == []
        a.write(0)

    def test_an_instance_whose_event_loop_hangs_gives_its_tables_up_until_the_loop_works(
        self, two_servers, database, monkeypatch
    ):
        monkeypatch.setattr(session, "_BEAT_SECONDS", 0.05)
        _, b = two_servers
        now = [0.0]
        pulse = Pulse(lambda: now[0])
        hanging = Server(database, "c", pulse)
        hanging.ownership.claim("abc")
        now[0] = session.LEASE_SECONDS
        b.claim_when_ended()
        assert hanging.heard == []  # it has not come back
        pulse.beat()
        assert hanging.hears.wait(PATIENCE)
        assert hanging.heard == [[]]
        assert hanging.ownership.forget_lost() == ["abc"]
        with pytest.raises(MovedError):
            hanging.write(0)
        with pytest.raises(ElsewhereError):
            hanging.ownership.claim("abc")
        hanging.store.close()

    @pytest.mark.usefixtures("two_servers")
    def test_an_instance_whose_whole_process_was_stopped_keeps_its_tables(self, database, monkeypatch):
        """Its thread goes on first, finds the loop silent, and the loop beats a moment later."""

        class WakingPulse:
            silent = session.LEASE_SECONDS
            looks = 0

            @property
            def beats(self):
                self.looks += 1
                return self.looks

        for name in ("_BEAT_SECONDS", "_RETRY_SECONDS"):
            monkeypatch.setattr(session, name, 0.01)
        pulse = WakingPulse()
        stopped = Server(database, "c", pulse)
        stopped.ownership.claim("abc")
        wait_until(lambda: pulse.looks > 10)
        stopped.write(0)
        assert stopped.heard == []
        stopped.store.close()

    def test_a_leaving_instance_knows_whether_another_server_runs(self, two_servers, database):
        a, b = two_servers
        worker = Server(database, "b")  # another process of the same server
        assert a.ownership.leave()
        assert not b.ownership.leave()
        worker.store.close()


class TestTwoServers:
    @pytest.fixture
    def at_once(self, monkeypatch):
        monkeypatch.setattr(rooms, "SETTLED_SECONDS", 0.0)

    def test_a_table_moves_to_the_requesting_server_with_all_its_clients(self, card_rooms, at_once):
        first, second = card_rooms(), card_rooms()
        table = first.open("you", "open")
        path = f"/api/tables/{table['table']}"
        with first.sit(table["table"], table["key"]) as ann:
            ann.hear_type("scenes")
            taken = second.http.post(f"{path}/seats", json={"seat": 1, "name": "Bo"}).json()
            assert ann.close_code() == 4421
        assert second.rooms.keys() == {table["table"]}
        assert not first.rooms
        with second.sit(table["table"], table["key"]) as ann, second.sit(table["table"], taken["key"]) as bo:
            play_out(ann, bo)

    def test_a_table_loaded_a_moment_ago_stays_and_the_client_gets_its_address(self, card_rooms, monkeypatch):
        monkeypatch.setattr(rooms, "SETTLED_SECONDS", 600.0)
        monkeypatch.setattr(ownership_client, "HANDOVER_SECONDS", 0.0)
        monkeypatch.setattr(ownership_client, "_RETRY_SECONDS", 0.0)
        first, second = card_rooms(Settings(limited=False, address="http://first/")), card_rooms()
        table = first.open("you", "open")
        path = f"/api/tables/{table['table']}"
        with first.sit(table["table"], table["key"]) as ann:
            ann.hear_type("scenes")
            program = second.http.get(f"{path}?a=1")
            assert (program.status_code, program.headers["location"]) == (307, f"http://first{path}?a=1")
            browser = second.http.get(path, headers={"Sec-Fetch-Mode": "cors"})
            assert (browser.status_code, browser.headers["retry-after"]) == (421, "1")
            with second.sit(table["table"], table["key"]) as elsewhere:
                assert elsewhere.close_code() == 4421
            ann.say(type="ping")
            assert ann.hear_type("pong")

    def test_a_server_that_is_asked_to_end_hands_its_tables_over(self, card_rooms):
        first, second = card_rooms(), card_rooms()
        table = first.open("you", "thumb", options={"rounds": 2})
        with first.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            seen = ann.scene["seen"]
            ann.do(ann.scene["legal"][0])
            ann.until_seen(seen + 1)
            first.server.should_exit = True
            assert ann.close_code() == 4421
            log = [line for line in ann.log if line]
        with second.sit(table["table"], table["key"]) as ann:
            ann.until_seen(seen + 1)
            assert [line for line in ann.log if line][: len(log)] == log
            play_out(ann)
        first.stop()

    def test_a_draining_server_is_not_ready_and_takes_no_table(self, card_rooms):
        first, second = card_rooms(), card_rooms()
        table = second.open("you", "open")
        first.call(first.config.app.state.rooms.drain, 0.0)
        assert first.http.get("/readyz").status_code == 503
        assert first.http.get("/healthz").status_code == 200
        assert first.http.get(f"/api/tables/{table['table']}").status_code == 421
        assert second.http.get(f"/api/tables/{table['table']}").status_code == 200


class TestAServerWithoutItsDatabase:
    @pytest.fixture
    def relay(self, cluster, patient, monkeypatch):
        """PostgreSQL ends the session of a server soon after its last answer; the server itself stays patient."""
        monkeypatch.setattr(session, "LEASE_SECONDS", 6)
        monkeypatch.setattr(session, "_BEAT_SECONDS", 0.2)
        relay = Relay(cluster.folder)
        yield relay
        relay.mend()
        relay.remove()

    @pytest.fixture
    def hasty(self, monkeypatch):
        """Yield a function that shortens the servers' time limits for their database, and returns the patch."""
        with monkeypatch.context() as limits:

            def shorten():
                limits.setattr(ownership_client, "LEASE_SECONDS", 6)
                limits.setattr(calls, "ANSWER_SECONDS", 1)
                return limits

            yield shorten

    def test_reports_that_nothing_can_be_saved_and_another_server_gets_its_tables(
        self, relay, database, card_rooms, hasty
    ):
        cut_off, other = card_rooms(url=through(relay, database)), card_rooms()
        table = cut_off.open("you", "thumb")
        with cut_off.sit(table["table"], table["key"]) as ann:
            seen = ann.until(lambda scene: scene["legal"])["seen"]
            relay.cut()
            limits = hasty()
            ann.do(ann.scene["legal"][0])
            assert ann.hear_type("refused")["reason"] == "the table could not be saved: the database does not answer"
            assert ann.close_code() == Closing.ELSEWHERE
        assert cut_off.http.get("/readyz").json() == {"error": "the database does not answer"}
        assert cut_off.http.get(f"/api/tables/{table['table']}").status_code == 503
        limits.undo()
        with other.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["seen"] >= seen and scene["legal"])
            play_out(ann)
        relay.mend()
        wait_until(lambda: cut_off.http.get("/readyz").status_code == 200)
        assert cut_off.works()
        cut_off.stop()

    def test_ends_when_it_is_asked_to(self, relay, database, card_rooms, hasty):
        cut_off = card_rooms(url=through(relay, database))
        table = cut_off.open("you", "thumb")
        with cut_off.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            relay.cut()
            hasty()
            ann.do(ann.scene["legal"][0])
            cut_off.stop()


def through(relay, database):
    """Return the URL of a database behind a relay."""
    return database.partition("?")[0] + f"?host={relay.folder}"


class TestAnUnansweredWrite:
    def test_is_refused_after_a_while_and_carried_out_once(self, card_room, monkeypatch):
        """Its outcome is unknown at first; the database shows later whether it was stored."""
        table, released = card_room.open("you", "thumb"), threading.Event()
        append = card_room.store.append_all
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            seen, action = ann.scene["seen"], ann.scene["legal"][0]
            with monkeypatch.context() as slow:  # for this write alone: on a busy machine others may take as long
                slow.setattr(calls, "ANSWER_SECONDS", 0.5)
                slow.setattr(card_room.store, "append_all", lambda rows: (released.wait(PATIENCE), append(rows)))
                ann.do(action)
                assert ann.hear_type("refused")["reason"].endswith("the database does not answer")
            released.set()
            wait_until(lambda: len(card_room.store.load(table["table"]).events) > seen)
            ann.do(action, seen)
            assert ann.close_code() == Closing.RESTART
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until_seen(seen + 1)
            play_out(ann)
        assert card_room.store.load(table["table"]).events[seen] == Event(0, action)


class TestTheLobby:
    def seen_from(self, card_room):
        return [table["table"] for table in card_room.http.get("/api/tables").json()["tables"]]

    def test_shows_a_table_at_any_server_until_its_seat_is_taken(self, card_rooms):
        first, second = card_rooms(), card_rooms()
        assert self.seen_from(second) == []
        table = first.http.post("/api/tables", json={**order("you", "open"), "listed": True}).json()["table"]
        wait_until(lambda: self.seen_from(second) == [table])
        first.http.post(f"/api/tables/{table}/seats", json={"seat": 1, "name": "Bo"})
        wait_until(lambda: self.seen_from(second) == [])

    def test_there_is_no_notice_of_tables_outside_the_lobby(self, two_servers):
        """With a million players, notices of every seat to every process would be most of PostgreSQL's load."""
        a, b = two_servers
        a.store.add_table(replace(TABLE, id="listed"), listing=ListingOrigin())
        for table in ("abc", "listed"):
            a.ownership.claim(table)
            a.store.take_seat(table, 1, StoredSeat("Bo", None, "x"))
        a.ownership.release("abc", None)
        wait_until(lambda: ["free", "abc", str(a.ownership.id)] in b.heard)
        assert [words[:2] for words in b.heard] == [["listed", "listed"], ["listed", "listed"], ["free", "abc"]]

    def test_asks_the_database_once_until_something_changes(self, card_rooms, monkeypatch):
        asked = []
        card_room = card_rooms()
        look = card_room.store.open_tables
        monkeypatch.setattr(card_room.store, "open_tables", lambda *which: asked.append(1) or look(*which))
        for _ in range(3):
            self.seen_from(card_room)
        assert len(asked) == 1
        card_room.http.post("/api/tables", json={**order("you", "open"), "listed": True})
        wait_until(lambda: self.seen_from(card_room))
        assert len(asked) == 2
