"""The standing of a player, and the choice of the next puzzle."""

import itertools
import json
from dataclasses import replace

import pytest

from parlour.glicko import RatedGame, Rating, rating_after
from parlour.puzzles.grade import DEVIATION
from parlour.puzzles.puzzle import PuzzleError
from parlour.puzzles.puzzle_file import PuzzleSet
from parlour.puzzles.standing import RANGES, PuzzleStanding, next_puzzle
from tests.puzzles.known_search import SETUP


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

    def test_a_rating_changes_by_the_deviation_of_puzzles_and_not_that_of_the_player(self, first_puzzle):
        for own in (Rating(), Rating(1700, 60, 0.06)):
            expected = rating_after(own, [RatedGame(first_puzzle.rating, DEVIATION, 1.0)])
            assert PuzzleStanding(own).after(first_puzzle, True).rating == expected

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
    def test_it_goes_on_from_every_standing_that_is_read(self, first_puzzle, numbers):
        extreme = PuzzleStanding(Rating(*numbers)).to_json()
        for solved in (True, False):
            after = PuzzleStanding.from_json(extreme).after(first_puzzle, solved).to_json()
            assert PuzzleStanding.from_json(after).to_json() == after

    @pytest.mark.parametrize(
        ("rating", "order"),
        [
            (100, [1000, 1400, 2000]),
            (1199, [1000, 1400, 2000]),
            (1201, [1400, 1000, 2000]),
            (1650, [1400, 2000, 1000]),
            (1750, [2000, 1400, 1000]),
            (4000, [2000, 1400, 1000]),
        ],
    )
    def test_the_next_puzzle_is_the_untried_one_of_the_nearest_rating(self, first_puzzle, rating, order):
        three = [replace(first_puzzle, rating=each, events=(str(each),)) for each in (2000, 1000, 1400)]
        puzzles, tried, shown = PuzzleSet(SETUP, {}, three), set(), []
        assert next_puzzle(puzzles, rating, tried, "no such theme") is None
        while puzzle := next_puzzle(puzzles, rating, tried):
            tried.add(puzzle.id)
            shown.append(puzzle.rating)
        assert shown == order
        assert next_puzzle(puzzles, rating, tried) is None

    @pytest.mark.parametrize("order", [*itertools.permutations(range(4))])
    def test_puzzles_of_one_distance_come_in_the_order_of_their_ids(self, first_puzzle, order):
        near = [replace(first_puzzle, rating=1500 + number % 2 * 20 - 10, events=(str(number),)) for number in range(4)]
        puzzles, shown = PuzzleSet(SETUP, {}, [near[number] for number in order]), []
        while puzzle := next_puzzle(puzzles, 1500, shown):
            shown.append(puzzle.id)
        assert shown == sorted(each.id for each in near)
