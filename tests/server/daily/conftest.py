"""Fixtures of the tests of daily deals: quick bots, and a room in which it is Monday."""

import pytest

from tests.server.card_room import CardRoom
from tests.server.daily_clock import MONDAY, set_clock
from tests.server.daily_visitors import make_bots_quick


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch):
    """The bots of the day, and the strongest, are quick."""
    make_bots_quick(monkeypatch)


@pytest.fixture
def room(database):
    room = CardRoom(database)
    set_clock(room, MONDAY)
    yield room
    room.stop()
