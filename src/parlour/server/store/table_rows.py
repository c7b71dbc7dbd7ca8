"""The rows of a table, and a table from its rows."""

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sql

from parlour.daily import secret_of_deal
from parlour.engine.events import Event
from parlour.server.store.daily_tables import date_of
from parlour.server.store.database import EVENTS, FOLLOWS, MANNERS, SEATS, TABLES, DamagedError
from parlour.server.store.stored_table import StoredClub, StoredDaily, StoredRematch, StoredSeat, StoredTable

Row = dict[str, Any]


def add_table_rows(connection: sql.Connection, table: StoredTable) -> None:
    """Store a new table with its seats, manners and first events."""
    row = {
        "id": table.id,
        "game": table.game,
        "players": table.players,
        "options": json.dumps(table.options),
        "created": int(time.time()),
        "secret": "" if table.daily else table.secret,  # a program without daily deals refuses the table
        "given": table.prefix_length,
    }
    seats = [seat_row(table.id, number, seat) for number, seat in table.seats.items()]
    connection.execute(sql.insert(TABLES).values(row))
    if seats:
        connection.execute(sql.insert(SEATS), seats)
    if table.manners:
        connection.execute(sql.insert(MANNERS).values(table_id=table.id, manners=json.dumps(table.manners)))
    if table.events:
        events = [event_row(table.id, number, event) for number, event in enumerate(table.events)]
        connection.execute(sql.insert(EVENTS), events)


def rematch_after(connection: sql.Connection, table_id: str) -> StoredRematch | None:
    """Return the rematch of a table, if any."""
    found = sql.select(TABLES.c.id, TABLES.c.secret).join(FOLLOWS, FOLLOWS.c.next_id == TABLES.c.id)
    row = connection.execute(found.where(FOLLOWS.c.table_id == table_id)).one_or_none()
    if row is None:
        return None
    return rematch_of(row.id, row.secret, connection.execute(sql.select(SEATS).where(SEATS.c.table_id == row.id)))


def seat_before(connection: sql.Connection, table_id: str, hashed: str) -> tuple[int, str] | None:
    """Return the seat that a key, given by its hash, has at the table whose rematch this is, and the name there."""
    found = sql.select(SEATS.c.seat, SEATS.c.name).join(FOLLOWS, FOLLOWS.c.table_id == SEATS.c.table_id)
    row = connection.execute(found.where(FOLLOWS.c.next_id == table_id, SEATS.c.key_hash == hashed)).first()
    return (row.seat, row.name) if row else None


def rematch_of(table_id: str | None, secret: str, seats: Iterable[Any]) -> StoredRematch | None:
    """Return the rematch at the table of this id, if any; ``seats`` may have rows of other tables."""
    if table_id is None:
        return None
    own = [seat for seat in seats if seat.table_id == table_id]
    return StoredRematch(table_id, secret, {seat.seat: seat.key_hash for seat in own if seat.key_hash}, len(own))


def seat_row(table_id: str, number: int, seat: StoredSeat) -> Row:
    """Return the row of a taken seat."""
    return {"table_id": table_id, "seat": number, "name": seat.name, "bot": seat.bot, "key_hash": seat.key_hash}


def event_row(table_id: str, number: int, event: Event, stood_in: bool = False) -> Row:
    """Return the row of an event that happens now."""
    row = {"table_id": table_id, "number": number, "by": event.by, "do": event.do}
    return {**row, "stood_in": int(stood_in), "at": int(time.time())}


def stored_table(row: Any, seats: Sequence[Any], manners: Any) -> StoredTable:
    """Return a table without its events, from its row and those of its seats and its manners."""
    taken = {seat.seat: StoredSeat(seat.name, seat.bot, seat.key_hash) for seat in seats}
    options = _json_in(row.options, "options")
    agreed = _json_in(manners.manners, "manners") if manners else {}
    return StoredTable(
        row.id, row.game, row.players, options, taken, row.secret,
        prefix_length=row.given, manners=agreed, created=row.created, waited=row.waited,
    )  # fmt: skip


def daily_of(row: Any) -> dict[str, Any]:
    """Return the daily deal of a table and the secret that follows from it, as fields of :class:`StoredTable`."""
    if row.daily_day is None:
        return {}
    daily = StoredDaily(date_of(row.daily_day), row.daily_rules, bool(row.daily_counts), row.daily_key)
    return {"daily": daily, "secret": secret_of_deal(daily.key, row.game, daily.rules)}


def club_of(row: Any) -> StoredClub | None:
    """Return the club night of a table, if any."""
    if row.club is None:
        return None
    counts = not row.club_result or bool(json.loads(row.club_result)["won"])
    return StoredClub(row.club, row.club_round, row.club_deal, row.club_round > row.club_closed, counts)


def _json_in(text: str, what: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise DamagedError(f"the {what} of this table are damaged")
    return data
