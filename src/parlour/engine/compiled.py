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
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy
import platformdirs
from numba.core import types
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    UserProvidedCacheLocator,
)
from numba.core.errors import NumbaError
from numba.extending import overload, register_jitable

from parlour.engine.attributes import with_attributes
from parlour.engine.errors import CompileError, GameError
from parlour.engine.linking import Linked, Whole
from parlour.engine.sources import files_behind
from parlour.folders import in_home, locked, make_private, temporary_folder

Function = TypeVar("Function", bound=Callable[..., Any])

_ENGINE = Path(__file__).parent
_PACKAGE = _ENGINE.parent
_INLINED = ("cards.py", "engine/*.py", "bots/*.py")
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


class _Locator(UserProvidedCacheLocator):  # type: ignore[misc]
    """Where the machine code of one source file is kept.

    The folder is named by what our own files hold, so it does not matter where this copy of them lies: another copy of
    the same version finds the code, too, and a game that is said to be ready is ready for all of them.
    """

    def __init__(self, function: Any, file: str, folder: Path) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        place = Path(file).parent
        ours = place.is_relative_to(_PACKAGE)
        self._cache_path = str(folder / (place.name if ours else self.get_suitable_cache_subpath(file)))


class _Kept(CompileResultCacheImpl):  # type: ignore[misc]
    def __init__(self, function: Any, folder: Path) -> None:
        self._locator_classes = [_In(folder)]
        super().__init__(function)


@dataclass(frozen=True)
class _In:
    """Finds where machine code is kept within a folder: what Numba takes for a class of locators."""

    folder: Path

    def from_function(self, function: Any, file: str) -> _Locator:
        found = _Locator(function, file, self.folder)
        found.ensure_cache_path()
        return found


class SharedIndex(IndexDataCacheFile):  # type: ignore[misc]
    """A function's index of machine code, which one process at a time changes.

    Numba reads an index, adds to it and writes it. Two processes at once, each with code for other arguments, would
    give both codes the same file name: the index would lead from one to the other's code.
    """

    def save(self, key: Any, data: Any) -> None:
        """Add machine code, or replace it."""
        with locked(Path(self._index_path).with_suffix(".lock")):
            super().save(key, data)


class _KeptOf(FunctionCache):  # type: ignore[misc]
    """The machine code of one function that is kept in one folder."""

    def __init__(self, function: Any, folder: Path) -> None:
        self._name, self._py_func = repr(function), function
        self._impl = _Kept(function, folder)
        self._cache_path = self._impl.locator.get_cache_path()
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = SharedIndex(self._cache_path, self._impl.filename_base, stamp)
        self.enable()


class _Cache(NullCache):  # type: ignore[misc]
    """The machine code that is kept of one function, each game's in a folder of its own.

    Nothing is looked for or written before the function is called.
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        self._of: dict[Path, _KeptOf] = {}

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        return self._for(sig).load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        self._for(sig).save_overload(sig, data)

    def _for(self, sig: Any) -> _KeptOf:
        folder = cache_folder(_states_in(getattr(sig, "args", sig)))
        if folder not in self._of:
            self._of[folder] = _KeptOf(self._function, folder)
        return self._of[folder]


def _states_in(arguments: Any) -> "numpy.dtype[Any] | None":
    """The type of the game's states among the types of a function's arguments, if there is one."""
    games = {fields for _, fields in _implementations}
    for argument in arguments:
        record = getattr(argument, "dtype", argument)
        if isinstance(record, types.Record) and tuple(record.fields) in games:
            return record.dtype
    return None


_named: list[types.Record] = []
"""The record types that have names of their own, kept for as long as the process lives."""


def named_type(dtype: "numpy.dtype[Any]") -> "numpy.dtype[Any]":
    """A type of records for rules, with attributes for the interpreter and a name that is the same in every process.

    Numba names a compiled function by the types of its arguments, and a record type by a number counted up in each
    process. Machine code that two processes kept for two games could so bear one name, and a third process that loaded
    both would run the one for the other. So our record types, and only they, are numbered by what they are.
    """
    record = numba.from_dtype(dtype)
    record._code = 1 << 30 | int.from_bytes(hashlib.sha256(record.name.encode()).digest()[:4]) >> 2
    _named.append(record)
    return with_attributes(dtype)


_LINKED = {"pipeline_class": Linked, "no_cfunc_wrapper": True}
"""How Numba is to compile what only compiled code calls."""


def rule(function: Function) -> Function:
    """Mark a function in Numba's subset that is interpreted from Python and inlined into compiled loops.

    It is given the arrays that it works on, and makes none: its caller holds them. So compiled it need not count who
    holds an array, which would take longer than most rules do.
    """
    return register_jitable(_nrt=False, **_LINKED)(function)  # type: ignore[no-any-return]


def rule_with_arrays(function: Function) -> Function:
    """Mark a rule that makes arrays, or calls one that does. Only compiled loops and such rules can call it."""
    return register_jitable(**_LINKED)(function)  # type: ignore[no-any-return]


unsigned = numpy.uintp
"""Makes an index that compiled code need not compare with 0, as it does for those that count from an array's end."""


def compiled(function: Function) -> Function:
    """Compile a loop over games on its first call, once for each state type, and keep it on disk.

    Releases the GIL, so that threads run such loops side by side. Where Numba is told to compile nothing
    (``NUMBA_DISABLE_JIT``), the loop is interpreted.
    """
    if numba.config.DISABLE_JIT:
        return function
    dispatcher = numba.njit(nogil=True, pipeline_class=Whole)(function)
    if not numba.config.DISABLE_JIT:
        dispatcher._cache = _Cache(function)
        dispatcher._compile_for_args = _telling(dispatcher._compile_for_args)
    return dispatcher  # type: ignore[no-any-return]


def machine_code(function: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """What a loop is compiled to for arguments of these types, which it must always be given.

    To look for the types takes a call of the loop itself a microsecond. Raises :class:`CompileError`.
    """
    if not hasattr(function, "_compile_for_args"):  # it is interpreted
        return function
    return function._compile_for_args(*arguments)  # type: ignore[no-any-return]


def _telling(compile_it: Callable[..., Any]) -> Callable[..., Any]:
    """Compile, and tell of a game's rule that cannot be: where and why, of the hundreds of lines that Numba says."""

    def compile_or_tell(*arguments: Any, **named: Any) -> Any:
        try:
            return compile_it(*arguments, **named)
        except NumbaError as error:
            if told := told_of_compiling(str(error), _folders_of_games()):
                raise CompileError(told) from error
            raise

    return compile_or_tell


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
    # as for rules, nobody counts who holds an array
    overload(look_up, jit_options={"_nrt": False, **_LINKED})(scope["typing"])
    return look_up  # type: ignore[return-value]
