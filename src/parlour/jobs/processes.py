"""Worker processes on this machine, which stop as soon as their parent dismisses them or ends."""

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
from parlour.jobs.tasks import Done, Work, done


class Processes:
    """Pool of worker processes, which all end when they are dismissed."""

    def __init__(self, work: Work[Any, Any], number: int) -> None:
        self.number, self._work = number, work
        context = multiprocessing.get_context("spawn")  # a forked process would inherit locks held by threads
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(number, context, _enter, (work, self._stop))

    def hand_out(self, task: list[Any]) -> "Future[Done]":
        """Submit a task. Raises :class:`ParlourError` if a process was killed."""
        try:
            return self._pool.submit(_do, task)
        except BrokenProcessPool:
            raise self._ended() from None

    def fetch(self, handed: "Future[Done]") -> Done:
        """Return the results of a task. Raises :class:`ParlourError` if a process was killed."""
        try:
            return handed.result()
        except BrokenProcessPool:
            raise self._ended() from None

    def dismiss(self) -> None:
        """Stop the processes and their current tasks."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def _ended(self) -> ParlourError:
        return ParlourError(f"a process that played was ended from outside (out of memory?){self._work.suspect}")


_entered: list[tuple[Callable[[Any, CancelCheck], Any], Event]] = []
"""Function that does this worker's jobs, and the event that stops it; empty in other processes.

A worker has to stop by itself: killed while it sends a result, it would send half of it, and the receiver would wait
for the other half for ever.
"""


def _enter(work: Work[Any, Any], stop: Event) -> None:
    """Initialize a worker process, and let it end together with its parent."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _entered.append((work.open(), stop))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        kill_all()
        os._exit(1)


def _do(task: Sequence[Any]) -> Done:
    """Do the jobs of a task; return their results and the seconds. Raises :class:`Stopped`."""
    do, stop = _entered[0]
    return done(task, do, stop.is_set)
