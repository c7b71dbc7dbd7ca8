"""Daily deals in the database: the days with their keys, the deals, and the games of their players."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import sqlalchemy as sql

from parlour.daily import DailyPlan, new_daily_key
from parlour.server.store.daily_tables import DAILY_DAYS, DAILY_DEALS, DAILY_KEY, DAILY_PLAYS, date_of, number_of
from parlour.server.store.stored_table import StoredTable
from parlour.server.store.table_rows import add_table_rows

_COUNTED = (DAILY_PLAYS.c.counts == 1) & DAILY_PLAYS.c.won.is_not(None)
MOST_DAYS = 60
"""Maximum number of days in one part of the archive."""


@dataclass(frozen=True)
class Day:
    """A day with deals: its key, and whether it is closed, so that the key may be published."""

    day: date
    key: str = field(repr=False)
    closed: bool


@dataclass(frozen=True)
class DailyDeal:
    """The deal of a day in one game; ``par`` is the result of the strongest bot, if it is known."""

    plan: DailyPlan
    par: "Score | None"


@dataclass(frozen=True)
class Score:
    """The result of a seat: whether it won, its points, and those of the best other side."""

    won: bool
    points: int
    against: int


@dataclass(frozen=True)
class Play:
    """The game of a player on a day.

    Attributes:
        day: the day.
        game: the game's id.
        player: the hash of the player's key; the table's id if the game does not count.
        table: the table's id.
        name: the player's name; empty if it was removed.
        counts: whether the result counts.
        score: the result; ``None`` before the end of the game.
        review: the results of the review, as JSON values; ``None`` while unknown.
    """

    day: date
    game: str
    player: str
    table: str
    name: str
    counts: bool
    score: Score | None = None
    review: Mapping[str, Any] | None = None


def room_key(connection: sql.Connection) -> str:
    """Return the room's own key; create it if there is none."""
    query = sql.select(DAILY_KEY.c.key).where(DAILY_KEY.c.number == 0)
    if (key := connection.execute(query).scalar_one_or_none()) is None:
        key = new_daily_key()
        connection.execute(sql.insert(DAILY_KEY).values(number=0, key=key))
    return str(key)


def find_day(connection: sql.Connection, day: date) -> Day | None:
    """Return a day, if it has been opened."""
    row = connection.execute(sql.select(DAILY_DAYS).where(DAILY_DAYS.c.day == number_of(day))).one_or_none()
    return None if row is None else _day_of(row)


def _day_of(row: Any) -> Day:
    return Day(date_of(row.day), row.key, bool(row.closed))


def keys_from(connection: sql.Connection, first: date) -> dict[date, str]:
    """Return the keys of the opened days from a day on."""
    rows = connection.execute(sql.select(DAILY_DAYS).where(DAILY_DAYS.c.day >= number_of(first)))
    return {date_of(row.day): row.key for row in rows}


def open_day(connection: sql.Connection, day: date, key: str) -> Day:
    """Return a day, opened with this key if it has not been opened before."""
    if (found := find_day(connection, day)) is None:
        connection.execute(sql.insert(DAILY_DAYS).values(day=number_of(day), key=key, closed=0))
        found = Day(day, key, closed=False)
    return found


def close_day(connection: sql.Connection, day: date) -> None:
    """Close a day: results that come later do not count."""
    connection.execute(sql.update(DAILY_DAYS).where(DAILY_DAYS.c.day == number_of(day)).values(closed=1))


def open_days_before(connection: sql.Connection, day: date) -> list[date]:
    """Return the days before this one that have not been closed."""
    query = sql.select(DAILY_DAYS.c.day).where(DAILY_DAYS.c.day < number_of(day), DAILY_DAYS.c.closed == 0)
    return [date_of(number) for number in connection.execute(query.order_by(DAILY_DAYS.c.day)).scalars()]


def closed_days(connection: sql.Connection, before: date) -> list[Day]:
    """Return the latest closed days before this one, the latest first, at most :data:`MOST_DAYS`."""
    query = sql.select(DAILY_DAYS).where(DAILY_DAYS.c.day < number_of(before), DAILY_DAYS.c.closed == 1)
    return [_day_of(row) for row in connection.execute(query.order_by(DAILY_DAYS.c.day.desc()).limit(MOST_DAYS))]


def find_deals(connection: sql.Connection, day: date) -> dict[str, DailyDeal]:
    """Return the deals of a day that have been played, by game."""
    rows = connection.execute(sql.select(DAILY_DEALS).where(DAILY_DEALS.c.day == number_of(day)))
    return {row.game: _deal_of(row) for row in rows}


def _deal_of(row: Any) -> DailyDeal:
    options = json.loads(row.options)
    par = Score(**json.loads(row.par)) if row.par else None
    return DailyDeal(DailyPlan(row.game, row.players, options, row.seat, row.bot, row.rules), par)


def keep_deal(connection: sql.Connection, day: date, plan: DailyPlan) -> DailyDeal:
    """Return a deal of a day, stored as planned if it has not been stored before."""
    if (found := find_deals(connection, day).get(plan.game)) is None:
        row = {**vars(plan), "options": json.dumps(plan.options), "day": number_of(day)}
        connection.execute(sql.insert(DAILY_DEALS).values(row))
        found = DailyDeal(plan, None)
    return found


