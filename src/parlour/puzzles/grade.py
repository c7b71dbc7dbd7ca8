"""Grade of a puzzle: the levels of bots that find the best action, and the rating that follows from them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from parlour.bots import LEVELS, CompiledObservation, find_bot
from parlour.bots.protocol import CancelCheck, Stopped
from parlour.engine.chance import new_stream
from parlour.engine.moves import Move
from parlour.insight.position import Position
from parlour.insight.review import STRONGEST
from parlour.jobs.setup_work import SetupWork, compile_search
from parlour.puzzles.puzzle import Puzzle

RATINGS = {"beginner": 900, "casual": 1200, "regular": 1500, "expert": 1800, "master": 2100}
"""Ratings of the levels, whose strengths differ by about equal steps (docs/bots.md); a new player begins with the
middle one.
"""
DEVIATION = 80.0
"""Rating deviation of a puzzle: five levels are few opponents."""
LOWEST, HIGHEST = 600, 2600
"""Bounds of a puzzle's rating."""
LOGISTIC = 400.0
"""Rating difference for odds of ten to one, as in Elo's and Glickman's systems."""
SEARCHES = 6
"""Number of searches whose mean is a level's probability."""
MASTER_SEARCHES = 3
"""The same number for a master, whose searches differ less and cost more."""


def share_of(level_id: str, position: Position, best: Move, seed: int) -> float:
    """Return the probability that a level chooses the best action."""
    import numpy as np

    moves = np.array(position.moves, np.int64)
    index, searches = list(position.moves).index(best), MASTER_SEARCHES if level_id == STRONGEST else SEARCHES
    bot, total = find_bot(level_id), 0.0
    for number in range(searches):
        stream = new_stream(seed, number)
        observed = CompiledObservation(position.game.id, position.state, position.seat, moves, stream)
        total += float(bot.chances(observed)[index])
    return total / searches


def rating_of(shares: Mapping[str, float]) -> int:
    """Return the rating for which the expected number of levels that solve the puzzle equals the observed number."""
    low, high, solved = float(LOWEST), float(HIGHEST), sum(shares.values())
    while high - low > 1:
        middle = (low + high) / 2
        expected = sum(1 / (1 + 10 ** ((middle - RATINGS[level]) / LOGISTIC)) for level in shares)
        low, high = (middle, high) if expected > solved else (low, middle)
    return round((low + high) / 2)


@dataclass(frozen=True)
class GradeWork(SetupWork):
    """Work that grades puzzles again, by the present levels: jobs are the puzzles."""

    def open(self) -> Callable[[Puzzle, CancelCheck], Puzzle]:
        """Compile new code; return a function that grades a puzzle."""
        compile_search(self.setup.game)
        return self.graded

    def graded(self, puzzle: Puzzle, stopped: CancelCheck) -> Puzzle:
        """Return a puzzle with the shares of the present levels, and its rating.

        Raises:
            Stopped: the work is cancelled.
            PuzzleError: the events or the actions are not those of the rules of this version.
        """
        position = puzzle.position()
        best = next(move for move in position.moves if position.notation(move) == puzzle.best.do)
        shares = dict[str, float]()
        for level in LEVELS:
            if stopped():
                raise Stopped
            shares[level] = share_of(level, position, best, int(puzzle.id, 16) + self.seed)
        levels = {level: round(100 * share) for level, share in shares.items()}
        return replace(puzzle, levels=levels, rating=rating_of(shares))
