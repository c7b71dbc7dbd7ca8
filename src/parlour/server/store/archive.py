"""The archive: finished games as one record instead of their events, and the removal of tables and names."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql

from parlour.engine.events import Event
from parlour.server.store.daily import remove_player_name, remove_plays
from parlour.server.store.database import (
    ASKED,
    CLOSED,
    EVENTS,
    FINISHED,
    FOLLOWS,
    LISTED,
    MANNERS,
    OWNERS,
    QUICKER,
    REVIEWS,
    SAID,
    SEATS,
    SPENT,
    TABLES,
    UNFINISHED,
    ConflictError,
    DamagedError,
)
from parlour.server.store.orders import give_order
from parlour.server.store.people.numbered_names import is_numbered_form, least_start
from parlour.server.store.people.player_tables import AWAY, SUBSCRIPTIONS
from parlour.server.store.people.players import remove_from_lists, remove_running
from parlour.server.store.people.ratings import remove_seats
from parlour.server.store.people.subscriptions import remove_subscriptions
from parlour.server.store.reviews import remove_reviews

_TABLE_DATA = (
    *(SEATS, EVENTS, MANNERS, SPENT, LISTED, ASKED, SAID, FINISHED, UNFINISHED, OWNERS, REVIEWS, CLOSED, AWAY),
    SUBSCRIPTIONS,
)
"""The database tables whose rows :func:`remove` removes with their table, without exception."""


@dataclass(frozen=True)
class StoredEvents:
    """The events of a table, their charged milliseconds, and the numbers of those that a bot decided for a person."""

    events: Sequence[Event]
    spent: dict[int, int]
    stood_in: frozenset[int]


def events_from_rows(events: Sequence[Any], spent: Sequence[Any]) -> StoredEvents:
    """Return the events in these rows, with the charges in the others. Raises :class:`DamagedError`."""
    if [event.number for event in events] != list(range(len(events))):
        raise DamagedError("an event of this table is missing from the database")
    return StoredEvents(
        [Event(event.by, event.do) for event in events],
        {row.number: row.milliseconds for row in spent},
        frozenset(event.number for event in events if event.stood_in),
    )


def pack(stored: StoredEvents) -> bytes:
    """Return stored events as a record: compressed JSON."""
    record = {
        "events": [[event.by, event.do] for event in stored.events],
        "spent": [[number, stored.spent[number]] for number in sorted(stored.spent)],
        "stood_in": sorted(stored.stood_in),
    }
    return zlib.compress(json.dumps(record, separators=(",", ":")).encode(), 9)


def unpack(data: bytes) -> StoredEvents:
    """Return the events in a record. Raises :class:`DamagedError`."""
    try:
        record = json.loads(zlib.decompress(data))
        events = [Event(int(by), str(do)) for by, do in record["events"]]
        spent = {int(number): int(took) for number, took in record["spent"]}
        return StoredEvents(events, spent, frozenset(map(int, record["stood_in"])))
    except (zlib.error, ValueError, KeyError, TypeError):
        raise DamagedError("the record of this table is damaged") from None


def finish_candidates(connection: sql.Connection, before: int, most: int, after: str = "") -> list[str]:
    """Return the tables whose last event is older than a time, and whose games may be over.

    Args:
        connection: to the database.
        before: a time in seconds since 1970.
        most: the maximum number of tables.
        after: only tables with greater ids, in the order of the ids.
    """
    # One table after the other: a query that groups all events takes seconds in SQLite, for each few tables again.
    of_table = EVENTS.c.table_id == TABLES.c.id
    events = sql.select(sql.func.count()).where(of_table).correlate(TABLES).scalar_subquery()
    last = sql.select(sql.func.max(EVENTS.c.at)).where(of_table).correlate(TABLES).scalar_subquery()
    query = (
        sql.select(TABLES.c.id)
        .outerjoin(UNFINISHED, UNFINISHED.c.table_id == TABLES.c.id)
        .where(TABLES.c.id > after, ~sql.exists().where(FINISHED.c.table_id == TABLES.c.id))
        .where(last < before, events > TABLES.c.given, UNFINISHED.c.events.is_distinct_from(events))
    )
    return list(connection.execute(query.order_by(TABLES.c.id).limit(most)).scalars())


def finish(connection: sql.Connection, table_id: str, stored: StoredEvents) -> None:
    """Replace the events of a finished game by a record.

    The row of the last event remains: an earlier version of Parlour without records finds a gap and refuses the table.
    Without that row it would deal again, or remove the table as one without a game.

    Raises:
        ConflictError: the record exists already, or the number of stored events has changed.
    """
    of_table = EVENTS.c.table_id == table_id
    counted = sql.select(sql.func.count(), sql.func.max(EVENTS.c.at)).where(of_table)
    number, ended = connection.execute(counted).one()
    if number != len(stored.events):
        raise ConflictError(QUICKER)
    connection.execute(sql.insert(FINISHED).values(table_id=table_id, ended=ended, record=pack(stored)))
    connection.execute(sql.delete(EVENTS).where(of_table, EVENTS.c.number < number - 1))
    for each in (SPENT, UNFINISHED, SUBSCRIPTIONS):
        connection.execute(sql.delete(each).where(each.c.table_id == table_id))


def mark_unfinished(connection: sql.Connection, table_id: str, events: int) -> None:
    """Store that the game is not over after this number of events."""
    connection.execute(sql.delete(UNFINISHED).where(UNFINISHED.c.table_id == table_id))
    connection.execute(sql.insert(UNFINISHED).values(table_id=table_id, events=events))


def finished_before(connection: sql.Connection, before: int, most: int | None = None) -> list[str]:
    """Return tables with records of games that ended before a time in seconds since 1970."""
    query = sql.select(FINISHED.c.table_id).where(FINISHED.c.ended < before).order_by(FINISHED.c.ended)
    return list(connection.execute(query.limit(most)).scalars())


def studied_tables(connection: sql.Connection) -> list[str]:
    """Return the tables whose players agreed to studies of the finished game, the oldest first."""
    agreed = MANNERS.c.manners.contains(json.dumps({"studied": True})[1:-1])
    query = sql.select(TABLES.c.id).join(MANNERS, MANNERS.c.table_id == TABLES.c.id).where(agreed)
    return list(connection.execute(query.order_by(TABLES.c.created, TABLES.c.id)).scalars())


def unfinished_before(connection: sql.Connection, before: int, most: int | None = None) -> list[str]:
    """Return tables with unfinished games and without events since a time in seconds since 1970."""
    last = sql.select(sql.func.max(EVENTS.c.at)).where(EVENTS.c.table_id == UNFINISHED.c.table_id).scalar_subquery()
    events = sql.select(sql.func.count()).where(EVENTS.c.table_id == UNFINISHED.c.table_id).scalar_subquery()
    query = sql.select(UNFINISHED.c.table_id).where(last < before, events == UNFINISHED.c.events)
    return list(connection.execute(query.limit(most)).scalars())


def remove(connection: sql.Connection, ids: Sequence[str]) -> int:
    """Remove tables, at running servers too; the results of players stay. Return the number of removed tables."""
    connection.execute(sql.delete(FOLLOWS).where(FOLLOWS.c.next_id.in_(ids) | FOLLOWS.c.table_id.in_(ids)))
    for each in _TABLE_DATA:
        connection.execute(sql.delete(each).where(each.c.table_id.in_(ids)))
    remove_plays(connection, ids)
    remove_running(connection, ids)
    remove_seats(connection, ids)
    removed = connection.execute(sql.delete(TABLES).where(TABLES.c.id.in_(ids))).rowcount
    give_order(connection, "remove", ids)
    return removed


def remove_name(connection: sql.Connection, name: str, table_id: str | None = None) -> int:
    """Remove a name from its seats with their chat messages, subscriptions and reviews, from daily results and lists.

    For all tables, also from players and club nights.

    Args:
        connection: to the database.
        name: the name.
        table_id: the only table concerned; ``None``: all tables.

    Returns:
        The number of seats with the name.
    """
    seats = seats_of(connection, name, table_id)
    for seat in seats:
        said = (SAID.c.table_id == seat.table_id) & (SAID.c.by == seat.seat)
        connection.execute(sql.update(SAID).where(said).values(words="", sign=""))
        this = (SEATS.c.table_id == seat.table_id) & (SEATS.c.seat == seat.seat)
        connection.execute(sql.update(SEATS).where(this).values(name=f"Seat {seat.seat + 1}"))
        remove_subscriptions(connection, seat.table_id, seat.seat)
    remove_player_name(connection, name, table_id)
    remove_from_lists(connection, name, table_id)
    if seats:
        table_ids = sorted({seat.table_id for seat in seats})
        remove_reviews(connection, table_ids)
        give_order(connection, "forget", table_ids)
    return len(seats)


def seats_of(connection: sql.Connection, name: str, table_id: str | None = None) -> Sequence[Any]:
    """Return the ``table_id`` and ``seat`` of the seats with a name, at one table or at all."""
    named = SEATS.c.name == name
    if table_id is not None:
        named &= SEATS.c.table_id == table_id
    return connection.execute(sql.select(SEATS.c.table_id, SEATS.c.seat).where(named)).all()


def numbered_forms(connection: sql.Connection, name: str, table_id: str | None = None) -> list[str]:
    """Return the names of seats that are a name with a number, at one table or at all: the room may have added it."""
    named = SEATS.c.name.startswith(least_start(name), autoescape=True)
    if table_id is not None:
        named &= SEATS.c.table_id == table_id
    found = connection.execute(sql.select(SEATS.c.name).where(named).distinct().order_by(SEATS.c.name)).scalars()
    return [each for each in found if is_numbered_form(each, name)]
