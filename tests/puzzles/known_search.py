"""The search whose puzzles the tests use."""

from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.puzzles.finder import PuzzleSearch

GAME = "three-tricks"
SETUP = Setup(find_game(GAME), 2)
EFFORT = 20_000
GAMES = 3
"""Games searched with this effort; some of them have puzzles."""
WORK = PuzzleSearch(SETUP, 1, effort=EFFORT)
