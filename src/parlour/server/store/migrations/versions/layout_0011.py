"""Ratings: those of players by game, and the seats of rated games.

A program without ratings refuses to open a rated table, whose manners it does not know.
"""

import sqlalchemy as sql
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.create_table(
        "ratings",
        sql.Column("player", sql.Text, primary_key=True),
        sql.Column("game", sql.Text, primary_key=True),
        sql.Column("value", sql.Double, nullable=False),
        sql.Column("deviation", sql.Double, nullable=False),
        sql.Column("volatility", sql.Double, nullable=False),
        sql.Column("games", sql.Integer, nullable=False),
    )
    op.create_table(
        "rated_seats",
        sql.Column("table_id", sql.Text, primary_key=True),
        sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("player", sql.Text, nullable=False),
        sql.Column("game", sql.Text, nullable=False),
        sql.Column("at", sql.BigInteger),
        sql.Column("value", sql.Double),
    )
    op.create_index("ix_rated_seats_player", "rated_seats", ["player", "at"])
