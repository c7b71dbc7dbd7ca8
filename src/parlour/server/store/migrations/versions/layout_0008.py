"""Daily deals: the room's key, the days with their keys, the deals, and their players' games.

An older program, which has no daily deals, finds no secret at the table of a daily deal, and refuses to open it.
"""

import sqlalchemy as sql
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.create_table(
        "daily_key",
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("key", sql.Text, nullable=False),
    )
    op.create_table(
        "daily_days",
        sql.Column("day", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("key", sql.Text, nullable=False),
        sql.Column("closed", sql.Integer, nullable=False, server_default="0"),
    )
    op.create_table(
        "daily_deals",
        sql.Column("day", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("game", sql.Text, primary_key=True),
        sql.Column("rules", sql.Text, nullable=False),
        sql.Column("players", sql.Integer, nullable=False),
        sql.Column("options", sql.Text, nullable=False),
        sql.Column("seat", sql.Integer, nullable=False),
        sql.Column("bot", sql.Text, nullable=False),
        sql.Column("par", sql.Text, nullable=False, server_default=""),
    )
    op.create_table(
        "daily_plays",
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
