"""Moderation by the operator: bans of addresses, closed tables, removed chat messages."""

import time

import sqlalchemy as sql

from parlour.server.store.archive import seats_of
from parlour.server.store.database import BANS, CLOSED, LISTED, SAID, TABLES
from parlour.server.store.orders import give_order
from parlour.server.store.text_comparison import comparable

BAN, UNBAN = "ban", "unban"


def ban(connection: sql.Connection, address: str, until: int) -> int:
    """Ban an address until a time in seconds since 1970. Return its end: that of an earlier ban if it is later."""
    before = connection.execute(sql.select(BANS.c.until).where(BANS.c.address == address)).scalar_one_or_none()
    until = max(until, before or 0)
    connection.execute(sql.delete(BANS).where((BANS.c.address == address) | (BANS.c.until <= int(time.time()))))
    connection.execute(sql.insert(BANS).values(address=address, until=until))
    give_order(connection, BAN)
    return until


def unban(connection: sql.Connection, address: str) -> bool:
    """Lift the ban of an address. Return whether there was one."""
    lifted = connection.execute(sql.delete(BANS).where(BANS.c.address == address)).rowcount
    if lifted:
        give_order(connection, UNBAN)
    return bool(lifted)


def bans_of(connection: sql.Connection) -> dict[str, int]:
    """Return the banned addresses with the ends of their bans, in seconds since 1970."""
    query = sql.select(BANS).where(BANS.c.until > int(time.time())).order_by(BANS.c.until)
    return {row.address: row.until for row in connection.execute(query)}


def close_table(connection: sql.Connection, table_id: str) -> bool:
    """Close a table to all clients without removing it. Return whether there is such a table."""
    if not connection.execute(sql.select(TABLES.c.id).where(TABLES.c.id == table_id)).first():
        return False
    for each in (LISTED, CLOSED):
        connection.execute(sql.delete(each).where(each.c.table_id == table_id))
    connection.execute(sql.insert(CLOSED).values(table_id=table_id))
    give_order(connection, "close-table", [table_id])
    return True


def clear_talk(connection: sql.Connection, table_id: str, name: str | None = None, words: str = "") -> int:
    """Remove chat messages of a table.

    Args:
        connection: to the database.
        table_id: the table.
        name: the player whose chat messages are removed; ``None``: all players.
        words: only chat messages that contain these words are removed, in upper or lower case.

    Returns:
        The number of removed chat messages.
    """
    messages = (SAID.c.table_id == table_id) & ((SAID.c.words != "") | (SAID.c.sign != ""))
    if name is not None:
        messages &= SAID.c.by.in_([seat.seat for seat in seats_of(connection, name, table_id)])
    if words:
        # LIKE ignores the case of ASCII letters in SQLite and of none in PostgreSQL.
        every = connection.execute(sql.select(SAID.c.number, SAID.c.words).where(messages)).all()
        messages &= SAID.c.number.in_([each.number for each in every if comparable(words) in comparable(each.words)])
    removed = connection.execute(sql.update(SAID).where(messages).values(words="", sign="")).rowcount
    if removed:
        give_order(connection, "clear-talk", [table_id])
    return removed
