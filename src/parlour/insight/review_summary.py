"""Summary of a stored review for one seat: the parts of its result, its costliest decisions, the marks of all."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from parlour.insight.course import FOUND, MARKS
from parlour.insight.rounding import running_points

_COSTLY = tuple(mark for _, mark in MARKS)
_MOST_TELLING_FIRST = (*_COSTLY, FOUND, "")


@dataclass(frozen=True)
class SeatSummary:
    """Summary of a review for a seat.

    Attributes:
        luck, others, own: the parts of the result, in whole points as the review shows them.
        decisions: the seat's decisions, in order, as in the review.
    """

    luck: int
    others: int
    own: int
    decisions: Sequence[Mapping[str, Any]]

    @property
    def lost(self) -> int:
        """The costs of all decisions, in whole points."""
        return sum(decision["cost"] for decision in self.decisions)

    def costliest(self, most: int) -> list[Mapping[str, Any]]:
        """Return the ``most`` decisions with the highest cost of those with a mark for a loss, equal ones in order."""
        costly = [decision for decision in self.decisions if decision["mark"] in _COSTLY]
        return sorted(costly, key=lambda decision: -decision["cost"])[:most]

    def telling_marks(self, most: int) -> list[str]:
        """Return at most ``most`` marks, one for each of as many groups of consecutive decisions.

        It is the costliest mark of the group, otherwise that of a find, otherwise empty.
        """
        marks = [decision["mark"] for decision in self.decisions]
        groups = min(most, len(marks))
        bounds = [len(marks) * group // groups for group in range(groups + 1)] if marks else []
        return [min(marks[first:end], key=_MOST_TELLING_FIRST.index) for first, end in pairwise(bounds)]


def summary_of(review: str, seat: int) -> SeatSummary:
    """Return the summary of a review of all seats, given as JSON text.

    A stored review has a course of every seat, also of a seat without a decision.
    """
    course = {course["seat"]: course for course in json.loads(review)["courses"]}[seat]
    sums = course["sums"]
    luck, others, own = running_points(sums["start"], (sums["chance"], sums["others"], sums["own"]))
    return SeatSummary(luck, others, own, course["decisions"])
