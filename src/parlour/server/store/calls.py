"""Blocking calls in threads of their own, with a time limit for a database that falls silent."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, ParamSpec, TypeVar

from parlour.server.store.database import ANSWER_SECONDS, THREADS, StoreError
from parlour.server.store.failure_reasons import SILENT

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class Calls:
    """The threads in which a store calls its database."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "store")
        self._running: set[Future[Any]] = set()

    def begin(
        self, function: Callable[Arguments, Answer], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "asyncio.Future[Answer]":
        """Call a blocking function, in the caller's context, without a time limit."""
        context = contextvars.copy_context()  # it has the language of the reader
        future = self._threads.submit(context.run, partial(function, *arguments, **named))
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        return asyncio.wrap_future(future)

    async def answer(
        self, function: Callable[Arguments, Answer], *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Answer:
        """Call a blocking function, and return its result within :data:`ANSWER_SECONDS`.

        Raises:
            StoreError: the database has not answered. A write may still be carried out later.
        """
        try:
            return await asyncio.wait_for(self.begin(function, *arguments, **named), ANSWER_SECONDS)
        except TimeoutError:
            raise StoreError(SILENT) from None

    def close(self) -> None:
        """Wait for the pending calls, at most :data:`ANSWER_SECONDS`."""
        self._threads.shutdown(wait=False)
        wait(list(self._running), ANSWER_SECONDS)
