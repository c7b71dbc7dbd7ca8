"""Trial of a crowd: the effect on others of one address with idle connections and useless requests.

Starts a server with its usual limits, seats clients at tables, and measures their actions alternately without and with
the crowd, which has its own address and process. Each table's clients have an address in ``127.0.0.0/8``; up to 250
tables do not share any. The trial runs on Linux, where every address of that network is the local machine.
"""

import asyncio
import contextlib
import itertools
import json
import multiprocessing
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import click

from trials.command import NOT_NEGATIVE, POSITIVE, TrialCommand, check_tasks, wait_for_all
from trials.load import Load, Server, Table, plans_of, quantile_ms, ratio, run_server

_CROWD = "127.0.0.66"
_AGAIN_SECONDS = 0.2
_SETTLING_SECONDS = 3.0
_ASKS = (
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    b"GET /api/tables/nosuchtable/play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
)


class Crowd:
    """One address that opens idle connections all the time, and sends ``tries`` requests a minute."""

    def __init__(self, port: int, idle: int, tries: int) -> None:
        self._port = port
        self._idle = idle
        self._pause = 60 / tries if tries else None
        self.opened = 0
        self.statuses: dict[str, int] = {}

    async def flood(self) -> None:
        """Open connections and send requests until cancelled."""
        async with asyncio.TaskGroup() as group:
            for number in range(self._idle):
                group.create_task(self._hold(number))
            if self._pause:
                group.create_task(self._try_often(group, self._pause))

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        async with asyncio.timeout(10):
            return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(_CROWD, 0), limit=4096)

    async def _hold(self, number: int) -> None:
        """Hold a connection, and replace it when the server closes it."""
        await asyncio.sleep(number * 10 / self._idle)
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                reader, writer = await self._connect()
                self.opened += 1
                with contextlib.closing(writer):
                    await reader.read()
            await asyncio.sleep(20)

    async def _try_often(self, group: asyncio.TaskGroup, pause: float) -> None:
        began = time.monotonic()
        for number in itertools.count():
            await asyncio.sleep(max(0.0, began + number * pause - time.monotonic()))
            group.create_task(self._try(_ASKS[number % len(_ASKS)]))

    async def _try(self, ask: bytes) -> None:
        status = "none"
        with contextlib.suppress(OSError, TimeoutError):
            reader, writer = await self._connect()
            with contextlib.closing(writer):
                writer.write(ask)
                async with asyncio.timeout(10):
                    line = await reader.readline()
                status = line.split()[1].decode() if line.startswith(b"HTTP") else "none"
        self.statuses[status] = self.statuses.get(status, 0) + 1


def _run_crowd(port: int, idle: int, tries: int, channel: Any) -> None:
    """Run the crowd in a process of its own, started and stopped by messages, and send its counts."""

    async def flood_until_message() -> Crowd:
        crowd = Crowd(port, idle, tries)
        flooding = asyncio.create_task(crowd.flood())
        await asyncio.get_running_loop().run_in_executor(None, channel.recv)
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        return crowd

    with contextlib.suppress(EOFError):
        while channel.recv():
            crowd = asyncio.run(flood_until_message())
            channel.send((crowd.opened, crowd.statuses))


class Visitor:
    """Client that repeatedly asks from another address whether the server is alive (``/healthz``)."""

    def __init__(self, server: Server, address: str) -> None:
        self._server = server
        self._address = address
        self.seconds: list[float] = []
        self.failed = 0

    async def visit_often(self, pause: float) -> None:
        """Send a request on a new connection repeatedly, with a ``pause`` in seconds before each."""
        while True:
            await asyncio.sleep(pause)
            began = time.perf_counter()
            try:
                async with asyncio.timeout(30):
                    there = "127.0.0.1", self._server.port
                    reader, writer = await asyncio.open_connection(*there, local_addr=(self._address, 0))
                    with contextlib.closing(writer):
                        writer.write(_ASKS[0])
                        line = await reader.readline()
                self.failed += b" 200 " not in line
            except (OSError, TimeoutError):
                self.failed += 1
            self.seconds.append(time.perf_counter() - began)


async def _count(server: Server, load: Load, visitor: Visitor, seconds: float) -> float:
    """Count the waits of clients and visitor anew for some seconds; return the number of cores that the server used."""
    await asyncio.sleep(_SETTLING_SECONDS)
    load.actions, visitor.seconds, load.counting, before = [], [], True, server.seconds()
    await asyncio.sleep(seconds)
    load.counting = False
    return (server.seconds() - before) / seconds


