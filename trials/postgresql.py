"""Temporary PostgreSQL server from the installed binaries, for trials and tests."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sql

from parlour.engine.errors import ParlourError
from trials.process_usage import cpu_seconds, process_tree

_UNPRIVILEGED = "nobody"
"""User that runs PostgreSQL in place of root, which it refuses."""

_NOT_DURABLE = " -c fsync=off -c full_page_writes=off -c max_wal_size=64MB -c min_wal_size=32MB"
_WITHOUT_STANDBY = ("-c", "ALTER SYSTEM RESET synchronous_standby_names", "-c", "SELECT pg_reload_conf()")


class NoPostgresError(ParlourError):
    """PostgreSQL's programs are not installed, or one of them fails."""


@dataclass(frozen=True)
class Work:
    """Work of a server so far.

    Attributes:
        seconds: processor seconds.
        commits: number of transactions.
        log_bytes: bytes of the write-ahead log.
        kept_bytes: size of the database.
    """

    seconds: float
    commits: int
    log_bytes: int
    kept_bytes: int


class Postgres:
    """PostgreSQL server in a folder of its own, reached by a socket there.

    Attributes:
        folder: the server's folder.
    """

    def __init__(self, connections: int = 60, durable: bool = True, place: str = "/tmp") -> None:
        """Create and start a server.

        Args:
            connections: maximum number of connections.
            durable: whether it waits for the disk. If not, only a failing machine loses data, and a killed server
                restarts within a second even on a busy disk.
            place: the folder that gets the server's folder; its path must be short, as that of a socket.

        Raises:
            NoPostgresError: PostgreSQL is not installed, or does not start.
        """
        self.binaries = binaries_of()
        self._options = f"-c max_connections={connections}" + ("" if durable else _NOT_DURABLE)
        self.folder = Path(tempfile.mkdtemp(prefix="parlour-pg-", dir=place))
        if os.geteuid() == 0:
            shutil.chown(self.folder, _UNPRIVILEGED)
        self._run("initdb", "-D", "data", "-U", "parlour", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
        self.start()
        self._standby: Path | None = None

    def _run(self, program: str, *arguments: str) -> None:
        user: dict[str, Any] = {"user": _UNPRIVILEGED, "group": "nogroup"} if os.geteuid() == 0 else {}
        command = [str(self.binaries / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60, **user)
        if done.returncode:
            raise NoPostgresError(f"{program} failed: {done.stdout}{done.stderr}")

    def start(self) -> None:
        """Start the server; a new one is already running."""
        self._start(self.folder)

    def _start(self, folder: Path) -> None:
        options = f"-k {folder} -c listen_addresses='' -c shared_buffers=16MB {self._options}"
        self._run("pg_ctl", "-D", f"{folder}/data", "-w", "-l", f"{folder}/log", "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server at once, as in a crash; or, with ``"fast"``, after ending all sessions."""
        self._run("pg_ctl", "-D", "data", "-w", "-m", mode, "stop")

    def add_standby(self) -> None:
        """Start a synchronous standby, which has every commit before the client learns of it."""
        self._standby = standby = self.folder / "standby"
        here = f"host={self.folder} user=parlour"
        self._run("pg_basebackup", "-D", f"{standby}/data", "-d", here, "--checkpoint=fast", "--write-recovery-conf")
        self._start(standby)
        with self.engine().connect() as connection:
            connection.exec_driver_sql("ALTER SYSTEM SET synchronous_standby_names TO '*'")
            connection.exec_driver_sql("SELECT pg_reload_conf()")

    def promote_standby(self) -> None:
        """Promote the standby to be the database; the primary must have been stopped."""
        assert self._standby is not None
        self._run("pg_ctl", "-D", f"{self._standby}/data", "-w", "promote")
        self._run("psql", "-h", str(self._standby), "-U", "parlour", "-d", "postgres", *_WITHOUT_STANDBY)

    def work(self) -> Work:
        """Return the work so far for the database ``postgres``."""
        asked = (
            "SELECT xact_commit, pg_current_wal_lsn() - '0/0', pg_database_size(datname) "
            "FROM pg_stat_database WHERE datname = 'postgres'"
        )
        engine = self.engine()
        with engine.connect() as connection:
            commits, log_bytes, kept = connection.exec_driver_sql(asked).one()
        engine.dispose()
        number = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        return Work(sum(map(cpu_seconds, process_tree(number))), int(commits), int(log_bytes), int(kept))

    def remove(self) -> None:
        """Stop the server and its standby, and remove their folder."""
        for folder in (self.folder, self._standby):
            if folder is not None and (folder / "data" / "postmaster.pid").exists():
                self._run("pg_ctl", "-D", f"{folder}/data", "-w", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, name: str = "postgres", folder: Path | None = None) -> str:
        """Return a database's URL, which also names a standby; ``folder`` replaces the folder of the socket."""
        place = f"postgresql://parlour@/{name}?host={folder or self.folder}"
        return f"{place},{self._standby}&target_session_attrs=read-write" if self._standby else place

    def engine(self, name: str = "postgres") -> sql.Engine:
        """Return a SQLAlchemy engine for a database, with each statement a transaction of its own."""
        return sql.create_engine(self.url(name).replace("://", "+psycopg://"), isolation_level="AUTOCOMMIT")


def binaries_of(folder: Path = Path("/usr/lib/postgresql")) -> Path:
    """Return the folder of the newest server's programs. Raises :class:`NoPostgresError`."""
    installed = folder.glob("*/bin/initdb")  # a version may have the programs of a client only
    newest = max(installed, key=lambda path: float(path.parents[1].name), default=None)
    if newest is None and (found := shutil.which("initdb")):
        newest = Path(found)
    if newest is None:
        raise NoPostgresError("there are no PostgreSQL binaries here (apt install postgresql)")
    return newest.parent
