"""The games that can be played in a card room: those with a layout."""

from importlib.util import find_spec

from parlour import tables
from parlour.engine.errors import UnknownGameError
from parlour.engine.game import Game
from parlour.games import find_game, game_ids
from parlour.tables import find_table


def playable_ids() -> list[str]:
    """The games that have a table to be played at."""
    return [name for name in game_ids() if find_spec(f"{tables.__name__}.{name.replace('-', '_')}")]


def playable_game(game_id: str) -> Game:
    """A game that can be played here. Raises :class:`UnknownGameError`."""
    if game_id not in playable_ids():
        raise UnknownGameError(f"there is no game {game_id!r}; there are {', '.join(playable_ids())}")
    find_table(game_id)
    return find_game(game_id)
