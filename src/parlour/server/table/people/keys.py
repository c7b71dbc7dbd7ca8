"""Keys: secrets that open seats. The store has only their hashes."""

import hashlib
import secrets


def new_key() -> str:
    """Return a random key of 192 bits."""
    return secrets.token_urlsafe(24)


def key_hash(key: str) -> str:
    """Return the stored hash of a key."""
    return hashlib.sha256(key.encode()).hexdigest()
