"""An operator's commands take effect at once, at running servers too."""

import asyncio
import json
import time
from contextlib import closing
from types import SimpleNamespace

import pytest
from websockets.exceptions import InvalidStatus

from parlour.cli.moderation import _network_of
from parlour.server.http import orders
from parlour.server.http.access.bans import Bans
from parlour.server.http.reports import reviews
from parlour.server.process.settings import Settings
from parlour.server.store.database import ORDERS, REVIEWS, StoreError
from parlour.server.store.moderation import ban
from parlour.server.store.orders import give_order, orders_after
from parlour.server.store.people.players import LINKS
from parlour.server.store.store import Store
from parlour.server.table.bots.readiness import Readiness
from parlour.server.table.close_codes import Closing
from parlour.server.table.commands import Rename, Resign, Say
from parlour.server.table.viewers import Viewer
from tests.server import stored_tables
from tests.server.card_room import PATIENCE, CardRoom, order, play_out, wait_until
from tests.server.two_players import join
from tests.server.worker_processes import tables_of_both

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _poll_often(monkeypatch):
    """Make servers poll for orders at short intervals."""
    monkeypatch.setattr(orders, "POLL_SECONDS", 0.05)


class Quick:
    """A review that needs no computation and contains the names of its players."""

    def __init__(self, record, **more):
        self.names = record["names"]

    def to_json(self):
        return {"names": self.names, "winners": [], "reruns": [], "seed": 0}


@pytest.fixture
def _quick_reviews(monkeypatch):
    """Reviews that take no time."""

    async def ready(self, game):
        return None

    monkeypatch.setattr(Readiness, "wait", ready)
    monkeypatch.setattr(reviews, "review_game", Quick)
    monkeypatch.setattr(reviews, "review_texts", lambda found: {"by": found.names, "reruns": None})
    monkeypatch.setattr(reviews, "reruns_of", lambda *more: [])


def reviewed_game(card_room):
    """Return the table of a finished game, and the address of its finished review."""
    table = card_room.open("you", "thumb")
    with card_room.sit(table["table"], table["key"]) as ann:
        play_out(ann)
    address = f"/api/tables/{table['table']}/review"
    review = wait_until(lambda: (answer := card_room.http.get(address)).status_code == 200 and answer)
    assert review.json()["names"] == ["Ann", "Bot 1"]
    return table["table"], address


def stored_reviews(card_room):
    return card_room.store.read(lambda connection: connection.execute(REVIEWS.select()).all())


@pytest.mark.usefixtures("_quick_reviews")
class TestAReview:
    @pytest.fixture(params=["sqlite", "postgresql"])
    def kind(self, request):
        return request.param

    def test_loses_a_name_that_is_removed_from_its_game(self, card_room, command):
        table, address = reviewed_game(card_room)
        command("forget", "Ann")
        assert stored_reviews(card_room) == []
        review = wait_until(
            lambda: (
                (answer := card_room.http.get(address)).status_code == 200
                and answer.json()["names"] != ["Ann", "Bot 1"]
                and answer
            )
        )
        assert "Ann" not in review.text
        assert "Ann" not in card_room.http.get(f"/api/tables/{table}/record").text

    def test_goes_with_the_name_that_a_player_gives_up(self, card_room):
        table, _ = reviewed_game(card_room)
        card_room.store.rename_seat(table, 0, "Eve")
        assert stored_reviews(card_room) == []

    @pytest.mark.parametrize("removal", [["delete-table"], ["prune"]])
    def test_goes_with_its_table(self, card_room, command, removal, monkeypatch):
        table, address = reviewed_game(card_room)
        if removal == ["prune"]:
            monkeypatch.setattr("time.time", lambda now=time.time: now() + 900 * 86400)
            command("prune", "--finished-before", "2y")
        else:
            command("delete-table", table)
        assert stored_reviews(card_room) == []
        wait_until(lambda: card_room.http.get(address).status_code == 404)

    def test_a_review_computed_while_a_name_is_removed_is_not_stored(self, card_room, command, monkeypatch):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann)

        meanwhile = iter([["forget", "Ann"]])

        def forget_meanwhile(record, **more):
            for words in meanwhile:
                command(*words)
            return Quick(record)

        monkeypatch.setattr(reviews, "review_game", forget_meanwhile)
        address = f"/api/tables/{table['table']}/review"
        review = wait_until(lambda: (answer := card_room.http.get(address)).status_code == 200 and answer)
        assert review.json()["names"] == ["Seat 1", "Bot 1"]

    def test_the_review_of_another_server_is_served_without_a_new_computation(self, card_rooms, monkeypatch):
        card_room = card_rooms()
        _, address = reviewed_game(card_room)
        card_room.stop()
        monkeypatch.setattr(reviews, "review_game", None)
        assert card_rooms().http.get(address).json()["names"] == ["Ann", "Bot 1"]


