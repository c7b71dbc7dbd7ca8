"""Slow bots delay only their own tables."""

import threading
from dataclasses import replace

import pytest

from parlour.bots import choose_at_random, find_bot
from parlour.server.table import services
from parlour.server.table.bots import bot_turns
from parlour.server.table.services import THINKERS
from tests.server.card_room import PATIENCE, play_out
from tests.server.two_players import join


class Ponder:
    """Random bots that think until the test releases them, and a counter of the waiting ones."""

    def __init__(self):
        self.begun, self.decided = threading.Semaphore(0), threading.Event()

    def await_thinkers(self, number):
        for _ in range(number):
            assert self.begun.acquire(timeout=PATIENCE), "no bot is thinking"


@pytest.fixture(autouse=True)
def one_address(monkeypatch):
    """Open all tables from one address, whose bots may use all threads."""
    monkeypatch.setattr(services, "THINKERS_EACH", THINKERS)


@pytest.fixture
def ponder(monkeypatch):
    """Let the random bots think until the test releases their decisions."""
    ponder = Ponder()

    def choose(observation):
        ponder.begun.release()
        ponder.decided.wait(PATIENCE)
        return choose_at_random(observation)

    def found(name):
        return replace(find_bot(name), choose=choose) if name == "random" else find_bot(name)

    monkeypatch.setattr(bot_turns, "find_bot", found)
    yield ponder
    ponder.decided.set()


def wake(card_room, tables):
    """Load tables by a request for each, so that their bots begin."""
    for table in tables:
        assert card_room.http.get(f"/api/tables/{table}").status_code == 200


def test_other_tables_go_on(card_room, ponder):
    slow = [card_room.open("random", "random")["table"] for _ in range(THINKERS - 1)]
    wake(card_room, slow)
    ponder.await_thinkers(len(slow))
    table = card_room.open("you", "thumb")
    with card_room.sit(table["table"], table["key"]) as ann:
        play_out(ann)
    for each in slow:
        assert not card_room.http.get(f"/api/tables/{each}").json()["over"]


def test_people_play_and_open_tables_while_many_bots_think(card_rooms, ponder):
    card_room = card_rooms()
    mine = card_room.open("you", "open")
    key = join(card_room, mine)
    card_room.stop()
    card_room = card_rooms()
    slow = [card_room.open("random", "random")["table"] for _ in range(THINKERS + 2)]
    wake(card_room, slow)
    ponder.await_thinkers(THINKERS)
    with card_room.sit(mine["table"], mine["key"]) as ann, card_room.sit(mine["table"], key) as bo:
        play_out(ann, bo)
    assert card_room.http.get(f"/api/tables/{mine['table']}/replay").json()["scenes"]
    ponder.decided.set()
    with card_room.sit(slow[0]) as spectator:
        spectator.until(lambda scene: scene["over"])


def test_a_bot_for_studies_has_no_seat_in_a_card_room(card_room):
    seats = [{"kind": "you", "name": "Ann"}, {"kind": "bot", "bot": "search:effort=1000000000", "name": "Bo"}]
    wanted = {"game": "trick-walls", "players": 2, "options": {}, "seats": seats}
    answer = card_room.http.post("/api/tables", json=wanted)
    assert answer.status_code == 422
    assert "there is no bot" in answer.json()["error"]
