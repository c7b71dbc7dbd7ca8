"""What belongs to one game in these tests: its folder in ``tests/games``, found by being there."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from parlour.engine.game import Game

GAMES = Path(__file__).parent / "games"


def folder_of(game: Game) -> Path:
    """Where a game's own tests are."""
    return GAMES / game.id.replace("-", "_")


def module_of(game: Game, name: str) -> ModuleType:
    """A module of a game's own tests: ``kept`` (counts and games to be held against), ``rebuild`` (for the laws)."""
    return import_module(f"tests.games.{folder_of(game).name}.{name}")
