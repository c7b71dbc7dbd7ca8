"""Load test of the server: clients at real sockets that use only the protocol.

Starts a server in processes of its own, seats clients at each table, and lets them act at a human pace. It measures the
time from an action to the receipt of its result by all clients at the table. Simultaneously, on the same connections,
it measures the time of a ping, which is the lower bound on this machine.
"""

import asyncio
import contextlib
import gc
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import click
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from parlour.cli.arguments import refuse_options_beside
from trials.command import NOT_NEGATIVE, POSITIVE, TrialCommand, check_refusal, check_tasks, wait_for_all
from trials.postgresql import Postgres, Work
from trials.process_usage import cpu_seconds, memory, process_tree

_NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo")
_PINGS = 0.1
"""Fraction of actions after which a ping is sent as well."""
_OPENING = 8
"""Number of threads that open tables."""
_AGAIN_SECONDS = 0.1


@dataclass
class Load:
    """Times of actions and pings, in seconds, the characters of all messages, and counts."""

    actions: list[float] = field(default_factory=list)
    pings: list[float] = field(default_factory=list)
    bytes: int = 0
    games: int = 0
    refused: int = 0
    lost: int = 0
    counting: bool = False


class Server:
    """Server under test, and the resources of its processes."""

    def __init__(self, workers: int, database: str, *, limited: bool = False, paced: bool = False) -> None:
        command = [
            sys.executable,
            "-m",
            "parlour",
            "serve",
            "--no-warm-up",
            "--port",
            "0",
            "--limits" if limited else "--no-limits",
            "--pace" if paced else "--no-pace",
            "--workers",
            str(workers),
        ]
        self._process = subprocess.Popen([*command, "--database", database], stdout=subprocess.PIPE, text=True)
        try:
            self.port = self._announced_port()
        except BaseException:  # Ctrl-C included
            self._process.terminate()
            raise

    def _announced_port(self) -> int:
        assert self._process.stdout
        found = re.search(r":(\d+)/", self._process.stdout.readline())
        if not found:
            raise click.ClickException("the server did not start")
        return int(found[1])

    def memory(self) -> float:
        """Return the memory of all its processes, in MB; shared pages count once."""
        return memory(process_tree(self._process.pid))

    def seconds(self) -> float:
        """Return the processor seconds of all its processes so far."""
        return sum(cpu_seconds(number) for number in process_tree(self._process.pid))

    def stop(self) -> None:
        """Stop the server."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)

    def ask(self, path: str, body: Any = None, address: str = "127.0.0.1") -> Any:
        """Send an HTTP request from an address of this machine. Raises ``OSError`` and :class:`RefusedError`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(address, 0))
        with contextlib.closing(connection):
            headers = {"Content-Type": "application/json"}
            connection.request("GET" if body is None else "POST", path, body and json.dumps(body), headers)
            answer = connection.getresponse()
            if answer.status >= 400:
                text = answer.read(200)
                check_refusal(path, answer.status, text.decode(errors="replace"))
                raise OSError(f"{path}: {answer.status} {text!r}")
            return json.load(answer)


class Seat:
    """Client at a table, with the number of events that it has received and its legal actions."""

    def __init__(self, socket: ClientConnection, table: "Table") -> None:
        self._socket = socket
        self._table = table
        self.seen = -1
        self.legal: list[str] = []
        self.over = False
        self._pinged = 0.0

    async def say(self, **message: Any) -> None:
        """Send a message."""
        text = json.dumps(message)
        self._table.load.bytes += len(text)
        await self._socket.send(text)

    async def ping(self) -> None:
        """Measure the round trip to the server."""
        if not self._pinged:
            self._pinged = time.perf_counter()
            await self.say(type="ping")

    async def listen(self) -> None:
        """Receive messages until the connection ends. Raises ``ConnectionError`` if the game is not over."""
        async for text in self._socket:
            now = time.perf_counter()
            self._table.load.bytes += len(text)
            message = json.loads(text)
            if message["type"] == "scenes":
                scene = message["scenes"][-1]
                self.seen, self.legal, self.over = scene["seen"], scene["legal"], scene["over"]
                self._table.record_event(now)
            elif message["type"] == "pong":
                if self._table.load.counting:
                    self._table.load.pings.append(now - self._pinged)
                self._pinged = 0.0
            elif message["type"] == "refused":
                self._table.load.refused += 1
        if not self.over:
            raise ConnectionError("the server has closed the connection")


