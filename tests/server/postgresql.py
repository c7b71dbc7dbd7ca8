"""A temporary PostgreSQL server for tests."""

import tempfile

import pytest
import sqlalchemy as sql
from trials.postgresql import NoPostgresError, Postgres


class Cluster(Postgres):
    """A PostgreSQL server, and new databases in it."""

    def __init__(self):
        pytest.importorskip("psycopg", reason="there is no psycopg here (pip install psycopg[binary])")
        try:
            super().__init__(durable=False, place=tempfile.gettempdir())
        except NoPostgresError as error:
            pytest.skip(str(error))
        self._made = 0
        self._empty = []

    def execute(self, text, name="postgres"):
        engine = self.engine(name)
        with engine.connect() as connection:
            connection.exec_driver_sql(text)
        engine.dispose()

    def new_database(self):
        """Return the URL of an empty database."""
        if not self._empty:
            self._made += 1
            self.execute(f"CREATE DATABASE test{self._made}")
            self._empty.append(f"test{self._made}")
        return self.url(self._empty.pop())

    def empty(self, url):
        """Empty a database for another test: that takes a fraction of the time and disk space of a new one."""
        name = sql.make_url(url).database
        self.execute(f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'")
        self.execute("DROP SCHEMA public CASCADE", name)
        self.execute("CREATE SCHEMA public", name)
        self._empty.append(name)
