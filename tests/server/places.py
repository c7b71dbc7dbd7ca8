"""A throw-away PostgreSQL, for the tests that a database of that kind must pass as well."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sql

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
UNPRIVILEGED = "nobody"
"""PostgreSQL does not run as root."""


def _as_user():
    return {"user": UNPRIVILEGED, "group": "nogroup"} if os.geteuid() == 0 else {}


class Cluster:
    """A PostgreSQL server in a folder of its own, reached by a socket there."""

    def __init__(self):
        binaries = BINARIES[-1] if BINARIES else None
        found = shutil.which("initdb")
        if binaries is None and found is None:
            pytest.skip("there are no PostgreSQL binaries here (apt install postgresql)")
        pytest.importorskip("psycopg", reason="there is no psycopg here (pip install psycopg[binary])")
        self.binaries = binaries or Path(found).parent
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-pg-", dir="/tmp"))
        if os.geteuid() == 0:
            shutil.chown(self.folder, UNPRIVILEGED)
        self._run("initdb", "-D", "data", "-U", "parlour", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
        self.start()
        self._made = 0

    def _run(self, program, *arguments):
        command = [self.binaries / program, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, **_as_user())
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self):
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=60 -c shared_buffers=16MB"
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self):
        self._run("pg_ctl", "-D", "data", "-w", "-m", "immediate", "stop")

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, name):
        return f"postgresql://parlour@/{name}?host={self.folder}"

    def execute(self, text, name="postgres"):
        engine = sql.create_engine(self.url(name).replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(text)
        engine.dispose()

    def new_database(self):
        """The URL of an empty database."""
        self._made += 1
        self.execute(f"CREATE DATABASE test{self._made}")
        return self.url(f"test{self._made}")
