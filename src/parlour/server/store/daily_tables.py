"""The database tables of the daily deals. Days are counted from 1970."""

from datetime import date, timedelta

import sqlalchemy as sql

from parlour.server.store.metadata import METADATA

_FIRST = date(1970, 1, 1)

DAILY_KEY = sql.Table(
    "daily_key",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("key", sql.Text, nullable=False),
)
"""The room's own key, in the row of number 0, from which the keys of its days follow."""
DAILY_DAYS = sql.Table(
    "daily_days",
    METADATA,
    sql.Column("day", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("key", sql.Text, nullable=False),
    sql.Column("closed", sql.Integer, nullable=False, server_default="0"),
)
"""The days with a deal. The key of a closed day may be published; a closed day is never opened again."""
DAILY_DEALS = sql.Table(
    "daily_deals",
    METADATA,
    sql.Column("day", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("game", sql.Text, primary_key=True),
    sql.Column("rules", sql.Text, nullable=False),
    sql.Column("players", sql.Integer, nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("bot", sql.Text, nullable=False),
    sql.Column("par", sql.Text, nullable=False, server_default=""),
)
"""The deals as they were first played; ``par`` is the result of the strongest bot as JSON, or empty."""
DAILY_PLAYS = sql.Table(
    "daily_plays",
    METADATA,
    sql.Column("day", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("game", sql.Text, primary_key=True),
    sql.Column("player", sql.Text, primary_key=True, index=True),
    sql.Column("table_id", sql.Text, nullable=False, unique=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("counts", sql.Integer, nullable=False),
    sql.Column("won", sql.Integer),
    sql.Column("points", sql.Integer),
    sql.Column("against", sql.Integer),
    sql.Column("review", sql.Text, nullable=False, server_default=""),
)
"""The games of the daily deals, which outlive their tables.

``player`` is the hash of a player's key, or the table's id in a game that does not count. ``won``, ``points`` and
``against``, the points of the best other side, are null until the game is over. ``review`` is JSON, or empty.
"""


def number_of(day: date) -> int:
    """Return the number of a day, counted from 1970."""
    return (day - _FIRST).days


def date_of(number: int) -> date:
    """Return the day of this number, counted from 1970."""
    return _FIRST + timedelta(number)