class Table:
    """Two or more clients at one table, who act at a human pace and start a new game after each game."""

    def __init__(
        self,
        server: Server,
        plan: dict[str, Any],
        pace: float,
        load: Load,
        threads: ThreadPoolExecutor,
        address: str = "127.0.0.1",
    ) -> None:
        self._server = server
        self._address = address
        self._plan = plan
        self._pace = pace
        self.load = load
        self._threads = threads
        self._seats: list[Seat] = []
        self._changed = asyncio.Event()
        self._sent = 0.0
        self._awaited = 0
        self.sitting = asyncio.Event()

    def record_event(self, now: float) -> None:
        """Record that a seat has received an event; the action has arrived when all seats have received it."""
        if self._sent and all(seat.seen >= self._awaited for seat in self._seats):
            if self.load.counting:
                self.load.actions.append(now - self._sent)
            self._sent = 0.0
        self._changed.set()

    async def play(self) -> None:
        """Play game after game."""
        while True:
            try:
                await self._play_one()
            except* (WebSocketException, http.client.HTTPException, OSError):  # also of a refused handshake
                self.load.lost += 1
                await asyncio.sleep(_AGAIN_SECONDS)
            else:
                self.load.games += 1

    def _open(self) -> tuple[str, list[str]]:
        players = self._plan["players"]
        seats = [{"kind": "you", "name": _NAMES[0]}, *({"kind": "open"} for _ in range(players - 1))]
        opened = self._server.ask("/api/tables", {**self._plan, "seats": seats}, self._address)
        keys = [opened["key"]]
        for seat in range(1, players):
            request = {"seat": seat, "name": _NAMES[seat]}
            taken = self._server.ask(f"/api/tables/{opened['table']}/seats", request, self._address)
            keys.append(taken["key"])
        return opened["table"], keys

    async def _play_one(self) -> None:
        table, keys = await asyncio.get_running_loop().run_in_executor(self._threads, self._open)
        address = f"ws://127.0.0.1:{self._server.port}/api/tables/{table}/play"
        async with contextlib.AsyncExitStack() as sockets, asyncio.TaskGroup() as listeners:
            self._seats, self._sent = [], 0.0
            for key in keys:
                socket = await sockets.enter_async_context(
                    connect(
                        address,
                        compression=None,
                        max_queue=64,
                        ping_interval=None,
                        open_timeout=60,
                        local_addr=(self._address, 0),
                    )
                )
                self._seats.append(Seat(socket, self))
                await self._seats[-1].say(type="hello", key=key)
            tasks = [listeners.create_task(seat.listen()) for seat in self._seats]
            await self._act_till_over()
            for task in tasks:
                task.cancel()

    async def _act_till_over(self) -> None:
        while not any(seat.over for seat in self._seats):
            seen = max(seat.seen for seat in self._seats)
            actor = next((seat for seat in self._seats if seat.legal and seat.seen == seen), None)
            if actor is None:
                self._changed.clear()
                await self._changed.wait()
                continue
            self.sitting.set()
            await asyncio.sleep(random.uniform(0, 2 * self._pace))
            action, actor.legal = random.choice(actor.legal), []
            self._awaited = actor.seen + 1
            self._sent = time.perf_counter()
            await actor.say(type="act", do=action, seen=actor.seen)
            if random.random() < _PINGS:
                await random.choice(self._seats).ping()


def plans_of(server: Server) -> list[dict[str, Any]]:
    """Return every game with its smallest number of players."""
    games = server.ask("/api/games")["games"]
    return [{"game": game["id"], "players": game["players"][0], "options": {}} for game in games]


