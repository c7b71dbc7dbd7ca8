"""Thread pools. Searching bots have their own, so they can delay only each other.

An address that opens many tables of searching bots has at most half of that pool, and others' bots take turns with its
bots. The threads have a lower priority than the one that answers people.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from parlour.server.table.answer_timing import Pace
from parlour.server.table.readiness import Readiness
from parlour.server.table.turns import Turns

THINKERS = max(4, os.cpu_count() or 1)
"""Size of the bots' pool. One move may take a second."""
THINKERS_EACH = THINKERS // 2
"""How many threads of this pool one address has at most."""
_NICE = 5
HELPERS = max(2, os.cpu_count() or 1)

Answer = TypeVar("Answer")


def stand_back(nice: int = 10) -> None:
    """Lower the priority of this thread (Linux gives each thread its own)."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)


class Services:
    """What the tables of a server share: threads, the games that are ready for those who look ahead, and the time.

    Attributes:
        readiness: which games' searches are compiled.
        pace: when bots answer.
        now: seconds from some beginning, never set back.
        follow: is told of a table's state in which a person has acted.
    """

    def __init__(self) -> None:
        self.readiness = Readiness()
        self.pace = Pace()
        self._thinkers = ThreadPoolExecutor(THINKERS, "thinker", partial(stand_back, _NICE))
        self._turns = Turns(THINKERS, THINKERS_EACH)
        self._helpers = ThreadPoolExecutor(HELPERS, "helper")
        self._awaited: set[asyncio.Future[Any]] = set()
        self._stopped = False
        self.now: Callable[[], float] = time.monotonic
        self.follow: Callable[[Any], None] = lambda state: None

    async def thought(self, host: str, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Let a bot think at a table of this host (:attr:`TableState.host`), when it is the host's turn."""
        async with self._turns.place(host):
            return await self._answer(self._thinkers, function, *arguments)

    async def helped(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Do what people wait for: play a game again, find out what an action told."""
        return await self._answer(self._helpers, function, *arguments)

    async def rest(self, seconds: float) -> None:
        """Wait, unless there is nothing to wait for or all is to end."""
        if seconds > 0:
            await self._awaiting(lambda: asyncio.ensure_future(asyncio.sleep(seconds)))

    async def _answer(self, threads: Executor, function: Callable[..., Answer], *arguments: Any) -> Answer:
        loop = asyncio.get_running_loop()
        return await self._awaiting(lambda: loop.run_in_executor(threads, function, *arguments))

    async def _awaiting(self, begin: Callable[[], asyncio.Future[Answer]]) -> Answer:
        """Begin something, and wait for it; it is given up when all is to end."""
        if self._stopped:
            raise asyncio.CancelledError
        answer = begin()
        self._awaited.add(answer)
        answer.add_done_callback(self._awaited.discard)
        return await answer

    async def stop(self) -> None:
        """Begin nothing more, and let nobody wait for what is being worked out: it is of no use any more."""
        self._stopped = True
        for answer in list(self._awaited):
            answer.cancel()
        for threads in (self._thinkers, self._helpers):
            threads.shutdown(wait=False, cancel_futures=True)
        await self.readiness.stop()
