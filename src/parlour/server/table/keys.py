"""Keys: the right to a seat. Only their hashes are kept."""

import hashlib
import secrets


def new_key() -> str:
    """A key that nobody can guess (192 bits)."""
    return secrets.token_urlsafe(24)


def key_hash(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()
