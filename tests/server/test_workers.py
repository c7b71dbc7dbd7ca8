"""Several processes behind one port: each table belongs to one of them and survives its death."""

import json
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random
from types import SimpleNamespace

import httpx
import pytest

from parlour.engine.errors import ParlourError
from parlour.server.process import workers
from parlour.server.process.settings import Settings
from parlour.server.process.web_server import make_config
from parlour.server.process.worker import WorkerServer
from parlour.server.store.store import Store
from parlour.server.table.close_codes import Closing
from parlour.server.table.people.keys import new_key
from parlour.server.table.rooms import MisdirectedError, Rooms
from parlour.server.table.shares import Share, owner_of, table_in
from tests.helpers import run_apart, running_processes
from tests.server.card_room import PATIENCE, Player, free_port, order, play_out, wait_until
from tests.server.server_process import Process
from tests.server.worker_processes import children_of, connected_again, tables_of_both, workers_of

IMPATIENT = """
from parlour.cli import main
from parlour.server.process import workers
workers._RESTART_SECONDS = 0.05
workers._STOP_SECONDS = 5.0
main()
"""


class Impatient(Process):
    """A server with short delays before it restarts a worker or kills one that does not end."""

    program = ("-c", IMPATIENT)


def figures_of(server):
    """Return the metrics of a server by their names with labels."""
    text = httpx.get(f"http://127.0.0.1:{server.metrics}/metrics", timeout=PATIENCE).text
    lines = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in lines}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    metrics = free_port()
    database = tmp_path_factory.mktemp("workers") / "tables.sqlite"
    running = Process(database, "--workers", "2", "--metrics-port", str(metrics), "--no-limits")
    running.metrics = metrics
    yield running
    running.process.terminate()
    running.process.communicate(timeout=PATIENCE)


class TestShares:
    def test_a_table_belongs_to_the_worker_that_gets_its_requests(self):
        for table in ("wxvpanrn8s3mwb", "abc", "k3f9"):
            assert [number for number in range(3) if Share(number, 3).has(table)] == [owner_of(table.encode(), 3)]
        assert {owner_of(b"%d" % number, 3) for number in range(50)} == {0, 1, 2}

    @pytest.mark.parametrize(
        ("line", "table"),
        [
            (b"GET /api/tables/abc/play HTTP/1.1\r\n", b"abc"),
            (b"GET /api/tables/abc HTTP/1.1\r\n", b"abc"),
            (b"POST /api/tables/abc/seats?x=1 HTTP/1.1\r\n", b"abc"),
            (b"GET /game/abc/review HTTP/1.1\r\n", b"abc"),
            (b"POST /api/tables HTTP/1.1\r\n", None),
            (b"GET /table/abc HTTP/1.1\r\n", None),
            (b"GET /x?/api/tables/abc HTTP/1.1\r\n", None),
            (b"\x16\x03\x01", None),
        ],
    )
    def test_the_first_line_names_the_table(self, line, table):
        assert table_in(line) == table

    def test_a_worker_does_not_open_a_table_of_another(self, tmp_path):
        store = Store(tmp_path / "tables.sqlite")
        foreign = Rooms(store, Share(1 - owner_of(b"abc", 2), 2))

        async def ask():
            async with foreign.use("abc"):
                pass

        with pytest.raises(MisdirectedError):
            run_apart(ask())
        store.close()


