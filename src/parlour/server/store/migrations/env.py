"""Run by Alembic: the migrations go through the connection, and the transaction, that are there already."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
