"""The session by which an instance is known to be there: it holds a lock, and hears what other instances say.

PostgreSQL lets the lock go when the session ends: at once when the process dies, and after :data:`LEASE_SECONDS` of
silence when it stands still, or its machine or the network is gone.
"""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from os import close, dup, pipe
from typing import Any

import sqlalchemy as sql
from sqlalchemy import exc

from parlour.server.logs import note
from parlour.server.store.database import StoreError, reason_of

LOCKS = 7276
"""The first number of the advisory locks of instances; the second is the instance's id."""
CHANNEL = "parlour"
LEASE_SECONDS = 8
_BEAT_SECONDS = 2.0
_AGAIN_SECONDS = 0.5
_END_SECONDS = 2.0

Heard = Callable[[list[str]], None]


class Session:
    """Holds an instance's lock until its end, again whenever the connection was lost."""

    def __init__(self, engine: sql.Engine, instance: int, heard: Heard) -> None:
        """Take the lock. Raises :class:`~parlour.server.store.database.StoreError`."""
        self._engine = engine
        self._instance = instance
        self._heard = heard
        self._errors = (exc.SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        self._woken, self._wake = pipe()
        self._ended = threading.Event()
        self._line: socket.socket | None = None
        self._answered = time.monotonic()
        self._connection = self._connect()
        self._thread = threading.Thread(target=self._keep, name="session", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Let the lock go."""
        self._ended.set()
        close(self._wake)
        self._thread.join(_END_SECONDS)
        if self._thread.is_alive():  # it waits for an answer
            self.hang_up()
            self._thread.join(_END_SECONDS)
        if not self._thread.is_alive():
            close(self._woken)

    @property
    def silent(self) -> float:
        """Seconds since PostgreSQL last answered."""
        return time.monotonic() - self._answered

    def hang_up(self) -> None:
        """End the connection under whoever waits for an answer, so that a new one is made."""
        if self._line is not None:
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)

    def _connect(self) -> Any:
        """A connection of its own that has the lock and listens; PostgreSQL closes it when it falls silent."""
        connection: Any = None
        try:
            pooled = self._engine.raw_connection()
            pooled.detach()
            connection = pooled.dbapi_connection
            self._put_down()
            self._line = socket.socket(fileno=dup(connection.fileno()))
            connection.autocommit = True
            connection.add_notify_handler(lambda notice: self._heard(notice.payload.split()))
            connection.execute(f"SET idle_session_timeout TO {LEASE_SECONDS * 1000}")
            connection.execute("SELECT pg_advisory_lock(%s, %s)", (LOCKS, self._instance))
            connection.execute(f"LISTEN {CHANNEL}")
        except self._errors as error:
            if connection is not None:
                connection.close()
            raise StoreError(reason_of(error)) from None
        self._answered = time.monotonic()
        return connection

    def _put_down(self) -> None:
        if self._line is not None:
            self._line.close()

    def _keep(self) -> None:
        while not self._ended.is_set():
            try:
                self._beat()
            except self._errors:
                self._connect_again()
        self._connection.close()
        self._put_down()

    def _beat(self) -> None:
        """Say something now and then, and hear what came: notices arrive with the answer to a question."""
        while not self._ended.is_set():
            wait([self._connection.fileno(), self._woken], _BEAT_SECONDS)
            self._connection.execute("SELECT 1")
            self._answered = time.monotonic()

    def _connect_again(self) -> None:
        note("session lost", instance=self._instance)
        self._connection.close()
        while not self._ended.wait(_AGAIN_SECONDS):
            with suppress(StoreError):
                self._connection = self._connect()
                note("session back", instance=self._instance)
                self._heard([])
                return
