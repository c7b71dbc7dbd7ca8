"""A file of SQLite has one server."""

import os

import pytest

from parlour.server.process.run import serve
from parlour.server.process.settings import Settings
from parlour.server.store.database import StoreError
from parlour.server.store.locks import lock_database
from parlour.server.store.ownership import Instance
from parlour.server.store.store import Store


class TestAFileOfSqlite:
    def test_a_second_server_does_not_open_it_and_says_why(self, tmp_path):
        database = tmp_path / "tables.sqlite"
        with (
            lock_database(database),
            pytest.raises(StoreError, match=r"tables\.sqlite: another server has this file open"),
        ):
            serve(Settings(port=0, database=str(database), warm_up=False))
        assert not database.exists()

    def test_a_link_is_the_same_file(self, tmp_path):
        (tmp_path / "link").symlink_to(tmp_path / "tables.sqlite")
        with lock_database(tmp_path / "tables.sqlite"), pytest.raises(StoreError), lock_database(tmp_path / "link"):
            pass

    def test_the_next_server_can_open_it_after_the_end_of_the_first(self, tmp_path):
        for _ in range(2):
            with lock_database(tmp_path / "new folder" / "tables.sqlite"):
                pass

    def test_readers_need_no_lock(self, tmp_path):
        with lock_database(tmp_path / "tables.sqlite"):
            store = Store(tmp_path / "tables.sqlite")
            assert store.load("none") is None
            store.close()

    def test_its_server_has_every_table_and_hands_none_over(self, tmp_path):
        store = Store(tmp_path / "tables.sqlite")
        store.ownership.begin(Instance("a"), lambda words: None)
        store.ownership.claim("none")
        assert not store.ownership.leave()
        store.close()

    def test_the_lock_file_is_private(self, tmp_path):
        with lock_database(tmp_path / "tables.sqlite"):
            assert os.stat(tmp_path / "tables.sqlite.lock").st_mode & 0o777 == 0o600

    def test_a_database_of_postgresql_is_shared(self):
        with lock_database("postgresql://x/y"), lock_database("postgresql://x/y"):
            pass
