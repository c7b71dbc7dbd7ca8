"""The lookup of games by id, by a function that the package of games registers, since the engine imports no game."""

from collections.abc import Callable

from parlour.engine.errors import ParlourError
from parlour.engine.game import Game

Find = Callable[[str], Game]

_registered: Find | None = None


def register_finder(find: Find) -> None:
    """Let :func:`find_game` use this function, which raises :class:`ParlourError` for an unknown id."""
    global _registered
    _registered = find


def find_game(game_id: str) -> Game:
    """Return the game with this id. Raises :class:`ParlourError` if there is none, or no finder is registered."""
    if _registered is None:
        raise ParlourError(f"the game {game_id!r} cannot be found before the package parlour.games is imported")
    return _registered(game_id)
