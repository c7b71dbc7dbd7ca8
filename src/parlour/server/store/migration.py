"""Brings an older database up to date by Alembic's migrations, in the transaction that is open."""

from pathlib import Path

import sqlalchemy as sql
from alembic import command
from alembic.config import Config


def migrate(connection: sql.Connection) -> None:
    """Run the migrations that a database has not seen yet, of which it says itself which was the last."""
    config = Config(attributes={"connection": connection})
    scripts = Path(__file__).with_name("migrations")
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    command.upgrade(config, "head")
