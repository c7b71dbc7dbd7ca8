"""Jobs on a Ray cluster: Ray places tasks, repeats those lost with their machine, and returns the results."""

import contextlib
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

from parlour.bots.protocol import CancelCheck, never, printable
from parlour.engine.errors import ParlourError
from parlour.extras import extra
from parlour.interrupts import defer_interrupts
from parlour.jobs.tasks import LOCAL_RAY, RAY_ADDRESS, Placement, TaskResult, Work, run_task

_ANSWER_SECONDS = 5.0
"""Seconds for a cluster to accept a connection; Ray itself would try for minutes."""
_END_SECONDS = 5.0
"""Seconds for cancelled tasks to end the processes that they started."""
_STORE_BYTES = 128 << 20
"""Size of the object store, in bytes, of a Ray instance that is started here; results are small."""
_REASON_LENGTH = 300
"""Maximum length of Ray's error text, in characters; the original may be pages long."""


class RayWorkers:
    """Workers on a cluster, or on a Ray instance that is started here and ends with the work."""

    def __init__(self, work: Work[Any, Any], where: Placement) -> None:
        """Connect to a cluster, unless this program is connected.

        Raises:
            ParlourError: there is no cluster, or Ray is not installed.
        """
        self._ray, self._suspect = extra("ray", "--on ray needs", "ray"), work.suspect
        self._handed: set[Any] = set()
        with contextlib.ExitStack() as leave:
            leave.enter_context(contextlib.redirect_stdout(sys.stderr))  # Ray reports its retries on stdout
            if not self._ray.is_initialized():  # a program's connection stays
                with _errors_as_sentences(self._ray, self._suspect, where.ray):
                    _connect(self._ray, where)
                leave.callback(self._ray.shutdown)
            self._get_ready(work, where)
            self._leave = leave.pop_all()

    def _get_ready(self, work: Work[Any, Any], where: Placement) -> None:
        self.number = where.cores or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._key, self._work = (uuid4().hex, work.code), self._ray.put(work)
        self._do = self._ray.remote(do_task)

    def submit(self, task: list[Any]) -> Any:
        """Submit a task."""
        with _errors_as_sentences(self._ray, self._suspect):
            handle = self._do.remote(self._key, [self._work], task)  # in a list it is resolved on demand only
        self._handed.add(handle)
        return handle

    def fetch(self, handle: Any) -> TaskResult:
        """Return the results of a task. Raises :class:`ParlourError` if the cluster could not do it."""
        with _errors_as_sentences(self._ray, self._suspect):
            found: TaskResult = self._ray.get(handle)
        self._handed.discard(handle)
        return found

    def stop(self) -> None:
        """Cancel the current tasks, and end the connection if it was made for this work."""
        with defer_interrupts(), contextlib.suppress(Exception):  # a lost cluster has nothing to end
            for handle in self._handed:
                self._ray.cancel(handle)
            self._ray.wait(list(self._handed), num_returns=len(self._handed), timeout=_END_SECONDS)
        self._leave.close()


def _connect(ray: Any, where: Placement) -> None:
    """Connect to a cluster, or start one here, whose processes do not receive Ctrl-C: this process handles it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage reports
    logging.getLogger("ray").setLevel(logging.ERROR)
    quiet = {"configure_logging": False, "log_to_driver": False}
    with defer_interrupts():
        if where.ray == LOCAL_RAY:
            local = {"num_cpus": where.cores, "object_store_memory": _STORE_BYTES, "include_dashboard": False}
            ray.init("local", **local, **quiet)
            return
        host, _, port = where.ray.removeprefix(RAY_ADDRESS).rpartition(":")
        socket.create_connection((host.strip("[]"), int(port)), _ANSWER_SECONDS).close()
        ray.init(where.ray, **quiet)


@contextlib.contextmanager
def _errors_as_sentences(ray: Any, suspect: str, connecting: str = "") -> Iterator[None]:
    """Convert a cluster's error to a :class:`ParlourError` of one sentence; raise a job's error unchanged.

    ``connecting`` is the value of :attr:`Placement.ray` while the connection is made, otherwise empty.
    """
    try:
        yield
    except ray.exceptions.RayTaskError as error:
        raise (error.cause if isinstance(error.cause, ParlourError) else error) from None
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError):
        raise ParlourError(f"processes of the cluster that played were ended (out of memory?){suspect}") from None
    except (ray.exceptions.RayError, OSError, RuntimeError, ValueError, ImportError) as error:
        why = printable(" ".join(str(error).split()), _REASON_LENGTH) or type(error).__name__
        starting = "no Ray can be started here" if connecting == LOCAL_RAY else f"no Ray can be reached at {connecting}"
        raise ParlourError(f"{starting if connecting else 'the Ray cluster cannot go on'}: {why}") from None


_functions: dict[tuple[str, str], Callable[[Any, CancelCheck], Any]] = {}
"""Function that does jobs in this process of a cluster, by key; only the latest work is kept."""


def do_task(key: tuple[str, str], works: list[Any], task: list[Any]) -> TaskResult:
    """Do the jobs of a task in a process of the cluster; return their results and the seconds.

    Args:
        key: identifies the work, with the hash of its code on the submitting machine.
        works: a reference to the work.
        task: its jobs.

    Raises:
        ParlourError: this machine has different code, which might play differently.
    """
    if key not in _functions:
        work = extra("ray").get(works[0])
        if work.code != key[1]:
            raise ParlourError(
                f"{socket.gethostname()}, which is in the cluster, has another Parlour, game, NumPy, Numba or Python: "
                f"its code is {work.code}, not {key[1]}; install the same on every machine"
            )
        _functions.clear()
        _functions[key] = work.open()
    return run_task(task, _functions[key], never)  # a cancelled task is interrupted