def keep_par(connection: sql.Connection, day: date, game: str, par: Score) -> None:
    """Store the result of the strongest bot, unless there is one."""
    deal = (DAILY_DEALS.c.day == number_of(day)) & (DAILY_DEALS.c.game == game) & (DAILY_DEALS.c.par == "")
    connection.execute(sql.update(DAILY_DEALS).where(deal).values(par=json.dumps(vars(par))))


def find_play(connection: sql.Connection, day: date, game: str, player: str) -> Play | None:
    """Return the game of a player on a day, if any."""
    row = connection.execute(sql.select(DAILY_PLAYS).where(_play(day, game, player))).one_or_none()
    return None if row is None else _play_of(row)


def _play(day: date, game: str, player: str) -> "sql.ColumnElement[bool]":
    table = DAILY_PLAYS.c
    return (table.day == number_of(day)) & (table.game == game) & (table.player == player)


def _play_of(row: Any) -> Play:
    score = None if row.won is None else Score(bool(row.won), row.points, row.against)
    review = json.loads(row.review) if row.review else None
    day = date_of(row.day)
    return Play(day, row.game, row.player, row.table_id, row.name, bool(row.counts), score, review)


def add_play(connection: sql.Connection, play: Play, table: StoredTable) -> None:
    """Store a new table for a player's game."""
    add_table_rows(connection, table)
    row = {"day": number_of(play.day), "game": play.game, "player": play.player, "table_id": table.id}
    connection.execute(sql.insert(DAILY_PLAYS).values({**row, "name": play.name, "counts": int(play.counts)}))


def keep_score(connection: sql.Connection, table_id: str, score: Score) -> bool:
    """Store the result of a finished game, once, unless its day was closed before. Return whether it is stored."""
    number = connection.execute(sql.select(DAILY_PLAYS.c.day).where(DAILY_PLAYS.c.table_id == table_id)).scalar_one()
    still_open = sql.select(DAILY_DAYS.c.closed).where(DAILY_DAYS.c.day == number).with_for_update(read=True)
    if connection.execute(still_open).scalar_one():
        return False
    play = (DAILY_PLAYS.c.table_id == table_id) & DAILY_PLAYS.c.won.is_(None)
    values = {"won": int(score.won), "points": score.points, "against": score.against}
    connection.execute(sql.update(DAILY_PLAYS).where(play).values(values))
    return True


def keep_review(connection: sql.Connection, table_id: str, review: Mapping[str, Any]) -> None:
    """Store the results of the review of a player's game."""
    play = DAILY_PLAYS.c.table_id == table_id
    connection.execute(sql.update(DAILY_PLAYS).where(play).values(review=json.dumps(dict(review))))


def unscored_tables(connection: sql.Connection, day: date) -> list[str]:
    """Return the tables of a day whose results count and are not stored."""
    table = DAILY_PLAYS.c
    query = sql.select(table.table_id).where(table.day == number_of(day), table.counts == 1, table.won.is_(None))
    return list(connection.execute(query).scalars())


def plays_of(connection: sql.Connection, day: date, game: str | None = None) -> list[Play]:
    """Return the finished games of a day whose results count, of all games or one."""
    query = sql.select(DAILY_PLAYS).where(DAILY_PLAYS.c.day == number_of(day), _COUNTED)
    if game is not None:
        query = query.where(DAILY_PLAYS.c.game == game)
    return [_play_of(row) for row in connection.execute(query)]


def count_plays(connection: sql.Connection, day: date) -> dict[str, int]:
    """Return the number of finished games of a day whose results count, by game."""
    query = sql.select(DAILY_PLAYS.c.game, sql.func.count().label("number"))
    query = query.where(DAILY_PLAYS.c.day == number_of(day), _COUNTED).group_by(DAILY_PLAYS.c.game)
    return {row.game: row.number for row in connection.execute(query)}


def plays_by(connection: sql.Connection, player: str, days: Sequence[date]) -> list[Play]:
    """Return the games of a player on these days."""
    numbers = [number_of(day) for day in days]
    query = sql.select(DAILY_PLAYS).where(DAILY_PLAYS.c.player == player, DAILY_PLAYS.c.day.in_(numbers))
    return [_play_of(row) for row in connection.execute(query)]


def days_played(connection: sql.Connection, player: str) -> list[date]:
    """Return the days on which a player finished a game that counts, the latest first."""
    query = sql.select(DAILY_PLAYS.c.day).distinct().where(DAILY_PLAYS.c.player == player, _COUNTED)
    return [date_of(number) for number in connection.execute(query.order_by(DAILY_PLAYS.c.day.desc())).scalars()]


def remove_plays(connection: sql.Connection, table_ids: Sequence[str]) -> None:
    """Remove the games of removed tables that do not count, or are not over; the others outlive their tables."""
    without_result = (DAILY_PLAYS.c.counts == 0) | DAILY_PLAYS.c.won.is_(None)
    connection.execute(sql.delete(DAILY_PLAYS).where(DAILY_PLAYS.c.table_id.in_(table_ids), without_result))


def remove_player_name(connection: sql.Connection, name: str, table_id: str | None = None) -> int:
    """Remove a name from the games of daily deals, at one table or at all. Return their number."""
    named = DAILY_PLAYS.c.name == name
    if table_id is not None:
        named &= DAILY_PLAYS.c.table_id == table_id
    return connection.execute(sql.update(DAILY_PLAYS).where(named).values(name="")).rowcount
