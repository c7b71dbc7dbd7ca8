"""Work, its tasks, and their place of execution: types shared by the pool and its workers."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from parlour.bots.protocol import CancelCheck, Stopped
from parlour.engine.errors import ParlourError
from parlour.engine.validation import MOST_CORES, shown, whole
from parlour.languages import SOURCE_LANGUAGE, in_language

Job_contra = TypeVar("Job_contra", contravariant=True)
Found_co = TypeVar("Found_co", covariant=True)

TaskResult = tuple[list[Any], float]
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

    def open(self) -> Callable[[Job_contra, CancelCheck], Found_co]:
        """Compile new code and return a function that does a job.

        That function may ask at any time whether the job is cancelled, and then raises :class:`Stopped`.
        """


@dataclass(frozen=True)
class Placement:
    """Place of execution.

    Attributes:
        cores: the number of simultaneous jobs; by default the cores of this machine or of the cluster. Without Ray, and
            with 1, the jobs run in this process.
        ray: empty for this machine's processes; ``"ray"`` for a Ray instance started here; or a cluster's address,
            ``"ray://HOST:PORT"``.
    """

    cores: int | None = None
    ray: str = ""

    def __post_init__(self) -> None:
        """Raises :class:`ParlourError` if ``cores`` is no possible number, or ``ray`` not a valid address."""
        if self.cores is not None:
            whole("the number of cores", self.cores, 1, MOST_CORES)
        if not isinstance(self.ray, str):
            raise ParlourError(f"a place of execution is a text, not {shown(self.ray)}")
        host, colon, port = self.ray.removeprefix(RAY_ADDRESS).rpartition(":")
        cluster = self.ray.startswith(RAY_ADDRESS) and bool(host and colon) and port.isdecimal() and int(port) < 65536
        if not cluster and self.ray not in ("", LOCAL_RAY):
            raise ParlourError(f"a place of execution is {LOCAL_RAY} or {RAY_ADDRESS}HOST:PORT, not {self.ray!r}")


HERE = Placement()


class Workers(Protocol):
    """Worker processes: they receive tasks, each of several jobs, and return the results.

    Attributes:
        number: the maximum number of simultaneous tasks.
    """

    number: int

    def submit(self, task: list[Any]) -> Any:
        """Submit a task; return the handle for its results."""

    def fetch(self, handle: Any) -> TaskResult:
        """Return the results of a task."""

    def stop(self) -> None:
        """Stop the workers and their current tasks."""


def run_task(task: Sequence[Any], do: Callable[[Any, CancelCheck], Any], stopped: CancelCheck) -> TaskResult:
    """Do the jobs of a task in English, since results are stored; return them and the seconds.

    Raises:
        Stopped: the task is cancelled.
    """
    start, found = time.perf_counter(), []
    with in_language(SOURCE_LANGUAGE):
        for job in task:
            if stopped():
                raise Stopped
            found.append(do(job, stopped))
    return found, time.perf_counter() - start
