"""How much is tried: what finds an error soon enough every day, and more of it for a long look (``make thorough``)."""

import os

THOROUGH = int(os.environ.get("PARLOUR_THOROUGH", "1"))
"""So many times as much as usual is tried at random."""


def usual(number: int) -> int:
    """As many as that, or more for a long look."""
    return number * THOROUGH
