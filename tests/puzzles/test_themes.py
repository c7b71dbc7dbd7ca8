"""Themes that the puzzles of a game may have."""

import pytest

from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.puzzles.puzzle_file import shipped_puzzles
from parlour.puzzles.themes import possible_themes

SHIPPED = {game.id: found for game in all_games() if (found := shipped_puzzles(game.id))}


@pytest.mark.parametrize("game", SHIPPED)
def test_the_themes_of_shipped_puzzles_are_possible(game: str) -> None:
    themes = {theme for puzzle in SHIPPED[game].puzzles for theme in puzzle.themes}
    assert len(themes) > 1
    assert themes <= possible_themes(SHIPPED[game].setup)


@pytest.mark.parametrize(("players", "possible"), [(2, True), (3, False)])
def test_only_endgames_of_two_players_are_solved(players: int, possible: bool) -> None:
    assert ("endgame" in possible_themes(Setup(find_game("trick-walls"), players))) == possible
