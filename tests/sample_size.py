"""Numbers of random trials: small for every run, larger for ``make thorough``."""

import os

FACTOR = int(os.environ.get("PARLOUR_THOROUGH", "1"))
"""Multiplier of the number of random trials."""


def sample_size(number: int) -> int:
    """Return the number of trials to run, ``number`` in an ordinary run."""
    return number * FACTOR
