"""Skeleton of a small playable game, as a package of its own: ``parlour new-game`` writes it."""

import re
import sys
from importlib import resources
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from parlour.engine.errors import GameError, ParlourError
from parlour.games import game_ids

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write_game(name: str, where: Path | None = None) -> Path:
    """Write the package into a new folder of the game's name; return the folder.

    Args:
        name: the game's id, lowercase letters, digits and hyphens.
        where: the parent folder, the current one by default.

    Raises:
        ParlourError: the name is invalid or taken, the folder exists, or it is not writable.
    """
    if not _NAME.fullmatch(name):
        raise GameError(f"{name!r} cannot be a game's id: small letters, digits and hyphens, such as my-game")
    if name in game_ids():
        raise GameError(f"there is a game {name} already")
    module, words = name.replace("-", "_"), name.split("-")
    if reason := _conflict(module):
        raise GameError(f"{name!r} cannot be a game's id, since its package would be called {module}: {reason}")
    prefix = "".join(word[0] for word in words)
    texts = {"ID": name, "MODULE": module, "TITLE": " ".join(words).title(), "PREFIX": prefix.upper(), "FIELD": prefix}
    folder = (where or Path.cwd()) / name
    try:
        (folder / module).mkdir(parents=True)
        for source in resources.files(__name__).joinpath("package").iterdir():
            inside = folder if source.name.startswith("pyproject") else folder / module
            text = re.sub(r"\$([A-Z]+)", lambda found: texts[found[1]], source.read_text(encoding="utf-8"))
            (inside / source.name.removesuffix(".txt")).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ParlourError(f"{folder} cannot be made: {error.strerror or error}") from None
    return folder


def _conflict(module: str) -> str:
    """Return why no package can have this name, or an empty string."""
    if iskeyword(module):
        return "that is a word of Python's own"
    spec = None if module in sys.stdlib_module_names else find_spec(module)
    if module in sys.stdlib_module_names or (spec and spec.origin):  # a namespace folder hides nothing
        return "there is a module of that name, which it would hide"
    return ""