class TestTextsOfCommands:
    """A text of a command is compared with stored ones, which have one form."""

    @pytest.mark.parametrize("typed", ["Jo\u0308rg Test", " J\u00f6rg  Test ", "J\u00f6rg\u200b Test"])
    def test_a_name_is_found_in_every_form(self, card_room, command, typed):
        wanted = order("you", "thumb")
        wanted["seats"][0]["name"] = "J\u00f6rg Test"
        card_room.http.post("/api/tables", json=wanted).raise_for_status()
        assert command("forget", typed).startswith("Removed 'J\u00f6rg Test' from 1 seat.")

    @pytest.mark.parametrize(
        "words",
        [("forget",), ("delete-table",), ("close-table",), ("clear-talk",), ("clear-talk", "x", "--by")],
    )
    def test_a_text_that_cannot_be_stored_is_refused(self, store, command, words):
        assert "may not have control characters" in command(*words, "J\udcf6rg", status=2)

    def test_words_without_a_visible_character_remove_no_messages(self, store, command):
        assert "has no visible character" in command("clear-talk", "x", "--words", "\u200b", status=2)


class TestAChangedTable:
    def test_is_shown_without_the_name_to_its_players(self, card_room, command):
        table = card_room.open("you", "open", talk="words")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.say(type="say", id="a", words="my telephone is")
            ann.hear_type("said")
            command("forget", "Ann")
            assert ann.close_code() == 1012
        with card_room.sit(table["table"], table["key"]) as ann:
            assert ann.hear()["seats"][0]["name"] == "Seat 1"
        assert card_room.works()

    def test_a_removed_table_closes_its_connections(self, card_room, command):
        table = card_room.open("you", "open")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.hear_type("table")
            command("delete-table", "--unfinished", table["table"])
            assert ann.close_code() == 1012
        with card_room.sit(table["table"], hello=False) as ann:
            assert ann.close_code() == 4404


class TestAClosedTable:
    @pytest.fixture(params=["sqlite", "postgresql"])
    def kind(self, request):
        return request.param

    def test_ends_its_connections_and_refuses_new_ones_with_the_reason(self, card_room, command):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            assert command("close-table", table["table"]).startswith(f"Closed {table['table']}.\n")
            assert ann.close_code() == 1012
        with card_room.sit(table["table"], hello=False) as ann:
            assert json.loads(ann.socket.recv(PATIENCE))["error"] == "the operator of this room has closed this table"
            assert ann.close_code() == 4404
        answer = card_room.http.get(f"/api/tables/{table['table']}/record")
        assert (answer.status_code, answer.json()) == (
            404,
            {"error": "the operator of this room has closed this table"},
        )

    def test_leaves_the_lobby(self, card_room, command):
        listed = card_room.http.post("/api/tables", json={**order("you", "open"), "listed": True}).json()
        assert len(card_room.http.get("/api/tables").json()["tables"]) == 1
        command("close-table", listed["table"])
        wait_until(lambda: card_room.http.get("/api/tables").json() == {"tables": []})

    def test_stays_in_the_database_until_it_is_removed(self, card_room, command):
        table = card_room.open("you", "thumb")["table"]
        command("close-table", table)
        assert card_room.store.load(table).closed
        command("delete-table", "--unfinished", table)
        assert card_room.store.load(table) is None

    def test_must_be_there(self, card_room, command):
        assert "there is no table nope in " in command("close-table", "nope", status=1)

    def test_is_closed_although_another_is_missing(self, store, command):
        store.add_table(stored_tables.table("abc"))
        closed, follow, error = command("close-table", "nope", "abc", status=1).splitlines()
        assert (closed, follow) == ("Closed abc.", "Running servers follow within two seconds.")
        assert error.startswith("Error: there is no table nope in ")

    @pytest.mark.parametrize("words", [("close-table", "no"), ("clear-talk", "no"), ("unban", "203.0.113.7")])
    def test_no_server_follows_a_command_without_effect(self, store, command, words):
        [error] = command(*words, status=1).splitlines()
        assert error.startswith("Error: ")


