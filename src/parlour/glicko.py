"""Ratings by Glicko-2.

Source: Glickman, "Example of the Glicko-2 system" (glicko.net, 2013), steps 2 to 8; the example there is a test.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 173.7178
"""Points of a rating in a unit of the internal scale."""
TAU = 0.5
"""Constraint of the volatility's change over time; the paper suggests 0.3 to 1.2."""
TOLERANCE = 1e-6
LARGEST_DEVIATION = 350.0
PROVISIONAL_DEVIATION = 110.0
"""Minimum deviation of a rating that is shown as provisional, with a question mark."""


@dataclass(frozen=True)
class Rating:
    """Rating of a player with its deviation and volatility; the default is a player without results."""

    value: float = 1500.0
    deviation: float = LARGEST_DEVIATION
    volatility: float = 0.06

    @property
    def provisional(self) -> bool:
        """Whether the rating may still be far from the player's strength."""
        return self.deviation >= PROVISIONAL_DEVIATION


@dataclass(frozen=True)
class RatedGame:
    """Result against an opponent: 1 for a win, 0 for a loss, 0.5 for a draw."""

    rating: float
    deviation: float
    score: float


def rating_after(before: Rating, games: Sequence[RatedGame]) -> Rating:
    """Return the rating after the games of one rating period, at least one."""
    mean, spread = (before.value - 1500) / SCALE, before.deviation / SCALE
    information = gain = 0.0
    for game in games:
        weight = 1 / math.sqrt(1 + 3 * (game.deviation / SCALE) ** 2 / math.pi**2)
        expected = 1 / (1 + math.exp(-weight * (mean - (game.rating - 1500) / SCALE)))
        information += weight**2 * expected * (1 - expected)
        gain += weight * (game.score - expected)
    variance = 1 / information
    volatility = _volatility(before.volatility, spread, variance, variance * gain)
    narrowed = 1 / math.sqrt(1 / (spread**2 + volatility**2) + information)
    deviation = min(LARGEST_DEVIATION, SCALE * narrowed)
    return Rating(1500 + SCALE * (mean + narrowed**2 * gain), deviation, volatility)


def _volatility(before: float, spread: float, variance: float, change: float) -> float:
    """Return the new volatility (step 5), by the Illinois algorithm."""
    start = math.log(before**2)

    def slope(x: float) -> float:
        total = spread**2 + variance + math.exp(x)
        return math.exp(x) * (change**2 - total) / (2 * total**2) - (x - start) / TAU**2

    low = start
    if change**2 > spread**2 + variance:
        high = math.log(change**2 - spread**2 - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > TOLERANCE:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = slope(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return math.exp(low / 2)