async def measure(
    server: Server, tables: int, pace: float, seconds: float, database: Postgres | None = None
) -> dict[str, Any]:
    """Seat clients at tables, and measure for some seconds once all of them play."""
    load, plans = Load(), plans_of(server)
    empty = server.memory()
    threads = ThreadPoolExecutor(_OPENING)
    rooms = [Table(server, plans[number % len(plans)], pace, load, threads) for number in range(tables)]
    began = time.perf_counter()
    playing = [asyncio.create_task(room.play()) for room in rooms]
    for number, (room, task) in enumerate(zip(rooms, playing, strict=True), 1):
        await wait_for_all((room.sitting,), (task,))
        if number % max(1, tables // 5) == 0:
            click.echo(f"{number} tables at play after {time.perf_counter() - began:.0f} s", err=True)
    await asyncio.sleep(2 * pace)
    held = server.memory()
    work = database.work() if database else None
    load.counting, load.bytes, start = True, 0, time.perf_counter()
    before, own = server.seconds(), time.process_time()
    await asyncio.sleep(seconds)
    load.counting, lasted = False, time.perf_counter() - start
    used, own = server.seconds() - before, time.process_time() - own
    stored = _work_per_action(work, database.work(), len(load.actions)) if work and database else {}
    check_tasks(playing)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    threads.shutdown()
    return {
        "tables": tables,
        "connections": sum(plans[number % len(plans)]["players"] for number in range(tables)),
        "pace_seconds": pace,
        "measured_seconds": round(lasted, 1),
        **_figures_of(load, lasted),
        "empty_mb": round(empty),
        "kb_per_table": round((held - empty) * 1024 / tables),
        "server_cores": round(used / lasted, 2),
        "server_ms_per_action": ratio(1000 * used, len(load.actions)),
        **stored,
        "generator_cores": round(own / lasted, 2),
        "load_average": os.getloadavg()[0],
    }


def _figures_of(load: Load, seconds: float) -> dict[str, Any]:
    """Return what the clients counted in some seconds."""
    return {
        "actions": len(load.actions),
        "actions_per_second": round(len(load.actions) / seconds, 1),
        "action_p50_ms": quantile_ms(load.actions, 0.5),
        "action_p99_ms": quantile_ms(load.actions, 0.99),
        "action_max_ms": quantile_ms(load.actions, 1),
        "ping_p50_ms": quantile_ms(load.pings, 0.5),
        "ping_p99_ms": quantile_ms(load.pings, 0.99),
        "p99_in_pings": ratio(quantile_ms(load.actions, 0.99), quantile_ms(load.pings, 0.99)),
        "bytes_per_action": round(ratio(load.bytes, len(load.actions))),
        "refused": load.refused,
        "lost_connections": load.lost,
    }


def _work_per_action(before: Work, after: Work, actions: int) -> dict[str, float]:
    """Return PostgreSQL's work per action."""
    return {
        "database_ms_per_action": ratio(1000 * (after.seconds - before.seconds), actions),
        "commits_per_action": ratio(after.commits - before.commits, actions),
        "log_bytes_per_action": round(ratio(after.log_bytes - before.log_bytes, actions)),
        "kept_bytes_per_action": round(ratio(after.kept_bytes - before.kept_bytes, actions)),
    }


def quantile_ms(values: list[float], share: float) -> float:
    """Return the quantile ``share`` of the values, converted from seconds to milliseconds."""
    if not values:
        return 0.0
    return round(sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000, 1)


def ratio(value: float, unit: float) -> float:
    """Return a value divided by a unit, rounded; 0 if the unit is 0."""
    return round(value / unit, 2) if unit else 0.0


@contextlib.contextmanager
def run_server(
    workers: int, database: str | None = None, *, limited: bool = False, paced: bool = False
) -> Iterator[Server]:
    """Run a server; by default without limits and with bots that answer at once."""
    with tempfile.TemporaryDirectory(prefix="parlour-load-") as folder:
        server = Server(workers, database or f"{folder}/tables.sqlite", limited=limited, paced=paced)
        try:
            yield server
        finally:
            server.stop()


@click.command(cls=TrialCommand)
@click.option("--tables", type=click.IntRange(1), default=1000, show_default=True, help="Simultaneous tables.")
@click.option(
    "--pace", type=NOT_NEGATIVE, default=5.0, show_default=True, help="Seconds from action to action at a table."
)
@click.option(
    "--seconds", type=POSITIVE, default=30.0, show_default=True, help="Length of the measurement, in seconds."
)
@click.option("--workers", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes (default: all cores).")
@click.option("--database", default=None, help="A file or postgresql://… (default: a file that is removed).")
@click.option("--postgresql", is_flag=True, help="Start a PostgreSQL and measure its work, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(
    tables: int, pace: float, seconds: float, workers: int, database: str | None, postgresql: bool, as_json: bool
) -> None:
    """Measure the load of many simultaneous tables on this machine."""
    refuse_options_beside("postgresql", "database")
    gc.freeze()
    gc.set_threshold(2_000, 10, 1_000_000)  # avoid pauses of this process while it measures
    with contextlib.ExitStack() as to_end:
        own = Postgres() if postgresql else None
        if own:
            to_end.callback(own.remove)
        server = to_end.enter_context(run_server(workers, own.url() if own else database))
        found = asyncio.run(measure(server, tables, pace, seconds, own))
        result = {"workers": workers, "cores": os.cpu_count(), **found}
    click.echo(json.dumps(result) if as_json else "\n".join(f"{name:>20}  {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
