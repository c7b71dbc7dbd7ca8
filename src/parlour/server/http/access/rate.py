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

    def draw(self, number: int, left: float, seconds: float) -> tuple[float, int]:
        """Take ``number`` tokens from a bucket that had ``left`` tokens ``seconds`` ago.

        Return its tokens now, and the seconds until there are enough (0 if they were taken).
        """
        left, wait = self.look(number, left, seconds)
        return (left if wait else left - number), wait

    def look(self, number: int, left: float, seconds: float) -> tuple[float, int]:
        """Return the tokens of such a bucket now, and the seconds until there are ``number`` tokens; take none."""
        left = min(self.burst, left + seconds * self.each_second)
        return left, max(1, math.ceil((number - left) / self.each_second)) if left < number else 0

    def bounded(self, number: int) -> int:
        """Return the tokens of a use that counts as ``number``: half a full bucket at most, so that none waits long."""
        return max(1, min(number, int(self.burst / 2)))

    def use_up(self, number: int, left: float, seconds: float) -> tuple[float, int]:
        """Take ``number`` tokens, or all, from a bucket that had ``left`` tokens ``seconds`` ago.

        Return its tokens now, and 0.
        """
        return max(0.0, min(self.burst, left + seconds * self.each_second) - number), 0
