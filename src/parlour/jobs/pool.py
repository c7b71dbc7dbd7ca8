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
from parlour.interrupts import undisturbed
from parlour.jobs.processes import Processes
from parlour.jobs.tasks import HERE, RAY_ADDRESS, Crew, Where, Work

Job = TypeVar("Job")
Found = TypeVar("Found")


def do_jobs(
    work: Work[Job, Found], jobs: Iterator[Job], where: Where = HERE
) -> Generator[tuple[Job, Found], None, None]:
    """Yield each job with its result, in the jobs' order.

    Args:
        work: does the jobs.
        jobs: may be endless; only a few are taken ahead of time.
        where: the place of execution.
    """
    with at_work(work, where) as do:
        yield from do(jobs)


@contextmanager
def at_work(
    work: Work[Job, Found], where: Where = HERE
) -> Iterator[Callable[[Iterator[Job]], Generator[tuple[Job, Found], None, None]]]:
    """Prepare workers for several batches of jobs; the context's value is a function like :func:`do_jobs`."""
    if not where.ray.startswith(RAY_ADDRESS):
        do = work.open()  # compiles new code once, not in every process of this machine
        if not where.ray and _cores(where) == 1:
            yield lambda jobs: ((job, do(job, never)) for job in jobs)
            return
    crew = _hire(work, where)
    try:
        yield lambda jobs: _in_order(crew, jobs)
    finally:
        crew.dismiss()  # a game of slow bots can last for minutes


def usual_cores() -> int:
    """Return the number of jobs at a time if ``where`` names none: the cores of this machine."""
    return os.cpu_count() or 1


def _cores(where: Where) -> int:
    return where.cores or usual_cores()


def _hire(work: Work[Any, Any], where: Where) -> Crew:
    if where.ray:
        from parlour.jobs.ray_cluster import RayCrew  # imports Ray

        return RayCrew(work, where)
    return Processes(work, _cores(where))


_TASK_SECONDS = 0.2
"""Target duration of a task: many quick jobs, or one slow job."""
_MOST_JOBS = 2000
"""Maximum number of jobs in a task."""


def _in_order(crew: Crew, jobs: Iterator[Any]) -> Generator[tuple[Any, Any], None, None]:
    """Yield the jobs in their order, with the results of a crew."""
    size, waiting = 1, deque[tuple[list[Any], Any]]()
    while True:
        while len(waiting) < 2 * crew.number and (task := list(islice(jobs, size))):
            with undisturbed():
                waiting.append((task, crew.hand_out(task)))
        if not waiting:
            return
        task, handed = waiting.popleft()
        found, seconds = crew.fetch(handed)
        size = max(1, min(_MOST_JOBS, 2 * size, int(len(task) * _TASK_SECONDS / max(seconds, 1e-6))))
        yield from zip(task, found, strict=True)