class TestTalk:
    @pytest.fixture
    def talk_table(self, card_room):
        """A table at which two players have talked."""
        table = card_room.open("you", "open", talk="words")
        key = join(card_room, table)
        with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"], key) as bo:
            for player, words in ((ann, "good 100% luck"), (bo, "my street is"), (bo, "and 100 more")):
                player.say(type="say", id=words, words=words)
                while player.hear_type("said")["said"][-1]["words"] != words:
                    pass
        return table["table"]

    @staticmethod
    def words_left(card_room, table):
        return [message.words for message in card_room.store.load(table).chat_messages if message.words]

    def test_is_cleared_of_one_message(self, card_room, talk_table, command):
        assert command("clear-talk", talk_table, "--words", "My Street").startswith("Removed 1 message. ")
        assert self.words_left(card_room, talk_table) == ["good 100% luck", "and 100 more"]
        assert command("clear-talk", talk_table, "--words", "100%").startswith("Removed 1 message. ")
        assert self.words_left(card_room, talk_table) == ["and 100 more"]

    def test_is_cleared_of_words_with_another_form_of_an_emoji(self, card_room, command):
        table = card_room.open("you", "thumb", talk="words")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.say(type="say", id="1", words="my ❤\ufe0f str\ufe00eet")
            ann.hear_type("said")
        assert command("clear-talk", table["table"], "--words", "my ❤ street").startswith("Removed 1 message. ")

    def test_is_cleared_of_one_players_messages(self, card_room, talk_table, command):
        assert command("clear-talk", talk_table, "--by", "Bo").startswith("Removed 2 messages. ")
        assert self.words_left(card_room, talk_table) == ["good 100% luck"]

    def test_is_cleared_at_a_running_server(self, card_room, talk_table, command):
        with card_room.sit(talk_table) as onlooker:
            assert "my street is" in str(onlooker.hear_type("said"))
            assert command("clear-talk", talk_table).startswith("Removed 3 messages. ")
            assert onlooker.close_code() == 1012
        with card_room.sit(talk_table) as onlooker:
            onlooker.until_company(lambda company: True)
            assert "street" not in "".join(onlooker.texts)

    def test_is_not_cleared_without_matching_messages(self, talk_table, command):
        assert f"no such message was sent at table {talk_table} in " in command(
            "clear-talk", talk_table, "--by", "Cy", status=1
        )


