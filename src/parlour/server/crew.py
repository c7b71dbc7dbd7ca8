"""Threads for what takes too long for the event loop; bots that think hold up bots alone."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

THINKERS = max(4, os.cpu_count() or 1)
"""So many bots think at once, which may take each of them a second."""
HELPERS = max(2, os.cpu_count() or 1)

Answer = TypeVar("Answer")


class Crew:
    """The threads of a server's tables."""

    def __init__(self) -> None:
        self._thinkers = ThreadPoolExecutor(THINKERS, "thinker")
        self._helpers = ThreadPoolExecutor(HELPERS, "helper")

    async def thought(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Let a bot think."""
        return await asyncio.get_running_loop().run_in_executor(self._thinkers, function, *arguments)

    async def helped(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Do what people wait for: play a game again, find out what an action told."""
        return await asyncio.get_running_loop().run_in_executor(self._helpers, function, *arguments)

    def stop(self) -> None:
        """Begin nothing more; what is being thought of is of no use any more."""
        for threads in (self._thinkers, self._helpers):
            threads.shutdown(wait=False, cancel_futures=True)
