"""Open seats before a game: the lobby shows where people wait, and bots take the seats in time."""

import time
from dataclasses import replace

import pytest
import sqlalchemy as sql

from parlour.server.store.database import TABLES, StoreError
from parlour.server.store.stored_table import StoredSeat
from parlour.server.table.decide import decide_fill
from parlour.server.table.outcomes import SeatTaken
from parlour.server.table.people import open_seats
from tests.server.card_room import order, wait_until
from tests.server.decided_tables import table_of

LATER = {"fill": {"seconds": 60, "bot": "thumb"}}
"""Manners of a table whose open seats bots take after a minute."""


def opened(*seats, there=(0,), **manners):
    """Return the state of a table that was opened at the time 1000, in seconds."""
    state = table_of(*seats, there=there, **manners)
    state.opened = replace(state.opened, created=1000)
    return state


def open_table(card_room, *seats, listed=False, **manners):
    answer = card_room.http.post("/api/tables", json={**order(*seats), "listed": listed, "manners": manners})
    assert answer.status_code == 201, answer.text
    return answer.json()


def lobby(card_room):
    return card_room.http.get("/api/tables").json()["tables"]


class TestDecisions:
    def test_bots_with_names_of_their_own_take_all_open_seats_when_the_time_has_come(self):
        state = opened("person", "open", "bot", "open", **LATER)
        state.seats[2] = StoredSeat("Ada", "thumb")
        assert decide_fill(state, 1060.0) == [
            SeatTaken(1, StoredSeat("Bruno", "thumb"), None),
            SeatTaken(3, StoredSeat("Cleo", "thumb"), None),
        ]

    @pytest.mark.parametrize(
        ("there", "now", "manners"), [((0,), 1050.0, LATER), ((), 1060.0, LATER), ((0,), 9999.0, {})]
    )
    def test_they_wait_for_the_time_and_for_a_person(self, there, now, manners):
        assert decide_fill(opened("person", "open", there=there, **manners), now) == []


class TestSeatsForBots:
    def test_the_table_shows_the_seconds_until_bots_take_them(self, card_room):
        table = open_table(card_room, "you", "open", **LATER)
        about = card_room.http.get(f"/api/tables/{table['table']}").json()
        assert 0 < about["fills_in"] <= 60
        assert about["manners"]["fill"] == LATER["fill"]
        other = open_table(card_room, "you", "open")
        assert card_room.http.get(f"/api/tables/{other['table']}").json()["fills_in"] is None

    def test_the_time_outlasts_a_restart_and_waits_for_a_person(self, card_rooms):
        card_room = card_rooms()
        table = open_table(card_room, "you", "open", "open", **LATER)
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.hear_type("scenes")
            assert not ann.about["begun"]
        self.let_pass(card_room, table)
        card_room.stop()
        card_room = card_rooms()
        with card_room.sit(table["table"]) as onlooker:
            onlooker.hear_type("scenes")
            assert not onlooker.about["begun"]
            with card_room.sit(table["table"], table["key"]) as ann:
                ann.until(lambda scene: scene["legal"])
                assert [seat["kind"] for seat in ann.about["seats"]] == ["person", "bot", "bot"]
        card_room.stop()

    def test_bots_try_again_if_their_seats_could_not_be_stored(self, card_room, monkeypatch):
        monkeypatch.setattr(open_seats, "RETRY_SECONDS", 0.05)
        monkeypatch.setattr("parlour.server.table.room.RETRY_SECONDS", 0.05)
        table = open_table(card_room, "you", "open", **LATER)
        self.let_pass(card_room, table)
        take, failures = card_room.store.take_seat, [StoreError("the disk is full")]

        def take_later(*seat):
            if failures:
                raise failures.pop()
            take(*seat)

        monkeypatch.setattr(card_room.store, "take_seat", take_later)
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
        assert not failures

    def test_only_a_bot_that_plays_here_may_fill_seats(self, card_room):
        manners = {"fill": {"seconds": 60, "bot": "nonesuch"}}
        answer = card_room.http.post("/api/tables", json={**order("you", "open"), "manners": manners})
        assert (answer.status_code, "there is no bot 'nonesuch'" in answer.text) == (422, True)

    @staticmethod
    def let_pass(card_room, table):
        with card_room.store.engine.begin() as connection:
            then = int(time.time()) - 100
            connection.execute(sql.update(TABLES).where(TABLES.c.id == table["table"]).values(created=then))


class TestTheLobby:
    @pytest.fixture(params=["sqlite", "postgresql"])
    def kind(self, request):
        return request.param

    def test_it_shows_first_where_a_person_waits_and_with_which_bots(self, card_rooms):
        card_room = card_rooms()
        waiting = open_table(card_room, "you", "open", "thumb", listed=True, **LATER)
        left = open_table(card_room, "you", "open", listed=True)
        with card_room.sit(waiting["table"], waiting["key"]) as ann, card_room.sit(left["table"]) as onlooker:
            ann.hear_type("scenes")
            onlooker.hear_type("scenes")
            wait_until(lambda: [table["waits"] for table in lobby(card_room)] == [True, False])
            first, second = lobby(card_room)
            assert [first["table"], second["table"]] == [waiting["table"], left["table"]]
            assert (first["bots"], second["bots"]) == (["thumb"], [])
            assert 0 < first["fills_in"] <= 60
        wait_until(lambda: [table["waits"] for table in lobby(card_room)] == [False, False])

    def test_a_person_who_waits_for_long_is_still_shown(self, card_rooms, monkeypatch):
        monkeypatch.setattr(open_seats, "BEAT_SECONDS", 0.05)
        card_room, reports = card_rooms(), []
        table = open_table(card_room, "you", "open", listed=True)
        note = card_room.store.note_waiting
        monkeypatch.setattr(
            card_room.store, "note_waiting", lambda *report: reports.append(report[1:]) or note(*report)
        )
        with card_room.sit(table["table"], table["key"]):
            wait_until(lambda: reports[:3] == [(True, True), (True, False), (True, False)])
        wait_until(lambda: reports[-1] == (False, True))

    def test_after_the_server_was_killed_no_person_waits(self, card_rooms):
        card_room = card_rooms()
        table = open_table(card_room, "you", "open", listed=True)
        with card_room.store.engine.begin() as connection:
            connection.exec_driver_sql(f"UPDATE listed SET waited = {int(time.time()) - 100}")
        assert [each["waits"] for each in lobby(card_room)] == [False]
        assert lobby(card_room)[0]["table"] == table["table"]
