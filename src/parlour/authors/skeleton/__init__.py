"""Templates of packages: a small playable game (``parlour new-game``), and a variation (``parlour new-variation``)."""

import ast
import re
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import resources
from importlib.util import find_spec
from inspect import getsource
from keyword import iskeyword
from pathlib import Path
from textwrap import dedent

from parlour.authors.variation import replaceable
from parlour.engine.errors import GameError, ParlourError
from parlour.engine.game import Game
from parlour.games import find_game, game_ids

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write_game(name: str, where: Path | None = None) -> Path:
    """Write the package of a small game into a new folder of the game's name; return the folder.

    Args:
        name: the game's id, lowercase letters, digits and hyphens.
        where: the parent folder, the current one by default.

    Raises:
        ParlourError: the name is invalid or taken, the folder exists, or it is not writable.
    """
    return _write("package", _texts(name), where)


def write_variation(game_id: str, name: str, changed: Sequence[str] = (), where: Path | None = None) -> Path:
    """Write the package of a variation into a new folder of its name; return the folder.

    Args:
        game_id: the original's id.
        name: the variation's id, lowercase letters, digits and hyphens.
        changed: the names of the original's functions that are copied into the package to be changed; by default
            ``score``.
        where: the parent folder, the current one by default.

    Raises:
        ParlourError: there is no such game or function, the name is invalid or taken, the folder exists, or it is not
            writable.
    """
    original = find_game(game_id)
    imports, functions = _copy_functions(original, changed or ("score",))
    about = {"ORIGINALID": game_id, "ORIGINALTITLE": original.title, "IMPORTS": imports, "FUNCTIONS": functions}
    return _write("variation", _texts(name) | about, where)


def _texts(name: str) -> dict[str, str]:
    """Return the texts that replace the marks of a template. Raises :class:`GameError` for an invalid name."""
    if not _NAME.fullmatch(name):
        raise GameError(f"{name!r} cannot be a game's id: small letters, digits and hyphens, such as my-game")
    if name in game_ids():
        raise GameError(f"there is a game {name} already")
    module, words = name.replace("-", "_"), name.split("-")
    if reason := _conflict(module):
        raise GameError(f"{name!r} cannot be a game's id, since its package would be called {module}: {reason}")
    prefix = "".join(word[0] for word in words)
    return {"ID": name, "MODULE": module, "TITLE": " ".join(words).title(), "PREFIX": prefix.upper(), "FIELD": prefix}


def _write(template: str, texts: Mapping[str, str], where: Path | None) -> Path:
    """Write the files of a template into a new folder; return the folder. Raises :class:`ParlourError`."""
    folder = (where or Path.cwd()) / texts["ID"]
    try:
        folder.mkdir(parents=True)
        (folder / texts["MODULE"]).mkdir()
        for source in resources.files(__name__).joinpath(template).iterdir():
            inside = folder if source.name.startswith("pyproject") else folder / texts["MODULE"]
            text = re.sub(r"\$([A-Z]+)", lambda found: texts[found[1]], source.read_text(encoding="utf-8"))
            (inside / source.name.removesuffix(".txt")).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ParlourError(f"{folder} cannot be created: {error.strerror or error}") from None
    return folder


def _copy_functions(original: Game, names: Sequence[str]) -> tuple[str, str]:
    """Return the sources of functions of a game, and the imports that they need. Raises :class:`GameError`."""
    known, places, sources = replaceable(original), dict[str, str](), list[str]()
    for name in names:
        if name not in known:
            close = get_close_matches(name, known, 1)
            meant = f"; is {close[0]!r} meant?" if close else ""
            raise GameError(f"{original.title} has no function {name!r} that can be replaced{meant}")
        function, source = known[name], dedent(getsource(known[name]))
        sources.append(source.strip())
        used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
        for each in used & function.__globals__.keys() - set(names):
            module = getattr(function.__globals__[each], "__module__", None) or function.__module__
            places.setdefault(each, module if module.startswith("parlour.") else function.__module__)
    modules = {module: sorted(name for name in places if places[name] == module) for module in places.values()}
    lines = [f"from {module} import {', '.join(modules[module])}" for module in sorted(modules)]
    return "\n".join(lines), "\n\n\n".join(sources)


def _conflict(module: str) -> str:
    """Return why no package can have this name, or an empty string."""
    if iskeyword(module):
        return "that is a word of Python's own"
    spec = None if module in sys.stdlib_module_names else find_spec(module)
    if module in sys.stdlib_module_names or (spec and spec.origin):  # a namespace folder hides nothing
        return "there is a module of that name, which it would hide"
    return ""
