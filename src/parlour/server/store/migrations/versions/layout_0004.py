"""Repeatable requests, talk, days of operation, and a row that health checks write."""

import sqlalchemy as sql
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.add_column("events", sql.Column("stood_in", sql.Integer, nullable=False, server_default="0"))
    op.create_table(
        "asked",
        sql.Column("key_hash", sql.Text, primary_key=True),
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), nullable=False, index=True),
        sql.Column("request", sql.Text, nullable=False),
    )
    op.create_table(
        "follows",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("next_id", sql.Text, sql.ForeignKey("tables.id"), nullable=False, unique=True),
    )
    op.create_table(
        "said",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True),
        sql.Column("by", sql.Integer, nullable=False),
        sql.Column("said_id", sql.Text, nullable=False),
        sql.Column("words", sql.Text, nullable=False),
        sql.Column("sign", sql.Text, nullable=False),
        sql.Column("day", sql.Integer, nullable=False),
        sql.UniqueConstraint("table_id", "by", "said_id"),
    )
    op.create_table("days", sql.Column("day", sql.Integer, primary_key=True, autoincrement=False))
    op.create_table(
        "probe",
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("written", sql.BigInteger, nullable=False),
    )
