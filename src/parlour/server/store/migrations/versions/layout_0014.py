"""Notices to browsers whose page is closed: the key of the room for push services, and the subscriptions of seats.

A program without these notices sends none.
"""

import sqlalchemy as sql
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.create_table(
        "push_key",
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("key", sql.Text, nullable=False),
    )
    op.create_table(
        "subscriptions",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("endpoint", sql.Text, primary_key=True, index=True),
        sql.Column("p256dh", sql.Text, nullable=False),
        sql.Column("auth", sql.Text, nullable=False),
        sql.Column("language", sql.Text, nullable=False),
        sql.Column("at", sql.BigInteger, nullable=False),
    )
