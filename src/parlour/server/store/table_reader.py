"""Queries for a whole table in few prepared statements: a server that takes over another's tables loads hundreds."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sql

from parlour.glicko import Rating
from parlour.server.store.daily_tables import DAILY_DAYS, DAILY_DEALS, DAILY_PLAYS
from parlour.server.store.database import (
    CLOSED,
    EVENTS,
    FINISHED,
    FOLLOWS,
    LISTED,
    MANNERS,
    SAID,
    SEATS,
    SPENT,
    TABLES,
)
from parlour.server.store.people.player_tables import AWAY, CLUB_COLUMNS, CLUB_GAMES, CLUBS, PLAYER_GAMES
from parlour.server.store.people.ratings import table_ratings

_RATED = json.dumps({"rated": True})[1:-1]
_DAYS = json.dumps("days")
_ID: sql.BindParameter[str] = sql.bindparam("id")
_NEXT: sql.BindParameter[str] = sql.bindparam("next_id")
_REMATCH = TABLES.alias()
_EVENTS = (
    sql.select(EVENTS.c.number, EVENTS.c.by, EVENTS.c.do, EVENTS.c.stood_in, EVENTS.c.at, SPENT.c.milliseconds)
    .outerjoin(SPENT, (SPENT.c.table_id == EVENTS.c.table_id) & (SPENT.c.number == EVENTS.c.number))
    .where(EVENTS.c.table_id == _ID)
    .order_by(EVENTS.c.number)
)
_TABLE = (
    sql.select(
        TABLES,
        MANNERS.c.manners,
        FINISHED.c.record,
        FOLLOWS.c.next_id,
        _REMATCH.c.secret.label("next_secret"),
        CLOSED.c.table_id.label("closed"),
        LISTED.c.waited,
        DAILY_PLAYS.c.day.label("daily_day"),
        DAILY_PLAYS.c.counts.label("daily_counts"),
        DAILY_DEALS.c.rules.label("daily_rules"),
        DAILY_DAYS.c.key.label("daily_key"),
        *CLUB_COLUMNS,
    )
    .outerjoin(MANNERS, MANNERS.c.table_id == TABLES.c.id)
    .outerjoin(FINISHED, FINISHED.c.table_id == TABLES.c.id)
    .outerjoin(FOLLOWS, FOLLOWS.c.table_id == TABLES.c.id)
    .outerjoin(_REMATCH, _REMATCH.c.id == FOLLOWS.c.next_id)
    .outerjoin(CLOSED, CLOSED.c.table_id == TABLES.c.id)
    .outerjoin(LISTED, LISTED.c.table_id == TABLES.c.id)
    .outerjoin(DAILY_PLAYS, DAILY_PLAYS.c.table_id == TABLES.c.id)
    .outerjoin(DAILY_DEALS, (DAILY_DEALS.c.day == DAILY_PLAYS.c.day) & (DAILY_DEALS.c.game == DAILY_PLAYS.c.game))
    .outerjoin(DAILY_DAYS, DAILY_DAYS.c.day == DAILY_PLAYS.c.day)
    .outerjoin(CLUB_GAMES, CLUB_GAMES.c.table_id == TABLES.c.id)
    .outerjoin(CLUBS, CLUBS.c.id == CLUB_GAMES.c.club)
    .where(TABLES.c.id == _ID)
)
_SEATS = sql.select(SEATS).where((SEATS.c.table_id == _ID) | (SEATS.c.table_id == _NEXT))
_LINKS = sql.select(PLAYER_GAMES.c.seat, PLAYER_GAMES.c.player).where(PLAYER_GAMES.c.table_id == _ID)
_AWAY = sql.select(AWAY.c.seat).where(AWAY.c.table_id == _ID)
_SAID = sql.select(SAID).where(SAID.c.table_id == _ID).order_by(SAID.c.number)


class Rows(NamedTuple):
    """The rows of a table.

    Attributes:
        table: its own row, with its ``manners``, its ``record``, the ``next_id`` and ``next_secret`` of its rematch,
            its daily deal (``daily_…``) and its club night (``club…``), each null if there is none; ``closed`` is null
            unless the operator has closed the table, ``waited`` unless it is in the lobby.
        events: the events, with their times (``at``) and their ``milliseconds`` or null.
        seats: the taken seats, and those of the rematch.
        said: the chat messages, the oldest first.
        links: the seats with the hashes of their players' keys.
        ratings: the ratings of the people by seat; empty unless the table is rated.
        away: the seats that a bot plays until their people return; empty unless it is a table over days.
    """

    table: Any
    events: Sequence[Any]
    seats: Sequence[Any]
    said: Sequence[Any]
    links: Sequence[Any]
    ratings: Mapping[int, Rating | None]
    away: frozenset[int]


def rows_of(connection: sql.Connection, table_id: str) -> Rows | None:
    """Return the rows of a table; ``None`` if there is no such table."""
    of_table = {"id": table_id}
    events = connection.execute(_EVENTS, of_table).all()
    table = connection.execute(_TABLE, of_table).one_or_none()  # after the events, which a record may replace meanwhile
    if table is None:
        return None
    seats = connection.execute(_SEATS, {**of_table, "next_id": table.next_id}).all()
    links = connection.execute(_LINKS, of_table).all()
    said = connection.execute(_SAID, of_table).all()
    ratings = table_ratings(connection, [table_id])[table_id] if _RATED in (table.manners or "") else {}
    away = connection.execute(_AWAY, of_table).scalars().all() if _DAYS in (table.manners or "") else ()
    return Rows(table, events, seats, said, links, ratings, frozenset(away))


def has_table(connection: sql.Connection, table_id: str) -> bool:
    """Return whether there is a table of this id."""
    return connection.execute(sql.select(TABLES.c.id).where(TABLES.c.id == table_id)).first() is not None


def public_game(connection: sql.Connection, table_id: str) -> str | None:
    """Return the id of a table's game; empty if the operator has closed it, ``None`` if there is no such table."""
    of_table = TABLES.outerjoin(CLOSED, CLOSED.c.table_id == TABLES.c.id)
    query = sql.select(TABLES.c.game, CLOSED.c.table_id).select_from(of_table).where(TABLES.c.id == table_id)
    row = connection.execute(query).first()
    return None if row is None else "" if row.table_id is not None else str(row.game)
