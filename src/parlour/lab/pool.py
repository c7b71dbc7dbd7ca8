"""Jobs done one after another or by several processes, in their order, and stopped as soon as nobody waits for them."""

import multiprocessing
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.synchronize import Event
from typing import Any, Protocol, TypeVar

from parlour.bots.programs import kill_all
from parlour.bots.protocol import Asking, never
from parlour.engine.errors import ParlourError
from parlour.interrupts import undisturbed

Job = TypeVar("Job")
Found = TypeVar("Found")
Job_contra = TypeVar("Job_contra", contravariant=True)
Found_co = TypeVar("Found_co", covariant=True)


class Work(Protocol[Job_contra, Found_co]):
    """What is to be done: sent whole to every process, so it must be picklable."""

    @property
    def suspect(self) -> str:
        """What else may be to blame if a process ends by itself: the end of a sentence, or nothing."""

    def open(self) -> Callable[[Job_contra, Asking], Found_co]:
        """Get ready, compiling what is new, and give what does a job.

        That may ask at any time whether the job is still wanted, and raises :class:`Stopped` if it is not.
        """


def do_jobs(
    work: Work[Job, Found], jobs: Iterator[Job], cores: int | None = None
) -> Generator[tuple[Job, Found], None, None]:
    """Each job with what came of it, in their order.

    Args:
        work: does them.
        jobs: may be endless; no more are taken than are soon done.
        cores: how many processes work; as many as there are cores by default. One works in this process.
    """
    do = work.open()  # compiles what is new once, not in every process
    number = cores or os.cpu_count() or 1
    if number > 1:
        return _done_by_processes(work, jobs, number)
    return ((job, do(job, never)) for job in jobs)


_TASK_SECONDS = 0.2
"""Seconds of work in one task: many quick jobs, one slow one."""
_MOST_JOBS = 2000


def _done_by_processes(
    work: Work[Job, Found], jobs: Iterator[Job], cores: int
) -> Generator[tuple[Job, Found], None, None]:
    """The jobs in their order, done by several processes, which all end when this does."""
    context = multiprocessing.get_context("spawn")  # a forked process would inherit locks that threads hold
    stop = context.Event()
    pool = ProcessPoolExecutor(cores, context, _enter, (work, stop))
    size, waiting = 1, deque[tuple[list[Job], Future[tuple[list[Found], float]]]]()
    try:
        while True:
            while len(waiting) < 2 * cores and (task := list(islice(jobs, size))):
                with undisturbed():
                    waiting.append((task, pool.submit(_do, task)))
            if not waiting:
                return
            task, future = waiting.popleft()
            found, seconds = future.result()
            size = max(1, min(_MOST_JOBS, 2 * size, int(len(task) * _TASK_SECONDS / max(seconds, 1e-6))))
            yield from zip(task, found, strict=True)
    except BrokenProcessPool:  # told to whoever waits for a task or hands in the next
        raise ParlourError(f"a process that played was ended from outside (out of memory?){work.suspect}") from None
    finally:
        stop.set()  # a game of slow bots can last for minutes, and nobody waits for it any more
        pool.shutdown(cancel_futures=True)


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


def _do(jobs: Sequence[Any]) -> tuple[list[Any], float]:
    """What comes of some jobs, and the seconds they took. Raises :class:`Stopped`."""
    start = time.perf_counter()
    do, stop = _entered[0]
    found = [do(job, stop.is_set) for job in jobs]
    return found, time.perf_counter() - start