class TestAnAddress:
    @pytest.mark.parametrize(
        ("written", "listed"),
        [
            ("203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
            ("2001:0DB8:1:2:ffff::", "2001:db8:1:2::/64"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
        ],
    )
    def test_is_understood_as_it_is_written_and_as_it_is_listed(self, written, listed):
        assert _network_of(written) == listed
        assert _network_of(listed) == listed


class TestABan:
    @pytest.fixture(params=["sqlite", "postgresql"])
    def kind(self, request):
        return request.param

    @pytest.fixture
    def proxied_room(self, database):
        """A room that trusts this machine as its proxy."""
        room = CardRoom(database, Settings(limited=False, paced=False, behind_proxy=("127.0.0.1",)))
        yield room
        room.stop()

    @staticmethod
    def status(room, address):
        return room.http.get("/api/games", headers={"X-Forwarded-For": address}).status_code

    def test_turns_an_address_away_and_no_other(self, proxied_room, command):
        assert command("ban", "203.0.113.7", "--for", "2h").startswith("Banned 203.0.113.7 until 20")
        wait_until(lambda: self.status(proxied_room, "203.0.113.7") == 403)
        answer = proxied_room.http.get("/", headers={"X-Forwarded-For": "203.0.113.7"})
        assert answer.json()["error"].startswith("the operator of this room has banned this address until 20")
        assert self.status(proxied_room, "203.0.113.8") == 200

    def test_holds_for_all_addresses_of_a_household(self, proxied_room, command):
        assert "Banned 2001:db8:1:2::/64 until" in command("ban", "2001:db8:1:2::7")
        wait_until(lambda: self.status(proxied_room, "2001:db8:1:2:ffff::1") == 403)
        assert self.status(proxied_room, "2001:db8:1:3::7") == 200

    def test_is_not_shortened_by_another_one(self, store, command):
        ends = [
            command("ban", "2001:db8::1", "--for", "1w"),
            command("ban", "2001:db8::2", "--for", "2h"),  # of the same household
        ]
        assert ends[0] == ends[1]
        assert command("ban", "2001:db8::1", "--for", "1y") != ends[0]

    def test_holds_after_a_restart(self, card_rooms, command):
        card_rooms().stop()
        command("ban", "127.0.0.1")
        card_room = card_rooms()
        wait_until(lambda: card_room.http.get("/api/games").status_code == 403)

    def test_can_be_seen_and_lifted(self, card_room, command):
        command("ban", "127.0.0.1", "--for", "30m")
        wait_until(lambda: card_room.http.get("/api/games").status_code == 403)
        assert command("bans").startswith("127.0.0.1 until 20")
        assert command("unban", "127.0.0.1").startswith("Lifted the ban of 127.0.0.1.")
        wait_until(lambda: card_room.http.get("/api/games").status_code == 200)
        assert command("bans").startswith("No address is banned in ")
        assert "127.0.0.1 is not banned in " in command("unban", "127.0.0.1", status=1)

    def test_ends_by_itself(self, card_room, command, monkeypatch):
        command("ban", "127.0.0.1", "--for", "30m")
        wait_until(lambda: card_room.http.get("/api/games").status_code == 403)
        monkeypatch.setattr("time.time", lambda now=time.time: now() + 1801)
        assert card_room.http.get("/api/games").status_code == 200

    def test_ends_the_connections_of_the_address(self, card_room, command):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            command("ban", "127.0.0.1")
            assert ann.close_code() == 4410
        with pytest.raises(InvalidStatus):
            card_room.sit(table["table"], table["key"])

    def test_ends_a_connection_that_was_admitted_before_it(self):
        bans, ended = Bans(), []
        bans.set({"203.0.113.7": int(time.time()) + 60})
        with bans.register("203.0.113.7", ended.append), bans.register("203.0.113.8", ended.append):
            assert [reason.partition(" until ")[0] for reason in ended] == [
                "the operator of this room has banned this address"
            ]

    def test_lets_a_client_that_does_not_read_do_nothing_more(self, card_room):
        table = card_room.open("you", "thumb")["table"]
        with card_room.sit(table) as onlooker:
            onlooker.until(lambda scene: True)
            room, banned = card_room.rooms[table], Viewer(0)
            banned.end(Closing.BANNED, "banned")
            card_room.call(room.handle, banned, Resign())
            assert room.state.resigned == []

    @pytest.mark.parametrize("message", [Rename(name="Eve"), Say(id="1", words="hello")])
    def test_a_name_and_words_that_waited_for_a_closed_table_are_refused(self, card_room, message):
        table = card_room.open("you", "thumb")["table"]
        with card_room.sit(table) as onlooker:
            onlooker.until(lambda scene: True)
            room, viewer = card_room.rooms[table], Viewer(0)
            room.state.outdated = True
            before = list(room.state.names)
            card_room.call(room.handle, viewer, message)
            assert room.state.names == before
            assert not room.state.talk.messages

    @pytest.mark.parametrize("address", ["unknown", "203.0.113", "203.0.113.0/24", ""])
    def test_is_refused_without_a_whole_address(self, card_room, command, address):
        assert "an address is written 203.0.113.7" in command("ban", address, status=2)

    @pytest.mark.parametrize("age", ["2", "0h", "-1d", "1.5h", "h", "10000y"])
    def test_is_refused_without_a_valid_time(self, card_room, command, age):
        output = " ".join(command("ban", "203.0.113.7", f"--for={age}", status=2).split())
        assert "a time is written 30m, 12h, 7d, 4w or 1y, with a number from 1 to 9999" in output


class TestOrders:
    def test_are_followed_by_every_worker(self, two_workers, command):
        tables = [table["table"] for table in tables_of_both(two_workers, "you", "thumb")]
        for table in tables:
            command("close-table", table)
        for table in tables:
            wait_until(lambda path=f"/api/tables/{table}": two_workers.get(path).status_code == 404)

    def test_stand_in_the_log_without_names_and_ids(self, card_room, command, caplog):
        table = card_room.open("you", "open")["table"]
        with caplog.at_level("INFO", "parlour.server"):
            command("close-table", table)
            wait_until(
                lambda: (
                    [record.fields for record in caplog.records if record.getMessage() == "order carried out"]
                    == [{"order": "close-table", "number": 1}]
                )
            )
        assert table not in caplog.text

    def test_are_removed_after_a_day_and_never_numbered_anew(self, database, monkeypatch):
        store = Store(database)
        store.write(give_order, "forget", ["abc", "def"])
        monkeypatch.setattr("time.time", lambda now=time.time: now() + 86402)
        store.write(give_order, "ban")
        assert [order.number for order in store.read(orders_after, 0)] == [3]
        store.write(lambda connection: connection.execute(ORDERS.delete()))
        store.write(give_order, "ban")
        assert [order.number for order in store.read(orders_after, 0)] == [4]
        store.close()


class TestThePolls:
    """The orders and bans that a process reads from its database, in memory without a server."""

    @pytest.fixture
    def store(self, database):
        with closing(Store(database)) as store:
            yield store

    @pytest.fixture
    def polls(self, store):
        """The polls of a process, and the tables that they have renewed."""

        async def renew(table):
            renewed.append(table)

        renewed = []
        rooms, kept = SimpleNamespace(renew=renew), SimpleNamespace(discard=lambda table: None)
        bans = Bans()
        polled = orders.Orders(store, rooms, kept, bans)
        return SimpleNamespace(orders=polled, rooms=rooms, renewed=renewed, bans=bans)

    def give(self, store, table, address):
        store.write(give_order, "close-table", [table])
        store.write(ban, address, int(time.time()) + 60)

    def test_the_first_one_leaves_earlier_orders_and_reads_all_bans(self, store, polls):
        self.give(store, "before", "192.0.2.1")
        asyncio.run(polls.orders.poll())
        assert polls.renewed == []
        assert polls.bans.refusal("192.0.2.1")

    @pytest.mark.parametrize("fails", ["last_order", "bans_of"])
    def test_an_order_after_a_failed_first_one_is_carried_out(self, store, polls, monkeypatch, fails):
        def fail(connection):
            raise StoreError("the database does not answer")

        with monkeypatch.context() as failing:
            failing.setattr(orders, fails, fail)
            asyncio.run(polls.orders.poll())
        self.give(store, "meanwhile", "192.0.2.1")
        asyncio.run(polls.orders.poll())
        asyncio.run(polls.orders.poll())
        assert polls.renewed == ["meanwhile"]
        assert polls.bans.refusal("192.0.2.1")

    def test_an_order_that_the_database_fails_is_carried_out_later(self, store, polls):
        answers = [StoreError("the database does not answer"), None]

        async def renew_players(table):
            polls.renewed.append(table)
            if error := answers.pop(0):
                raise error

        polls.rooms.renew_players = renew_players
        asyncio.run(polls.orders.poll())
        store.write(give_order, LINKS, ["linked"])
        for _ in range(3):
            asyncio.run(polls.orders.poll())
        assert polls.renewed == ["linked", "linked"]

    def test_the_bans_are_read_after_a_failed_first_one_without_an_order(self, store, polls, monkeypatch):
        self.give(store, "before", "192.0.2.1")
        store.write(lambda connection: connection.execute(ORDERS.delete()))
        with monkeypatch.context() as failing:
            failing.setattr(orders, "last_order", lambda connection: 1 / 0)
            asyncio.run(polls.orders.poll())
        asyncio.run(polls.orders.poll())
        assert polls.bans.refusal("192.0.2.1")
