"""What turns the rules, plain Python, into machine code, and keeps it between processes.

Rules are decorated with :func:`rule`: called from Python they are interpreted, called from compiled code they are
compiled into it. Loops over whole games are decorated with :func:`compiled`; only these are cached on disk.

Numba decides whether a cached function is stale by the file it stands in, not by the rules that were inlined into it.
So the code for a game lives in a folder named by a hash of all the sources that can be inlined: the house's, and the
compiled parts of that game (:mod:`parlour.engine.sources`). All of this is for our own functions and types: whatever
else uses Numba in this process has its cache, and its names, as if we were not here.
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
from typing import Any, TypeVar

import numba
import numpy
import platformdirs
from numba.core import types
from numba.extending import overload, register_jitable

from parlour.engine.errors import GameError
from parlour.engine.numba.dispatcher import loop_dispatcher
from parlour.engine.numba.library import GENERIC_OPTIONS, RULE_OPTIONS, WITHOUT_ARRAYS
from parlour.engine.numba.records import number_by_content, with_attributes
from parlour.engine.sources import files_behind
from parlour.folders import in_home, make_private, temporary_folder

Function = TypeVar("Function", bound=Callable[..., Any])

_ENGINE = Path(__file__).parent
_PACKAGE = _ENGINE.parent
_INLINED = ("cards.py", "engine/*.py", "engine/numba/*.py", "bots/*.py")
"""What can be inlined into the code for every game."""
_STALE_AFTER_DAYS = 30
_NAMED_BY_HASH = re.compile(r"[0-9a-f]{16}")


def source_hash(dtype: "numpy.dtype[Any] | None" = None) -> str:
    """A hash of everything that decides what the compiled code is, for the states of one game or for no game."""
    return _hash_for(() if dtype is None else dtype.names or ())


@functools.cache
def _hash_for(fields: tuple[str, ...]) -> str:
    """The hash for the game whose states have these fields."""
    digest = _house_digest().copy()
    for path in files_behind(function for (_, of), function in _implementations.items() if of == fields):
        digest.update(path.name.encode() + path.read_bytes())
    return str(digest.hexdigest()[:16])


@functools.cache
def _house_digest() -> Any:
    digest = hashlib.sha256(f"{numba.__version__} {numpy.__version__} {sys.version}".encode())
    for path in (path for pattern in _INLINED for path in sorted(_PACKAGE.glob(pattern))):
        digest.update(path.name.encode() + path.read_bytes())
    return digest


def _remove_stale(parent: Path, current: Path) -> None:
    """Forget the machine code of sources that have not been run for a month, and nothing else that may lie there."""
    limit = time.time() - _STALE_AFTER_DAYS * 86400
    for folder in parent.iterdir():
        ours = _NAMED_BY_HASH.fullmatch(folder.name)
        if ours and folder != current and folder.is_dir() and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


def cache_folder(dtype: "numpy.dtype[Any] | None" = None) -> Path:
    """Where machine code of these sources is kept, for one game's states or for no game.

    ``PARLOUR_CACHE`` chooses another parent folder.

    What is found there is run, so it must be a folder that nobody else can write. Without one, compiled code is kept
    until this process ends, and shared with those it starts. Raises ``OSError`` if there is no folder at all.
    """
    return _cache_folder(os.environ.get("PARLOUR_CACHE"), source_hash(dtype))


@functools.cache
def _cache_folder(chosen: str | None, hashed: str) -> Path:
    parent = Path(chosen) if chosen else in_home(platformdirs.user_cache_dir) / "compiled"
    folder = parent / hashed
    if why := make_private(folder):
        told = f"Compiled code is not kept, for {why}; name a folder that is yours alone with PARLOUR_CACHE."
        print(told, file=sys.stderr, flush=True)
        os.environ["PARLOUR_CACHE"] = str(temporary_folder())
        return _cache_folder(os.environ["PARLOUR_CACHE"], hashed)
    os.utime(folder)
    _remove_stale(parent, folder)
    return folder


def _cache_folder_for(arguments: Any) -> Path:
    """The cache folder of the game whose states are among these Numba types, or of no game."""
    return cache_folder(_states_in(arguments))


def _states_in(arguments: Any) -> "numpy.dtype[Any] | None":
    """The type of the game's states among the types of a function's arguments, if there is one."""
    games = {fields for _, fields in _implementations}
    for argument in arguments:
        record = getattr(argument, "dtype", argument)
        if isinstance(record, types.Record) and tuple(record.fields) in games:
            return record.dtype
    return None


def named_type(dtype: "numpy.dtype[Any]") -> "numpy.dtype[Any]":
    """A record type for rules: fields as attributes, and the same name in the machine code of every process."""
    number_by_content(dtype)
    return with_attributes(dtype)


def rule(function: Function) -> Function:
    """Mark a function in Numba's subset that is interpreted from Python and inlined into compiled loops.

    The rule works on the arrays that it is given and creates none, so that its compiled form counts no references.
    """
    return register_jitable(**WITHOUT_ARRAYS, **RULE_OPTIONS)(function)  # type: ignore[no-any-return]


def rule_with_arrays(function: Function) -> Function:
    """Mark a rule that makes arrays, or calls one that does. Only compiled loops and such rules can call it."""
    return register_jitable(**RULE_OPTIONS)(function)  # type: ignore[no-any-return]


unsigned = numpy.uintp
"""Makes an index that compiled code need not compare with 0, as it does for those that count from an array's end."""


