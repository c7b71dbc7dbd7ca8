"""Source files on which a game's compiled functions depend: their modules, and what these import.

Changes in layouts or other games therefore do not invalidate a game's compiled code. Modules without a file, such as
that of a notebook, count by their functions and the constants that these use.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

_BELOW = ("parlour.engine", "parlour.cards", "numba", "numpy", *sys.stdlib_module_names)
"""Modules excluded from the search: common to all games, or with a version of their own."""


def files_behind(functions: Iterable[Callable[..., Any]]) -> list[Path]:
    """Return the source files of these functions and of all modules that they import, except the engine's.

    Imports count whether they are direct or through other modules. A variation assigns functions to modules that do not
    import them, so the modules that define a module's functions count as imported, too.
    """
    waiting, found = [function.__module__ for function in functions], dict[str, Path]()
    while waiting:
        module = waiting.pop()
        file = getattr(sys.modules.get(module), "__file__", None)
        if file and module not in found and not _is_below(module):
            found[module] = Path(file)
            waiting += _imports(module, Path(file))
            waiting += {
                value.__module__ for value in vars(sys.modules[module]).values() if isinstance(value, FunctionType)
            }
    return sorted(set(found.values()))


def _is_below(module: str) -> bool:
    return any(module == below or module.startswith(f"{below}.") for below in _BELOW)


@cache
def _imports(module: str, file: Path) -> tuple[str, ...]:
    """Return the modules that a module imports."""
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


def code_without_file(functions: Iterable[Callable[..., Any]]) -> Iterator[bytes]:
    """Yield the code of the modules without a source file that define these functions, such as that of a notebook."""
    for name in sorted({function.__module__ for function in functions}):
        module = sys.modules.get(name)
        if module is not None and getattr(module, "__file__", None) is None:
            for _, value in sorted(vars(module).items()):
                if isinstance(value, FunctionType) and value.__module__ == name:
                    yield from _code_and_constants(value.__code__, value.__globals__)


def _code_and_constants(code: CodeType, known: Mapping[str, Any]) -> Iterator[bytes]:
    yield code.co_code + repr((code.co_name, code.co_names, code.co_varnames)).encode()
    for value in (*code.co_consts, *(known.get(name) for name in code.co_names)):
        if isinstance(value, CodeType):
            yield from _code_and_constants(value, known)
        elif isinstance(value, int | float | str | tuple):
            yield repr(value).encode()
