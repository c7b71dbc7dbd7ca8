"""What addresses have used up, and how many connections they hold: in memory that several processes may share.

It is small, of a fixed size, and speaks of addresses by keyed hashes alone.
"""

import hashlib
import mmap
import multiprocessing.reduction
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

import numpy as np

CONNECTIONS = 4000
"""Maximum number of connections counted in one process."""
_SETS, _WAYS = 4096, 8
"""Size of the table of used-up limits, in sets of entries; the least recently used entry of a set is forgotten."""
_BUCKET = np.dtype([("key", np.uint64), ("left", np.float64), ("when", np.float64)])
_SECRET_BYTES = 16


class _Drawn(Protocol):
    @property
    def burst(self) -> float: ...

    def draw(self, left: float, seconds: float) -> tuple[float, int]: ...

    def use_up(self, number: int, left: float, seconds: float) -> tuple[float, int]: ...


class Ledger:
    """Token buckets by name, and for each process the addresses of the connections it holds.

    With several ``processes`` it is shared: a process that is started with it as an argument sees the same memory. A
    process that dies leaves nothing locked, for the kernel lets go of its locks, and its row is cleared when it is
    started again.
    """

    def __init__(self, processes: int = 1) -> None:
        self._processes = processes
        self._file = os.memfd_create("parlour-limits") if processes > 1 else -1
        if self._file >= 0:
            os.ftruncate(self._file, self._size())
        self._map()
        self._memory[:_SECRET_BYTES] = secrets.token_bytes(_SECRET_BYTES)
        self._secret = bytes(self._memory[:_SECRET_BYTES])

    def _size(self) -> int:
        return _SECRET_BYTES + _SETS * _WAYS * _BUCKET.itemsize + self._processes * CONNECTIONS * 8

    def _map(self) -> None:
        self._memory = mmap.mmap(self._file, self._size())
        self._secret = bytes(self._memory[:_SECRET_BYTES])
        buckets = np.frombuffer(self._memory, _BUCKET, _SETS * _WAYS, _SECRET_BYTES)
        self._buckets = buckets.reshape(_SETS, _WAYS)
        held = np.frombuffer(self._memory, np.uint64, offset=_SECRET_BYTES + buckets.nbytes)
        self._held = held.reshape(self._processes, CONNECTIONS)

    def __getstate__(self) -> dict[str, Any]:
        return {"processes": self._processes, "file": multiprocessing.reduction.DupFd(self._file)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._processes, self._file = state["processes"], state["file"].detach()
        self._map()

    def take(self, name: str, rate: _Drawn) -> int:
        """Use a bucket once; 0 if that may be, otherwise after how many seconds it may."""
        return self._draw(name, rate.burst, rate.draw)

    def use_up(self, name: str, rate: _Drawn, number: int) -> None:
        """Use a bucket so many times, or as often as that may be: it has been done already."""
        self._draw(name, rate.burst, partial(rate.use_up, number))

    def _draw(self, name: str, full: float, draw: Callable[[float, float], tuple[float, int]]) -> int:
        key = self._key(name)
        ways = self._buckets[int(key) % _SETS]
        with self._alone():
            now = time.monotonic()  # the same clock in all processes
            found = np.flatnonzero(ways["key"] == key)
            at = int(found[0]) if found.size else int(ways["when"].argmin())
            left = float(ways["left"][at]) if found.size else full
            left, wait = draw(left, now - float(ways["when"][at]))
            ways[at] = key, left, now
        return wait

    def held(self, address: str) -> int:
        """How many connections an address holds in all processes."""
        return int(np.count_nonzero(self._held == self._key(address)))

    def hold(self, process: int, slot: int, address: str) -> None:
        """Write down that a connection of a process is an address's."""
        self._held[process, slot] = self._key(address)

    def let_go(self, process: int, slot: int) -> None:
        """Write down that it is nobody's any more."""
        self._held[process, slot] = 0

    def clear(self, process: int) -> None:
        """Write down that a process holds no connections."""
        self._held[process] = 0

    def _key(self, name: str) -> np.uint64:
        digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, key=self._secret).digest()
        return np.uint64(int.from_bytes(digest) or 1)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep the other processes from the buckets meanwhile; each process has one thread that uses them."""
        if self._file < 0:
            yield
            return
        import fcntl  # where memory is shared there is Linux

        fcntl.lockf(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)
