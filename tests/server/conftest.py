"""Fixtures of the tests of the server: databases, stores and running rooms; patient time limits."""

import logging
from pathlib import Path

import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.server.store.store import Store
from tests.fixed_deals import dealt
from tests.server.card_room import CardRoom
from tests.server.patience import raise_limits
from tests.server.postgresql import Cluster
from tests.server.server_process import Process

__all__ = ["dealt"]
RUNNING = {"card_room", "card_rooms", "open_card_room", "room", "rooms", "server", "servers", "two_workers"}
"""Fixtures that start a server."""


def pytest_collection_modifyitems(items):
    """Mark each test with a fixture that starts a server as ``slow``."""
    for item in items:
        if Path(__file__).parent in item.path.parents and RUNNING & set(item.fixturenames):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Raise the server's time limits, since a busy machine may delay a thread for longer.

    A test of a time limit lowers that one.
    """
    raise_limits(monkeypatch)


@pytest.fixture
def restored_logging():
    """Restore the handlers and levels of the loggers after a test that sets up a server's log."""
    root, own = logging.getLogger(), logging.getLogger("parlour.server")
    before = root.handlers[:], root.level, own.level
    yield
    root.handlers[:], root.level = before[0], before[1]
    own.setLevel(before[2])


@pytest.fixture(scope="session")
def cluster():
    running = Cluster()
    yield running
    running.remove()


@pytest.fixture
def kind():
    """Return the kind of database; a module may parametrize it."""
    return "sqlite"


@pytest.fixture
def database(kind, tmp_path, request):
    """Yield the location of an empty database."""
    if kind == "sqlite":
        yield tmp_path / "tables.sqlite"
        return
    cluster = request.getfixturevalue("cluster")
    url = cluster.new_database()
    yield url
    cluster.empty(url)


@pytest.fixture
def store(database):
    opened = Store(database)
    yield opened
    opened.close()


@pytest.fixture
def command(database):
    """Return a function that runs a command of the operator on the database, and returns its output."""

    def run(*words, status=0):
        done = CliRunner().invoke(main, [*words, "--database", str(database)])
        assert done.exit_code == status, done.output
        return done.output

    return run


@pytest.fixture
def card_room(database):
    room = CardRoom(database)
    yield room
    room.stop()


@pytest.fixture
def two_workers(tmp_path):
    """Yield a server of two workers; a test may end it itself."""
    running = Process(tmp_path / "tables.sqlite", "--workers", "2")
    yield running
    if running.process.poll() is None:
        running.kill()


@pytest.fixture
def card_rooms(database):
    """Yield a function that opens a room on the database, or on another; open rooms end with the test."""
    opened = []

    def open_card_room(settings=None, url=database):
        opened.append(CardRoom(url, settings))
        return opened[-1]

    yield open_card_room
    for room in opened:
        if room.thread.is_alive():
            room.stop()
