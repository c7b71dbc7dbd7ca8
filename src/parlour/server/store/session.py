"""The session of an instance: it holds the instance's lock, and receives the notices of other instances.

PostgreSQL releases the lock when the session ends: at once when the process dies, and after :data:`LEASE_SECONDS` of
silence when the process hangs or its machine or network fails.
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
from parlour.server.store.database import StoreError
from parlour.server.store.failure_reasons import reason_of

LOCKS = 7276
"""First number of the advisory locks of instances; the second is the instance's id."""
CHANNEL = "parlour"
"""The channel of the notices of instances."""
LEASE_SECONDS = 8
"""Seconds of silence after which PostgreSQL ends a session, so that other instances can take its tables."""
_BEAT_SECONDS = 2.0
_RETRY_SECONDS = 0.5
_END_SECONDS = 2.0

NoticeHandler = Callable[[list[str]], None]


class Session:
    """A connection that holds an instance's lock; a new one replaces it when it is lost."""

    def __init__(self, engine: sql.Engine, instance: int, on_notice: NoticeHandler) -> None:
        """Take the lock. Raises :class:`~parlour.server.store.database.StoreError`."""
        self._engine = engine
        self._instance = instance
        self._on_notice = on_notice
        self._errors = (exc.SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        self._wake_read, self._wake_write = pipe()
        self._ended = threading.Event()
        self._socket: socket.socket | None = None
        self._answered = time.monotonic()
        self._connection = self._connect()
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Release the lock."""
        self._ended.set()
        close(self._wake_write)
        self._thread.join(_END_SECONDS)
        if self._thread.is_alive():  # it waits for the database
            self.hang_up()
            self._thread.join(_END_SECONDS)
        if not self._thread.is_alive():
            close(self._wake_read)

    @property
    def silent(self) -> float:
        """Seconds since the last answer of PostgreSQL."""
        return time.monotonic() - self._answered

    def hang_up(self) -> None:
        """Shut the connection down while a thread waits for its answer; a new one follows."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _connect(self) -> Any:
        """Return a new connection that has the lock and listens; PostgreSQL closes it after a silence."""
        connection: Any = None
        try:
            pooled = self._engine.raw_connection()
            pooled.detach()
            connection = pooled.dbapi_connection
            self._close_socket()
            self._socket = socket.socket(fileno=dup(connection.fileno()))
            connection.autocommit = True
            connection.add_notify_handler(lambda notice: self._on_notice(notice.payload.split()))
            connection.execute(f"SET idle_session_timeout TO {LEASE_SECONDS * 1000}")
            connection.execute("SELECT pg_advisory_lock(%s, %s)", (LOCKS, self._instance))
            connection.execute(f"LISTEN {CHANNEL}")
        except self._errors as error:
            if connection is not None:
                connection.close()
            raise StoreError(reason_of(error)) from None
        self._answered = time.monotonic()
        return connection

    def _close_socket(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                self._beat()
            except self._errors:
                self._connect_again()
        self._connection.close()
        self._close_socket()

    def _beat(self) -> None:
        """Query regularly, and after each notice: notices arrive with the answer to a query."""
        while not self._ended.is_set():
            wait([self._connection.fileno(), self._wake_read], _BEAT_SECONDS)
            self._connection.execute("SELECT 1")
            self._answered = time.monotonic()

    def _connect_again(self) -> None:
        note("session lost", instance=self._instance)
        self._connection.close()
        while not self._ended.wait(_RETRY_SECONDS):
            with suppress(StoreError):
                self._connection = self._connect()
                note("session back", instance=self._instance)
                self._on_notice([])
                return
