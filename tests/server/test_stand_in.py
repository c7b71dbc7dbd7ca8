"""A stand-in's actions are marked in the log of all viewers and of the returning player."""

import socket
import time
from itertools import islice

import pytest
import sqlalchemy as sql

from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.store.database import EVENTS
from parlour.server.table.viewers import DisplayReplay
from tests.helpers import play_at_random
from tests.server.card_room import wait_until
from tests.server.two_players import QUIET, two_players

pytestmark = pytest.mark.slow


class TestStandIns:
    def test_the_log_names_the_stand_in_and_meanwhile_has_its_actions(self, card_rooms):
        card_room = card_rooms()
        with two_players(card_room, options={"turn_limit": 200}, patience=600) as ((first, second), table):
            manners = card_room.rooms[table].state.manners
            seat, name, manners.patience = first.scene["seat"], first.about["seats"][first.scene["seat"]]["name"], 0
            first.socket.close()
            second.until(lambda scene: scene["legal"])
            manners.patience = 600
            lines = [line for line in second.log if line.startswith("A bot")]
            assert lines
            assert all(line.startswith(f"A bot plays for {name}: {name} ") for line in lines)
        card_room.stop()
        card_room = card_rooms()
        for key, own in ((first.key, True), (second.key, False), (None, False)):
            with card_room.sit(table, key) as player:
                meanwhile = player.hear_type("scenes")["meanwhile"]
                bots = [line for line in player.log if line.startswith("A bot")]
                assert [line for line in meanwhile if line.startswith("A bot")] == (bots if own else [])
                assert len(bots) == len(lines)
                assert not own or all(line.startswith("A bot plays for you: You ") for line in bots)
        stored = card_room.store.load(table)
        assert {stored.events[number].by for number in stored.stood_in} == {seat}

    def test_meanwhile_begins_after_the_seats_own_last_action(self):
        game = find_game("trick-walls")
        match = Match(Setup(game, 2, QUIET))
        events = next(islice(play_at_random(match, 1), 20, None)).events
        own = [number for number, event in enumerate(events) if event.by == 0]
        for stood_in, expected in ((own[-3:], 3), (own[:-1], 0), (own[-1:], 1)):
            replay = DisplayReplay(game, 2, match.options, 0, ["Ann", "Bo"])
            replay.advance(events, stood_in)
            lines = [line for line in replay.display.meanwhile if line.startswith("A bot plays for you: ")]
            assert len(lines) == expected


AGREED = {"clock": {"seconds": 60, "increment": 0}, "patience": None, "options": {"turn_limit": 200}}


class TestReturningPlayers:
    """Castle Walls for two with a minute each; the player to act first loses the connection."""

    def pass_time(self, card_room, table, seconds):
        """Advance the server's time, and connect a spectator, which makes it check the clocks."""
        card_room.config.app.state.rooms.services.now = lambda: time.monotonic() + seconds
        with card_room.sit(table) as onlooker:
            onlooker.hear_type("scenes")

    def test_has_the_seat_and_time_for_a_turn_also_after_a_restart(self, card_rooms):
        card_room = card_rooms()
        with two_players(card_room, **AGREED) as ((first, second), table):
            seat = first.scene["seat"]
            first.socket.close()
            second.until_company(lambda company: company["there"] == [1 - seat])
            self.pass_time(card_room, table, 60)
            second.until(lambda scene: scene["legal"])
            with card_room.sit(table, first.key) as back:
                company = second.until_company(lambda company: company["there"] == [0, 1])
                assert (company["away"], company["out"]) == ([], [])
                assert company["clocks"]["left"][seat] == 30_000
                second.do("end")
                back.until(lambda scene: scene["legal"])
                before = second.scene["seen"]
                back.do("end")
                second.until(lambda scene: scene["seen"] > before and scene["legal"])
            left = card_room.rooms[table].state.clocks.left
        card_room.stop()
        card_room = card_rooms()
        with card_room.sit(table, first.key) as back:
            assert back.until_company(lambda company: True)["clocks"]["left"] == left

    def test_has_the_seat_if_the_server_notices_the_broken_connection_after_the_timeout(self, card_room):
        with two_players(card_room, **AGREED) as ((first, second), table):
            seat = first.scene["seat"]
            self.pass_time(card_room, table, 60)
            second.until_company(lambda company: company["out"] == [seat])
            second.until(lambda scene: scene["legal"])
            first.socket.socket.shutdown(socket.SHUT_RDWR)
            second.until_company(lambda company: (company["away"], company["out"]) == ([seat], []))
            with card_room.sit(table, first.key) as back:
                back.hear_type("scenes")
                second.do("end")  # the bot takes one action more, since there is no time
                company = back.until_company(lambda company: not company["away"])
                assert (company["clocks"]["running"], card_room.rooms[table].state.clocks.left[seat]) == (seat, 30_000)

    def test_a_player_who_was_connected_at_the_timeout_loses_the_seat(self, card_room):
        with two_players(card_room, **AGREED) as ((first, second), table):
            seat = first.scene["seat"]
            self.pass_time(card_room, table, 60)
            second.until_company(lambda company: company["out"] == [seat])
            first.socket.close()
            second.until_company(lambda company: company["there"] == [1 - seat])
            with card_room.sit(table, first.key) as back:
                assert back.until_company(lambda company: True)["out"] == [seat]


