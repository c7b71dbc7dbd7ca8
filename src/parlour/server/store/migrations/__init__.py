"""Alembic's migrations, which bring an older database up to date step by step."""