@pytest.mark.slow
class TestTwoWorkers:
    def test_games_are_played_at_both(self, server):
        for table in tables_of_both(server, "you", "open", "thumb"):
            address = f"http://127.0.0.1:{server.port}/api/tables/{table['table']}/seats"
            taken = httpx.post(address, json={"seat": 1, "name": "Bo"}, timeout=PATIENCE).json()
            with (
                Player(server.port, table["table"], table["key"]) as ann,
                Player(server.port, table["table"], taken["key"]) as bo,
            ):
                play_out(ann, bo)

    def test_a_request_sent_to_both_at_once_opens_one_table(self, server):
        address = f"http://127.0.0.1:{server.port}/api/tables"
        for _ in range(3):
            wanted = {**order("you", "thumb"), "key": new_key()}
            with ThreadPoolExecutor(6) as threads:
                answers = list(
                    threads.map(lambda _, wanted=wanted: httpx.post(address, json=wanted, timeout=PATIENCE), range(6))
                )
            assert {answer.status_code for answer in answers} == {201}
            assert len({answer.json()["table"] for answer in answers}) == 1

    def test_a_listed_table_is_found_at_every_worker(self, server):
        address = f"http://127.0.0.1:{server.port}/api/tables"
        seats = [{"kind": "you", "name": "Ann"}, {"kind": "open"}]
        wanted = {"game": "trick-walls", "players": 2, "options": {"rounds": 1}, "seats": seats, "listed": True}
        opened = [httpx.post(address, json=wanted, timeout=PATIENCE).json() for _ in range(6)]
        for _ in range(4):
            found = {table["table"] for table in httpx.get(address, timeout=PATIENCE).json()["tables"]}
            assert found >= {table["table"] for table in opened}
        for table in opened[:3]:
            path = f"{address}/{table['table']}"
            taken = httpx.post(f"{path}/seats", json={"seat": 1, "name": "Bo"}, timeout=PATIENCE).json()
            with (
                Player(server.port, table["table"], table["key"]) as ann,
                Player(server.port, table["table"], taken["key"]) as bo,
            ):
                play_out(ann, bo)
                again = httpx.post(f"{path}/rematch", json={"key": table["key"]}, timeout=PATIENCE).json()
                seat = bo.hear_type("rematch")["seat"]
                body = {"seat": seat, "name": "Bo", "key": taken["key"]}
                httpx.post(f"{address}/{again['table']}/seats", json=body, timeout=PATIENCE).raise_for_status()
            with (
                Player(server.port, again["table"], table["key"]) as ann,
                Player(server.port, again["table"], taken["key"]) as bo,
            ):
                play_out(ann, bo)
            wanted_on = {"seen": 8, "seats": [seats[0], {"kind": "bot", "bot": "thumb", "name": "Cy"}]}
            on = httpx.post(f"{path}/on", json=wanted_on, timeout=PATIENCE).json()
            with Player(server.port, on["table"], on["key"]) as ann:
                play_out(ann)

    def test_every_answer_ends_its_connection(self, server):
        answer = server.get("/api/games")
        assert answer.headers["connection"] == "close"
        assert answer.status_code == 200

    def test_a_worker_that_dies_is_started_again_and_the_game_goes_on(self, server):
        table = server.open("you", "thumb", options={"rounds": 2})
        before = workers_of(server.process.pid)
        assert len(before) == 2
        with Player(server.port, table["table"], table["key"]) as ann:
            play_out(ann, until=lambda scene: scene["seen"] >= 8 and scene["legal"])
            for number in before:
                os.kill(number, signal.SIGKILL)
            assert ann.close_code() == 1006
            log = [line for line in ann.log if line]
        with connected_again(server, table) as ann:  # waits until the worker is running again
            ann.hear_type("scenes")
            assert [line for line in ann.log if line][: len(log)] == log
            play_out(ann)
        # the other one, for which no connection waits, may be later
        wait_until(lambda: len(after := workers_of(server.process.pid)) == 2 and not set(after) & set(before))

    def test_silent_connections_do_not_delay_others(self, server):
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(300)]
        try:
            for each in silent[::2]:
                each.sendall(b"GET /api/tab")
            assert server.get("/healthz").json() == {"status": "ok"}
        finally:
            for each in silent:
                each.close()

    @pytest.mark.parametrize("data", [Random(1).randbytes(300) + b"\n", b"x" * 9000, b"\n\n\n\r\n\r\n"])
    def test_garbage_does_no_harm(self, server, data):
        raw = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        with raw, suppress(OSError):  # it may be cut off before it has been read
            raw.sendall(data)
            raw.shutdown(socket.SHUT_WR)
            while raw.recv(65536):
                pass
        assert server.get("/healthz").status_code == 200

    def test_metrics_combine_all_workers(self, server):
        def events():
            figures = figures_of(server)
            return sum(value for name, value in figures.items() if name.startswith("parlour_events_total{"))

        before, played = events(), 0
        for table in tables_of_both(server, "you", "thumb"):
            with Player(server.port, table["table"], table["key"]) as ann:
                wait_until(lambda: figures_of(server)["parlour_connections"] > 0)
                play_out(ann)
                played += ann.scene["seen"]
        assert events() - before >= played > 0


