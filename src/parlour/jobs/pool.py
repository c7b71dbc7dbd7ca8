"""Where work goes out: jobs are done here, by several processes, or on a Ray cluster, and come back in their order.

Which of them does a job changes nothing of what comes of it, so the same jobs give the same results everywhere.
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
"""What came of the jobs of a task, and the seconds that they took."""

LOCAL_RAY, RAY_ADDRESS = "ray", "ray://"


class Work(Protocol[Job_contra, Found_co]):
    """What is to be done: sent whole to every process, so it must be picklable."""

    @property
    def code(self) -> str:
        """A hash of the code that does it, by which machines tell whether they have the same."""

    @property
    def suspect(self) -> str:
        """What else may be to blame if a process ends by itself: the end of a sentence, or nothing."""

    def open(self) -> Callable[[Job_contra, Asking], Found_co]:
        """Get ready, compiling what is new, and give what does a job.

        That may ask at any time whether the job is still wanted, and raises :class:`Stopped` if it is not.
        """


@dataclass(frozen=True)
class Where:
    """Where work is done.

    Attributes:
        cores: how many jobs at a time; by default as many as there are cores. One is done in this process.
        ray: nothing for this machine's processes; ``"ray"`` for a Ray that is started here; or the address of a
            cluster, ``"ray://HOST:PORT"``.
    """

    cores: int | None = None
    ray: str = ""

    def __post_init__(self) -> None:
        """Raises :class:`ParlourError` if there is no such place."""
        host, colon, port = self.ray.removeprefix(RAY_ADDRESS).rpartition(":")
        cluster = self.ray.startswith(RAY_ADDRESS) and bool(host and colon) and port.isdecimal() and int(port) < 65536
        if not cluster and self.ray not in ("", LOCAL_RAY):
            raise ParlourError(f"work goes out to {LOCAL_RAY} or to {RAY_ADDRESS}HOST:PORT, not to {self.ray!r}")


HERE = Where()


class Crew(Protocol):
    """Processes that work. Tasks, each of several jobs, are handed to them; what came of each is fetched.

    Attributes:
        number: how many tasks they do at a time.
    """

    number: int

    def hand_out(self, task: list[Any]) -> Any:
        """Hand them a task; returns what it is fetched by."""

    def fetch(self, handed: Any) -> Done:
        """What came of a task."""

    def dismiss(self) -> None:
        """End them, and what they are at."""


def do_jobs(
    work: Work[Job, Found], jobs: Iterator[Job], where: Where = HERE
) -> Generator[tuple[Job, Found], None, None]:
    """Each job with what came of it, in their order.

    Args:
        work: does them.
        jobs: may be endless; no more are taken than are soon done.
        where: it is done.
    """
    with at_work(work, where) as do:
        yield from do(jobs)


@contextmanager
def at_work(
    work: Work[Job, Found], where: Where = HERE
) -> Iterator[Callable[[Iterator[Job]], Generator[tuple[Job, Found], None, None]]]:
    """Ready to do jobs, some now and more later: what is given does them as :func:`do_jobs` would."""
    if not where.ray.startswith(RAY_ADDRESS):
        do = work.open()  # compiles what is new once, not in every process of this machine
        if not where.ray and _cores(where) == 1:
            yield lambda jobs: ((job, do(job, never)) for job in jobs)
            return
    crew = _hire(work, where)
    try:
        yield lambda jobs: _in_order(crew, jobs)
    finally:
        crew.dismiss()  # a game of slow bots can last for minutes, and nobody waits for it any more


def _cores(where: Where) -> int:
    return where.cores or os.cpu_count() or 1


def _hire(work: Work[Any, Any], where: Where) -> Crew:
    if where.ray:
        from parlour.jobs.ray_cluster import RayCrew  # which needs Ray

        return RayCrew(work, where)
    from parlour.jobs.processes import Processes

    return Processes(work, _cores(where))


_TASK_SECONDS = 0.2
"""Seconds of work in one task: many quick jobs, one slow one."""
_MOST_JOBS = 2000


def _in_order(crew: Crew, jobs: Iterator[Any]) -> Generator[tuple[Any, Any], None, None]:
    """The jobs in their order, done by a crew."""
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
    """What comes of the jobs of a task. Raises :class:`Stopped`."""
    start, found = time.perf_counter(), []
    for job in task:
        if stopped():
            raise Stopped
        found.append(do(job, stopped))
    return found, time.perf_counter() - start
