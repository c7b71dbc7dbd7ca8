"""Processes of this machine that do jobs, and stop as soon as nobody waits for them."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.synchronize import Event
from typing import Any

from parlour.bots.programs import kill_all
from parlour.bots.protocol import Asking
from parlour.engine.errors import ParlourError
from parlour.jobs.pool import Done, Work, done


class Processes:
    """As many processes as are asked for, which all end when they are dismissed."""

    def __init__(self, work: Work[Any, Any], number: int) -> None:
        self.number, self._work = number, work
        context = multiprocessing.get_context("spawn")  # a forked process would inherit locks that threads hold
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(number, context, _enter, (work, self._stop))

    def hand_out(self, task: list[Any]) -> "Future[Done]":
        """Hand them a task. Raises :class:`ParlourError` if a process was ended from outside."""
        try:
            return self._pool.submit(_do, task)
        except BrokenProcessPool:
            raise self._ended() from None

    def fetch(self, handed: "Future[Done]") -> Done:
        """What came of a task. Raises :class:`ParlourError` if a process was ended from outside."""
        try:
            return handed.result()
        except BrokenProcessPool:
            raise self._ended() from None

    def dismiss(self) -> None:
        """End them, and what they are at."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def _ended(self) -> ParlourError:
        return ParlourError(f"a process that played was ended from outside (out of memory?){self._work.suspect}")


_entered: list[tuple[Callable[[Any, Asking], Any], Event]] = []
"""What this process does its jobs by, if it is one of those that work, and what tells it to stop.

It has to stop by itself: ended from outside while it reports, it would leave half a report, and the one who reads it
would wait for the other half for ever.
"""


def _enter(work: Work[Any, Any], stop: Event) -> None:
    """Get a process ready to work, and let it end when the one that started it does."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _entered.append((work.open(), stop))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        kill_all()
        os._exit(1)


def _do(task: Sequence[Any]) -> Done:
    """What comes of the jobs of a task. Raises :class:`Stopped`."""
    do, stop = _entered[0]
    return done(task, do, stop.is_set)