class Log(threading.Thread):
    """A thread that collects the lines of a server's log until the server ends."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.lines, self._server = [], server
        self.start()

    def run(self):
        for line in self._server.process.stderr:
            self.lines.append(line)

    def of(self, what):
        """Return the log lines about an event."""
        found = [json.loads(line) for line in list(self.lines) if line.startswith("{")]
        return [line for line in found if line["what"] == what]


def kill_forkservers(server, until):
    """Kill every fork server of a server as soon as it exists, until a condition holds."""
    ends = time.monotonic() + 2 * PATIENCE
    while not until():
        assert time.monotonic() < ends
        for number, line in children_of(server.process.pid).items():
            if "forkserver" in line:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)


def answers(server, path):
    """Return whether a server answers; the dispatcher may give a connection to a worker that is ending."""
    with suppress(httpx.TransportError):
        return server.get(path).status_code == 200
    return False


class SilentWorker:
    """A worker whose process starts, but never becomes ready; it counts its starts and ends."""

    def __init__(self):
        self.number, self.starts, self.ends = 0, 0, 0
        self.process = SimpleNamespace(kill=self.end)
        self._open()

    def _open(self):
        self.channel, self._remote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.channel.setblocking(False)

    def start(self):
        self.starts += 1
        self._remote.close()
        self._open()

    def end(self):
        self.ends += 1

    def close(self):
        self.channel.close()
        self._remote.close()


@pytest.mark.slow
class TestWorkersThatCannotBeStarted:
    def test_a_worker_that_hangs_at_its_restart_is_ended_and_started_again(self, monkeypatch):
        monkeypatch.setattr(workers, "_READY_SECONDS", 0.0)
        monkeypatch.setattr(workers, "_RESTART_SECONDS", 0.0)
        worker = SilentWorker()

        async def restart(listening):
            await workers._Dispatcher(listening, Settings(workers=2), lambda: None)._restart(worker)

        with socket.socket() as listening, pytest.raises(ParlourError, match="could not be started 6 times in a row"):
            run_apart(restart(listening))
        assert (worker.starts, worker.ends) == (6, 6)
        worker.close()

    def test_a_fork_server_killed_again_at_its_start_is_started_once_more_and_the_log_says_so(self, tmp_path):
        server = Process(tmp_path / "tables.sqlite", "--workers", "2")
        log = Log(server)
        table = server.open("you", "thumb")
        kill_forkservers(server, until=lambda: log.of("worker not started"))
        failed = log.of("worker not started")[0]
        assert failed["level"] == "error"
        assert "could not be started" in failed["error"]
        wait_until(lambda: answers(server, f"/api/tables/{table['table']}"))
        wait_until(lambda: all(answers(server, "/healthz") for _ in range(4)))
        server.process.terminate()
        server.process.wait(PATIENCE)
        assert server.process.returncode == 0

    def test_the_server_ends_with_a_status_if_a_worker_stays_away(self, tmp_path):
        server = Impatient(tmp_path / "tables.sqlite", "--workers", "2")
        log = Log(server)
        kill_forkservers(server, until=lambda: server.process.poll() is not None)
        log.join(PATIENCE)
        assert server.process.returncode == 1
        assert log.lines[-1].endswith("times in a row: the server ends\n")


@pytest.mark.slow
class TestShutdown:
    def test_connections_close_with_a_code_and_all_processes_end(self, two_workers):
        table = two_workers.open("you", "thumb")
        workers = workers_of(two_workers.process.pid)
        with Player(two_workers.port, table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            two_workers.process.terminate()
            assert ann.close_code() == 1012
        out, err = two_workers.process.communicate(timeout=PATIENCE)
        assert two_workers.process.returncode == 0
        assert "The room is closed." in out
        lines = [json.loads(line) for line in err.splitlines()]
        assert [line["what"] for line in lines] == ["open", "closed"]
        assert table["key"] not in err
        assert table["table"] not in err
        wait_until(lambda: not running_processes(workers))

    def test_workers_may_drain_for_longer_than_they_have_to_end(self, cluster):
        database = cluster.new_database()
        draining = Impatient(database, "--workers", "2", "--drain-seconds", "6")
        other = Impatient(database)
        table = draining.open("you", "thumb")
        with Player(draining.port, table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            draining.process.terminate()
            assert ann.close_code() == Closing.ELSEWHERE
        with Player(other.port, table["table"], table["key"]) as ann:
            play_out(ann)
        draining.process.communicate(timeout=PATIENCE)
        assert draining.process.returncode == 0
        other.kill()

    def test_a_worker_without_free_files_drops_connections_and_continues(self, tmp_path):
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        worker = WorkerServer(make_config(Store(tmp_path / "tables.sqlite")), near)

        async def take() -> bool:
            worker._take()
            return worker.should_exit

        far.send(b"GET / HTTP/1.1")  # and no descriptor: there was no room for it
        assert not run_apart(take())
        far.close()
        assert run_apart(take())
        near.close()

    def test_workers_do_not_outlive_a_killed_dispatcher(self, two_workers):
        workers = workers_of(two_workers.process.pid)
        two_workers.kill()
        wait_until(lambda: not running_processes(workers))
