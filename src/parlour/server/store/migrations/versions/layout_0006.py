"""Several servers on one database: their processes, and the owner of each table."""

import sqlalchemy as sql
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.create_table(
        "instances",
        sql.Column("id", sql.Integer, primary_key=True),
        sql.Column("server", sql.Text, nullable=False),
        sql.Column("address", sql.Text, nullable=False),
        sql.Column("version", sql.Text, nullable=False),
        sql.Column("closing", sql.Integer, nullable=False),
    )
    op.create_table(
        "owners",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id"), primary_key=True),
        sql.Column("instance", sql.Integer),
        sql.Column("epoch", sql.BigInteger, nullable=False),
    )
