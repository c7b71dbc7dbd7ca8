"""A write that PostgreSQL refuses is reported and has no effect."""

import secrets
import threading
from contextlib import ExitStack

import pytest
import sqlalchemy as sql
from click.testing import CliRunner

from parlour.cli import main
from parlour.engine.events import Event
from parlour.server.store import database
from parlour.server.store.database import StoreError, location_name, parse_location
from parlour.server.store.failure_reasons import reason_of
from parlour.server.store.store import Store
from parlour.server.table.bots import bot_turns
from tests.server.card_room import PATIENCE, order, play_out

pytestmark = pytest.mark.slow

UNSTORABLE = "this text has a character that cannot be stored"
NOT_VALID = "a parameter in the URL of the database is not valid"
NOT_OFFERED = "the database does not offer the encryption, certificate or login that its URL demands"
LONG = {"rounds": 99}
"""Options of a game that is not over before the end of the test."""
FULL = """
CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk();
"""


class TestLocations:
    def test_a_password_is_never_shown(self):
        assert location_name(parse_location("postgresql://ann:sesame@cards.example/room?sslkey=x")) == (
            "postgresql://ann:***@cards.example/room"
        )
        with pytest.raises(StoreError) as error:
            Store("postgresql://ann:sesame@127.0.0.1:1/room")
        assert "cannot be reached" in str(error.value)
        assert "sesame" not in str(error.value)

    @pytest.mark.parametrize("location", ["mysql://x/y", "http://x", "postgresql://[", "://"])
    def test_other_texts_are_refused(self, location):
        with pytest.raises(StoreError):
            Store(location)


class TestADatabaseThatCannotBeUsed:
    def refusal(self, url):
        with pytest.raises(StoreError) as error:
            Store(url)
        return str(error.value).rpartition(": ")[2]

    def test_a_database_that_does_not_exist_is_refused(self, cluster):
        assert self.refusal(cluster.url("nowhere")) == "there is no database of this name"

    def test_a_user_who_does_not_exist_or_may_not_log_in_is_refused(self, cluster):
        cluster.execute("CREATE ROLE idle NOLOGIN")
        for user in ("unknown", "idle"):
            url = cluster.url().replace("parlour@", f"{user}@")
            assert self.refusal(url) == "the database does not let this user in"

    def test_a_database_without_a_free_connection_is_refused(self, cluster):
        location = cluster.new_database()
        name = location.rpartition("?")[0].rpartition("/")[2]
        cluster.execute("CREATE ROLE guest LOGIN")
        cluster.execute(f"ALTER DATABASE {name} CONNECTION LIMIT 0")
        assert self.refusal(location.replace("parlour@", "guest@")) == (
            "the database has no room or no connection left"
        )

    @pytest.mark.parametrize(
        ("message", "reason"),
        [
            ('FATAL:  password authentication failed for user "ann"', "the database does not let this user in"),
            ("fe_sendauth: no password supplied", "the database does not let this user in"),
            ("FATAL:  sorry, too many clients already", "the database has no room or no connection left"),
            ("FATAL:  the database system is starting up", "the database cannot be reached"),
            ("FATAL:  the database system is shutting down", "the database is being closed"),
            ("FATAL:  terminating connection due to administrator command", "the database is being closed"),
            ("FATAL:  canceling authentication due to timeout", "the database does not answer"),
            ("FATAL:  no such database: cards", "there is no database of this name"),
            ("FATAL:  no such user: ann", "the database does not let this user in"),
            ("FATAL:  server login failed: wrong password type", "the database does not let this user in"),
            ("FATAL:  no more connections allowed (max_client_conn)", "the database has no room or no connection left"),
            ('FATAL:  database "cards" is not currently accepting connections', "the database cannot be opened"),
            ('FATAL:  Datenbank "cards" existiert nicht', "the database cannot be opened"),
            ("server does not support SSL, but SSL was required", NOT_OFFERED),
            ("SSL error: certificate verify failed", NOT_OFFERED),
            ('server certificate for "a" does not match host name "b"', NOT_OFFERED),
            ('root certificate file "/root.crt" does not exist', NOT_OFFERED),
            ('definition of service "cards" not found', NOT_VALID),
            ("SSL connection has been closed unexpectedly", "the database cannot be reached"),
            ("Connection refused", "the database cannot be reached"),
        ],
    )
    def test_other_refusals_of_a_connection_are_known_by_their_messages(self, message, reason):
        psycopg = pytest.importorskip("psycopg")
        assert reason_of(psycopg.OperationalError(f"connection failed: {message}")) == reason

    @pytest.mark.parametrize(
        "parameter", ["sslmod=require", "sslmode=always", "port=many", "options=-c%20wrk_mem%3D1", "hostaddr=db"]
    )
    def test_a_wrong_parameter_of_its_url_is_named_as_the_reason(self, cluster, parameter):
        location = cluster.new_database()
        assert self.refusal(f"{location}&{parameter}") == NOT_VALID

    @pytest.mark.parametrize("parameter", ["channel_binding=require", "gssencmode=require"])
    def test_a_server_without_what_its_url_demands_is_refused(self, cluster, parameter):
        assert self.refusal(f"{cluster.new_database()}&{parameter}") == NOT_OFFERED

    def test_commands_of_the_operator_leave_an_empty_one_empty(self, cluster):
        location = cluster.new_database()
        done = CliRunner().invoke(main, ["ban", "203.0.113.7", "--database", location])
        assert done.exit_code == 1
        assert "this database is empty: name that of the card room with --database" in done.output
        engine = cluster.engine(sql.make_url(location).database)
        assert sql.inspect(engine).get_table_names() == []
        engine.dispose()

    def test_a_database_of_another_program_is_refused(self, cluster):
        location = cluster.new_database()
        cluster.execute("CREATE TABLE songs (name text)", location.rpartition("?")[0].rpartition("/")[2])
        with pytest.raises(StoreError, match="another program"):
            Store(location)


