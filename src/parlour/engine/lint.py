"""Lint a game for undefined names, unknown state fields and options without effect, before compiling.

An error names the file, line and function. When compiled, a misspelt field produces hundreds of lines from Numba, none
of which names the rule; when interpreted, it fails only once a game reaches the line.
"""

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType

import numpy as np

from parlour.engine.errors import GameError

_ENGINE = ("parlour.engine.", "parlour.cards")
_BESIDE_FIELDS = ("dtype",)
"""Attributes that every state has beside its fields."""


def check_names(functions: Iterable[FunctionType], dtype: "np.dtype[np.void]") -> None:
    """Check the names in these functions of a game, and in the game's own functions that they call.

    Raises:
        GameError: a field that states of this type do not have, or a name that the module does not define.
    """
    errors = [error for function in own_functions(functions) for error in _name_errors(function, dtype)]
    if errors:
        raise GameError("\n".join(errors))


def check_options(
    game_id: str,
    options: Iterable[str],
    setup: Callable[..., None],
    dtype: "np.dtype[np.void]",
) -> None:
    """Check that each option reaches the state, by a field of its name or by a ``setup`` that contains the name.

    A ``setup`` that iterates over the options passes for all of them.

    Raises:
        GameError: an option would be accepted and have no effect.
    """
    functions = own_functions([setup]) if isinstance(setup, FunctionType) else []
    texts = {text for function in functions for text in _strings_in(function)}
    generic = any({"items", "values"} & {*function.__code__.co_names} for function in functions)
    for option in () if generic else options:
        if option not in (dtype.names or ()) and option not in texts:
            own = f"{setup.__module__}.setup does not read it" if functions else "the game has no setup of its own"
            raise GameError(
                f"the option {option!r} of {game_id} has no effect: the state has no field of that name, and {own}"
            )


def _strings_in(function: FunctionType) -> Iterator[str]:
    """Yield the string literals of a function and the string constants that it uses."""
    waiting = [function.__code__]
    while waiting:
        code = waiting.pop()
        yield from (constant for constant in code.co_consts if isinstance(constant, str))
        named = (function.__globals__.get(name) for name in code.co_names)
        yield from (value for value in named if isinstance(value, str))
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def own_functions(functions: Iterable[FunctionType]) -> list[FunctionType]:
    """Return those of the functions that are outside the engine, and the functions of their packages that they call.

    Calls count whether they are direct or through other functions.
    """
    waiting = [function for function in functions if not function.__module__.startswith(_ENGINE)]
    packages, found = {_package_of(function) for function in waiting}, dict[FunctionType, None]()
    while waiting:
        function = waiting.pop(0)
        if function not in found:
            found[function] = None
            named = (function.__globals__.get(name) for name in function.__code__.co_names)
            called = (each for each in named if isinstance(each, FunctionType) and _package_of(each) in packages)
            waiting += [each for each in called if not each.__module__.startswith(_ENGINE)]
    return list(found)


def _package_of(function: FunctionType) -> str:
    return function.__module__.split(".")[0]


def _name_errors(function: FunctionType, dtype: "np.dtype[np.void]") -> Iterator[str]:
    """Yield the errors of one function. Its source is parsed only if its code object has an unknown name."""
    fields, known = (*(dtype.names or ()), *_BESIDE_FIELDS), {*function.__globals__, *vars(builtins)}
    if known.union(fields).issuperset(function.__code__.co_names):
        return
    file = Path(function.__code__.co_filename)
    nodes = list(ast.walk(node_of(file, function.__code__.co_firstlineno)))
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known |= bound.union(function.__code__.co_freevars)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "state":
            if node.attr not in fields:
                yield _error_text(file, node, function, f"a state has no field {node.attr!r}", node.attr, fields)
        elif isinstance(node, ast.Name) and node.id in function.__code__.co_names and node.id not in known:
            yield _error_text(file, node, function, f"{node.id!r} is not defined", node.id, known)


def _error_text(file: Path, node: ast.expr, function: FunctionType, what: str, name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, known, 1)
    meant = f"; is {close[0]!r} meant?" if close else ""
    return f"{file}, line {node.lineno}, in {function.__name__}: {what}{meant}"


def node_of(file: Path, line: int) -> ast.AST:
    """Return the node of the function that begins on this line, its decorators included."""
    for node in ast.walk(_parsed(file)):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            if first == line:
                return node
    return ast.Module([], [])


@cache
def _parsed(file: Path) -> ast.AST:
    try:
        return ast.parse(file.read_text(encoding="utf-8"))
    except (OSError, SyntaxError):  # the function was typed at a prompt
        return ast.Module([], [])
