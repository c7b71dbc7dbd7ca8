"""The tables of the lobby: which they are, and how many of them one address may list.

So that no table of the database holds an address, a table's row holds a hash of it, keyed by the table's own secret,
for a day or two.
"""

import hashlib
import time
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql

from parlour.engine.errors import ParlourError
from parlour.server.store.database import LISTED, SEATS, TABLES

OPEN_SECONDS = 24 * 3600
"""A table is listed up to this age, in seconds."""
_LOCK = 7278
"""The advisory lock of PostgreSQL under which the tables of an address are counted."""
_TAKEN = sql.select(sql.func.count()).where(SEATS.c.table_id == TABLES.c.id).scalar_subquery()


class TooManyListedError(ParlourError):
    """The address has as many tables in the lobby as it may have."""


@dataclass(frozen=True)
class Listing:
    """Who lists a table.

    Attributes:
        address: of the client; empty if it does not count.
        most: how many tables with an open seat this address may list at a time.
    """

    address: str = ""
    most: int = 0


def list_table(connection: sql.Connection, table_id: str, secret: str, listing: Listing) -> None:
    """Put a new table in the lobby.

    Raises:
        TooManyListedError: the address has as many there as it may have.
    """
    if listing.address:
        _check(connection, listing)
    opener = _hashed(listing.address, secret) if listing.address else ""
    connection.execute(sql.insert(LISTED).values(table_id=table_id, opener=opener))


def _check(connection: sql.Connection, listing: Listing) -> None:
    if connection.dialect.name != "sqlite":  # of which only one connection writes at a time
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_LOCK)))
    asked = _open_since(sql.select(TABLES.c.secret, LISTED.c.opener), int(time.time()) - OPEN_SECONDS)
    rows = connection.execute(asked.where(LISTED.c.opener != ""))
    listed = sum(row.opener == _hashed(listing.address, row.secret) for row in rows)
    if listed >= listing.most:
        tables = "table" if listed == 1 else "tables"
        raise TooManyListedError(
            f"your address has {listed} {tables} with an open seat in the lobby: wait until somebody sits down there, "
            "or open this table without listing it"
        )


def _hashed(address: str, secret: str) -> str:
    return hashlib.sha256(f"{secret} {address}".encode()).hexdigest()


def _open_since(asked: "sql.Select[Any]", since: int) -> "sql.Select[Any]":
    """Of the listed tables those that are not older and have an open seat."""
    joined = asked.select_from(TABLES.join(LISTED, LISTED.c.table_id == TABLES.c.id))
    return joined.where(TABLES.c.created >= since, TABLES.c.players > _TAKEN)


def open_rows(connection: sql.Connection, since: int, most: int) -> list[Any]:
    """The rows of the listed tables that have an open seat, the newest first, ``most`` at most.

    ``since`` is a time in seconds since 1970; older tables are passed over.
    """
    asked = _open_since(sql.select(TABLES), since).order_by(TABLES.c.created.desc()).limit(most)
    return list(connection.execute(asked))


def forget_openers(connection: sql.Connection) -> None:
    """Remove the hashes of addresses from tables that are too old for the lobby."""
    old = sql.select(TABLES.c.id).where(TABLES.c.created < int(time.time()) - OPEN_SECONDS)
    connection.execute(sql.update(LISTED).where(LISTED.c.opener != "", LISTED.c.table_id.in_(old)).values(opener=""))
