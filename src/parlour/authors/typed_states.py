"""Generate ``typed_state.py`` of a game: a protocol with the fields of its ``STATE``, for type checkers.

``python -m parlour.authors.typed_states my-game`` writes the file into the game's folder; without arguments, the files
of all games that have one. Run it again after each change of ``STATE``.
"""

from collections.abc import Iterable
from pathlib import Path

from parlour.engine.errors import GameError, ParlourError
from parlour.engine.fields import Field, fields_of
from parlour.engine.game import Game
from parlour.engine.rules import HEADER
from parlour.games import file_of, find_game, folder_of, game_ids

FILE = "typed_state.py"
"""Name of the generated file in a game's folder."""
_TYPES = ("int", "IntVector", "IntMatrix", "IntCube")
"""Types of :mod:`parlour.engine.typed_state` by the number of axes."""


def state_module(game: Game) -> str:
    """Return the text of a game's ``typed_state.py``.

    Raises:
        GameError: a field has more axes than there are types for.
    """
    own = fields_of(game.dtype.names)[len(HEADER) :]
    types = {field.name: _type_of(game, field) for field in own}
    imported = ", ".join(sorted({"AnyState", *types.values()} - {"int"}))
    lines = [
        '"""Types of the fields of a state. Generated from ``STATE`` by :mod:`parlour.authors.typed_states`."""',
        "",
        "from typing import Protocol",
        "",
        f"from parlour.engine.typed_state import {imported}",
        "",
        "",
        "class State(AnyState, Protocol):",
        f'    """A state of {game.title}: the engine\'s fields and the game\'s own."""',
        "",
        *(f"    {name}: {of}" for name, of in types.items()),
    ]
    return "\n".join(lines) + "\n"


def _type_of(game: Game, field: Field) -> str:
    if len(field.axes) >= len(_TYPES):
        raise GameError(f"{game.id}: the field {field.name} has {len(field.axes)} axes, but there are types for three")
    return _TYPES[len(field.axes)]


def write_state_modules(game_ids: Iterable[str]) -> None:
    """Write the file of each game into its folder.

    Raises:
        GameError: a game cannot be loaded, or is a single file.
    """
    for game_id in game_ids:
        folder = folder_of(game_id)
        if folder is None:
            raise GameError(f"{game_id} is a single file; {FILE} needs a folder")
        Path(str(folder), FILE).write_text(state_module(find_game(game_id)), encoding="utf-8")


def typed_games() -> list[str]:
    """Return the ids of the games with a ``typed_state.py``."""
    return [game_id for game_id in game_ids() if file_of(game_id, FILE)]


if __name__ == "__main__":
    import sys

    try:
        write_state_modules(sys.argv[1:] or typed_games())
    except ParlourError as error:
        sys.exit(str(error))
