"""Precision of a contest: play until the intervals of wins or points are narrow enough."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from parlour import inference
from parlour.contests.anytime_intervals import AnytimeInterval, PrecisionState
from parlour.contests.contest import Contest
from parlour.contests.interval_texts import percent, signed_points
from parlour.engine.arrays import Floats
from parlour.engine.errors import ParlourError
from parlour.render.words import with_minus
from parlour.statistics import Estimate

WINS, POINTS = "wins", "points"
"""Measures of a contest: a bot's share of first places, and its lead over the other seats in the game's points."""
_TARGET = re.compile(
    r"(?:(?P<wins>wins?|win shares?) within (?P<share>\d+(?:\.\d+)?) ?(?:%|percent|points?|points? of 100)?"
    r"|points within (?P<points>\d+(?:\.\d+)?))"
)

_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")


class Tally(Protocol):
    """Results of a contest by bot and deal: shares of first place, and leads over the other seats in points."""

    contest: Contest
    deals: int
    shares: list[list[float]]
    leads: list[list[float]]


@dataclass(frozen=True)
class ContestTarget:
    """A required precision of the bots' wins or points.

    Attributes:
        text: the target in the user's words.
        measure: ``WINS`` or ``POINTS``.
        within: the required half-width of the interval, in wins of 100 games or in points.
    """

    text: str
    measure: str
    within: float

    @property
    def scale(self) -> float:
        """Factor from a value of a deal to the unit of ``within``."""
        return 100.0 if self.measure == WINS else 1.0

    @property
    def rho_squared(self) -> float:
        """ρ² of the mixture (:func:`parlour.inference.anytime_interval`)."""
        return (
            inference.rho_squared_for_share(self.within / self.scale) if self.measure == WINS else inference.RHO_SQUARED
        )


@dataclass(frozen=True)
class ContestInterval(AnytimeInterval[ContestTarget]):
    """The interval of one bot."""

    bot: int

    def to_json(self, bots: Sequence[str]) -> dict[str, Any]:
        """Return JSON values."""
        target = self.target
        return {
            "bot": bots[self.bot],
            "measure": target.measure,
            "within": target.within,
            "reached": self.is_reached,
            "anytime": self.estimate.to_json(),
        }


class ContestPrecision(PrecisionState[ContestInterval]):
    """Targets of a contest, with their intervals.

    Attributes:
        targets: the required precisions.
    """

    def __init__(self, text: str, bots: Sequence[int]) -> None:
        """Read the targets for the bots of these numbers. Raises :class:`ParlourError` if the text has none."""
        super().__init__()
        self.targets, self._bots = targets_of(text), bots

    def check(self, tally: Tally) -> None:
        """Compute the intervals if a check is due."""
        if self._checks.due(tally.deals):
            self.compute(tally)

    def compute(self, tally: Tally) -> None:
        """Compute the intervals, and the number of deals needed at the present standard deviation."""
        self.intervals, self.needed = [], 0
        for target in self.targets:
            for bot in self._bots:
                values = np.asarray(tally.shares[bot] if target.measure == WINS else tally.leads[bot], float)
                self.intervals.append(ContestInterval(target, _interval(values, target), bot))
                needed = inference.deals_for(float(values.std()), target.within / target.scale, target.rho_squared)
                self.needed = max(self.needed, needed)

    def to_json(self, tally: Tally) -> list[dict[str, Any]]:
        """Return the intervals at all deals so far as JSON values."""
        self.compute(tally)
        return [each.to_json(tally.contest.bots) for each in self.intervals]

    def text(self, tally: Tally) -> list[str]:
        """Return a heading, and a line for each interval at all deals so far."""
        self.compute(tally)
        bots, lines = tally.contest.bots, ["  Intervals that are valid at any number of deals:"]
        for each in self.intervals:
            state = "reached" if each.is_reached else "not reached"
            lines.append(f"    {bots[each.bot]}: {each.target.measure} {_numbers(each)}; {each.target.text}: {state}")
        return lines


def _numbers(found: ContestInterval) -> str:
    """Return a result with its interval, or without one while any result is possible."""
    low, value, high = found.estimate.low, found.estimate.value, found.estimate.high
    if found.target.measure == WINS:
        return percent(found.estimate) if high - low < 1 else f"{value:.1%} (no interval yet)"
    unknown = with_minus(f"{value:+z.2f} (no interval yet)")
    return signed_points(found.estimate) if math.isfinite(high - low) else unknown


def refuse_decimal_commas(text: str) -> None:
    """Raise :class:`ParlourError` if a list of targets has a comma within a number, where the list would be split."""
    if _DECIMAL_COMMA.search(text):
        meant = _DECIMAL_COMMA.sub(".", text)
        raise ParlourError(f"{text!r}: decimal numbers have a point, as in {meant!r}, and a space follows a comma")


def targets_of(text: str) -> list[ContestTarget]:
    """Return the targets of ``"wins within 2, points within 0.5"``. Raises :class:`ParlourError`."""
    refuse_decimal_commas(text)
    found = []
    for part in (each.strip() for each in text.split(",") if each.strip()):
        match = _TARGET.fullmatch(part.lower())
        if not match:
            raise ParlourError(f"{part!r} is no precision of a contest: write 'wins within 2' or 'points within 0.5'")
        within = float(match["share"] if match["wins"] else match["points"])
        if within <= 0:
            raise ParlourError(f"{part!r}: the precision must be greater than 0")
        found.append(ContestTarget(part, WINS if match["wins"] else POINTS, within))
    if not found:
        raise ParlourError("the precision is empty; write 'wins within 2' or 'points within 0.5'")
    return found


def _interval(values: Floats, target: ContestTarget) -> Estimate:
    """Return the interval of a target.

    Two deals differ by at most one win, or by the range of the leads so far: at least by one point.
    """
    largest = 1.0 if target.measure == WINS else inference.observed_range(values)
    found = inference.anytime_interval(values, largest, rho_squared=target.rho_squared)
    if target.measure == POINTS:
        return found
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high))
