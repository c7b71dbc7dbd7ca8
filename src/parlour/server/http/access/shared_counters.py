"""Token buckets of rate limits, and counts of open connections by address, in memory that several processes can share.

The memory has a fixed size, and contains addresses only as keyed hashes.
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
from typing import Any

import numpy as np

from parlour.server.http.access.rate import Rate

CONNECTIONS = 4000
"""Maximum number of connections counted in one process."""
_SETS, _WAYS = 4096, 8
"""Size of the hash table of token buckets: the number of sets, and of the entries of a set. A new entry replaces the
least recently used one of its set.
"""
_BUCKET = np.dtype([("key", np.uint64), ("left", np.float64), ("when", np.float64)])
_SECRET_BYTES = 16


class SharedCounters:
    """Token buckets by name, and the address of each connection of each process.

    With several ``processes``, all that get the object as an argument share its memory. The kernel releases the lock of
    a process that dies; :meth:`clear` frees the connection slots of the process when it starts again.
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

    def take(self, name: str, rate: Rate, number: int = 1) -> int:
        """Take a number of tokens. Return 0, or the seconds until there are enough."""
        return self._draw(name, rate.burst, partial(rate.draw, number))

    def look(self, name: str, rate: Rate) -> int:
        """Return the seconds until there is a token, 0 if there is one, and take none."""
        return self._draw(name, rate.burst, partial(rate.look, 1))

    def use_up(self, name: str, rate: Rate, number: int) -> None:
        """Take a number of tokens, or all that are left, for uses at another server."""
        self._draw(name, rate.burst, partial(rate.use_up, number))

    def _draw(self, name: str, full: float, draw: Callable[[float, float], tuple[float, int]]) -> int:
        key = self._key(name)
        ways = self._buckets[int(key) % _SETS]
        with self._lock_buckets():
            now = time.monotonic()  # the same clock in all processes
            matching = np.flatnonzero(ways["key"] == key)
            at = int(matching[0]) if matching.size else int(ways["when"].argmin())
            left = float(ways["left"][at]) if matching.size else full
            left, wait = draw(left, now - float(ways["when"][at]))
            ways[at] = key, left, now
        return wait

    def held(self, address: str) -> int:
        """Return the number of an address's connections in all processes."""
        return int(np.count_nonzero(self._held == self._key(address)))

    def hold(self, process: int, number: int, address: str) -> None:
        """Assign a connection slot of a process to an address."""
        self._held[process, number] = self._key(address)

    def release(self, process: int, number: int) -> None:
        """Mark a connection slot of a process as free."""
        self._held[process, number] = 0

    def clear(self, process: int) -> None:
        """Mark all connection slots of a process as free."""
        self._held[process] = 0

    def _key(self, name: str) -> np.uint64:
        digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, key=self._secret).digest()
        return np.uint64(int.from_bytes(digest) or 1)

    @contextmanager
    def _lock_buckets(self) -> Iterator[None]:
        """Lock the buckets against other processes; within a process only one thread uses them."""
        if self._file < 0:
            yield
            return
        import fcntl  # missing on some systems; shared memory needs Linux

        fcntl.lockf(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)
