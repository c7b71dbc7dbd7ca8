"""Jobs on a Ray cluster of two nodes, if Ray is installed (``make examples`` installs it); the errors otherwise."""

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.contests.contest import MATCH, Contest, play_deals
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.jobs import ray_cluster
from parlour.jobs.pool import do_jobs
from parlour.jobs.tasks import Placement

MATCH_OF_TWO = ("match", "thumb", "random", "castle-walls", "--deals", "2")


class TestWithoutRay:
    def test_an_address_has_a_host_and_a_port_and_any_other_is_refused_in_a_sentence(self) -> None:
        for port in ("1", "10001", "65535"):
            Placement(ray=f"ray://here:{port}")
        wrong = ("there", "", "-1", "1.0", "65536", "99999")
        for place in ("mars", "ray://", "ray://:10001", "ray://here", *(f"ray://here:{port}" for port in wrong)):
            with pytest.raises(ParlourError, match=f"a place of execution is ray or ray://HOST:PORT, not '{place}'"):
                Placement(ray=place)

    def test_without_ray_the_error_says_how_to_install_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "ray", None)
        result = CliRunner().invoke(main, [*MATCH_OF_TWO, "--on", "ray://127.0.0.1:1"])
        assert result.exit_code == 1
        assert "Error: --on ray needs ray, which is not installed: pip install 'parlour[ray]'\n" in result.stderr


@dataclass
class Squares:
    """Computes squares; at one number it kills its process, the first time or always."""

    deadly: int | None = None
    marker: str = ""
    code = "ours"
    suspect = ", or by a square"

    def open(self):
        return self.square

    def square(self, number, stopped):
        if number == self.deadly and not (self.marker and os.path.exists(self.marker)):
            if self.marker:
                Path(self.marker).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if number < 0:
            raise ParlourError("there are no negative numbers here")
        return number * number


class Ray:
    """The used part of Ray's interface in this process: tasks run when their results are fetched."""

    class exceptions:
        class RayError(Exception):
            pass

        class RayTaskError(RayError):
            def __init__(self, cause: Exception) -> None:
                self.cause = cause

        class WorkerCrashedError(RayError):
            pass

        class OutOfMemoryError(RayError):
            pass

    def __init__(self, failing: Exception | None = None) -> None:
        self.calls: list[str] = []
        self.failing = failing

    def is_initialized(self) -> bool:
        return False

    def init(self, address: str, **settings: object) -> None:
        self.calls.append(f"init {address}")
        if self.failing:
            raise self.failing

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def put(self, work: object) -> object:
        return work

    def remote(self, function):
        class Remote:
            def remote(self, *arguments: object):
                return lambda: function(*arguments)

        return Remote()

    def get(self, handed: object) -> object:
        if not callable(handed):
            return handed
        try:
            return handed()
        except ParlourError as error:
            raise self.exceptions.RayTaskError(error) from None

    def cancel(self, handed: object) -> None:
        self.calls.append("cancel")

    def wait(self, handed: list, num_returns: int, timeout: float) -> None:
        self.calls.append(f"wait for {num_returns}")

    def shutdown(self) -> None:
        self.calls.append("shutdown")


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Ray:
    fake = Ray()
    monkeypatch.setattr(ray_cluster, "extra", lambda *arguments: fake)
    monkeypatch.setattr(ray_cluster, "_functions", {})
    return fake


