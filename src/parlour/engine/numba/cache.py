"""The on-disk cache of machine code: one folder for each game, and an index that several processes can write.

Numba chooses one cache folder per process, and judges whether code is stale by the file of the loop alone. These
classes replace the cache of single functions; other users of Numba in the process keep Numba's own cache.
"""

import functools
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    UserProvidedCacheLocator,
)
from parlour.folders import file_lock

PACKAGE = Path(__file__).parents[2]
"""The folder of the package ``parlour``."""

FolderFor = Callable[[Any], Path]
"""Returns the cache folder for the Numba types of a call's arguments."""
Announce = Callable[[Any], None]
"""Announces that the code for the Numba types of a call's arguments is about to be compiled."""


_DAMAGES = (EOFError, pickle.UnpicklingError)
"""Exceptions for a file whose content a power cut has left empty or incomplete."""


class Locator(UserProvidedCacheLocator):
    """The cache folder of one source file.

    For files of the package the path does not depend on where the package is installed, so that two installations of
    one version share their machine code.
    """

    def __init__(self, function: Any, file: str, folder: Path) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        place = Path(file).parent
        in_package = place.is_relative_to(PACKAGE)
        self._cache_path = str(folder / (place.name if in_package else self.get_suitable_cache_subpath(file)))


@dataclass(frozen=True)
class _LocatorFactory:
    """A factory of locators within one folder, used where Numba expects a locator class."""

    folder: Path

    def from_function(self, function: Any, file: str) -> Locator:
        locator = Locator(function, file, self.folder)
        locator.ensure_cache_path()
        return locator


class _CacheImpl(CompileResultCacheImpl):
    def __init__(self, function: Any, folder: Path) -> None:
        self._locator_classes = [_LocatorFactory(folder)]
        super().__init__(function)


class SharedIndex(IndexDataCacheFile):
    """A function's index of machine code, which only one process changes at a time.

    Numba reads an index, adds an entry and writes the index. Two processes that did this at the same time, for
    different argument types, would give their code the same file name, and one entry would refer to the other's code.
    """

    def load(self, key: Any) -> Any:
        """Return the machine code for a key; ``None`` if there is none, or its file or the index is damaged."""
        try:
            return super().load(key)
        except _DAMAGES:
            return None

    def save(self, key: Any, data: Any) -> None:
        """Add or replace the machine code for a key, under a file lock; on a full disk print a warning instead."""
        try:
            with file_lock(Path(self._index_path).with_suffix(".lock")):
                try:
                    super().save(key, data)
                except _DAMAGES:
                    self.flush()  # begin a new index
                    super().save(key, data)
        except OSError as error:
            _warn_once(f"Compiled code is not kept, for {self._index_path} cannot be written: {error.strerror}.")


@functools.cache
def _warn_once(warning: str) -> None:
    print(warning, file=sys.stderr, flush=True)


class _FolderCache(FunctionCache):
    """The cache of one function in one folder."""

    def __init__(self, function: Any, folder: Path) -> None:
        self._name, self._py_func = repr(function), function
        self._impl = _CacheImpl(function, folder)
        self._cache_path = self._impl.locator.get_cache_path()
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = SharedIndex(self._cache_path, self._impl.filename_base, stamp)
        self.enable()


class GameCache(NullCache):
    """The cache of one function, in a folder that depends on the types of the arguments.

    The cache reads and writes no file before the first call of the function.
    """

    def __init__(self, function: Any, folder_for: FolderFor, announce: Announce) -> None:
        self._function = function
        self._folder_for = folder_for
        self._announce = announce
        self._caches: dict[Path, _FolderCache] = {}

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the machine code for these argument types; or announce that it will be compiled, and return ``None``."""
        found = self._cache_for(sig).load_overload(sig, target_context)
        if found is None:
            self._announce(_types_of(sig))
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the machine code for these argument types."""
        self._cache_for(sig).save_overload(sig, data)

    def _cache_for(self, sig: Any) -> _FolderCache:
        folder = self._folder_for(_types_of(sig))
        if folder not in self._caches:
            self._caches[folder] = _FolderCache(self._function, folder)
        return self._caches[folder]


def _types_of(sig: Any) -> Any:
    """Return the argument types of a signature, or of a tuple of types."""
    return getattr(sig, "args", sig)
