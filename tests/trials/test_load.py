"""The load test itself: it plays, and its figures are consistent."""

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from trials.load import Load, Table
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


@pytest.mark.slow
def test_a_few_tables_are_played_and_measured():
    command = [sys.executable, "-m", "trials.load", "--tables", "5", "--pace", "0.1", "--seconds", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["tables"] == 5
    assert result["actions"] > 0
    assert result["refused"] == result["lost_connections"] == 0
    assert 0 < result["action_p50_ms"] <= result["action_p99_ms"] <= result["action_max_ms"]
    assert result["ping_p50_ms"] > 0
