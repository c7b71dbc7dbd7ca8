import pytest

from tests.server.house import House


@pytest.fixture
def house(tmp_path):
    room = House(tmp_path / "tables.sqlite")
    yield room
    room.stop()


@pytest.fixture
def houses(tmp_path):
    """Opens rooms on one database, one after another."""
    opened = []

    def open_house():
        opened.append(House(tmp_path / "tables.sqlite"))
        return opened[-1]

    yield open_house
    for room in opened:
        if room.thread.is_alive():
            room.stop()
