"""The time at which a person was last seen to wait at a table of the lobby.

A program that does not know it lists these tables as before.
"""

import sqlalchemy as sql
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add to the layout; the previous version can use the result."""
    op.add_column("listed", sql.Column("waited", sql.BigInteger, nullable=False, server_default="0"))
