"""The store as a command of the operator uses it, in the main thread."""

from collections.abc import Callable
from typing import Concatenate

import sqlalchemy as sql

from parlour.interrupts import defer_interrupts
from parlour.server.store.store import Answer, Arguments, Store
from parlour.server.store.stored_table import StoredTable


class CommandStore(Store):
    """Store whose calls Ctrl-C does not interrupt: it takes effect after them.

    In a call SQLAlchemy would log it with a traceback, as an error of the connection.
    """

    def load(self, table_id: str) -> StoredTable | None:
        """Return a table with all its data."""
        with defer_interrupts():
            return super().load(table_id)

    def read(
        self,
        function: Callable[Concatenate[sql.Connection, Arguments], Answer],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Answer:
        """Call a function that reads the database."""
        with defer_interrupts():
            return super().read(function, *arguments, **named)

    def write(
        self,
        function: Callable[Concatenate[sql.Connection, Arguments], Answer],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Answer:
        """Call a function that changes the database, in one transaction."""
        with defer_interrupts():
            return super().write(function, *arguments, **named)

    def purge(self) -> None:
        """Remove deleted rows from SQLite's write-ahead log."""
        with defer_interrupts():
            super().purge()
