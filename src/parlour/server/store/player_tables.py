"""The database tables of players: the names with a key, and their games."""

import sqlalchemy as sql

from parlour.server.store.metadata import METADATA

PLAYERS = sql.Table(
    "players",
    METADATA,
    sql.Column("player", sql.Text, primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
)
"""The players by the hash of their key; ``name`` is that of the seat linked last."""
PLAYER_GAMES = sql.Table(
    "player_games",
    METADATA,
    sql.Column("player", sql.Text, primary_key=True),
    sql.Column("table_id", sql.Text, primary_key=True, index=True),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("game", sql.Text, nullable=False),
    sql.Column("players", sql.Integer, nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
    sql.Column("others", sql.Text, nullable=False, server_default=""),
    sql.Column("won", sql.Integer),
    sql.Column("points", sql.Integer),
    sql.Column("against", sql.Integer),
    sql.Column("review", sql.Text, nullable=False, server_default=""),
    sql.Index("ix_player_games_at", "player", "at", "table_id"),
)
"""The games of players. Those with a result outlive their tables.

``options`` are those that differ from their defaults. ``at`` is the time at which the table was opened, or of the last
event once the game is over. ``others`` (the names and bots of the other seats, as JSON), ``won``, ``points`` and
``against`` (the points of the best other side) are empty or null until the game is over. ``review`` is JSON, or empty.
"""