DAY = 24 * 3600


class TestTablesOverDays:
    """Castle Walls for two with a day for each action."""

    @pytest.fixture
    def table(self, card_room):
        with two_players(card_room, days=1, patience=None, options={"turn_limit": 200}) as ((first, second), table):
            self.seat = first.scene["seat"]
            self.first, self.second = first.key, second.key
        return table

    def store_earlier(self, card_room, table, seconds):
        """Let the last event lie further in the past, by the calendar, and load the table anew."""
        card_room.stop()
        with card_room.store.engine.begin() as connection:
            connection.execute(sql.update(EVENTS).where(EVENTS.c.table_id == table).values(at=EVENTS.c.at - seconds))

    def test_the_deadline_is_shown_to_all_and_counts_from_the_last_event(self, card_room, table):
        at = card_room.store.load(table).last_event_at + DAY
        with card_room.sit(table, self.second) as second:
            expected = {"seat": self.seat, "at": pytest.approx(at, abs=1)}
            assert second.until_company(lambda company: True)["deadline"] == expected
            assert second.about["deadline"] == expected
        assert card_room.http.get(f"/api/tables/{table}").json()["deadline"] == expected

    def test_the_deadline_of_a_game_that_goes_on_counts_from_the_last_seat_taken(self, card_rooms, card_room):
        ended = card_room.open("you", "thumb", game="castle-walls", options={})
        path = f"/api/tables/{ended['table']}"
        with card_room.sit(ended["table"], ended["key"]) as player:
            player.until(lambda scene: scene["actor"] in (0, 1))
            player.say(type="resign")
            player.until(lambda scene: scene["over"])
        seats = [{"kind": "you", "name": "Ann"}, {"kind": "open"}]
        seen = len(card_room.http.get(f"{path}/record").json()["events"])
        wanted = {"seen": seen, "seats": seats, "manners": {"days": 1, "patience": None}}
        table = card_room.http.post(f"{path}/on", json=wanted).json()["table"]
        self.store_earlier(card_room, table, 2 * DAY)
        card_room = card_rooms()
        card_room.http.post(f"/api/tables/{table}/seats", json={"seat": 1, "name": "Bo"})
        at = time.time() + DAY
        assert card_room.http.get(f"/api/tables/{table}").json()["deadline"]["at"] == pytest.approx(at, abs=60)
        card_room.stop()
        answer = card_rooms().http.get(f"/api/tables/{table}").json()
        assert answer["deadline"]["at"] == pytest.approx(at, abs=60)

    def test_nothing_happens_before_the_day_is_over(self, card_rooms, card_room, table):
        self.store_earlier(card_room, table, DAY - 600)
        with card_rooms().sit(table, self.second) as second:
            company = second.until_company(lambda company: True)
            assert (company["away"], second.scene["legal"]) == ([], [])

    def test_after_it_a_bot_plays_also_after_a_restart_until_the_person_returns(self, card_rooms, card_room, table):
        self.store_earlier(card_room, table, DAY)
        card_room = card_rooms()
        with card_room.sit(table, self.second) as second:
            second.until(lambda scene: scene["legal"])
            assert second.company["away"] == [self.seat]
        wait_until(lambda: card_room.store.load(table).away == {self.seat})
        card_room.stop()
        card_room = card_rooms()
        with card_room.sit(table, self.second) as second:
            second.until(lambda scene: scene["legal"])
            before = second.scene["seen"]
            second.do("end")
            # the bot has played another turn, at once
            second.until(lambda scene: scene["seen"] > before + 1 and scene["legal"])
            with card_room.sit(table, self.first) as first:
                assert first.until_company(lambda company: not company["away"])["deadline"] is not None
        wait_until(lambda: not card_room.store.load(table).away)

    def test_a_person_who_comes_too_late_but_before_all_others_still_acts(self, card_rooms, card_room, table):
        self.store_earlier(card_room, table, DAY)
        card_room = card_rooms()
        with card_room.sit(table, self.first) as first:
            first.until(lambda scene: scene["legal"])
            time.sleep(0.3)
            first.do("end")
            first.until(lambda scene: not scene["legal"])
        assert card_room.store.load(table).stood_in == frozenset()

    @pytest.mark.parametrize(
        "manners", [{"patience": 60}, {"clock": {"seconds": 60, "increment": 0}, "patience": None}]
    )
    def test_no_clock_and_no_patience_go_with_days(self, card_room, manners):
        seats = [{"kind": "you", "name": "Ann"}, {"kind": "open"}]
        body = {"game": "castle-walls", "players": 2, "seats": seats, "manners": {"days": 1, **manners}}
        answer = card_room.http.post("/api/tables", json=body)
        assert (answer.status_code, "days" in answer.text) == (422, True)
