"""Standing of a player in puzzles: the rating, the streak, and the next puzzle."""

import itertools
import json
from dataclasses import replace

import pytest

from parlour.glicko import Rating
from parlour.puzzles.puzzle import PuzzleError
from parlour.puzzles.puzzle_file import PuzzleSet, shipped_puzzles
from parlour.puzzles.standing import RANGES, PuzzleStanding, next_puzzle


@pytest.fixture(scope="module")
def first_puzzle():
    return shipped_puzzles("three-tricks").puzzles[0]


class TestStanding:
    def test_a_solved_puzzle_raises_rating_and_streak_and_a_failed_one_ends_it(self, first_puzzle):
        once = PuzzleStanding().after(first_puzzle, True)
        twice = once.after(first_puzzle, True)
        failed = twice.after(first_puzzle, False)
        assert 1500 < once.rating.value < twice.rating.value > failed.rating.value
        assert [each.streak for each in (once, twice, failed)] == [1, 2, 0]
        assert (failed.longest, failed.solved, failed.tried) == (2, 2, 3)

    def test_the_longest_streak_grows_with_the_present_one_and_stays(self, first_puzzle):
        standing, found = PuzzleStanding(), []
        for solved in (True, True, False, True, True, True, False):
            standing = standing.after(first_puzzle, solved)
            found.append((standing.streak, standing.longest))
        assert found == [(1, 1), (2, 2), (0, 2), (1, 2), (2, 2), (3, 3), (0, 3)]

    def test_it_survives_json(self, first_puzzle):
        standing = PuzzleStanding().after(first_puzzle, True)
        again = PuzzleStanding.from_json(json.loads(json.dumps(standing.to_json())))
        assert again.to_json() == standing.to_json()

    @pytest.mark.parametrize(
        "forged",
        [
            {"rating": 1e9},
            {"deviation": float("nan")},
            {"streak": -1},
            {"tried": "many"},
            {"volatility": 0},
            {"volatility": 1e-200},
            {"deviation": 1e-200},
        ],
    )
    def test_forged_numbers_are_refused(self, forged):
        with pytest.raises(PuzzleError, match="not a standing"):
            PuzzleStanding.from_json(PuzzleStanding().to_json() | forged)

    @pytest.mark.parametrize("numbers", list(itertools.product(*RANGES)))
    def test_goes_on_from_every_standing_that_is_read(self, first_puzzle, numbers):
        extreme = PuzzleStanding(Rating(*numbers)).to_json()
        for solved in (True, False):
            after = PuzzleStanding.from_json(extreme).after(first_puzzle, solved).to_json()
            assert PuzzleStanding.from_json(after).to_json() == after

    def test_the_next_puzzle_is_the_untried_one_of_the_nearest_rating(self, first_puzzle):
        hard, easy = (
            replace(first_puzzle, rating=2000, events=("a",)),
            replace(first_puzzle, rating=1000, events=("b",)),
        )
        puzzles = PuzzleSet(first_puzzle.setup, {}, [hard, easy])
        assert next_puzzle(puzzles, 1100, set()) == easy
        assert next_puzzle(puzzles, 1100, {easy.id}) == hard
        assert next_puzzle(puzzles, 1100, {easy.id, hard.id}) is None
        assert next_puzzle(puzzles, 1100, set(), "no such theme") is None
