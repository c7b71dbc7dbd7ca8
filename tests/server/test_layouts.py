"""An older database is migrated. During an update the older and the newer version share it."""

import threading
import time
from dataclasses import replace

import pytest
import sqlalchemy as sql
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from parlour.engine.events import Event
from parlour.server.store.database import LAYOUT_VERSION, METADATA, REVISION, StoreError, parse_location
from parlour.server.store.store import Store
from parlour.server.store.stored_table import ChatMessage, StoredSeat, StoredTable
from tests.helpers import run_apart
from tests.server.layouts import APPENDED_BY_4, LAYOUTS, PROGRAM_4, SEEN_BY_4, VERSION_SEEN_BY_4, statements

pytestmark = pytest.mark.slow

KEPT = StoredTable(
    "abc",
    "trick-walls",
    2,
    {"rounds": 1},
    {0: StoredSeat("Ann", None, "hash")},
    "5e" * 32,
    events=[Event(-1, "dealer A")],
    chat_messages=[],
)


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


def run(database, text):
    engine = sql.create_engine(parse_location(database))
    with engine.begin() as connection:
        for each in statements(text):
            connection.exec_driver_sql(each)
    engine.dispose()


@pytest.fixture
def open_database(database):
    """Yield a function that opens the database once more at each call."""
    stores = []

    def open_store():
        stores.append(Store(database))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()


class TestAnOlderDatabase:
    @pytest.mark.parametrize("version", LAYOUTS)
    def test_is_brought_up_to_date_and_nothing_in_it_is_lost(self, database, open_database, version):
        run(database, LAYOUTS[version])
        for _ in range(2):
            assert open_database().load("abc") == KEPT

    def test_has_the_layout_of_a_new_one(self, database, open_database):
        run(database, LAYOUTS[2])
        with open_database().engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, METADATA) == []
            assert context.get_current_revision() == REVISION

    def test_migrated_rows_are_dated_with_the_migration(self, database, open_database):
        run(database, LAYOUTS[4])
        store = open_database()
        run_apart(store.append("abc", 1, Event(0, "7H")))
        with store.engine.connect() as connection:
            before, now = connection.exec_driver_sql("SELECT at FROM events ORDER BY number").scalars()
        assert 0 <= now - before < 3600


class TestTwoVersionsOnOneDatabase:
    """The previous and the current version use one database, which either has made, at the same time."""

    @pytest.fixture(params=["made by the previous version", "made by the current version"])
    def store(self, request, database, open_database):
        if request.param == "made by the previous version":
            run(database, LAYOUTS[4])
            return open_database()
        store = open_database()
        store.add_table(KEPT)
        return store

    def test_data_of_the_previous_version_is_found(self, database, store):
        run(database, PROGRAM_4)
        expected = replace(KEPT, id="def", spent={0: 1500}, chat_messages=[ChatMessage(0, "a", "hello")])
        assert store.load("def") == expected
        run_apart(store.append("def", 1, Event(0, "7H")))

    def test_the_previous_layout_can_read_the_current_one(self, store):
        run_apart(store.append("abc", 1, Event(0, "7H"), stood_in=True))
        with store.engine.connect() as connection:
            assert connection.exec_driver_sql(VERSION_SEEN_BY_4).scalars().all() == [4]
            events = connection.execute(sql.text(SEEN_BY_4), {"table": "abc"}).all()
        assert events == [(0, -1, "dealer A", 0), (1, 0, "7H", 1)]


class TestMigration:
    """The current version migrates the layout while a program of the previous version writes."""

    @pytest.fixture
    def kind(self):
        return "postgresql"

    def test_concurrent_writes_of_the_previous_version_are_complete(self, database, open_database):
        run(database, LAYOUTS[4])
        before, kept, stop = sql.create_engine(parse_location(database)), [], threading.Event()

        def write():
            """Write on one connection. After five executions its driver prepares statements, for the old layout."""
            with before.connect() as connection:
                while not stop.is_set():
                    connection.execute(sql.text(APPENDED_BY_4), {"table": "abc", "number": len(kept) + 1})
                    connection.execute(sql.text(SEEN_BY_4), {"table": "abc"}).all()
                    connection.commit()
                    kept.append(True)

        writer = threading.Thread(target=write)
        writer.start()
        self.wait_for(kept, 10, writer)
        store = open_database()
        self.wait_for(kept, len(kept) + 10, writer)
        stop.set()
        writer.join()
        before.dispose()
        assert store.load("abc").events == [Event(-1, "dealer A"), *[Event(0, "7H")] * len(kept)]

    @staticmethod
    def wait_for(kept, number, writer):
        while len(kept) < number:
            assert writer.is_alive()
            time.sleep(0.001)


class TestANewerDatabase:
    def test_is_shared_if_it_has_additions_only(self, database, open_database):
        open_database().add_table(KEPT)
        run(database, "UPDATE alembic_version SET version_num = '9999'; ALTER TABLE events ADD COLUMN mood INTEGER")
        assert open_database().load("abc") == KEPT
        with open_database().engine.connect() as connection:
            assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all() == ["9999"]

    def test_is_refused_if_it_has_removals(self, database, open_database):
        open_database()
        run(database, f"UPDATE layout SET version = {LAYOUT_VERSION + 1}")
        with pytest.raises(StoreError, match="made by a newer version of Parlour: open it with that one"):
            open_database()
