"""Choices in proportion to weights, by systematic resampling."""

import numpy as np

from parlour.engine.arrays import Floats, Int64s
from parlour.engine.chance import new_stream

_STREAM = 1 << 40
"""Number of the stream for these choices, greater than the number of any game's stream."""


def by_weight(weights: Floats, number: int, seed: int) -> Int64s:
    """Return ``number`` indices in proportion to their weights, ascending; the same seed chooses the same."""
    start = int(new_stream(seed, _STREAM)[0]) / 2**64
    bounds = np.cumsum(weights / weights.max())  # the sum of large weights could exceed the greatest float
    bounds /= bounds[-1]
    chosen: Int64s = np.searchsorted(bounds, (np.arange(number) + start) / number, side="right")
    return np.minimum(chosen, len(weights) - 1)
