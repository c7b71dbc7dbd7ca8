"""Orders: notices of changes in the database that processes with tables in memory have to follow.

An operator's command gives most of them, the maintenance of a server and the requests of players the others. Once a
second every process reads the orders that follow its last one. Their numbers become visible in ascending order, since
the writer of an order holds a lock until its transaction ends.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sql

from parlour.server.store.database import ORDERS
from parlour.server.store.locks import TransactionLock, hold

REMATCH_SEAT = "rematch-seat"
"""The order for the former table of a rematch in which a seat has been taken."""
_KEPT_SECONDS = 86400


@dataclass(frozen=True)
class Order:
    """A change: its name, such as that of the command, and the id of the table; empty if it concerns no table."""

    number: int
    what: str
    table_id: str = ""


def give_order(connection: sql.Connection, what: str, table_ids: Sequence[str] = ("",)) -> None:
    """Add an order for each table to this transaction, and remove the orders of past days.

    Orders come last in a transaction: it holds their lock to its end, and could wait for rows meanwhile that another
    transaction has locked, which waits for the lock.
    """
    hold(connection, TransactionLock.ORDERS)
    now = int(time.time())
    connection.execute(sql.delete(ORDERS).where(ORDERS.c.at < now - _KEPT_SECONDS))
    connection.execute(sql.insert(ORDERS), [{"what": what, "table_id": each, "at": now} for each in table_ids])


def last_order(connection: sql.Connection) -> int:
    """Return the number of the newest order; 0 if there is none."""
    return connection.execute(sql.select(sql.func.max(ORDERS.c.number))).scalar_one() or 0


def orders_after(connection: sql.Connection, number: int) -> list[Order]:
    """Return the orders after a number, in order."""
    rows = connection.execute(sql.select(ORDERS).where(ORDERS.c.number > number).order_by(ORDERS.c.number))
    return [Order(row.number, row.what, row.table_id) for row in rows]
