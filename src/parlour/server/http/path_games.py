"""The games that paths and answers name."""

from typing import Annotated

from fastapi import Depends

from parlour.engine.errors import ParlourError, UnknownGameError
from parlour.engine.game import Game
from parlour.games import find_game
from parlour.languages import gettext
from parlour.server.http.catalogue import shown_games


class NoGameError(ParlourError):
    """A path names a game that the room does not have."""


def game_of_path(game_id: str) -> Game:
    """Return the game named by a path, one of those shown. Raises :class:`NoGameError`."""
    for game in shown_games():
        if game.id == game_id:
            return game
    raise NoGameError(gettext("there is no such game"))


PathGame = Annotated[Game, Depends(game_of_path)]


def title_of(game_id: str) -> str:
    """Return the title of a game; its id if the game is not installed any more."""
    try:
        return find_game(game_id).title
    except UnknownGameError:
        return game_id
