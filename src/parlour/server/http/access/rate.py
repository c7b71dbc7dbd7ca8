"""A rate limit as a token bucket, whose tokens are stored elsewhere."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """A rate limit: ``burst`` uses at once, and ``each_second`` more for every second."""

    each_second: float
    burst: float

    def times(self, factor: float) -> "Rate":
        """Return this rate multiplied by a factor."""
        return Rate(self.each_second * factor, self.burst * factor)

    def draw(self, left: float, seconds: float) -> tuple[float, int]:
        """Take one token from a bucket that had ``left`` tokens ``seconds`` ago.

        Return its tokens now, and the seconds until there is one (0 if one was taken).
        """
        left = min(self.burst, left + seconds * self.each_second)
        if left < 1:
            return left, max(1, math.ceil((1 - left) / self.each_second))
        return left - 1, 0

    def use_up(self, number: int, left: float, seconds: float) -> tuple[float, int]:
        """Take ``number`` tokens, or all, from a bucket that had ``left`` tokens ``seconds`` ago.

        Return its tokens now, and 0.
        """
        return max(0.0, min(self.burst, left + seconds * self.each_second) - number), 0
