"""Worker processes on this machine, which end when their parent stops them or ends."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event
from typing import Any

from parlour.bots.programs import kill_all
from parlour.bots.protocol import CancelCheck
from parlour.engine.errors import ParlourError
from parlour.jobs.tasks import TaskResult, Work, run_task


class Processes:
    """Pool of worker processes, which all end at :meth:`stop`."""

    def __init__(self, work: Work[Any, Any], number: int) -> None:
        self.number, self._work = number, work
        context = multiprocessing.get_context("spawn")  # a forked process would inherit locks held by threads
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(number, context, _enter, (work, self._stop))

    def submit(self, task: list[Any]) -> "Future[TaskResult]":
        """Submit a task. Raises :class:`ParlourError` if a process was killed."""
        try:
            return self._pool.submit(_do, task)
        except BrokenProcessPool:
            raise self._death_error() from None

    def fetch(self, handle: "Future[TaskResult]") -> TaskResult:
        """Return the results of a task. Raises :class:`ParlourError` if a process was killed."""
        try:
            return handle.result()
        except BrokenProcessPool:
            raise self._death_error() from None

    def stop(self) -> None:
        """Stop the processes and their current tasks."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def _death_error(self) -> ParlourError:
        return ParlourError(f"a process that played was ended from outside (out of memory?){self._work.suspect}")


_worker_state: list[tuple[Callable[[Any, CancelCheck], Any], Event]] = []
"""Function that does this worker's jobs, and the event that stops it; empty in other processes.

A worker must stop by itself: if it were killed while it sends a result, the receiver would wait for the rest for ever.
"""


def _enter(work: Work[Any, Any], stop: Event) -> None:
    """Initialize a worker process, and let it end together with its parent."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker_state.append((work.open(), stop))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        kill_all()
        os._exit(1)


def _do(task: Sequence[Any]) -> TaskResult:
    """Do the jobs of a task; return their results and the seconds. Raises :class:`Stopped`."""
    do, stop = _worker_state[0]
    return run_task(task, do, stop.is_set)
