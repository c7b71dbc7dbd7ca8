"""The oldest layout that is brought up to date. A new database is made whole and begins with the newest."""

revision = "0002"
down_revision = None


def upgrade() -> None:
    """Nothing comes before it."""
