"""The time of each event, and finished games as one record each.

Existing events get the time of this migration. An older program, which does not write the column, stores events with
its default: the time of PostgreSQL's clock, or in SQLite the time of this migration.
"""

import time

import sqlalchemy as sql
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"  # a new column of SQLite can only have a constant default
    now = str(int(time.time())) if on_sqlite else sql.text("CAST(floor(extract(epoch FROM now())) AS BIGINT)")
    op.add_column("events", sql.Column("at", sql.BigInteger, nullable=False, server_default=now))
    op.create_table(
        "finished",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("ended", sql.BigInteger, nullable=False, index=True),
        sql.Column("record", sql.LargeBinary, nullable=False),
    )
    op.create_table(
        "unfinished",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("events", sql.Integer, nullable=False),
    )
