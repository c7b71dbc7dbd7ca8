"""Shared services of a server's tables: thread pools, compiled searches, answer times and the clock.

Searching bots have a thread pool of their own, so that they delay only each other. Its threads have a lower priority
than the event loop. While a single bot thinks, its search uses all cores. Another pool computes replays, results and
other answers for people who wait. One address uses at most half of each pool, and addresses take turns.
"""

import asyncio
import contextvars
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from typing import Any, TypeVar

from parlour.bots.search_threads import SearchThreads
from parlour.server.table.bots.answer_timing import AnswerTiming
from parlour.server.table.bots.readiness import Readiness
from parlour.server.turns import Turns

THINKERS = max(4, os.cpu_count() or 1)
"""Number of threads for bots. One decision may take a second."""
THINKERS_EACH = THINKERS // 2
"""Maximum number of these threads for one address."""
_NICE = 5
HELPERS = max(2, os.cpu_count() or 1)
"""Number of threads for replays, results and other work for people who wait."""
HELPERS_EACH = HELPERS // 2
"""Maximum number of these threads for one address."""
THE_ROOM = ""
"""The host of work for all visitors of the room, such as the lobby."""

Answer = TypeVar("Answer")


def lower_priority(nice: int = 10) -> None:
    """Lower the priority of this thread (Linux gives each thread its own)."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)


def _call_within(context: AbstractContextManager[None], function: Callable[..., Answer], *arguments: Any) -> Answer:
    with context:
        return function(*arguments)


def _release_in(loop: asyncio.AbstractEventLoop, release: Callable[[], None], called: Future[Any]) -> None:
    with suppress(RuntimeError):  # a thread may return after the event loop has been closed
        loop.call_soon_threadsafe(release)


class Services:
    """The shared services of a server's tables.

    Attributes:
        readiness: the games whose searches are compiled.
        timing: the answer times of bots.
        now: returns the seconds from any origin; monotonic.
        person_acted: called with a table's state after each action of a person.
        game_over: called with a table's state when its game is over.
        announce: called with each notice for players whose page is closed.
    """

    def __init__(self) -> None:
        self.readiness = Readiness()
        self.timing = AnswerTiming()
        begin_thread = partial(lower_priority, _NICE)
        self._thinkers = ThreadPoolExecutor(THINKERS, "thinker", begin_thread)
        self._search_threads = SearchThreads(begin_thread=begin_thread)
        self._turns = Turns(THINKERS, THINKERS_EACH)
        self._helpers = ThreadPoolExecutor(HELPERS, "helper")
        self._helper_turns = Turns(HELPERS, HELPERS_EACH)
        self._pending: set[asyncio.Future[Any]] = set()
        self._stopped = False
        self.now: Callable[[], float] = time.monotonic
        self.person_acted: Callable[[Any], None] = lambda state: None
        self.game_over: Callable[[Any], None] = lambda state: None
        self.announce: Callable[[Any], None] = lambda notice: None

    async def think(self, host: str, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Call a bot's function in a thread, when it is the turn of this host (:attr:`TableState.host`)."""
        release = await self._turns.take(host)
        threads = self._search_threads.in_use() if self._turns.used == 1 else nullcontext()
        return await self._call(self._thinkers, release, _call_within, threads, function, *arguments)

    async def compute(self, host: str, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Call a function in a thread for a person who waits, such as a replay, when it is the turn of this host.

        The host is the address of the person, as limits count it; else that of a table, or the id of what it is for.
        """
        release = await self._helper_turns.take(host)
        return await self._call(self._helpers, release, function, *arguments)

    async def sleep(self, seconds: float) -> None:
        """Wait for a number of seconds, if it is positive; the server cancels the wait when it stops."""
        if seconds > 0:
            await self._wait(lambda: asyncio.ensure_future(asyncio.sleep(seconds)))

    async def _call(
        self, threads: Executor, release: Callable[[], None], function: Callable[..., Answer], *arguments: Any
    ) -> Answer:
        """Call a function in a thread; release the slot when it returns, even if its caller has been cancelled."""
        if self._stopped:
            release()
            raise asyncio.CancelledError
        context = contextvars.copy_context()  # it has the language of the reader
        called = threads.submit(context.run, function, *arguments)
        called.add_done_callback(partial(_release_in, asyncio.get_running_loop(), release))
        return await self._wait(lambda: asyncio.wrap_future(called))

    async def _wait(self, begin: Callable[[], asyncio.Future[Answer]]) -> Answer:
        """Begin an asynchronous call and wait for it; the server cancels it when it stops."""
        if self._stopped:
            raise asyncio.CancelledError
        answer = begin()
        self._pending.add(answer)
        answer.add_done_callback(self._pending.discard)
        return await answer

    async def stop(self) -> None:
        """Cancel all waiting calls, and begin no more."""
        self._stopped = True
        for answer in list(self._pending):
            answer.cancel()
        for threads in (self._thinkers, self._helpers):
            threads.shutdown(wait=False, cancel_futures=True)
        self._search_threads.close()
        await self.readiness.stop()
