"""Decorators that compile the Python rules of games to machine code, and the on-disk cache of that code.

Rules are decorated with :func:`rule`: called from Python they are interpreted, called from compiled code they are
compiled into it. Loops over whole games are decorated with :func:`compiled`; only these are cached on disk.

Numba judges whether a cached function is stale by the function's own file and ignores the rules inlined into it.
Therefore the machine code for a game lies in a folder named by a hash of all sources that can be inlined: Parlour's
own, and the compiled parts of that game (:mod:`parlour.engine.sources`). This applies to Parlour's functions and types
only; other users of Numba in the same process keep Numba's own cache and type names.
"""

import functools
import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy
import platformdirs
from numba.core import types
from numba.extending import overload, register_jitable

from parlour.engine.compile_notice import announce_compilation
from parlour.engine.errors import GameError
from parlour.engine.numba.dispatcher import loop_dispatcher
from parlour.engine.numba.library import CALLED_OPTIONS, GENERIC_OPTIONS, RULE_OPTIONS, WITHOUT_ARRAYS
from parlour.engine.numba.records import number_by_content, with_attributes
from parlour.engine.sources import code_without_file, files_behind
from parlour.folders import home_subfolder, make_private, temporary_folder

Function = TypeVar("Function", bound=Callable[..., Any])

_ENGINE = Path(__file__).parent
_PACKAGE = _ENGINE.parent
_INLINED = (
    "cards.py",
    "engine/**/*.py",
    "bots/endgame.py",
    "bots/lookahead.py",
    "bots/tree.py",
    "contests/game_statistics.py",
    "learning/feature_summary.py",
    "learning/policy_loop.py",
)
"""Glob patterns, relative to the package, of the sources that can be inlined into the code for every game: those with
rules. The file of a loop itself need not be named, because Numba compares its date.
"""
_PLACE = re.compile(
    r'File "(?P<file>[^"]+)", line (?P<line>\d+):\s+def (?P<rule>\w+)'
    r"|^ *During: .* at (?P<at>\S+) \((?P<number>\d+)\)$",
    re.MULTILINE,
)
"""A place in Numba's messages: a file, a line, and the function if it is known."""
_NO_REASON = ("During:", "Failed in", "File", "-", "<", "def ", "raised from", "^")
"""Beginnings of the lines of Numba's messages that say nothing about the reason of a failure."""
_STALE_AFTER_DAYS = 30
_NAMED_BY_HASH = re.compile(r"[0-9a-f]{16}")


def source_hash(dtype: "numpy.dtype[Any] | None" = None) -> str:
    """Return a hash of all inputs of the compiled code for one game's states, or of code that depends on no game."""
    return _hash_for(() if dtype is None else dtype.names or ())


@functools.cache
def _hash_for(fields: tuple[str, ...]) -> str:
    """Return the hash for the game whose states have these fields."""
    digest = _common_digest().copy()
    functions = [function for (_, of), function in _implementations.items() if of == fields]
    for path in files_behind(functions):
        digest.update(path.name.encode() + path.read_bytes())
    for code in code_without_file(functions):
        digest.update(code)
    return str(digest.hexdigest()[:16])


@functools.cache
def _common_digest() -> Any:
    """Return a digest of the sources and versions that the code for every game depends on."""
    digest = hashlib.sha256(f"{numba.__version__} {numpy.__version__} {sys.version}".encode())
    for path in (path for pattern in _INLINED for path in sorted(_PACKAGE.glob(pattern))):
        digest.update(path.name.encode() + path.read_bytes())
    return digest


def _remove_stale(parent: Path, current: Path) -> None:
    """Delete the cache folders that have not been used for ``_STALE_AFTER_DAYS``; leave all other folders alone."""
    limit = time.time() - _STALE_AFTER_DAYS * 86400
    for folder in parent.iterdir():
        named_by_hash = _NAMED_BY_HASH.fullmatch(folder.name)
        if named_by_hash and folder != current and folder.is_dir() and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


def cache_folder(dtype: "numpy.dtype[Any] | None" = None) -> Path:
    """Return the cache folder for the machine code for one game's states, or for code that depends on no game.

    The environment variable ``PARLOUR_CACHE`` chooses another parent folder.

    The process executes the files it finds there, so no other user may have write access. If the folder is not
    private, the code goes to a temporary folder that lasts until this process ends and that its child processes share.
    Raises ``OSError`` if the temporary folder cannot be created or is not private either.
    """
    return _cache_folder(os.environ.get("PARLOUR_CACHE"), source_hash(dtype))


