"""Distribution of jobs: in this process, in several processes, or on a Ray cluster, with results in the jobs' order.

Results do not depend on the place of execution.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TypeVar

from parlour.bots.protocol import Asking, Stopped, never
from parlour.engine.errors import ParlourError
from parlour.interrupts import undisturbed

Job = TypeVar("Job")
Found = TypeVar("Found")
Job_contra = TypeVar("Job_contra", contravariant=True)
Found_co = TypeVar("Found_co", covariant=True)

Done = tuple[list[Any], float]
"""Results of a task's jobs, and the seconds that they took."""

LOCAL_RAY, RAY_ADDRESS = "ray", "ray://"


class Work(Protocol[Job_contra, Found_co]):
    """Work whose jobs are distributed: sent to every process, so it must be picklable."""

    @property
    def code(self) -> str:
        """Hash of the code that does the work; machines compare it to detect different versions."""

    @property
    def suspect(self) -> str:
        """Other possible cause of a process's unexpected end: the end of a sentence, or empty."""

    def open(self) -> Callable[[Job_contra, Asking], Found_co]:
        """Compile what is new and return a function that does a job.

        That function may ask at any time whether the job is cancelled, and then raises :class:`Stopped`.
        """


@dataclass(frozen=True)
class Where:
    """Place of execution.

    Attributes:
        cores: the number of jobs at a time; by default the number of cores. A single one runs in this process.
        ray: empty for this machine's processes; ``"ray"`` for a Ray started here; or the address of a cluster,
            ``"ray://HOST:PORT"``.
    """

    cores: int | None = None
    ray: str = ""

    def __post_init__(self) -> None:
        """Raises :class:`ParlourError` if ``ray`` is not a valid address."""
        host, colon, port = self.ray.removeprefix(RAY_ADDRESS).rpartition(":")
        cluster = self.ray.startswith(RAY_ADDRESS) and bool(host and colon) and port.isdecimal() and int(port) < 65536
        if not cluster and self.ray not in ("", LOCAL_RAY):
            raise ParlourError(f"work goes out to {LOCAL_RAY} or to {RAY_ADDRESS}HOST:PORT, not to {self.ray!r}")


HERE = Where()


class Crew(Protocol):
    """Worker processes: they receive tasks, each of several jobs, and return the results.

    Attributes:
        number: the number of tasks that they do at a time.
    """

    number: int

    def hand_out(self, task: list[Any]) -> Any:
        """Submit a task; return the handle for its results."""

    def fetch(self, handed: Any) -> Done:
        """Return the results of a task."""

    def dismiss(self) -> None:
        """Stop the workers and their current tasks."""


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
        do = work.open()  # compiles what is new once, not in every process of this machine
        if not where.ray and _cores(where) == 1:
            yield lambda jobs: ((job, do(job, never)) for job in jobs)
            return
    crew = _hire(work, where)
    try:
        yield lambda jobs: _in_order(crew, jobs)
    finally:
        crew.dismiss()  # a game of slow bots can last for minutes


def _cores(where: Where) -> int:
    return where.cores or os.cpu_count() or 1


def _hire(work: Work[Any, Any], where: Where) -> Crew:
    if where.ray:
        from parlour.jobs.ray_cluster import RayCrew  # imports Ray

        return RayCrew(work, where)
    from parlour.jobs.processes import Processes

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


def done(task: Sequence[Any], do: Callable[[Any, Asking], Any], stopped: Asking) -> Done:
    """Do the jobs of a task; return their results and the seconds. Raises :class:`Stopped`."""
    start, found = time.perf_counter(), []
    for job in task:
        if stopped():
            raise Stopped
        found.append(do(job, stopped))
    return found, time.perf_counter() - start
