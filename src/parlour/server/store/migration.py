"""The migration of an older database by Alembic, in the open transaction."""

from pathlib import Path

import sqlalchemy as sql
from alembic import command
from alembic.config import Config


def migrate(connection: sql.Connection) -> None:
    """Run the migrations after the database's last one."""
    config = Config(attributes={"connection": connection})
    scripts = Path(__file__).with_name("migrations")
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    command.upgrade(config, "head")
