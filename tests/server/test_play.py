"""Whole games through sockets, with interruptions."""

import json

import pytest

from parlour.engine.matches.records import replay
from tests.server.card_room import play_out, wait_until
from tests.server.two_players import QUIET, join, two_players

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


def events_of(card_room, table):
    return card_room.store.load(table).events


class TestAWholeGame:
    def test_is_played_by_one_person_against_bots(self, card_room):
        table = card_room.open("you", "thumb", "random", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann)
            numbers = [scene["seen"] for scene in ann.scenes]
            assert numbers == list(range(numbers[0], len(events_of(card_room, table["table"])) + 1))
            assert ann.scene["over"]
            assert ann.scene["outcome"]
        record = card_room.http.get(f"/api/tables/{table['table']}/record")
        assert "attachment" in record.headers["content-disposition"]
        assert replay(record.json()).over
        assert record.json()["names"] == ["Ann", "Bot 1", "Bot 2", "Bot 3"]

    def test_is_played_by_two_people(self, card_room):
        table = card_room.open("you", "open", "thumb", "thumb")
        address = f"/api/tables/{table['table']}"
        assert card_room.http.get(address).json()["begun"] is False
        assert card_room.http.get(f"{address}/record").status_code == 409
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.hear_type("scenes")
            assert ann.scene["seen"] == 0
            taken = card_room.http.post(f"{address}/seats", json={"seat": 1, "name": "Bo"})
            assert taken.status_code == 201
            assert ann.hear_type("table")["seats"][1] == {
                "name": "Bo",
                "kind": "person",
                "taken": True,
                "rating": None,
            }
            with card_room.sit(table["table"], taken.json()["key"]) as bo:
                play_out(ann, bo)
                assert ann.scene["outcome"]
                assert bo.about["seat"] == 1
        assert card_room.http.get(address).json()["over"] is True

    def test_is_played_by_bots_to_the_end_for_spectators(self, card_room):
        table = card_room.open("thumb", "random")
        assert table["seat"] == -1
        assert table["key"] is None
        with card_room.sit(table["table"]) as spectator:
            spectator.until(lambda scene: scene["over"])
            assert spectator.about["seat"] == -1
            assert not any(scene["legal"] for scene in spectator.scenes)


class TestLateActions:
    def test_an_action_of_another_seat_is_not_taken_for_a_repetition(self, card_room):
        with two_players(card_room) as ((first, second), _):
            seen = first.scene["seen"]
            first.do("end")
            second.until_seen(seen + 1)
            second.do("end", seen=seen)
            assert "sent after" in second.hear_type("refused")["reason"]


class TestSeats:
    def test_a_seat_is_taken_once(self, card_room):
        table = card_room.open("you", "open", "open")["table"]
        address = f"/api/tables/{table}/seats"
        assert card_room.http.post(address, json={"seat": 1, "name": "Bo"}).status_code == 201
        again = card_room.http.post(address, json={"seat": 1, "name": "Cy"})
        assert (again.status_code, again.json()) == (409, {"error": "seat 1 is taken"})
        assert card_room.http.post(address, json={"seat": 0, "name": "Cy"}).status_code == 409
        assert card_room.http.post(address, json={"seat": 3, "name": "Cy"}).status_code == 422
        assert card_room.http.post("/api/tables/nosuchtable/seats", json={"seat": 1, "name": "Cy"}).status_code == 404

    def test_a_seat_that_another_server_has_given_away_is_refused(self, card_rooms):
        one, other = card_rooms(), card_rooms()
        table = one.open("you", "open")["table"]
        address = f"/api/tables/{table}/seats"
        assert other.http.get(f"/api/tables/{table}").json()["begun"] is False
        assert one.http.post(address, json={"seat": 1, "name": "Bo"}).status_code == 201
        assert other.http.post(address, json={"seat": 1, "name": "Cy"}).status_code == 409
        assert other.http.get(f"/api/tables/{table}").json()["seats"][1]["name"] == "Bo"

    def test_a_name_that_is_too_long_is_refused(self, card_room):
        table = card_room.open("open", "open")["table"]
        answer = card_room.http.post(f"/api/tables/{table}/seats", json={"seat": 0, "name": "A" * 10_000})
        assert answer.json() == {"error": "name: may not have more than 30 characters"}


