"""The ids of tables: random, so that they cannot be guessed."""

import secrets

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_LENGTH = 14  # 69 bits


def new_table_id() -> str:
    """Return a new id."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))


def may_be_id(table_id: str) -> bool:
    """Return whether a text has the form of a table's id."""
    return table_id.isalnum() and table_id.isascii() and len(table_id) <= 40
