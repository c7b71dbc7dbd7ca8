"""Distribution of jobs: in this process, in several processes, or on a Ray cluster, with results in the jobs' order.

Results do not depend on the place of execution.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from parlour.bots.protocol import never
from parlour.interrupts import defer_interrupts
from parlour.jobs.processes import Processes
from parlour.jobs.tasks import HERE, RAY_ADDRESS, Placement, Work, Workers, run_task

Job = TypeVar("Job")
Found = TypeVar("Found")


def do_jobs(
    work: Work[Job, Found], jobs: Iterator[Job], where: Placement = HERE
) -> Generator[tuple[Job, Found], None, None]:
    """Yield each job with its result, in the jobs' order.

    Args:
        work: does the jobs.
        jobs: the jobs, possibly endless; two tasks for each worker are read ahead.
        where: the place of execution.
    """
    with open_workers(work, where) as do:
        yield from do(jobs)


@contextmanager
def open_workers(
    work: Work[Job, Found], where: Placement = HERE
) -> Iterator[Callable[[Iterator[Job]], Generator[tuple[Job, Found], None, None]]]:
    """Prepare workers for several batches of jobs.

    The context's value is a function that yields each job of a batch with its result, in the jobs' order.
    """
    if not where.ray.startswith(RAY_ADDRESS):
        do = work.open()  # compiles new code once, not in every process of this machine
        if not where.ray and _cores(where) == 1:
            yield lambda jobs: ((job, run_task([job], do, never)[0][0]) for job in jobs)
            return
    workers = _start_workers(work, where)
    try:
        yield lambda jobs: _in_order(workers, jobs)
    finally:
        workers.stop()  # a game of slow bots can last for minutes


def usual_cores() -> int:
    """Return the number of simultaneous jobs if a placement names none: the cores of this machine."""
    return os.cpu_count() or 1


def _cores(where: Placement) -> int:
    return where.cores or usual_cores()


def _start_workers(work: Work[Any, Any], where: Placement) -> Workers:
    if where.ray:
        from parlour.jobs.ray_cluster import RayWorkers  # imports Ray

        return RayWorkers(work, where)
    return Processes(work, _cores(where))


_TASK_SECONDS = 0.2
"""Target duration of a task, in seconds: a task has many quick jobs, or one slow job."""
_MOST_JOBS = 2000
"""Maximum number of jobs in a task."""


def _in_order(workers: Workers, jobs: Iterator[Any]) -> Generator[tuple[Any, Any], None, None]:
    """Yield the jobs in their order, with the results of the workers."""
    size, waiting = 1, deque[tuple[list[Any], Any]]()
    while True:
        while len(waiting) < 2 * workers.number and (task := list(islice(jobs, size))):
            with defer_interrupts():
                waiting.append((task, workers.submit(task)))
        if not waiting:
            return
        task, handle = waiting.popleft()
        found, seconds = workers.fetch(handle)
        size = max(1, min(_MOST_JOBS, 2 * size, int(len(task) * _TASK_SECONDS / max(seconds, 1e-6))))
        yield from zip(task, found, strict=True)