class TestReconnection:
    def test_a_reload_has_the_whole_log(self, card_room):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann, until=lambda scene: scene["seen"] >= 20 and scene["legal"])
            log, scene = [line for line in ann.log if line], ann.scene
        with card_room.sit(table["table"], table["key"]) as ann:
            message = ann.hear_type("scenes")
            assert message["scenes"] == [scene]
            assert [line for line in message["log"] if line][-len(log) :] == log

    def test_a_client_that_has_shown_all_events_gets_no_log(self, card_rooms):
        """Before and after a restart, also after an undo; later events are in the logs of both clients."""
        card_room = card_rooms()
        table = card_room.open("you", "thumb", game="castle-walls", options={})
        with card_room.sit(table["table"], table["key"]) as ann:
            down = next(action for action in ann.until(lambda scene: scene["legal"])["legal"] if "down" in action)
            ann.do(down)
            ann.until_company(lambda company: company["undoable"] == 0)
            ann.say(type="undo", seen=ann.scene["seen"])
            ann.until(lambda scene: scene["legal"] and down in scene["legal"])
            seen, shown, log = ann.scene["seen"], ann.scene, ann.log
        self.come_again(card_room, table, shown, log)
        card_room.stop()
        card_room = card_rooms()
        self.come_again(card_room, table, shown, log)
        with card_room.sit(table["table"], table["key"], seen=seen) as ann, card_room.sit(table["table"]) as other:
            ann.hear_type("scenes")
            before = other.hear_type("scenes")["log"]
            ann.do(down)
            assert ann.hear_type("scenes")["scenes"][0]["log"]
            other.until_seen(seen + 1)
            assert len(other.log) > len(before)

    @staticmethod
    def come_again(card_room, table, shown, log):
        with card_room.sit(table["table"], table["key"], seen=shown["seen"]) as ann:
            again = ann.hear_type("scenes")
            assert (again["log"], again["meanwhile"]) == (None, [])
            assert {**ann.scene, "log": []} == {**shown, "log": []}
            for seen in (shown["seen"] - 1, None):
                with card_room.sit(table["table"], table["key"], seen=seen) as late:
                    assert late.hear_type("scenes")["log"] == log

    def test_the_game_goes_on_after_a_restart(self, card_rooms):
        card_room = card_rooms()
        table = card_room.open("you", "thumb", "random")
        with card_room.sit(table["table"], table["key"]) as ann:
            play_out(ann, until=lambda scene: scene["seen"] >= 12 and scene["legal"])
            scene, log = ann.scene, ann.log
            before = events_of(card_room, table["table"])
            card_room.stop()
            assert ann.close_code() == 1012
        card_room = card_rooms()
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.hear_type("scenes")
            assert ann.scene == scene
            assert [line for line in ann.log if line][-3:] == [line for line in log if line][-3:]
            play_out(ann)
        assert events_of(card_room, table["table"])[: len(before)] == before

    def test_an_idle_table_leaves_memory_and_is_loaded_again(self, card_room, monkeypatch):
        monkeypatch.setattr("parlour.server.table.rooms.ROOMS_KEPT", 0)
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            scene = ann.until(lambda scene: scene["legal"])
            assert table["table"] in card_room.rooms

        def is_removed():
            card_room.http.get(f"/api/tables/{table['table']}")  # the end of each use removes idle tables
            return table["table"] not in card_room.rooms

        wait_until(is_removed)
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.hear_type("scenes")
            assert ann.scene == scene
            play_out(ann)

    # in PostgreSQL each table has an owner: test_ownership.py
    @pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
    def test_two_servers_on_one_file_do_not_spoil_a_game(self, card_rooms):
        one = card_rooms()
        table = one.open("you", "open")
        keys = table["key"], join(one, table)
        with one.sit(table["table"]) as spectator:
            key = keys[spectator.until(lambda scene: scene["actor"] in (0, 1))["actor"]]
        other = card_rooms()
        with one.sit(table["table"], key) as here, other.sit(table["table"], key) as there:
            for player in (here, there):
                player.until(lambda scene: scene["legal"])
            scene = here.scene
            here.do(scene["legal"][0])
            here.until(lambda now: now["seen"] > scene["seen"])
            there.do(scene["legal"][1])
            assert there.close_code() == 1012
        with other.sit(table["table"], key) as there:
            there.hear_type("scenes")
            assert there.scene["seen"] == scene["seen"] + 1
        assert events_of(one, table["table"])[scene["seen"]].do == scene["legal"][0]

    def test_leaving_in_the_middle_does_not_stop_the_others(self, card_room):
        table = card_room.open("you", "open", "random")
        key = join(card_room, table)
        with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"], key) as bo:
            play_out(ann, bo, until=lambda scene: scene["seen"] >= 8)
            bo.socket.socket.close()  # without a word
            with card_room.sit(table["table"], key) as bo_again:
                play_out(ann, bo_again)


