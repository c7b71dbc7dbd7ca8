"""Source files on which a game's compiled functions depend: their modules, and what these import.

Changes in layouts or other games therefore do not invalidate a game's compiled code. Functions without a file, such as
those of a notebook, count by their code and the values that they use.
"""

import ast
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

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
    """Return the modules that a module imports; none for an extension module, whose file is machine code."""
    if file.suffix != ".py":
        return ()
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
    """Yield the code of those of these functions whose module has no source file, such as that of a notebook.

    The functions and values that they use count as well; a value of an unknown kind is different in each process.
    """
    waiting = [function for function in functions if isinstance(function, FunctionType) and not _has_file(function)]
    found = set[FunctionType]()
    while waiting:
        function = waiting.pop(0)
        if function in found:
            continue
        found.add(function)
        yield _text_of(function.__code__).encode()
        for value in _values_used(function):
            if not isinstance(value, FunctionType):
                yield _bytes_of(value)
            elif not _has_file(value):
                waiting.append(value)
            else:
                yield from (path.read_bytes() for path in files_behind([value]))


def _has_file(function: FunctionType) -> bool:
    return getattr(sys.modules.get(function.__module__), "__file__", None) is not None


def _text_of(code: CodeType) -> str:
    """Return the instructions, constants and names of a code object and of those within it."""
    constants = [_text_of(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
    return repr((code.co_code, constants, code.co_names, code.co_varnames))


def _values_used(function: FunctionType) -> Iterator[Any]:
    """Yield the globals, defaults and closure of a function."""
    waiting = [function.__code__]
    while waiting:
        code = waiting.pop()
        yield from (function.__globals__[name] for name in code.co_names if name in function.__globals__)
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]
    yield from function.__defaults__ or ()
    yield from (cell.cell_contents for cell in function.__closure__ or ())


def _bytes_of(value: Any) -> bytes:
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.str.encode() + value.tobytes()
    if value is None or isinstance(value, int | float | str | bytes | tuple):
        return repr(value).encode()
    return b"" if isinstance(value, ModuleType | type) else os.urandom(16)
