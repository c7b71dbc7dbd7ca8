"""The session of an instance: it holds the instance's lock, and receives the notices of other instances.

PostgreSQL releases the lock when the session ends: at once when the process dies, and after :data:`LEASE_SECONDS` of
silence when the process is stopped or its machine or network fails. The session ends itself within the same time when
the event loop hangs, which serves the tables, and begins again when the loop works.
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
from parlour.server.pulse import Pulse
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

    def __init__(self, engine: sql.Engine, instance: int, on_notice: NoticeHandler, pulse: Pulse | None = None) -> None:
        """Take the lock. Raises :class:`~parlour.server.store.database.StoreError`.

        With a pulse the session lasts while the event loop works.
        """
        self._engine = engine
        self._instance = instance
        self._on_notice = on_notice
        self._pulse = pulse
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
        """Seconds since the last answer of PostgreSQL, or since the loop hung: PostgreSQL is not asked meanwhile."""
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
            why = "the event loop hangs"
            try:
                self._beat()
            except self._errors as error:
                why = reason_of(error)
            if not self._ended.is_set():
                self._connect_again(why)
        self._connection.close()
        self._close_socket()

    def _beat(self) -> None:
        """Query regularly, and after each notice: notices arrive with the answer to a query.

        Return when the loop hangs or the session is over.
        """
        while not self._ended.is_set():
            wait([self._connection.fileno(), self._wake_read], _BEAT_SECONDS)
            if self._is_loop_hanging():
                return
            self._connection.execute("SELECT 1")
            self._answered = time.monotonic()

    def _is_loop_hanging(self) -> bool:
        """Return whether the loop is silent for so long that the lease would end before the next query.

        A loop whose process was stopped beats within a moment after it goes on.
        """
        if self._pulse is None or self._pulse.silent <= LEASE_SECONDS - _BEAT_SECONDS - _RETRY_SECONDS:
            return False
        beats = self._pulse.beats
        self._ended.wait(_RETRY_SECONDS)
        return self._pulse.beats == beats

    def _connect_again(self, why: str) -> None:
        """Give up the lock, and take it again as soon as the loop works and PostgreSQL answers."""
        self._connection.close()
        note("session lost", instance=self._instance, why=why)
        while not self._ended.wait(_RETRY_SECONDS):
            if self._is_loop_hanging():
                self._answered = time.monotonic()
                continue
            with suppress(StoreError):
                self._connection = self._connect()
                note("session back", instance=self._instance)
                self._on_notice([])
                return