class TestActions:
    def test_an_action_is_accepted_in_another_spelling(self, card_room):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            action = next(action for action in ann.scene["legal"] if action != "top")
            seen = ann.scene["seen"]
            ann.do(f" {action.lower()} ")
            ann.until(lambda scene: scene["seen"] > seen)
        assert events_of(card_room, table["table"])[seen].do == action

    def test_a_doubled_action_is_answered_with_the_scene(self, card_room):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            action, seen = ann.scene["legal"][0], ann.scene["seen"]
            ann.do(action, seen)
            ann.do(action, seen)
            ann.until(lambda scene: scene["legal"] and scene["seen"] > seen)
            ann.do(action, seen)
            assert ann.hear()["type"] == "scenes"
            assert not any(json.loads(text)["type"] == "refused" for text in ann.texts)
        done = [event for event in events_of(card_room, table["table"]) if (event.by, event.do) == (0, action)]
        assert len(done) == 1

    def test_a_stale_action_is_refused_and_the_scene_sent_again(self, card_room):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            scene = ann.until(lambda scene: scene["legal"])
            ann.do(scene["legal"][0], scene["seen"] - 1)
            refused = ann.hear()
            assert refused["type"] == "refused"
            assert refused["seen"] == scene["seen"]
            assert "sent after" in refused["reason"]
            assert ann.hear()["scenes"] == [{**scene, "log": []}]
            ann.do(scene["legal"][0])
            assert ann.hear()["type"] == "scenes"

    def test_illegal_actions_and_those_out_of_turn_are_refused_and_explained(self, card_room):
        with two_players(card_room, "trick-walls", QUIET) as ((acting, other), _):
            foreign = next(card for card in ("2C", "2D", "2H", "2S") if card not in acting.scene["legal"])
            acting.do(foreign)
            refused = acting.hear()
            assert refused["type"] == "refused"
            assert refused["do"] == foreign
            assert refused["reason"]
            other.do(acting.scene["legal"][0])
            assert "turn" in other.hear()["reason"]
            other.say(type="why", do="2C")
            assert "turn" in other.hear()["reasons"][0]["reason"]
            acting.say(type="why", do=acting.scene["legal"][0])
            assert acting.hear()["reasons"] == [{"reason": "This is legal.", "clause": ""}]
            acting.say(type="why", do=foreign)
            assert acting.hear()["reasons"][0]["clause"] == refused["clause"]

    def test_a_spectator_and_an_early_player_may_not_act(self, card_room):
        table = card_room.open("you", "open")
        with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"]) as spectator:
            for player in (ann, spectator):
                player.hear_type("scenes")
                player.do("2C")
                assert player.hear_type("refused")
                player.say(type="ping")
                assert player.hear_type("pong") == {"type": "pong"}