@functools.cache
def _cache_folder(chosen: str | None, hashed: str) -> Path:
    parent = Path(chosen) if chosen else home_subfolder(platformdirs.user_cache_dir) / "compiled"
    folder = parent / hashed
    if why := make_private(folder):
        warning = f"Compiled code is not kept, for {why}; name a folder that is yours alone with PARLOUR_CACHE."
        print(warning, file=sys.stderr, flush=True)
        temporary = temporary_folder()
        if why := make_private(temporary / hashed):
            raise OSError(f"there is no private folder for compiled code: {why}")
        os.environ["PARLOUR_CACHE"] = str(temporary)
        return _cache_folder(str(temporary), hashed)
    os.utime(folder)
    _remove_stale(parent, folder)
    return folder


def _cache_folder_for(arguments: Any) -> Path:
    """Return the cache folder of the game whose state type is among these Numba types, or that of no game."""
    return cache_folder(_states_in(arguments))


def _announce_for(arguments: Any) -> None:
    """Print that a game is being compiled, if the type of its states is among these Numba types."""
    if (states := _states_in(arguments)) is not None:
        announce_compilation(_titles[states.names or ()], cache_folder(states))


def _states_in(arguments: Any) -> "numpy.dtype[Any] | None":
    """Return the game's state type among the types of a function's arguments, or ``None``."""
    games = {fields for _, fields in _implementations}
    for argument in arguments:
        record = getattr(argument, "dtype", argument)
        if isinstance(record, types.Record) and tuple(record.fields) in games:
            return record.dtype
    return None


def named_type(dtype: "numpy.dtype[Any]") -> "numpy.dtype[Any]":
    """Return the record type for rules: fields are attributes, and the type's name in machine code is the same
    in all processes.
    """
    number_by_content(dtype)
    return with_attributes(dtype)


_folders_of_rules: set[str] = set()
"""The folders of all files with rules."""


def _mark(function: Function, options: dict[str, Any]) -> Function:
    """Mark a function as a rule, and note its folder."""
    file = function.__code__.co_filename
    if os.path.isabs(file):
        _folders_of_rules.add(f"{os.path.dirname(file)}{os.sep}")
    rule: Function = register_jitable(**options)(function)
    return rule


def rule(function: Function) -> Function:
    """Mark a function in Numba's subset that is interpreted from Python and compiled into the loops that call it.

    The rule must not create arrays, only use those among its arguments, so that its compiled form needs no reference
    counting.
    """
    return _mark(function, WITHOUT_ARRAYS | RULE_OPTIONS)


def inlined_rule(function: Function) -> Function:
    """Mark a rule that is inlined into compiled code at every call; only for inner loops, since it compiles slowly."""
    return _mark(function, GENERIC_OPTIONS)


def called_rule(function: Function) -> Function:
    """Mark a rule that compiled code calls instead of inlining it: long code that playouts rarely run.

    A rule below a function of the game's contract is inlined otherwise, at each of its calls; compilation takes longer.
    """
    return _mark(function, CALLED_OPTIONS)


def rule_with_arrays(function: Function) -> Function:
    """Mark a rule that creates arrays, or calls one that does. Only compiled loops and such rules can call it."""
    return _mark(function, RULE_OPTIONS)


unsigned = numpy.uintp
"""Convert an index to unsigned, so that compiled code skips the test for negative indices."""


def compiled(function: Function) -> Function:
    """Compile a loop over games on its first call, once for each state type, and keep it on disk.

    The loop releases the GIL, so that threads can run such loops in parallel. With ``NUMBA_DISABLE_JIT`` set, the loop
    is interpreted.
    """
    if numba.config.DISABLE_JIT:
        return function
    dispatcher: Function = loop_dispatcher(function, _cache_folder_for, _explanation, _announce_for)
    return dispatcher


def _explanation(message: str) -> str:
    """Return the error text for a game's rule that cannot be compiled; empty if the message names no such rule."""
    return innermost_failure(message, _folders_of_games())


def _folders_of_games() -> tuple[str, ...]:
    """Return the folders that contain the rules of games: those of hooks, and those of rules outside this package."""
    files = {Path(function.__code__.co_filename) for function in _implementations.values()}
    of_hooks = {f"{file.parent}{os.sep}" for file in files if file.is_absolute() and _ENGINE not in file.parents}
    return tuple(of_hooks | {folder for folder in _folders_of_rules if not _is_ours(folder)})


