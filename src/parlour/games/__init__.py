"""The games of the room: one file or, if that would be long, one folder each, found by being here."""

import copyreg
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from parlour.engine.errors import UnknownGameError
from parlour.engine.game import Game
from parlour.engine.packages import make_callable
from parlour.engine.setup import find_games_by


def game_ids() -> list[str]:
    """The ids of all games, without importing any of them."""
    return sorted(module.name.replace("_", "-") for module in iter_modules(__path__))


@cache
def find_game(game_id: str) -> Game:
    """The game with this id. Raises :class:`UnknownGameError`, which lists those there are."""
    if game_id not in game_ids():
        raise UnknownGameError(f"there is no game {game_id!r}; there are {', '.join(game_ids())}")
    game: Game = import_module(f"{__name__}.{game_id.replace('-', '_')}").GAME
    return game


def all_games() -> list[Game]:
    """Every game, by id."""
    return [find_game(game_id) for game_id in game_ids()]


make_callable(__name__, game_ids)
find_games_by(find_game)
copyreg.pickle(Game, lambda game: (find_game, (game.id,)))  # another process has the same games
