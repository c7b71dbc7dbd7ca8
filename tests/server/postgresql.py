"""A temporary PostgreSQL server for tests."""

import tempfile

import pytest
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

    def execute(self, text, name="postgres"):
        engine = self.engine(name)
        with engine.connect() as connection:
            connection.exec_driver_sql(text)
        engine.dispose()

    def new_database(self):
        """The URL of an empty database."""
        self._made += 1
        self.execute(f"CREATE DATABASE test{self._made}")
        return self.url(f"test{self._made}")