def _is_ours(file: str) -> bool:
    return file.startswith(f"{_PACKAGE}{os.sep}")


def innermost_failure(message: str, folders: tuple[str, ...]) -> str:
    """Extract from Numba's message the file, line, function and reason of the innermost failure in these folders.

    Numba reports a failure from the inside outward: the reason, and below it the file and the line, mostly with the
    function. A failure within an original's function, called by a clause of a variation, is a fault of the clause: a
    file outside this package is preferred. Returns an empty string if the message names no place in the folders.
    """
    found = list(_PLACE.finditer(message))
    places = [(os.path.abspath(each["file"] or each["at"]), each["line"] or each["number"]) for each in found]
    of_games = [place for place in places if place[0].startswith(folders)]
    if not of_games:
        return ""
    file, line = next((place for place in of_games if not _is_ours(place[0])), of_games[0])
    rules = [each["rule"] for each, place in zip(found, places, strict=True) if place == (file, line) and each["rule"]]
    reason = _reason_in(message[: found[0].start()])
    return f"{file}, line {line}{f', in {rules[0]}' if rules else ''}: this cannot be compiled: {reason}"


def _reason_in(message: str) -> str:
    """Return the reason of a failure, from the lines of Numba's message above the innermost place."""
    if "NRT required" in message:
        return "it makes a list, a dict or an array"
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    if calls := [line[4:] for line in lines if line.startswith(">>> ") and "Record(" not in line]:
        return f"there is no {calls[0]}"
    reasons = [line for line in lines if not line.startswith(_NO_REASON)]
    return reasons[-1] if reasons else "Numba gives no reason"


def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the Python function behind a compiled one."""
    return getattr(function, "py_func", function)


_implementations: dict[tuple[str, tuple[str, ...]], Callable[..., Any]] = {}
"""The implementations of generic functions, by function name and field names; no two games have the same field names.
"""


_titles: dict[tuple[str, ...], str] = {}
"""The titles of games by their states' field names."""


def give_title(dtype: numpy.dtype[Any], title: str) -> None:
    """Register the title of the game with states of this type, for the notice that it is being compiled."""
    _titles[dtype.names or ()] = title


def implement(name: str, dtype: numpy.dtype[Any], function: Callable[..., Any]) -> None:
    """Register ``function`` as the implementation of the generic function ``name`` for states of this type.

    Raises:
        GameError: another function is registered for the same field names, so two games have the same state fields.
    """
    known = _implementations.setdefault((name, dtype.names or ()), function)
    if known is not function:
        raise GameError(f"{name}: {known.__module__} and {function.__module__} have states with the same fields")


def implementation(name: str, dtype: numpy.dtype[Any]) -> Callable[..., Any]:
    """Return the implementation of the generic function ``name`` for states of this type."""
    return _implementations[name, dtype.names or ()]


@functools.cache
def _without_annotations(function: Callable[..., Any]) -> Callable[..., Any]:
    return FunctionType(function.__code__, function.__globals__, function.__name__)


def generic(declaration: Function) -> Function:
    """Return a function that dispatches to the game of its first argument, a state.

    Interpreted, it looks up the game at every call. Compiled, the record type selects the implementation, so that a
    caller is compiled once for each state type and can be cached on disk (functions passed as arguments cannot). The
    declaration's own body is never run; games implement it with the same argument names.
    """
    name = declaration.__name__

    def look_up(state: Any, *arguments: Any) -> Any:
        return _implementations[name, state.dtype.names](state, *arguments)

    def choose(state: Any) -> Any:
        fields = tuple(state.fields) if isinstance(state, types.Record) else ()
        chosen = _implementations.get((name, fields))
        return _without_annotations(chosen) if chosen else None

    # Numba requires the typing function to have the signature of the implementation.
    arguments = ", ".join(declaration.__code__.co_varnames[: declaration.__code__.co_argcount])
    scope: dict[str, Any] = {"choose": choose}
    exec(f"def typing({arguments}): return choose(state)", scope)
    functools.update_wrapper(look_up, declaration)
    overload(look_up, jit_options=GENERIC_OPTIONS)(scope["typing"])
    return cast("Function", look_up)
