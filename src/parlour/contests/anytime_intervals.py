"""Required precisions and their intervals, common to contests and studies.

The intervals are valid at any number of deals (:func:`parlour.inference.anytime_interval`).
"""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from parlour import inference
from parlour.statistics import Estimate


class PrecisionTarget(Protocol):
    """A required precision."""

    @property
    def text(self) -> str:
        """The target in the user's words."""

    @property
    def within(self) -> float:
        """The required half-width of the interval, in the displayed unit."""

    @property
    def scale(self) -> float:
        """Factor from a value of a deal to the displayed unit."""


AnyTarget = TypeVar("AnyTarget", bound=PrecisionTarget, covariant=True)


@dataclass(frozen=True)
class AnytimeInterval(Generic[AnyTarget]):
    """The interval for a target, valid at any number of deals."""

    target: AnyTarget
    estimate: Estimate

    @property
    def half_width(self) -> float:
        """Half-width of the interval, in the target's unit."""
        low, value, high = self.estimate.low, self.estimate.value, self.estimate.high
        return self.target.scale * max(value - low, high - value)

    @property
    def is_reached(self) -> bool:
        """Whether the interval has the required half-width or less."""
        return self.half_width <= self.target.within


AnyInterval = TypeVar("AnyInterval", bound=AnytimeInterval[PrecisionTarget])


class PrecisionState(Generic[AnyInterval]):
    """The intervals of all targets.

    Attributes:
        intervals: the intervals at the last check.
        needed: the estimated total number of deals for all targets; ``None`` before the first check.
    """

    def __init__(self) -> None:
        """Begin without intervals."""
        self.intervals: list[AnyInterval] = []
        self.needed: int | None = None
        self._checks = inference.Checks()

    @property
    def is_reached(self) -> bool:
        """Whether every interval was narrow enough at the last check."""
        return bool(self.intervals) and all(each.is_reached for each in self.intervals)

    @property
    def widest(self) -> AnyInterval | None:
        """The interval that is widest relative to its target, or ``None`` before the first check."""
        return max(self.intervals, key=lambda each: each.half_width / each.target.within, default=None)
