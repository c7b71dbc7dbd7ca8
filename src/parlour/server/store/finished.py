"""A finished game as one record in the place of its events, and what is removed for good."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql

from parlour.engine.events import Event
from parlour.server.store.database import (
    ASKED,
    CLOSED,
    EVENTS,
    FINISHED,
    FOLLOWS,
    LISTED,
    MANNERS,
    OWNERS,
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
from parlour.server.store.reviews import remove_reviews

_OF_A_TABLE = (SEATS, EVENTS, MANNERS, SPENT, LISTED, ASKED, SAID, FINISHED, UNFINISHED, OWNERS, REVIEWS, CLOSED)
"""What is kept of a table beside its own row and what follows what."""


@dataclass(frozen=True)
class Course:
    """What happened at a table: its events, the milliseconds that some took, and which a bot decided for a person."""

    events: Sequence[Event]
    spent: dict[int, int]
    stood_in: frozenset[int]


def course_of(events: Sequence[Any], spent: Sequence[Any]) -> Course:
    """What happened, of the rows of the events and of what they took. Raises :class:`DamagedError`."""
    if [event.number for event in events] != list(range(len(events))):
        raise DamagedError("an event of this table is missing from the database")
    return Course(
        [Event(event.by, event.do) for event in events],
        {row.number: row.milliseconds for row in spent},
        frozenset(event.number for event in events if event.stood_in),
    )


def pack(course: Course) -> bytes:
    """A course as it is kept when the game is over: compressed JSON."""
    record = {
        "events": [[event.by, event.do] for event in course.events],
        "spent": [[number, course.spent[number]] for number in sorted(course.spent)],
        "stood_in": sorted(course.stood_in),
    }
    return zlib.compress(json.dumps(record, separators=(",", ":")).encode(), 9)


def unpack(data: bytes) -> Course:
    """The course in a record. Raises :class:`DamagedError` if it is damaged."""
    try:
        record = json.loads(zlib.decompress(data))
        events = [Event(int(by), str(do)) for by, do in record["events"]]
        spent = {int(number): int(took) for number, took in record["spent"]}
        return Course(events, spent, frozenset(map(int, record["stood_in"])))
    except (zlib.error, ValueError, KeyError, TypeError):
        raise DamagedError("the record of this table is damaged") from None


def perhaps_over(connection: sql.Connection, before: int, most: int, after: str = "") -> list[str]:
    """Tables at which nothing has happened since a time, and of which it is not known whether their games are over.

    Args:
        connection: to the database.
        before: a time in seconds since 1970.
        most: how many at most.
        after: only tables whose ids come after this one, in the order of the ids.
    """
    last = (
        sql.select(EVENTS.c.table_id, sql.func.count().label("events"), sql.func.max(EVENTS.c.at).label("at"))
        .where(EVENTS.c.table_id > after, ~sql.exists().where(FINISHED.c.table_id == EVENTS.c.table_id))
        .group_by(EVENTS.c.table_id)
        .subquery()
    )
    known = sql.exists().where(UNFINISHED.c.table_id == last.c.table_id, UNFINISHED.c.events == last.c.events)
    asked = (
        sql.select(last.c.table_id)
        .join(TABLES, TABLES.c.id == last.c.table_id)
        .where(last.c.at < before, last.c.events > TABLES.c.given, ~known)
    )
    return list(connection.execute(asked.order_by(last.c.table_id).limit(most)).scalars())


def finish(connection: sql.Connection, table_id: str, course: Course) -> None:
    """Keep the record of a game that is over in the place of its events.

    The last event stays a row. A program of an earlier version, which knows no records, so finds a gap and refuses the
    table, instead of dealing it anew or removing it as one that never began.

    Raises:
        ConflictError: it is kept so already, or there are other events than these.
    """
    of_table = EVENTS.c.table_id == table_id
    counted = sql.select(sql.func.count(), sql.func.max(EVENTS.c.at)).where(of_table)
    number, ended = connection.execute(counted).one()
    if number != len(course.events):
        raise ConflictError("somebody else was quicker")
    connection.execute(sql.insert(FINISHED).values(table_id=table_id, ended=ended, record=pack(course)))
    connection.execute(sql.delete(EVENTS).where(of_table, EVENTS.c.number < number - 1))
    for each in (SPENT, UNFINISHED):
        connection.execute(sql.delete(each).where(each.c.table_id == table_id))


def leave_unfinished(connection: sql.Connection, table_id: str, events: int) -> None:
    """Remember that a game with so many events is not over, so that nobody looks again before there are more."""
    connection.execute(sql.delete(UNFINISHED).where(UNFINISHED.c.table_id == table_id))
    connection.execute(sql.insert(UNFINISHED).values(table_id=table_id, events=events))


def finished_before(connection: sql.Connection, before: int, most: int | None = None) -> list[str]:
    """Tables whose games are kept as records and were over before a time in seconds since 1970."""
    asked = sql.select(FINISHED.c.table_id).where(FINISHED.c.ended < before).order_by(FINISHED.c.ended)
    return list(connection.execute(asked.limit(most)).scalars())


def unfinished_before(connection: sql.Connection, before: int, most: int | None = None) -> list[str]:
    """Tables with a game that was found not to be over, and at which nothing has happened since a time."""
    last = sql.select(sql.func.max(EVENTS.c.at)).where(EVENTS.c.table_id == UNFINISHED.c.table_id).scalar_subquery()
    events = sql.select(sql.func.count()).where(EVENTS.c.table_id == UNFINISHED.c.table_id).scalar_subquery()
    asked = sql.select(UNFINISHED.c.table_id).where(last < before, events == UNFINISHED.c.events)
    return list(connection.execute(asked.limit(most)).scalars())


def remove(connection: sql.Connection, ids: Sequence[str]) -> int:
    """Remove tables with all that is kept of them, at running servers too. Returns how many there were."""
    connection.execute(sql.delete(FOLLOWS).where(FOLLOWS.c.next_id.in_(ids) | FOLLOWS.c.table_id.in_(ids)))
    for each in _OF_A_TABLE:
        connection.execute(sql.delete(each).where(each.c.table_id.in_(ids)))
    removed = connection.execute(sql.delete(TABLES).where(TABLES.c.id.in_(ids))).rowcount
    give_order(connection, "remove", ids)
    return removed


def forget(connection: sql.Connection, name: str, table_id: str | None = None) -> int:
    """Remove a name from the seats that have it, with what was said there and the reviews of those games.

    Args:
        connection: to the database.
        name: the name.
        table_id: the only table at which it is removed; ``None`` is every table.

    Returns:
        How many seats had the name.
    """
    seats = seats_of(connection, name, table_id)
    for seat in seats:
        said = (SAID.c.table_id == seat.table_id) & (SAID.c.by == seat.seat)
        connection.execute(sql.update(SAID).where(said).values(words="", sign=""))
        this = (SEATS.c.table_id == seat.table_id) & (SEATS.c.seat == seat.seat)
        connection.execute(sql.update(SEATS).where(this).values(name=f"Seat {seat.seat + 1}"))
    if seats:
        table_ids = sorted({seat.table_id for seat in seats})
        remove_reviews(connection, table_ids)
        give_order(connection, "forget", table_ids)
    return len(seats)


def seats_of(connection: sql.Connection, name: str, table_id: str | None = None) -> Sequence[Any]:
    """The ``table_id`` and ``seat`` of the seats that have a name, at one table or at every table."""
    named = SEATS.c.name == name
    if table_id is not None:
        named &= SEATS.c.table_id == table_id
    return connection.execute(sql.select(SEATS.c.table_id, SEATS.c.seat).where(named)).all()
