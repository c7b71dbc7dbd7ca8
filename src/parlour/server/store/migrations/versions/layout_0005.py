"""The time of each event, and finished games as one record each.

Of the events that are there already it is only known that they came before this; a program that knows nothing of the
column stores an event with the time of PostgreSQL's clock, or in SQLite with that of this step.
"""

import time

import sqlalchemy as sql
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Expand."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"  # which takes only a constant for a column that it adds
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
