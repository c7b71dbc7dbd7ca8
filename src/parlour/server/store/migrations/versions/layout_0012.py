"""Club nights: the evenings, their players, and the games of their rounds.

A program without club nights would not seal their tables: it refuses rated tables, which these are.
"""

import sqlalchemy as sql
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.create_table(
        "clubs",
        sql.Column("id", sql.Text, primary_key=True),
        sql.Column("host", sql.Text, nullable=False),
        sql.Column("game", sql.Text, nullable=False),
        sql.Column("options", sql.Text, nullable=False),
        sql.Column("system", sql.Text, nullable=False),
        sql.Column("rounds", sql.Integer, nullable=False),
        sql.Column("bot", sql.Text, nullable=False),
        sql.Column("begun", sql.Integer, nullable=False, server_default="0"),
        sql.Column("closed", sql.Integer, nullable=False, server_default="0"),
        sql.Column("at", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "club_players",
        sql.Column("club", sql.Text, primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("player", sql.Text, nullable=False, index=True),
        sql.Column("name", sql.Text, nullable=False),
    )
    op.create_table(
        "club_games",
        sql.Column("club", sql.Text, primary_key=True),
        sql.Column("round", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("board", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("deal", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("table_id", sql.Text, nullable=False, unique=True),
        sql.Column("first", sql.Integer, nullable=False),
        sql.Column("second", sql.Integer, nullable=False),
        sql.Column("result", sql.Text, nullable=False, server_default=""),
    )
