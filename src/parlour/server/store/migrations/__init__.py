"""Alembic's migrations: what brings an older database up to date, step by step."""
