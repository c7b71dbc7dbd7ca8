"""The pool: the size of tasks, the number read ahead, the order of results, and the error for an ended process."""

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest

from parlour.bots.protocol import Stopped, never
from parlour.engine.errors import ParlourError
from parlour.jobs import pool, processes
from parlour.jobs.pool import do_jobs
from parlour.jobs.tasks import Placement, run_task


class Doubling:
    """Work that doubles a number."""

    code, suspect = "ours", ", or by a doubling"

    def open(self) -> Any:
        return lambda number, stopped: 2 * number


class Waiting:
    """Three workers that do a task when it is fetched; a stand-in for processes.

    Attributes:
        sizes: the number of jobs of each task.
        most: the largest number of tasks that waited at once.
    """

    number = 3

    def __init__(self, seconds: float) -> None:
        self._seconds, self._waiting, self.sizes, self.most, self.stopped = seconds, 0, list[int](), 0, False

    def submit(self, task: list[int]) -> list[int]:
        self.sizes.append(len(task))
        self._waiting += 1
        self.most = max(self.most, self._waiting)
        return task

    def fetch(self, task: list[int]) -> tuple[list[int], float]:
        self._waiting -= 1
        return [2 * number for number in task], self._seconds * len(task)

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    """Return the workers of the pool; a job takes them a second."""
    return workers_of(monkeypatch, 1.0)


def workers_of(monkeypatch: pytest.MonkeyPatch, seconds: float) -> Waiting:
    workers = Waiting(seconds)
    monkeypatch.setattr(pool, "_start_workers", lambda work, where: workers)
    return workers


class TestTasks:
    @pytest.mark.parametrize("jobs", [0, 1, 5, 6, 7, 40])
    def test_two_are_read_ahead_for_each_worker(self, slow: Waiting, jobs: int) -> None:
        read: list[int] = []

        def numbers() -> Iterator[int]:
            for number in range(jobs):
                read.append(number)
                yield number

        done = do_jobs(Doubling(), numbers(), Placement(3))
        for number, (job, found) in enumerate(done):
            assert (job, found) == (number, 2 * number)
            assert len(read) == min(jobs, number + 6)
        assert slow.most == min(jobs, 6)

    @pytest.mark.parametrize(
        ("seconds", "usual"), [(1.0, 1), (0.3, 1), (0.05, 4), (0.003, 66), (1e-5, 2000), (0.0, 2000)]
    )
    def test_grow_to_a_fifth_of_a_second_or_two_thousand_jobs(
        self, monkeypatch: pytest.MonkeyPatch, seconds: float, usual: int
    ) -> None:
        workers, jobs = workers_of(monkeypatch, seconds), 200 + 4 * usual
        assert [found for _, found in do_jobs(Doubling(), iter(range(jobs)), Placement(3))] == [*range(0, 2 * jobs, 2)]
        assert max(workers.sizes) == usual
        assert workers.sizes[:6] == [1] * 6, "nothing is known of the jobs yet"
        assert all(size <= 2 * before for before, size in pairwise(workers.sizes))

    def test_end_with_the_jobs_that_are_wanted(self, slow: Waiting) -> None:
        with closing(do_jobs(Doubling(), iter(range(100)), Placement(3))) as done:
            next(done)
        assert slow.stopped
        assert len(slow.sizes) == 6


class TestOneTask:
    @pytest.mark.parametrize("after", [0, 1, 3])
    def test_a_stop_is_noticed_between_two_jobs(self, after: int) -> None:
        """Most jobs do not ask themselves whether they are cancelled."""
        done = list[int]()
        with pytest.raises(Stopped):
            run_task([1, 2, 3, 4], lambda number, stopped: done.append(number), lambda: len(done) == after)
        assert done == [1, 2, 3][:after]

    def test_its_results_come_in_order_with_the_seconds_that_they_took(self) -> None:
        found, seconds = run_task([3, 1, 2], lambda number, stopped: time.sleep(0.01) or 2 * number, never)
        assert found == [6, 2, 4]
        assert 0.03 <= seconds < 5


class TestProcesses:
    def test_one_core_needs_none(self) -> None:
        before = set(multiprocessing.active_children())
        assert list(do_jobs(Doubling(), iter([3, 1]), Placement(1))) == [(3, 6), (1, 2)]
        assert set(multiprocessing.active_children()) == before

    @pytest.mark.parametrize("moment", ["submit", "result"])
    def test_an_end_from_outside_is_reported_with_its_possible_causes(
        self, monkeypatch: pytest.MonkeyPatch, moment: str
    ) -> None:
        class Ended:
            """A pool, and the handle of its task, of which one raises the error."""

            def __init__(self, *arguments: object) -> None:
                pass

            def submit(self, *arguments: object) -> "Ended":
                return self.end("submit")

            def result(self) -> object:
                return self.end("result")

            def end(self, now: str) -> "Ended":
                if now == moment:
                    raise BrokenProcessPool
                return self

            def shutdown(self, **arguments: object) -> None:
                pass

        monkeypatch.setattr(processes, "ProcessPoolExecutor", Ended)
        with pytest.raises(ParlourError) as error:
            next(do_jobs(Doubling(), iter([1]), Placement(2)))
        assert str(error.value) == "a process that played was ended from outside (out of memory?), or by a doubling"
