"""Puzzles that a search found, and a file with them."""

import pytest

from parlour.bots.protocol import never
from parlour.puzzles.puzzle_file import PuzzleFile
from tests.puzzles.known_search import GAMES, WORK


@pytest.fixture(scope="package")
def found_puzzles():
    search = WORK.open()
    return {number: search(number, never) for number in range(GAMES)}


@pytest.fixture(scope="package")
def first_puzzle(found_puzzles):
    """Return the first puzzle of the first game that has one."""
    return next(puzzle for puzzles in found_puzzles.values() for puzzle in puzzles)


@pytest.fixture
def puzzle_file(found_puzzles, tmp_path):
    """Return a file with the puzzles found."""
    with PuzzleFile(str(tmp_path / "kept.jsonl"), WORK.facts) as file:
        for puzzles in found_puzzles.values():
            file.add(puzzles)
    return tmp_path / "kept.jsonl"
