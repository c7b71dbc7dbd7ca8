"""The registry of games: one folder per game in this package, plus those that installed packages provide.

A package registers its games under the entry-point group ``parlour.games``: the game's id, and the module whose
``GAME`` is the game. Further modules and files of a game lie in the same folder (:func:`file_of`, :func:`module_of`).
"""

import copyreg
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module, resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from traceback import extract_tb
from types import ModuleType
from typing import Any

from parlour.engine.errors import GameError, ParlourError, UnknownGameError
from parlour.engine.game import Game
from parlour.engine.game_finder import register_finder
from parlour.engine.packages import make_callable
from parlour.engine.simulation import determinized_games as determinized_games  # it registers itself
from parlour.engine.validation import shown

ORIGINAL = "original"
"""Name of the package, within a variation's package, of the original's modules with the variation's changes."""
GROUP = "parlour.games"
"""Entry-point group under which packages register games."""


@cache
def _packages() -> dict[str, str]:
    """Return the module name for each game id. An entry point cannot replace a game of this package."""
    built_in = {module.name.replace("_", "-"): f"{__name__}.{module.name}" for module in iter_modules(__path__)}
    return {entry.name: entry.value for entry in entry_points(group=GROUP)} | built_in


def game_ids() -> list[str]:
    """Return the ids of all games, sorted, without importing any of them."""
    return sorted(_packages())


@cache
def find_game(game_id: str) -> Game:
    """Return the game with this id.

    Raises:
        UnknownGameError: no game has this id; the message lists the known ids.
        GameError: the game cannot be loaded; the message gives the reason.
    """
    if game_id not in _packages():
        raise UnknownGameError(f"there is no game {shown(game_id)}; there are {', '.join(game_ids())}")
    module = _packages()[game_id]
    game = _load(lambda: import_module(module).GAME, game_id)
    if not isinstance(game, Game) or game.id != game_id:
        raise GameError(f"the game {game_id} cannot be loaded: GAME of {module} is no game of this id")
    return game


def _load(load: Callable[[], Any], game_id: str) -> Any:
    """Return what a function finds in a game's modules. Raises :class:`GameError` with the reason of a failure."""
    try:
        return load()
    except (Exception, SystemExit) as error:  # a foreign module may raise anything
        reason = f"{_place_of(error)}{error or type(error).__name__}"
        raise GameError(f"the game {game_id} cannot be loaded:\n{reason}") from error


def _place_of(error: BaseException) -> str:
    """Return the file and line of an error in a game's modules; empty if its message has them, or none is known."""
    if isinstance(error, ParlourError | SyntaxError):
        return ""
    frames = [each for each in extract_tb(error.__traceback__) if each.filename != __file__]
    own = [each for each in frames if not each.filename.startswith("<") and "importlib" not in each.filename]
    return f"{own[-1].filename}, line {own[-1].lineno}: " if own else ""


def all_games() -> list[Game]:
    """Return every game, ordered by id. A game that cannot be loaded is left out and reported on standard error."""
    return [game for game_id in game_ids() if (game := _game_or_none(game_id))]


def built_in_games() -> list[Game]:
    """Return the games of this package, ordered by id, without those of installed packages."""
    return [find_game(game_id) for game_id, module in sorted(_packages().items()) if module.startswith(f"{__name__}.")]


@cache
def _game_or_none(game_id: str) -> Game | None:
    try:
        return find_game(game_id)
    except ParlourError as error:
        print(error, file=sys.stderr, flush=True)
        return None


def folder_of(game_id: str) -> Traversable | None:
    """Return a game's folder, ``None`` if the game is a single file. Raises the exceptions of :func:`find_game`."""
    find_game(game_id)
    module = _packages()[game_id]
    return resources.files(module) if hasattr(sys.modules[module], "__path__") else None


def files_named(name: str) -> dict[str, bytes]:
    """Return the contents of the files of this name by game id, without importing any game."""
    found = {}
    for game_id, module in sorted(_packages().items()):
        with suppress(ImportError):  # a foreign package may be gone; find_game names the reason
            spec = find_spec(module)
            for folder in (spec.submodule_search_locations if spec else None) or ():
                file = Path(folder, name)
                if file.is_file():
                    found[game_id] = file.read_bytes()
    return found


def file_of(game_id: str, name: str) -> Traversable | None:
    """Return the file of this name in a game's folder, ``None`` if there is none."""
    folder = folder_of(game_id)
    file = folder.joinpath(name) if folder else None
    return file if file and file.is_file() else None


def module_of(game_id: str, name: str) -> ModuleType | None:
    """Return the module of this name in a game's folder, or in that of a variation's original; ``None`` without one.

    Raises the exceptions of :func:`find_game`.
    """
    if file_of(game_id, f"{name}.py"):
        return _import(f"{_packages()[game_id]}.{name}", game_id)
    original = find_game(game_id).variation_of
    has_one = original and file_of(original, f"{name}.py")
    return _import(f"{_packages()[game_id]}.{ORIGINAL}.{name}", game_id) if has_one else None


def _import(module: str, game_id: str) -> ModuleType:
    imported: ModuleType = _load(lambda: import_module(module), game_id)
    return imported


make_callable(__name__, game_ids)
register_finder(find_game)
copyreg.pickle(Game, lambda game: (find_game, (game.id,)))  # unpickled by id; every process finds the same games
