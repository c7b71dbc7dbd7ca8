"""Tasks that are finished before their owner stops, with their failures in the log."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from parlour.server.logs import note_outcome

Answer = TypeVar("Answer")


class TaskOwner(Protocol):
    """An owner of tasks, such as a table."""

    def start(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that is finished before its owner leaves memory."""


class PendingTasks:
    """Tasks in progress, true if there are any. A reference keeps each from the garbage collector."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def start(self, coroutine: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Start a task. Its failure is logged, also if no caller waits for it."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(note_outcome)
        return task

    async def finish(self) -> None:
        """Wait for the tasks in progress."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
