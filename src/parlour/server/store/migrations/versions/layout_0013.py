"""Tables over days: the seats that a bot plays until their people return.

A program without tables over days refuses their settings.
"""

import sqlalchemy as sql
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.create_table(
        "away",
        sql.Column("table_id", sql.Text, sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
    )
