"""Which files decide what a game's compiled functions are: those that they stand in, and what these import.

So a word in a layout makes no compiled code stale, nor does a change of another game.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

_BELOW = ("parlour.engine", "parlour.cards", "numba", "numpy", *sys.stdlib_module_names)
"""What is the same for all games, or has a version of its own."""


def files_behind(functions: Iterable[Callable[..., Any]]) -> list[Path]:
    """The source files of these functions, and of all modules that those import, directly or not; the engine's not."""
    waiting, found = [function.__module__ for function in functions], dict[str, Path]()
    while waiting:
        module = waiting.pop()
        file = getattr(sys.modules.get(module), "__file__", None)
        if file and module not in found and not _is_below(module):
            found[module] = Path(file)
            waiting += _imports(module, Path(file))
    return sorted(set(found.values()))


def _is_below(module: str) -> bool:
    return any(module == below or module.startswith(f"{below}.") for below in _BELOW)


@cache
def _imports(module: str, file: Path) -> tuple[str, ...]:
    """The modules that a module names in its imports."""
    package = getattr(sys.modules[module], "__package__", None) or module
    return tuple(name for node in ast.walk(ast.parse(file.read_bytes())) for name in _named(node, package))


def _named(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
        source = ".".join(part for part in (base, node.module) if part)
        within = [f"{source}.{alias.name}" for alias in node.names]
        yield from (name if name in sys.modules else source for name in within)
