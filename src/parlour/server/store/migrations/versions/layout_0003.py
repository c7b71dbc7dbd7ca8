"""Settings for people, thinking times, listed tables, and games that begin with another game's events."""

import sqlalchemy as sql
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.add_column("tables", sql.Column("given", sql.Integer, nullable=False, server_default="0"))
    op.create_table(
        "manners",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("manners", sql.Text, nullable=False),
    )
    op.create_table(
        "spent",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True),
        sql.Column("milliseconds", sql.BigInteger, nullable=False),
    )
    op.create_table("listed", sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True))
