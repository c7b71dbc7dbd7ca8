"""Standing of a player in the puzzles of one game: a rating by Glicko-2 and a streak of solved puzzles."""

from collections.abc import Collection, Mapping
from dataclasses import astuple, dataclass, field
from typing import Any

from parlour.glicko import LARGEST_DEVIATION, RatedGame, Rating, rating_after
from parlour.puzzles.grade import DEVIATION
from parlour.puzzles.puzzle import Puzzle, PuzzleError
from parlour.puzzles.puzzle_file import PuzzleSet

RANGES = (100.0, 4000.0), (1.0, LARGEST_DEVIATION), (0.001, 0.9)
"""Ranges of a rating, its deviation and its volatility. The formulas fail with forged numbers near zero."""


@dataclass(frozen=True)
class PuzzleStanding:
    """Standing of a player in the puzzles of one game.

    Attributes:
        rating: the rating.
        tried, solved: the numbers of puzzles tried and solved, first tries only.
        streak, longest: the present and the longest number of puzzles solved in a row.
    """

    rating: Rating = field(default_factory=Rating)
    tried: int = 0
    solved: int = 0
    streak: int = 0
    longest: int = 0

    @property
    def provisional(self) -> bool:
        """Whether the rating is uncertain."""
        return self.rating.provisional

    def after(self, puzzle: Puzzle, solved: bool) -> "PuzzleStanding":
        """Return the standing after the first try of a puzzle, which is one rating period."""
        rating = rating_after(self.rating, [RatedGame(puzzle.rating, DEVIATION, float(solved))])
        streak = self.streak + 1 if solved else 0
        return PuzzleStanding(
            _within_ranges(rating), self.tried + 1, self.solved + solved, streak, max(streak, self.longest)
        )

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "rating": round(self.rating.value, 2),
            "deviation": round(self.rating.deviation, 2),
            "volatility": round(self.rating.volatility, 6),
            "tried": self.tried,
            "solved": self.solved,
            "streak": self.streak,
            "longest": self.longest,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "PuzzleStanding":
        """Return the standing of :meth:`to_json`'s values. Raises :class:`PuzzleError` for other values."""
        try:
            numbers = [float(values[key]) for key in ("rating", "deviation", "volatility")]
            counts = [int(values[key]) for key in ("tried", "solved", "streak", "longest")]
        except (KeyError, TypeError, ValueError, OverflowError):
            raise PuzzleError("these values are not a standing in puzzles") from None
        in_range = all(low <= number <= high for number, (low, high) in zip(numbers, RANGES, strict=True))
        if not in_range or not all(0 <= each < 10**9 for each in counts):
            raise PuzzleError("these values are not a standing in puzzles: a number is out of range")
        return cls(Rating(*numbers), *counts)


def _within_ranges(rating: Rating) -> Rating:
    """Return a rating with its nearest numbers within :data:`RANGES`."""
    numbers = zip(astuple(rating), RANGES, strict=True)
    return Rating(*(min(max(number, low), high) for number, (low, high) in numbers))


def next_puzzle(of_game: PuzzleSet, rating: float, tried: Collection[str], theme: str = "") -> Puzzle | None:
    """Return the untried puzzle with the nearest rating; ``None`` if all puzzles with this theme have been tried."""
    fresh = [each for each in of_game.puzzles if each.id not in tried and (not theme or theme in each.themes)]
    return min(fresh, key=lambda each: (abs(each.rating - rating), each.id), default=None)
