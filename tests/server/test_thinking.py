"""Bots that think long hold up nobody but the tables they sit at."""

import threading
from dataclasses import replace

import pytest

from parlour.bots import choose_at_random, find_bot
from parlour.server.table import bot_turns, services
from parlour.server.table.services import THINKERS
from tests.server.house import PATIENCE, play_out


class Ponder:
    """How many random bots have begun to think, and when they are to have decided."""

    def __init__(self):
        self.begun, self.decided = threading.Semaphore(0), threading.Event()

    def await_thinkers(self, number):
        for _ in range(number):
            assert self.begun.acquire(timeout=PATIENCE), "nobody thinks"


@pytest.fixture(autouse=True)
def one_address(monkeypatch):
    """All tables here are opened by one address, whose bots may have all threads."""
    monkeypatch.setattr(services, "THINKERS_EACH", THINKERS)


@pytest.fixture
def ponder(monkeypatch):
    """The random bots think until they are told to decide."""
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


def wake(house, tables):
    """Tables are made, and their bots begin, when somebody asks for them."""
    for table in tables:
        assert house.http.get(f"/api/tables/{table}").status_code == 200


def test_another_table_goes_on(house, ponder):
    slow = [house.open("random", "random")["table"] for _ in range(THINKERS - 1)]
    wake(house, slow)
    ponder.await_thinkers(len(slow))
    table = house.open("you", "thumb")
    with house.sit(table["table"], table["key"]) as ann:
        play_out(ann)
    for each in slow:
        assert not house.http.get(f"/api/tables/{each}").json()["over"]


def test_however_many_think_people_play_and_tables_are_opened_again(houses, ponder):
    house = houses()
    mine = house.open("you", "open")
    key = house.http.post(f"/api/tables/{mine['table']}/seats", json={"seat": 1, "name": "Bo"}).json()["key"]
    house.stop()
    house = houses()
    slow = [house.open("random", "random")["table"] for _ in range(THINKERS + 2)]
    wake(house, slow)
    ponder.await_thinkers(THINKERS)
    with house.sit(mine["table"], mine["key"]) as ann, house.sit(mine["table"], key) as bo:
        play_out(ann, bo)
    assert house.http.get(f"/api/tables/{mine['table']}/replay").json()["scenes"]
    ponder.decided.set()
    with house.sit(slow[0]) as spectator:
        spectator.until(lambda scene: scene["over"])


def test_a_bot_for_study_has_no_seat_in_the_house(house):
    seats = [{"kind": "you", "name": "Ann"}, {"kind": "bot", "bot": "search:effort=1000000000", "name": "Bo"}]
    wanted = {"game": "trick-walls", "players": 2, "options": {}, "seats": seats}
    answer = house.http.post("/api/tables", json=wanted)
    assert answer.status_code == 422
    assert "there is no bot" in answer.json()["error"]
