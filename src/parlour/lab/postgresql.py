"""A PostgreSQL server of one's own for a while, from what is installed here: for trials and tests."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sql

from parlour.engine.errors import ParlourError
from parlour.lab.using import computed, family

_UNPRIVILEGED = "nobody"
"""PostgreSQL does not run as root."""


class NoPostgresError(ParlourError):
    """PostgreSQL's programs, or psycopg, are not here."""


@dataclass(frozen=True)
class Work:
    """What a server has done so far: seconds that it computed, transactions, bytes of its log (WAL), and those kept."""

    seconds: float
    commits: int
    log_bytes: int
    kept_bytes: int


class Postgres:
    """A PostgreSQL server in a folder of its own, reached by a socket there.

    Attributes:
        folder: where it is.
    """

    def __init__(self, connections: int = 60, durable: bool = True) -> None:
        """Make and start one.

        Args:
            connections: at most.
            durable: whether it waits for the disk. If not, only a machine that fails loses something, and what is
                killed is there again in a second, though the disk is busy.

        Raises:
            NoPostgresError: it is not installed.
        """
        binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        found = str(binaries[-1] / "initdb") if binaries else shutil.which("initdb")
        if found is None:
            raise NoPostgresError("there are no PostgreSQL binaries here (apt install postgresql)")
        self.binaries = Path(found).parent
        self._options = f"-c max_connections={connections}" + ("" if durable else " -c fsync=off")
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-pg-", dir="/tmp"))
        if os.geteuid() == 0:
            shutil.chown(self.folder, _UNPRIVILEGED)
        self._run("initdb", "-D", "data", "-U", "parlour", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        user: dict[str, Any] = {"user": _UNPRIVILEGED, "group": "nogroup"} if os.geteuid() == 0 else {}
        command = [str(self.binaries / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, **user)
        if done.returncode:
            raise NoPostgresError(f"{program} failed: {done.stdout}{done.stderr}")

    def start(self) -> None:
        """Start it, as it is for a new one."""
        options = f"-k {self.folder} -c listen_addresses='' -c shared_buffers=16MB {self._options}"
        self._run("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop it at once, as if it had crashed; or, ``"fast"``, ending all sessions in an orderly way."""
        self._run("pg_ctl", "-D", "data", "-w", "-m", mode, "stop")

    def work(self) -> Work:
        """What it has done so far for the database ``postgres``."""
        asked = (
            "SELECT xact_commit, pg_current_wal_lsn() - '0/0', pg_database_size(datname) "
            "FROM pg_stat_database WHERE datname = 'postgres'"
        )
        engine = self.engine()
        with engine.connect() as connection:
            commits, log_bytes, kept = connection.exec_driver_sql(asked).one()
        engine.dispose()
        number = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        return Work(sum(map(computed, family(number))), int(commits), int(log_bytes), int(kept))

    def remove(self) -> None:
        """Stop it, and remove all that it kept."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, name: str = "postgres") -> str:
        """Where a database is."""
        return f"postgresql://parlour@/{name}?host={self.folder}"

    def engine(self, name: str = "postgres") -> sql.Engine:
        """A database as SQLAlchemy has it, each statement a transaction of its own."""
        return sql.create_engine(self.url(name).replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")
