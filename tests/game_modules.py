"""The folder of a game's own tests in ``tests/games``, and the modules in it."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from parlour.engine.game import Game

GAMES = Path(__file__).parent / "games"


def folder_of(game: Game) -> Path:
    """Return the folder with the tests of a game."""
    return GAMES / game.id.replace("-", "_")


def module_of(game: Game, name: str) -> ModuleType:
    """Return a module of that folder, such as ``reference``: perft counts, golden games, exemptions from laws."""
    return import_module(f"tests.games.{folder_of(game).name}.{name}")
