"""Reviews in the database, and what an operator orders: bans, closed tables, and news of them for running servers.

A table's rows here go with the table, also when a program removes it that does not know them.
"""

import sqlalchemy as sql
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Expand."""
    op.add_column("listed", sql.Column("opener", sql.Text, nullable=False, server_default=""))
    op.create_table(
        "reviews",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("source", sql.Text, nullable=False),
        sql.Column("review", sql.LargeBinary, nullable=False),
    )
    op.create_table(
        "closed",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    )
    op.create_table(
        "bans",
        sql.Column("address", sql.Text, primary_key=True),
        sql.Column("until", sql.BigInteger, nullable=False),
    )
    op.create_table(
        "orders",
        sql.Column("number", sql.Integer, primary_key=True),
        sql.Column("what", sql.Text, nullable=False),
        sql.Column("table_id", sql.Text, nullable=False),
        sql.Column("at", sql.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
