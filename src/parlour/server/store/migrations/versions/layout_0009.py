"""Players: names with a key, and their games.

A program without players opens these tables as before; the results of games that end there are added later.
"""

import sqlalchemy as sql
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.create_table(
        "players",
        sql.Column("player", sql.Text, primary_key=True),
        sql.Column("name", sql.Text, nullable=False),
    )
    op.create_table(
        "player_games",
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
    )
    op.create_index("ix_player_games_at", "player_games", ["player", "at", "table_id"])
