"""The oldest layout with a migration. A new database begins with the newest one."""

revision = "0002"
down_revision = None


def upgrade() -> None:
    """Change nothing: no older layout can be migrated."""