class TestADatabaseThatFailsDuringAGame:
    @pytest.fixture
    def kind(self, monkeypatch):
        monkeypatch.setattr(bot_turns, "RETRY_SECONDS", 0.2)
        return "postgresql"

    @pytest.fixture
    def administrator(self, card_room):
        engine = sql.create_engine(parse_location(card_room.database), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            yield connection
        engine.dispose()

    @pytest.fixture
    def ann(self, card_room):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            yield ann

    def refused_then_played(self, ann, mend, reason):
        seen, action = ann.scene["seen"], ann.scene["legal"][0]
        ann.do(action)
        refused = ann.hear_type("refused")
        assert refused["reason"].startswith("the table could not be saved: ")
        assert reason in refused["reason"]
        assert refused["seen"] == seen
        mend()
        ann.do(action)
        ann.until(lambda scene: scene["seen"] > seen and scene["legal"])

    def test_refuses_actions_while_the_disk_is_full(self, administrator, ann):
        administrator.exec_driver_sql(FULL)
        mend = "DROP TRIGGER full_disk ON events"
        self.refused_then_played(ann, lambda: administrator.exec_driver_sql(mend), "the disk is full")

    def test_refuses_actions_while_it_is_locked(self, card_room, administrator, ann, monkeypatch):
        administrator.exec_driver_sql("BEGIN")
        administrator.exec_driver_sql("LOCK TABLE tables, events IN ACCESS EXCLUSIVE MODE")
        monkeypatch.setattr(database, "BUSY_SECONDS", 1)
        card_room.store.engine.dispose()  # new connections wait no longer than that for a lock
        answer = card_room.http.post("/api/tables", json=order("you", "thumb"))
        assert answer.status_code == 503
        assert "locked" in answer.json()["error"]
        self.refused_then_played(ann, lambda: administrator.exec_driver_sql("ROLLBACK"), "locked")

    def test_refuses_actions_until_it_is_started_again(self, cluster, card_room, ann):
        cluster.stop()
        assert card_room.http.post("/api/tables", json=order("you", "thumb")).status_code == 503
        not_ready = card_room.http.get("/readyz")
        assert (not_ready.status_code, card_room.http.get("/healthz").status_code) == (503, 200)
        assert "the database" in not_ready.json()["error"]
        self.refused_then_played(ann, cluster.start, "")
        assert card_room.http.get("/readyz").status_code == 200
        play_out(ann)

    @pytest.mark.parametrize("mode", ["fast", "immediate"])
    def test_loses_no_action_when_it_is_restarted_while_people_play(self, cluster, card_room, mode):
        """Every acknowledged action is stored once, in order, and all games continue on their connections."""
        tables = [card_room.open("you", "thumb", options=LONG) for _ in range(3)]
        with ExitStack() as sitting:
            people = [sitting.enter_context(card_room.sit(table["table"], table["key"])) for table in tables]
            done = [insist(person) for person in people]
            restarting = threading.Thread(target=lambda: (cluster.stop(mode), cluster.start()))
            restarting.start()
            while restarting.is_alive():
                done += [insist(person) for person in people]
            done += [insist(person) for person in people]
            stored = [card_room.store.load(table["table"]).events for table in tables]
        assert len(done) >= 9
        for number, (seen, action) in enumerate(done):
            assert stored[number % 3][seen] == Event(0, action)
        assert [len(events) for events in stored] == [person.scene["seen"] for person in people]


def insist(person):
    """Repeat an action until it is acknowledged; return the number of events before it, and the action."""
    scene = person.until(lambda scene: scene["legal"])
    seen, action = scene["seen"], scene["legal"][0]
    while person.scene["seen"] == seen:
        person.do(action, seen)
        while person.hear()["type"] not in ("scenes", "refused"):
            pass
    person.until(lambda scene: scene["legal"] or scene["over"])
    return seen, action


class TestATextThatPostgreSQLCannotStore:
    """PostgreSQL stores no NUL. A client that sends it must not make the server look broken to its balancer."""

    @pytest.fixture
    def kind(self):
        return "postgresql"

    def test_is_refused_and_the_server_stays_ready(self, card_room):
        http, nul, bearer = card_room.http, "\0", {"Authorization": "Bearer of-a-player"}
        answers = [
            http.get("/api/club/%00"),
            http.post("/api/club/%00/players", json={"name": "Ann", "key": secrets.token_hex(11)}),
            http.get("/api/player", params={"game": nul}, headers=bearer),
            http.delete("/api/player/games/%00", headers=bearer),
            http.request("DELETE", "/api/push", json={"endpoint": nul}),
        ]
        assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [(422, UNSTORABLE)] * 5
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as player:
            player.say(type="say", id=nul, sign="hello")
            assert player.hear_type("refused")["reason"] == UNSTORABLE
        assert http.get("/readyz").status_code == 200


def test_several_servers_make_the_layout_at_once(cluster):
    location, made = cluster.new_database(), []
    threads = [threading.Thread(target=lambda: made.append(Store(location))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(made) == 4
    for store in made:
        store.close()
