"""The grade of a puzzle."""

from types import SimpleNamespace

import numpy as np
import pytest

from parlour.bots import LEVELS
from parlour.bots.protocol import never
from parlour.engine.chance import random_bits
from parlour.insight.review import STRONGEST
from parlour.puzzles import grade
from parlour.puzzles.grade import HIGHEST, RATINGS, GradeWork, rating_of
from parlour.puzzles.puzzle_file import shipped_puzzles
from tests.puzzles.known_search import SETUP


class TestGrade:
    def test_it_is_the_rating_at_which_the_levels_would_solve_as_many(self):
        assert rating_of(dict.fromkeys(RATINGS, 0.5)) == pytest.approx(1500, abs=2)
        easy, hard = dict.fromkeys(RATINGS, 0.9), dict.fromkeys(RATINGS, 0.2)
        assert rating_of(easy) < 1300 < 1700 < rating_of(hard)

    def test_an_action_that_no_level_finds_has_the_highest_rating(self):
        assert rating_of(dict.fromkeys(RATINGS, 0.0)) == pytest.approx(HIGHEST, abs=2)

    @pytest.mark.parametrize("level", LEVELS)
    def test_a_share_is_the_mean_of_searches_that_differ_and_can_be_repeated(self, level, monkeypatch):
        drawn = []

        def chances(observation):
            drawn.append(random_bits(observation.random) % 1000 / 1000)
            return [1 - drawn[-1], drawn[-1]]

        monkeypatch.setattr(grade, "find_bot", lambda name: SimpleNamespace(chances=chances))
        position = SimpleNamespace(moves=(3, 7), state=None, seat=0, game=SETUP.game)
        shares = [grade.share_of(level, position, 7, seed) for seed in (5, 5, 6)]
        number = grade.MASTER_SEARCHES if level == STRONGEST else grade.SEARCHES
        first, again, other = drawn[:number], drawn[number : 2 * number], drawn[2 * number :]
        assert len(set(first)) == number
        assert first == again != other
        assert shares == pytest.approx([np.mean(first), np.mean(again), np.mean(other)])

    def test_another_seed_has_other_searches_of_each_puzzle(self, monkeypatch):
        seeds = {}

        def share_of(level, position, best, seed):
            seeds[graded].append(seed)
            return 0.5

        monkeypatch.setattr(grade, "share_of", share_of)
        puzzles = shipped_puzzles(SETUP.game.id).puzzles[:2]
        for seed in (0, 1, 0):
            for place, puzzle in enumerate(puzzles):
                graded = seed, place
                seeds[graded] = []
                GradeWork(SETUP, seed).graded(puzzle, never)
        assert [len(each) for each in seeds.values()] == [len(LEVELS)] * 4
        assert len({tuple(each) for each in seeds.values()}) == 4