def compiled(function: Function) -> Function:
    """Compile a loop over games on its first call, once for each state type, and keep it on disk.

    Releases the GIL, so that threads run such loops side by side. Where Numba is told to compile nothing
    (``NUMBA_DISABLE_JIT``), the loop is interpreted.
    """
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = loop_dispatcher(function, _cache_folder_for, _explanation)
    return dispatcher  # type: ignore[no-any-return]


def _explanation(message: str) -> str:
    """The sentence for a rule of a game that cannot be compiled, or nothing if the message names no rule of a game."""
    return told_of_compiling(message, _folders_of_games())


def _folders_of_games() -> tuple[str, ...]:
    """Where the rules of games lie."""
    files = {Path(function.__code__.co_filename) for function in _implementations.values()}
    return tuple({f"{file.parent}{os.sep}" for file in files if file.is_absolute() and file.parent != _ENGINE})


def told_of_compiling(message: str, folders: tuple[str, ...]) -> str:
    """Where a rule cannot be compiled and why, of all that Numba says: the innermost place in one of these folders.

    Numba tells a failure from the inside outward: why, and below that the file, the line and the function.
    """
    for found in re.finditer(r'File "(?P<file>[^"]+)", line (?P<line>\d+):\s+def (?P<rule>\w+)', message):
        file = os.path.abspath(found["file"])
        if file.startswith(folders):
            why = [line.strip() for line in message[: found.start()].splitlines() if line.strip()]
            reasons = [line for line in why if not line.startswith(("During:", "Failed in", "File", "-", "<", "def "))]
            reason = reasons[-1] if reasons else "Numba says no more"
            return f"{file}, line {found['line']}, in {found['rule']}: this cannot be compiled: {reason}"
    return ""


def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


_implementations: dict[tuple[str, tuple[str, ...]], Callable[..., Any]] = {}
"""What a generic function does, by its name and the names of the state's fields, which are every game's own."""


def implement(name: str, dtype: numpy.dtype[Any], function: Callable[..., Any]) -> None:
    """Let the generic function ``name`` do ``function`` for states of this type.

    Raises:
        GameError: another function is registered for the same state type, that is, two games' states look alike.
    """
    known = _implementations.setdefault((name, dtype.names or ()), function)
    if known is not function:
        raise GameError(f"{name}: {known.__module__} and {function.__module__} have states with the same fields")


@functools.cache
def _without_annotations(function: Callable[..., Any]) -> Callable[..., Any]:
    return FunctionType(function.__code__, function.__globals__, function.__name__)


def generic(declaration: Function) -> Function:
    """A function whose first argument is a state and which does what that state's game says.

    Interpreted it looks the game up at every call; compiled it is chosen by the record type, so that a caller is
    compiled once for each state type and its cache outlives the process (functions passed as arguments would not).
    The declaration's own body is never run; games implement it with the same argument names.
    """
    name = declaration.__name__

    def look_up(state: Any, *arguments: Any) -> Any:
        return _implementations[name, state.dtype.names](state, *arguments)

    def choose(state: Any) -> Any:
        fields = tuple(state.fields) if isinstance(state, types.Record) else ()
        chosen = _implementations.get((name, fields))
        return _without_annotations(chosen) if chosen else None

    # Numba wants the typing function to have the same signature as what it chooses.
    arguments = ", ".join(declaration.__code__.co_varnames[: declaration.__code__.co_argcount])
    scope: dict[str, Any] = {"choose": choose}
    exec(f"def typing({arguments}): return choose(state)", scope)
    functools.update_wrapper(look_up, declaration)
    overload(look_up, jit_options=GENERIC_OPTIONS)(scope["typing"])
    return look_up  # type: ignore[return-value]
