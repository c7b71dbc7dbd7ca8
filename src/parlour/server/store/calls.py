"""Calls that block, in threads of their own; nobody waits for ever for a database that falls silent."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, ParamSpec, TypeVar

from parlour.server.store.database import ANSWER_SECONDS, SILENT, THREADS, StoreError

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class Calls:
    """Threads in which a store speaks to its database."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "store")
        self._running: set[Future[Any]] = set()

    def begin(
        self, function: Callable[Arguments, Answer], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "asyncio.Future[Answer]":
        """Call something that blocks, for as long as it takes."""
        future = self._threads.submit(function, *arguments, **named)
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        return asyncio.wrap_future(future)

    async def answer(
        self, function: Callable[Arguments, Answer], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Answer:
        """What comes of a call within :data:`ANSWER_SECONDS`.

        Raises:
            StoreError: the database has not answered. If the call writes, it may still be carried out later.
        """
        try:
            return await asyncio.wait_for(self.begin(function, *arguments, **named), ANSWER_SECONDS)
        except TimeoutError:
            raise StoreError(SILENT) from None

    def close(self) -> None:
        """Wait for what is being written, though not for a database that has fallen silent."""
        self._threads.shutdown(wait=False)
        wait(list(self._running), ANSWER_SECONDS)
