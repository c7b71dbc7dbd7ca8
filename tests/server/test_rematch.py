"""Rematches: a player proposes one, and the game begins when the others have accepted it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from parlour.server.table.people.keys import new_key
from tests.server.card_room import play_out
from tests.server.two_players import QUIET, two_players

pytestmark = pytest.mark.slow


def open_rematch(card_room, table, key):
    return card_room.http.post(f"/api/tables/{table}/rematch", json={"key": key})


def take_seat(card_room, table, **wanted):
    return card_room.http.post(f"/api/tables/{table}/seats", json=wanted)


def accept(card_room, rematch, key):
    """Take the seat that an answer names, with the key of the former table."""
    return take_seat(card_room, rematch["table"], seat=rematch["seat"], name="Bo", key=key)


class TestRematches:
    def test_only_a_player_proposes_one(self, card_room):
        with two_players(card_room, game="trick-walls", options=QUIET) as ((first, second), table):
            play_out(first, second)
            assert open_rematch(card_room, table, "a" * len(first.key)).status_code == 409
            assert open_rematch(card_room, table, first.key).status_code == 201

    def test_every_player_can_propose_the_only_one(self, card_room):
        with two_players(card_room, game="trick-walls", options=QUIET) as ((first, second), table):
            play_out(first, second)
            ann, bo = sorted((first, second), key=lambda player: player.scene["seat"])
            opened, later = (
                open_rematch(card_room, table, bo.key).json(),
                open_rematch(card_room, table, ann.key).json(),
            )
        assert opened["table"] == later["table"]
        assert (opened["seat"], later["seat"]) == (0, 1)
        assert opened["by"] == later["by"] == [1]
        with card_room.sit(opened["table"], bo.key) as player:
            assert player.until_company(lambda company: True)["opener"] == 0

    def test_the_seats_are_turned_by_one(self, card_room):
        with two_players(card_room, game="trick-walls", options=QUIET) as ((first, second), table):
            play_out(first, second)
            ann, bo = sorted((first, second), key=lambda player: player.scene["seat"])
            answer = open_rematch(card_room, table, ann.key)
            assert answer.status_code == 201
            rematch = {"type": "rematch", "table": answer.json()["table"], "by": [0], "begun": False}
            assert ann.hear_type("rematch") == {**rematch, "seat": 1}
            assert bo.hear_type("rematch") == {**rematch, "seat": 0}
            assert accept(card_room, answer.json() | {"seat": 0}, bo.key).status_code == 201
        seats = card_room.http.get(f"/api/tables/{answer.json()['table']}").json()["seats"]
        assert [seat["name"] for seat in seats] == ["Bo", "Ann"]
        with card_room.sit(answer.json()["table"], ann.key) as player:
            assert player.until_company(lambda company: True)["opener"] == 1
            assert player.about["seat"] == 1

    def test_no_player_begins_one_before_accepting_it(self, card_room):
        with two_players(card_room, game="trick-walls", options=QUIET) as ((first, second), table):
            play_out(first, second)
            ann, bo = sorted((first, second), key=lambda player: player.scene["seat"])
            proposed = open_rematch(card_room, table, ann.key).json()
            path = f"/api/tables/{proposed['table']}"
            assert [seat["kind"] for seat in card_room.http.get(path).json()["seats"]] == ["open", "person"]
            assert not card_room.http.get(path).json()["begun"]
            for _ in range(2):  # a repetition changes nothing
                accepted = open_rematch(card_room, table, bo.key).json()
                assert accept(card_room, accepted, bo.key).status_code == 201
        assert card_room.http.get(path).json()["begun"]
        with card_room.sit(proposed["table"], bo.key) as player:
            assert player.until_company(lambda company: True)["opener"] == 1

    def test_a_player_accepts_by_coming_with_the_key_of_the_former_table(self, card_room):
        with two_players(card_room, game="trick-walls", options=QUIET) as ((first, second), table):
            play_out(first, second)
            ann, bo = sorted((first, second), key=lambda player: player.scene["seat"])
            proposed = open_rematch(card_room, table, ann.key).json()["table"]
            for _ in range(2):
                with card_room.sit(proposed, bo.key) as player:
                    player.hear_type("scenes")
                    assert (player.about["seat"], player.about["begun"]) == (0, True)
        seats = card_room.http.get(f"/api/tables/{proposed}").json()["seats"]
        assert [seat["name"] for seat in seats] == ["Bo", "Ann"]

    def test_no_other_key_opens_a_seat(self, card_room):
        with two_players(card_room, game="trick-walls", options=QUIET) as ((first, second), table):
            play_out(first, second)
            ann, bo = sorted((first, second), key=lambda player: player.scene["seat"])
            proposed = open_rematch(card_room, table, ann.key).json()["table"]
            assert take_seat(card_room, proposed, seat=0, name="Cy").status_code == 201
        for key in (bo.key, "x" * len(bo.key)):
            with card_room.sit(proposed, key) as player:
                assert player.hear_type("refused")["reason"] == "This key does not fit any seat."
        with card_room.sit(table, "x" * len(bo.key)) as player:
            assert player.hear_type("refused")

    def test_bots_keep_on_playing(self, card_room):
        table = card_room.open("you", "thumb", game="trick-walls", options=QUIET)
        with card_room.sit(table["table"], table["key"]) as player:
            play_out(player)
        proposed = open_rematch(card_room, table["table"], table["key"]).json()
        assert (proposed["seat"], proposed["by"]) == (1, [0])
        assert card_room.http.get(f"/api/tables/{proposed['table']}").json()["begun"]

    def test_a_repeated_request_has_the_same_table(self, card_room):
        with two_players(card_room, game="trick-walls", options=QUIET) as ((first, second), table):
            play_out(first, second)
            ann, bo = sorted((first, second), key=lambda player: player.scene["seat"])
            with ThreadPoolExecutor(4) as threads:
                answers = [threads.submit(open_rematch, card_room, table, ann.key) for _ in range(4)]
            assert len({answer.result().json()["table"] for answer in answers}) == 1
            bo.hear_type("rematch")
            bo.say(type="ping")
            heard = []
            while not heard or heard[-1]["type"] != "pong":
                heard.append(bo.hear())
            assert "rematch" not in [message["type"] for message in heard]

    def test_a_rematch_is_refused_before_the_game_is_over(self, card_room):
        table = card_room.open("you", "thumb")
        assert open_rematch(card_room, table["table"], table["key"]).status_code == 409


class TestRepetition:
    def over(self, card_room, **more):
        """Return a table whose game is over, and the keys of its two people."""
        table = card_room.open("you", "open", options={"rounds": 1}, **more)
        bo = take_seat(card_room, table["table"], seat=1, name="Bo").json()
        with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"], bo["key"]) as bob:
            play_out(ann, bob)
        card_room.until_gone(table["table"])
        return table["table"], table["key"], bo["key"]

    def rematch(self, card_room, table, key):
        answer = open_rematch(card_room, table, key)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def greeting(self, card_room, table, key):
        """Return the rematch messages that a client receives before its first pong."""
        with card_room.sit(table, key) as player:
            player.say(type="ping")
            heard = []
            while not heard or heard[-1]["type"] != "pong":
                heard.append(player.hear())
            return [message for message in heard if message["type"] == "rematch"]

    def test_a_repetition_after_a_restart_has_the_same_table_and_is_announced(self, card_rooms):
        card_room = card_rooms()
        table, ann, bo = self.over(card_room)
        with card_room.sit(table, bo) as there:
            there.hear_type("scenes")
            first = self.rematch(card_room, table, ann)
            rematch = {"type": "rematch", "table": first["table"], "by": [0], "begun": False}
            assert there.hear_type("rematch") == {**rematch, "seat": 0}
        card_room.stop()
        card_room = card_rooms()
        assert self.rematch(card_room, table, ann) == first
        assert self.greeting(card_room, table, ann) == [{**rematch, "seat": 1}]
        assert self.greeting(card_room, table, bo) == [{**rematch, "seat": 0}]
        with card_room.sit(first["table"], ann) as back:
            assert back.hear_type("scenes")["scenes"][0]["seat"] == 1

    def test_a_player_who_returns_after_a_restart_hears_who_has_accepted(self, card_rooms):
        card_room = card_rooms()
        table, ann, bo = self.over(card_room)
        first = self.rematch(card_room, table, ann)
        take_seat(card_room, first["table"], seat=0, name="Bo", key=bo)
        card_room.stop()
        assert self.greeting(card_rooms(), table, bo)[0]["by"] == [0, 1]

    def test_the_players_who_stay_hear_who_has_accepted(self, card_room):
        table, ann, bo = self.over(card_room)
        with card_room.sit(table, ann) as there, card_room.sit(table) as onlooker:
            there.hear_type("scenes")
            onlooker.hear_type("scenes")
            first = self.rematch(card_room, table, ann)
            offer = {"type": "rematch", "table": first["table"], "by": [0], "begun": False}
            assert there.hear_type("rematch") == {**offer, "seat": 1}
            assert onlooker.hear_type("rematch") == {**offer, "seat": -1}
            assert take_seat(card_room, first["table"], seat=0, name="Bo", key=bo).status_code == 201
            assert there.hear_type("rematch") == {**offer, "seat": 1, "by": [0, 1], "begun": True}
            assert onlooker.hear_type("rematch") == {**offer, "seat": -1, "by": [0, 1], "begun": True}

    def test_every_player_may_ask_and_there_is_one_table(self, card_room):
        table, ann, bo = self.over(card_room)
        with card_room.sit(table, ann) as there:
            there.hear_type("scenes")
            first = self.rematch(card_room, table, bo)
            offer = {"type": "rematch", "table": first["table"], "seat": 1, "by": [1], "begun": False}
            assert there.hear_type("rematch") == offer
        assert (first["seat"], first["by"]) == (0, [1])
        assert self.rematch(card_room, table, ann) == {**first, "seat": 1}

    def test_a_seat_that_another_person_has_taken_is_no_longer_offered(self, card_room):
        table, ann, bo = self.over(card_room)
        proposed = self.rematch(card_room, table, ann)["table"]
        offer = {"type": "rematch", "table": proposed, "seat": 0, "by": [0], "begun": False}
        assert self.greeting(card_room, table, bo) == [offer]
        assert take_seat(card_room, proposed, seat=0, name="Cy").status_code == 201
        assert self.greeting(card_room, table, bo) == [{**offer, "seat": -1, "begun": True}]
        after = self.rematch(card_room, table, bo)
        assert (after["table"], after["seat"], after["by"]) == (proposed, -1, [0])
        assert take_seat(card_room, proposed, seat=0, name="Bo", key=bo).status_code == 409
        assert self.greeting(card_room, table, ann) == [{**offer, "seat": 1, "begun": True}]

    def test_a_seat_taken_with_the_key_of_the_linked_player_is_the_players(self, card_room):
        table, ann, bo = self.over(card_room)
        player = new_key()
        link = {"key": bo, "player": player}
        assert card_room.http.post(f"/api/tables/{table}/player", json=link).status_code < 300
        proposed = self.rematch(card_room, table, ann)["table"]
        assert take_seat(card_room, proposed, seat=0, name="Bo", key=player).status_code == 201
        after = self.rematch(card_room, table, player)
        assert (after["seat"], after["by"]) == (0, [0, 1])

    def test_other_clients_are_refused(self, card_room):
        table, _, _ = self.over(card_room)
        answer = open_rematch(card_room, table, "other")
        assert answer.status_code == 409
        assert "only a player of this game" in answer.text

    def test_spectators_of_the_old_table_get_no_announcement(self, card_room):
        table, ann, _ = self.over(card_room)
        self.rematch(card_room, table, ann)
        assert self.greeting(card_room, table, None) == []

    def test_it_is_one_table_also_when_the_room_was_cleared_from_memory(self, card_room):
        table, ann, _ = self.over(card_room)
        first = self.rematch(card_room, table, ann)
        card_room.rooms.clear()
        assert self.rematch(card_room, table, ann) == first
