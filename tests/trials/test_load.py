"""The load test itself: it plays, and its figures are consistent."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from trials.command import RefusedError, wait_for_all
from trials.load import Load, Server, Table, main
from websockets.asyncio.server import serve

from tests.helpers import run_apart


def test_a_connection_closed_by_the_server_is_counted_and_its_table_restarts():
    async def measured() -> Load:
        load = Load()
        plan = {"game": "three-tricks", "players": 2, "options": {}}
        async with serve(lambda socket: socket.close(), "127.0.0.1", 0) as server:
            gate = SimpleNamespace(port=server.sockets[0].getsockname()[1])
            with ThreadPoolExecutor(1) as threads:
                table = Table(gate, plan, 0.1, load, threads)
                table._open = lambda: ("table", ["key", "key"])
                playing = asyncio.create_task(table.play())
                async with asyncio.timeout(60):
                    while load.lost < 2:
                        await asyncio.sleep(0.01)
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
        return load

    assert run_apart(measured()).games == 0


def test_a_refused_table_ends_the_trial_with_the_sentence_of_the_server():
    class Answer(BaseHTTPRequestHandler):
        def do_POST(self):
            self.send_response(422)
            self.end_headers()
            self.wfile.write(b'{"error": "no such game"}')

        def log_message(self, *_):
            pass

    async def played(port: int) -> None:
        gate = Server.__new__(Server)
        gate.port = port
        plan = {"game": "nope", "players": 2, "options": {}}
        with ThreadPoolExecutor(1) as threads:
            table = Table(gate, plan, 0.1, Load(), threads)
            async with asyncio.timeout(60):
                await wait_for_all([table.sitting], [asyncio.create_task(table.play())])

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        answering = Thread(target=server.handle_request)
        answering.start()
        with pytest.raises(RefusedError, match=r"refuses /api/tables with status 422: .*no such game"):
            run_apart(played(server.server_port))
        answering.join()


def test_a_database_beside_the_own_postgresql_is_refused():
    refused = CliRunner().invoke(main, ["--postgresql", "--database", "tables.sqlite"])
    assert (refused.exit_code, refused.output.splitlines()[-1]) == (
        2,
        "Error: --database has no effect with --postgresql",
    )


@pytest.mark.slow
def test_a_few_tables_are_played_and_measured():
    command = [sys.executable, "-m", "trials.load", "--tables", "5", "--pace", "0.1", "--seconds", "6", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["tables"] == 5
    assert result["actions"] > 0
    assert result["refused"] == result["lost_connections"] == 0
    assert 0 < result["action_p50_ms"] <= result["action_p99_ms"] <= result["action_max_ms"]
    assert result["ping_p50_ms"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_trial_that_is_stopped_ends_its_server_and_removes_its_folder(tmp_path, number, status):
    command = [sys.executable, "-m", "trials.load", "--tables", "2", "--workers", "1", "--seconds", "9999"]
    trial = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        # SIGINT may be ignored where tests are run in the background
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while "2 tables at play" not in (line := trial.stderr.readline()):
        assert line, "it ended by itself"
    assert list(tmp_path.glob("parlour-load-*"))
    trial.send_signal(number)
    _, rest = trial.communicate(timeout=120)  # the server has the same standard error, so it has ended, too
    assert trial.returncode == status
    assert "Traceback" not in rest
    assert not list(tmp_path.glob("parlour-load-*"))


@pytest.mark.parametrize("option", ["--pace=-1", "--pace=nan", "--seconds=0", "--seconds=inf"])
def test_a_time_that_measures_nothing_is_refused(option):
    refused = CliRunner().invoke(main, [option])
    assert refused.exit_code == 2
    assert option.partition("=")[0] in refused.output
