"""The listed tables of the lobby, and the limit for one address.

The database has no addresses of players, except banned ones. For a day or two, a listed table has a hash of its
opener's address, keyed by the secret of the table.
"""

import hashlib
import time
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql

from parlour.engine.errors import ParlourError
from parlour.languages import ngettext
from parlour.server.store.database import LISTED, SEATS, TABLES
from parlour.server.store.locks import TransactionLock, hold

OPEN_SECONDS = 24 * 3600
"""Maximum age of a listed table, in seconds."""
WAITING_SECONDS = 45
"""Seconds for which a person who was seen to wait counts as waiting; a killed server reports no departures."""
_TAKEN = sql.select(sql.func.count()).where(SEATS.c.table_id == TABLES.c.id).scalar_subquery()


class TooManyListedError(ParlourError):
    """The address has its maximum number of tables in the lobby."""


@dataclass(frozen=True)
class ListingOrigin:
    """The origin of a listed table.

    Attributes:
        address: the address of the client; empty without a limit.
        most: the maximum number of listed tables with an open seat for this address.
    """

    address: str = ""
    most: int = 0


def list_table(connection: sql.Connection, table_id: str, secret: str, listing: ListingOrigin) -> None:
    """Put a new table in the lobby.

    Raises:
        TooManyListedError: the address has its maximum number of tables there.
    """
    if listing.address:
        _check(connection, listing)
    opener = _address_hash(listing.address, secret) if listing.address else ""
    connection.execute(sql.insert(LISTED).values(table_id=table_id, opener=opener))


def _check(connection: sql.Connection, listing: ListingOrigin) -> None:
    hold(connection, TransactionLock.LOBBY)
    query = _open_since(sql.select(TABLES.c.secret, LISTED.c.opener), int(time.time()) - OPEN_SECONDS)
    rows = connection.execute(query.where(LISTED.c.opener != ""))
    listed = sum(row.opener == _address_hash(listing.address, row.secret) for row in rows)
    if listed >= listing.most:
        raise TooManyListedError(
            ngettext(
                "{number} table of your network waits for players in the lobby: sit down there, or open this table for "
                "invited players",
                "{number} tables of your network wait for players in the lobby: sit down at one of them, or open this "
                "table for invited players",
                listed,
            )
        )


def _address_hash(address: str, secret: str) -> str:
    return hashlib.sha256(f"{secret} {address}".encode()).hexdigest()


def _open_since(query: "sql.Select[Any]", since: int) -> "sql.Select[Any]":
    """Restrict a query to the listed tables since a time with an open seat."""
    joined = query.select_from(TABLES.join(LISTED, LISTED.c.table_id == TABLES.c.id))
    return joined.where(TABLES.c.created >= since, TABLES.c.players > _TAKEN)


def open_rows(connection: sql.Connection, since: int, most: int) -> list[Any]:
    """Return the rows of at most ``most`` listed tables with an open seat: those where people wait, then the newest.

    ``since`` is a time in seconds since 1970; older tables are skipped.
    """
    query = _open_since(sql.select(TABLES, LISTED.c.waited), since)
    waits = sql.case((LISTED.c.waited >= int(time.time()) - WAITING_SECONDS, 1), else_=0)
    return list(connection.execute(query.order_by(waits.desc(), TABLES.c.created.desc()).limit(most)))


def note_waiting(connection: sql.Connection, table_id: str, waits: bool) -> None:
    """Store that a person waits at a listed table now, or that none does."""
    at = int(time.time()) if waits else 0
    connection.execute(sql.update(LISTED).where(LISTED.c.table_id == table_id).values(waited=at))


def remove_full(connection: sql.Connection, table_id: str) -> None:
    """Remove a table from the lobby if it has no open seat; a seat that is taken stays so."""
    full = sql.select(TABLES.c.id).where(TABLES.c.id == table_id, TABLES.c.players <= _TAKEN)
    connection.execute(sql.delete(LISTED).where(LISTED.c.table_id.in_(full)))


def remove_openers(connection: sql.Connection) -> None:
    """Remove the hashes of addresses from tables that are too old for the lobby."""
    old = sql.select(TABLES.c.id).where(TABLES.c.created < int(time.time()) - OPEN_SECONDS)
    connection.execute(sql.update(LISTED).where(LISTED.c.opener != "", LISTED.c.table_id.in_(old)).values(opener=""))


def remove_listings(connection: sql.Connection, before: int) -> None:
    """Remove the tables that were opened before a time, in seconds since 1970, from the lobby."""
    old = sql.select(TABLES.c.id).where(TABLES.c.created < before)
    connection.execute(sql.delete(LISTED).where(LISTED.c.table_id.in_(old)))
