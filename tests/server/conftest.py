from pathlib import Path

import pytest

from parlour.server.store import session
from parlour.server.table import ownership_client
from tests.fixed_deals import dealt
from tests.server.card_room import CardRoom
from tests.server.postgresql import Cluster

__all__ = ["dealt"]
RUNNING = {"card_room", "card_rooms", "rooms", "server", "servers", "two_workers"}
"""What gives a test a running server."""


def pytest_collection_modifyitems(items):
    """Mark each test that needs a running server as ``slow``."""
    for item in items:
        if Path(__file__).parent in item.path.parents and RUNNING & set(item.fixturenames):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def long_lease(monkeypatch):
    """A busy machine may keep a thread waiting for longer than a lease, after which a server closes its tables."""
    for module in (session, ownership_client):
        monkeypatch.setattr(module, "LEASE_SECONDS", 120)


@pytest.fixture(scope="session")
def cluster():
    running = Cluster()
    yield running
    running.remove()


@pytest.fixture
def kind():
    """A module may have its tests run on both kinds of database."""
    return "sqlite"


@pytest.fixture
def database(kind, tmp_path, request):
    """An empty database."""
    if kind == "sqlite":
        return tmp_path / "tables.sqlite"
    return request.getfixturevalue("cluster").new_database()


@pytest.fixture
def card_room(database):
    room = CardRoom(database)
    yield room
    room.stop()


@pytest.fixture
def two_workers(tmp_path):
    """A server of two workers; a test may end it itself."""
    from tests.server.test_crashes import Process  # when its assertions are rewritten

    running = Process(tmp_path / "tables.sqlite", "--workers", "2")
    yield running
    if running.process.poll() is None:
        running.kill()


@pytest.fixture
def card_rooms(database):
    """Opens rooms on one database, one after another."""
    opened = []

    def open_card_room():
        opened.append(CardRoom(database))
        return opened[-1]

    yield open_card_room
    for room in opened:
        if room.thread.is_alive():
            room.stop()
