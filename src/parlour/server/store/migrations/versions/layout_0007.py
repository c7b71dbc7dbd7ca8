"""Reviews, bans, closed tables, and the operator's orders to running servers.

The database deletes the rows of a removed table here, even if an older program without these tables removes it.
"""

import sqlalchemy as sql
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
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