class TestWorkers:
    def test_results_come_in_order_and_abandoned_jobs_are_cancelled(self, ray: Ray) -> None:
        out = sys.stdout
        with closing(do_jobs(Squares(), count(), Placement(ray="ray"))) as done:
            assert list(islice(done, 5)) == [(number, number * number) for number in range(5)]
            assert sys.stdout is sys.stderr  # where Ray reports retries
        assert sys.stdout is out
        assert ray.calls[0] == "init local"
        assert ray.calls[1:-2] == ["cancel"] * (len(ray.calls) - 3) != []
        assert ray.calls[-2:] == [f"wait for {len(ray.calls) - 3}", "shutdown"]

    def test_an_error_in_a_job_is_raised_unchanged(self, ray: Ray) -> None:
        with pytest.raises(ParlourError, match=r"^there are no negative numbers here$"):
            list(do_jobs(Squares(), iter([1, -1]), Placement(ray="ray")))
        assert ray.calls[-1] == "shutdown"

    def test_a_failed_start_of_ray_is_an_error_in_one_sentence_and_changes_nothing(self, ray: Ray) -> None:
        out, ray.failing = sys.stdout, RuntimeError("no\n  memory")
        with pytest.raises(ParlourError, match=r"^no Ray can be started here: no memory$"):
            list(do_jobs(Squares(), iter([1]), Placement(ray="ray")))
        assert sys.stdout is out

    def test_a_cluster_without_an_answer_is_an_error_in_one_sentence(self, ray: Ray) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            address = f"ray://127.0.0.1:{unused.getsockname()[1]}"
            with pytest.raises(ParlourError, match=f"^no Ray can be reached at {address}: .*refused"):
                list(do_jobs(Squares(), iter([1]), Placement(ray=address)))

    def test_a_machine_with_other_code_is_refused(self, ray: Ray) -> None:
        message = r"which is in the cluster, has another Parlour.*its code is ours, not theirs"
        with pytest.raises(ParlourError, match=message):
            ray_cluster.do_task(("work", "theirs"), [Squares()], [1])


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a cluster of two nodes with one core each; return its address."""
    import ray
    from ray import cloudpickle
    from ray.cluster_utils import Cluster

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    cluster = Cluster(True, head_node_args={"num_cpus": 1, "ray_client_server_port": port})
    cluster.add_node(num_cpus=1)
    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # the tests are not installed on its machines
    ray.init(cluster.address, log_to_driver=False)
    try:
        yield f"ray://127.0.0.1:{port}"
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.mark.slow  # starts a cluster
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed; make examples installs it")
class TestCluster:
    def test_the_jobs_of_a_killed_process_are_repeated(self, address: str, tmp_path: Path) -> None:
        work = Squares(30, str(tmp_path / "killed"))
        with closing(do_jobs(work, count(), Placement(ray=address))) as done:
            assert list(islice(done, 100)) == [(number, number * number) for number in range(100)]
        assert (tmp_path / "killed").exists()

    def test_a_match_has_the_results_of_one_core(self, address: str) -> None:
        contest = Contest(MATCH, Setup(find_game("castle-walls"), 2), ("thumb", "random"), 1)
        there, here = (list(play_deals(contest, 0, 30, where)) for where in (Placement(ray=address), Placement(1)))
        untimed = [
            [replace(deal, games=tuple(replace(game, seconds=()) for game in deal.games)) for deal in deals]
            for deals in (there, here)
        ]
        assert untimed[0] == untimed[1]

    def test_an_error_in_a_job_is_raised_unchanged(self, address: str) -> None:
        with pytest.raises(ParlourError, match=r"^there are no negative numbers here$"):
            list(do_jobs(Squares(), iter([1, -1]), Placement(ray=address)))

    def test_a_job_that_always_kills_its_process_is_reported_with_the_bots_at_play(self, address: str) -> None:
        with pytest.raises(ParlourError, match=r"that played were ended .*, or by a square"):
            list(do_jobs(Squares(deadly=3), iter([3]), Placement(ray=address)))

    @pytest.mark.skipif(
        importlib.util.find_spec("grpc") is None, reason="Ray's client is not installed; make examples installs it"
    )
    def test_the_command_connects_by_address(self, address: str) -> None:
        command = [sys.executable, "-m", "parlour", *MATCH_OF_TWO, "--json", "--on"]
        done = subprocess.run([*command, address], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["games"] == 4