async def measure(server: Server, tables: int, pace: float, seconds: float, turns: int, crowd: Any) -> dict[str, Any]:
    """Seat clients at tables, and measure alternately without and with the crowd."""
    load, plans = Load(), plans_of(server)
    threads = ThreadPoolExecutor(4)
    rooms = [
        Table(server, plans[at % len(plans)], pace, load, threads, f"127.0.1.{at % 250 + 1}") for at in range(tables)
    ]
    visitor = Visitor(server, "127.0.2.1")
    tasks = [asyncio.create_task(room.play()) for room in rooms]
    tasks.append(asyncio.create_task(visitor.visit_often(0.2)))
    await wait_for_all([room.sitting for room in rooms], tasks[:-1])
    found: dict[bool, tuple[list[float], list[float]]] = {False: ([], []), True: ([], [])}
    opened, statuses, cores = 0, dict[str, int](), {False: 0.0, True: 0.0}
    for turn in range(2 * turns):
        crowded = turn % 2 == 1
        if crowded:
            crowd.send(True)
        cores[crowded] += await _count(server, load, visitor, seconds) / turns
        found[crowded][0].extend(load.actions)
        found[crowded][1].extend(visitor.seconds)
        if crowded:
            crowd.send(True)
            came, answered = await asyncio.get_running_loop().run_in_executor(None, crowd.recv)
            opened += came
            statuses = {status: statuses.get(status, 0) + answered.get(status, 0) for status in {*statuses, *answered}}
    check_tasks(tasks[:-1])
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    threads.shutdown()
    return {
        "tables": tables,
        **_figures("alone", *found[False], cores[False]),
        **_figures("crowded", *found[True], cores[True]),
        "action_p99_ratio": ratio(quantile_ms(found[True][0], 0.99), quantile_ms(found[False][0], 0.99)),
        "coming_p99_ratio": ratio(quantile_ms(found[True][1], 0.99), quantile_ms(found[False][1], 0.99)),
        "crowd_connections_opened": opened,
        "crowd_answers": statuses,
        "others_refused": load.refused + visitor.failed,
        "others_lost_connections": load.lost,
        "load_average": os.getloadavg()[0],
    }


def _figures(when: str, actions: list[float], comings: list[float], cores: float) -> dict[str, Any]:
    return {
        f"{when}_actions": len(actions),
        f"{when}_action_p50_ms": quantile_ms(actions, 0.5),
        f"{when}_action_p99_ms": quantile_ms(actions, 0.99),
        f"{when}_coming_p50_ms": quantile_ms(comings, 0.5),
        f"{when}_coming_p99_ms": quantile_ms(comings, 0.99),
        f"{when}_server_cores": round(cores, 2),
    }


@click.command(cls=TrialCommand)
@click.option("--idle", type=click.IntRange(1), default=4000, show_default=True, help="Idle connections.")
@click.option("--tries", type=click.IntRange(0), default=20_000, show_default=True, help="Requests per minute.")
@click.option("--tables", type=click.IntRange(1), default=40, show_default=True, help="Tables of other people.")
@click.option(
    "--pace", type=NOT_NEGATIVE, default=1.0, show_default=True, help="Seconds from action to action at a table."
)
@click.option("--seconds", type=POSITIVE, default=20.0, show_default=True, help="Length of each turn, in seconds.")
@click.option("--turns", type=click.IntRange(1), default=2, show_default=True, help="Turns without and with the crowd.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes of the server.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(
    idle: int, tries: int, tables: int, pace: float, seconds: float, turns: int, workers: int, as_json: bool
) -> None:
    """Measure the effect on others of an address that floods the room."""
    spawn = multiprocessing.get_context("spawn")
    near, far = spawn.Pipe()
    with run_server(workers, None, limited=True) as server:
        process = spawn.Process(target=_run_crowd, args=(server.port, idle, tries, far), daemon=True)
        process.start()
        far.close()
        result = {"workers": workers, "idle": idle, "tries_per_minute": tries}
        result |= asyncio.run(measure(server, tables, pace, seconds, turns, near))
        near.close()
        process.join(20)
    click.echo(json.dumps(result) if as_json else "\n".join(f"{name:>26}  {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
