"""A repeated request after a lost answer has the same answer and no further effect."""

import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import Field

from parlour.server.store.database import StoreError
from parlour.server.table.rooms import _opening_request
from parlour.server.table.table_setup import Manners, NewTable
from tests.server.card_room import order, play_out

pytestmark = pytest.mark.slow


def post(card_room, path, **wanted):
    return card_room.http.post(path, json=wanted)


def own_key():
    return secrets.token_urlsafe(24)


class TestOpeningATable:
    def ask(self, card_room, key, **more):
        return post(card_room, "/api/tables", **{**order("you", "thumb"), "key": key, **more})

    def count(self, card_room):
        with card_room.store.engine.connect() as connection:
            return connection.exec_driver_sql("SELECT count(*) FROM tables").scalar()

    def test_the_same_request_is_one_table_also_after_a_restart(self, card_rooms):
        card_room, key = card_rooms(), own_key()
        first = self.ask(card_room, key)
        again = self.ask(card_room, key)
        card_room.stop()
        card_room = card_rooms()
        later = self.ask(card_room, key)
        assert [answer.status_code for answer in (first, again, later)] == [201, 201, 201]
        assert first.json() == again.json() == later.json()
        assert (first.json()["key"], first.json()["seat"]) == (key, 0)
        assert self.count(card_room) == 1
        with card_room.sit(first.json()["table"], key) as ann:
            assert ann.until(lambda scene: scene["legal"])["seat"] == 0

    def test_sent_many_times_at_once_it_is_one_table(self, card_room):
        key = own_key()
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda _: self.ask(card_room, key), range(8)))
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.json()["table"] for answer in answers}) == self.count(card_room) == 1

    def test_another_request_with_the_key_is_refused(self, card_room):
        key = own_key()
        self.ask(card_room, key)
        answer = self.ask(card_room, key, listed=True)
        assert answer.status_code == 409
        assert "make a new key for each table" in answer.json()["error"]

    def test_a_request_stays_the_same_for_a_program_whose_requests_have_further_fields(self):
        class LaterManners(Manners):
            later: int | None = None

        class LaterTable(NewTable):
            manners: LaterManners = Field(default_factory=LaterManners)

        wanted = {**order("you", "thumb"), "key": own_key(), "manners": {"days": 3, "patience": None}}
        now, later = (_opening_request("", model.model_validate(wanted)) for model in (NewTable, LaterTable))
        assert now == later
        other = _opening_request("", NewTable.model_validate({**wanted, "manners": {"days": 4, "patience": None}}))
        assert other != now

    def test_a_table_without_an_own_seat_has_no_key_but_is_one(self, card_room):
        wanted = {**order("open", "thumb"), "key": own_key()}
        first, again = post(card_room, "/api/tables", **wanted).json(), post(card_room, "/api/tables", **wanted).json()
        assert first == again
        assert (first["seat"], first["key"]) == (-1, None)

    @pytest.mark.parametrize("key", ["short", "x" * 101, "with spaces in it, and quite long", "", 7])
    def test_invalid_keys_are_refused(self, card_room, key):
        answer = self.ask(card_room, key)
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("key: ")

    def test_only_the_hash_of_the_key_is_stored(self, card_room):
        key = own_key()
        assert self.ask(card_room, key).status_code == 201
        with card_room.store.engine.connect() as connection:
            for table in ("asked", "seats", "tables", "manners"):
                assert key not in str(connection.exec_driver_sql(f"SELECT * FROM {table}").all())

    def test_the_same_request_to_continue_a_game_is_one_table(self, card_room):
        over = card_room.open("you", "thumb")
        with card_room.sit(over["table"], over["key"]) as ann:
            play_out(ann)
        wanted = {"seen": 9, "seats": order("you", "thumb")["seats"], "key": own_key()}
        path = f"/api/tables/{over['table']}/on"
        first, again = post(card_room, path, **wanted), post(card_room, path, **wanted)
        assert first.status_code == again.status_code == 201
        assert first.json() == again.json()
        assert post(card_room, path, **{**wanted, "seen": 8}).status_code == 409


class TestTalk:
    @pytest.fixture
    def open_two(self):
        def open_two(card_room):
            table = card_room.open("you", "open")
            bo = post(card_room, f"/api/tables/{table['table']}/seats", seat=1, name="Bo").json()
            return table["table"], table["key"], bo["key"]

        return open_two

    def test_a_chat_message_survives_a_restart_and_counts_once(self, card_rooms, open_two):
        card_room = card_rooms()
        table, ann, bo = open_two(card_room)
        with card_room.sit(table, ann) as player:
            player.say(type="say", words="good evening", id="one")
            player.hear_type("said")
        card_room.stop()
        card_room = card_rooms()
        with card_room.sit(table, bo) as other, card_room.sit(table, ann) as player:
            expected = [{"by": 0, "id": "one", "words": "good evening", "sign": ""}]
            assert other.hear_type("said")["said"] == player.hear_type("said")["said"] == expected
            player.say(type="say", words="good evening", id="one")
            assert player.hear_type("said")["said"] == expected
            player.say(type="say", sign="luck", id="two")
            assert other.hear_type("said")["said"][0]["id"] == "two"

    def test_an_old_chat_message_counts_once(self, card_room, open_two, monkeypatch):
        monkeypatch.setattr("parlour.server.table.people.chat.CHAT_BURST_SECONDS", 0)
        table, ann, bo = open_two(card_room)
        with card_room.sit(table, ann) as player, card_room.sit(table, bo) as other:
            for number in (*range(60), 0, 60):
                player.say(type="say", words=f"words {number}", id=f"id{number}")
                player.hear_type("said")
            heard = [other.hear_type("said")["said"][0]["words"] for _ in range(61)]
        assert heard == [f"words {number}" for number in range(61)]

    def test_a_chat_message_that_could_not_be_stored_is_not_sent(self, card_room, open_two, monkeypatch):
        table, ann, bo = open_two(card_room)

        def no_room(*_):
            raise StoreError("the disk is full")

        with card_room.sit(table, ann) as player, card_room.sit(table, bo) as other:
            with monkeypatch.context() as broken:
                broken.setattr(card_room.store, "add_chat_message", no_room)
                player.say(type="say", words="hello", id="one")
                assert player.hear_type("refused")["reason"] == "your message could not be saved: the disk is full"
            player.say(type="say", words="hello", id="one")
            player.hear_type("said")
            assert other.hear_type("said")["said"][0]["words"] == "hello"
            assert sum('"said"' in text for text in other.texts) == 1


class TestScenes:
    def test_a_scene_that_is_sent_again_has_no_log(self, card_room):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            seen = ann.until(lambda scene: scene["legal"])["seen"]
            action = ann.scene["legal"][0]
            for _ in range(3):
                ann.do(action, seen)
            ann.say(type="ping")
            ann.hear_type("pong")
            play_out(ann)
            log = list(ann.log)
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.hear_type("scenes")
            assert log == ann.log
            assert "" in log
