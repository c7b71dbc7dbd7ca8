"""Orders: what a command has changed in the database while servers run, for each of their processes to read.

A process asks every second or two for the orders after the last that it knows. Their numbers become visible in
ascending order: whoever writes one holds a lock until the transaction ends.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sql

from parlour.server.store.database import ORDERS

_LOCK = 7277
"""The advisory lock of PostgreSQL under which orders are numbered."""
_KEPT_SECONDS = 86400


@dataclass(frozen=True)
class Order:
    """What was changed, by the name of the command, and at which table; empty if at none."""

    number: int
    what: str
    table_id: str = ""


def give_order(connection: sql.Connection, what: str, table_ids: Sequence[str] = ("",)) -> None:
    """Let all running processes know of a change when this transaction ends, and remove the orders of past days."""
    if connection.dialect.name != "sqlite":  # of which only one connection writes at a time
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_LOCK)))
    now = int(time.time())
    connection.execute(sql.delete(ORDERS).where(ORDERS.c.at < now - _KEPT_SECONDS))
    connection.execute(sql.insert(ORDERS), [{"what": what, "table_id": each, "at": now} for each in table_ids])


def last_order(connection: sql.Connection) -> int:
    """The number of the newest order; 0 if there is none."""
    return connection.execute(sql.select(sql.func.max(ORDERS.c.number))).scalar_one() or 0


def orders_after(connection: sql.Connection, number: int) -> list[Order]:
    """The orders after a number, in order."""
    rows = connection.execute(sql.select(ORDERS).where(ORDERS.c.number > number).order_by(ORDERS.c.number))
    return [Order(row.number, row.what, row.table_id) for row in rows]
