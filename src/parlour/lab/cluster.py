"""Several servers on one database, killed and restarted under people who play: what is lost, and how long they wait.

Starts PostgreSQL, so many servers as processes, and HAProxy before them (where it is not installed, the clients look
for a server themselves). People at real sockets play at tables with bots; now and then a server is killed, and once all
are restarted one after another. In the end what people were shown is compared with what is stored.
"""

import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import click
import sqlalchemy as sql

from parlour.lab.cluster_people import Findings, Table, ask
from parlour.lab.load import milliseconds
from parlour.lab.postgresql import Postgres

HAPROXY = """
global
    maxconn 8000
defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout check 3s
    timeout tunnel 1h
    option redispatch 1
    retries 3
frontend room
    bind 127.0.0.1:{port}
    default_backend servers
backend servers
    # whatever concerns a table goes to one server, all else of one address to one
    http-request set-var(txn.goes_by) path,field(4,/) if {{ path_beg /api/tables/ }}
    http-request set-var(txn.goes_by) path,field(3,/) if {{ path_beg /game/ }}
    http-request set-var(txn.goes_by) src if !{{ var(txn.goes_by) -m found }}
    balance hash var(txn.goes_by)
    hash-type consistent sdbm avalanche
    option forwardfor
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
    default-server inter 500ms fall 2 rise 1
{servers}
"""
_CONNECTIONS_EACH = 20
_BACK_SECONDS = 1.0
_LOOK_SECONDS = 0.1
_QUIET_SECONDS = 15.0
"""So long after a server was killed or restarted what people wait is not counted as of quiet times."""
_READY_SECONDS = 60.0


def free_ports(number: int) -> list[int]:
    """Ports that nobody listens at, below those that the system gives to outgoing connections."""
    found: list[int] = []
    while len(found) < number:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as asking, contextlib.suppress(OSError):
            asking.bind(("127.0.0.1", port))
            found += [port] * (port not in found)
    return found


class Server:
    """One of the servers, at a port that stays the same."""

    def __init__(self, port: int, database: str, log: Path) -> None:
        self.port, self._database, self._log = port, database, log
        self.start()

    def start(self) -> None:
        """Start it; it is not ready yet."""
        options = "--no-warm-up --no-pace --no-limits --behind-proxy --drain-seconds 3"
        command = [sys.executable, "-m", "parlour.cli", "serve", *options.split(), "--port", str(self.port)]
        with self._log.open("a") as log:
            self.process = subprocess.Popen([*command, "--database", self._database], stdout=log, stderr=log)

    async def ready(self) -> None:
        """Wait until it can be played at."""
        until = time.monotonic() + _READY_SECONDS
        while time.monotonic() < until:
            if (await asyncio.to_thread(ask, self.port, "/readyz"))[0] == HTTPStatus.OK:
                return
            await asyncio.sleep(_LOOK_SECONDS)
        raise click.ClickException(f"a server did not start; see {self._log}")

    def kill(self) -> None:
        """End it as a machine that fails does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    async def restart(self) -> None:
        """Let it hand over its tables, and start another in its place."""
        self.process.send_signal(signal.SIGTERM)
        await asyncio.get_running_loop().run_in_executor(None, self.process.wait)
        self.start()
        await self.ready()


def end_all(servers: list[Server]) -> None:
    """End them at once."""
    for server in servers:
        server.kill()


@contextlib.contextmanager
def balanced(servers: list[Server], folder: Path) -> Iterator[list[int]]:
    """HAProxy before the servers. Gives the ports where clients ask: its one, or those of the servers."""
    program = shutil.which("haproxy") or shutil.which("/usr/sbin/haproxy")
    if program is None:
        click.echo("HAProxy is not here (apt install haproxy): clients look for a server themselves", err=True)
        yield [server.port for server in servers]
        return
    (port,) = free_ports(1)
    lines = "\n".join(f"    server s{each.port} 127.0.0.1:{each.port} check" for each in servers)
    (folder / "haproxy.cfg").write_text(HAPROXY.format(port=port, servers=lines))
    with (folder / "haproxy.log").open("w") as log:
        process = subprocess.Popen([program, "-db", "-f", str(folder / "haproxy.cfg")], stdout=log, stderr=log)
    try:
        yield [port]
    finally:
        process.terminate()
        process.wait()


async def disturb(servers: list[Server], findings: Findings, kill_every: float, seconds: float) -> None:
    """Kill a server now and then, and restart all of them in turn when half of the time is over."""
    began = time.monotonic()
    await kill_now_and_then(servers, findings, kill_every, began + seconds / 2)
    for server in servers:
        findings.disturb("restarts")
        await server.restart()
        findings.disturb()
    await kill_now_and_then(servers, findings, kill_every, began + seconds)


async def kill_now_and_then(servers: list[Server], findings: Findings, kill_every: float, until: float) -> None:
    """Kill a server drawn at random, start it again, and so on until a time of the monotonic clock."""
    while (left := until - time.monotonic()) > 0:
        await asyncio.sleep(min(left, kill_every))
        if left > kill_every:
            server = random.choice(servers)
            findings.disturb("kills")
            server.kill()
            await asyncio.sleep(_BACK_SECONDS)
            server.start()
            await server.ready()
            findings.disturb()


async def play(
    servers: list[Server], ports: list[int], tables: int, pace: float, seconds: float, kill_every: float
) -> Findings:
    """Let people play for so long, undisturbed for the first quarter of it."""
    await asyncio.gather(*(server.ready() for server in servers))
    await asyncio.sleep(2 * _BACK_SECONDS)  # until HAProxy has noticed
    games = ask(ports[0], "/api/games")[1]["games"]
    findings = Findings()
    rooms = [Table(ports, games[number % len(games)], number, pace, findings) for number in range(tables)]
    playing = [asyncio.create_task(room.play()) for room in rooms]
    await asyncio.gather(*(room.sitting.wait() for room in rooms))
    click.echo(f"{tables} tables at play", err=True)
    findings.begin()
    await asyncio.sleep(seconds / 4)
    await disturb(servers, findings, kill_every, seconds * 3 / 4)
    await asyncio.sleep(_QUIET_SECONDS)
    for room in rooms:
        room.see_who_waits()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return findings


def told(findings: Findings, database: sql.Engine) -> dict[str, Any]:
    """What was found, compared with what is stored."""
    waits = [wait for _, wait in findings.waits]
    quiet = [wait for at, wait in findings.waits if findings.quiet(at, wait + _QUIET_SECONDS)]
    return {
        **findings.compared(database),
        "kills": findings.counts["kills"],
        "restarts": findings.counts["restarts"],
        "connections_lost": {str(code): number for code, number in sorted(findings.closed.items())},
        "refused": findings.counts["refused"],
        "wait_p50_ms": milliseconds(waits, 0.5),
        "wait_p99_ms": milliseconds(waits, 0.99),
        "wait_quiet_p50_ms": milliseconds(quiet, 0.5),
        "wait_quiet_p99_ms": milliseconds(quiet, 0.99),
        "longest_wait_s": round(max(waits, default=0.0), 2),
    }


@click.command()
@click.option("--servers", type=click.IntRange(2), default=3, show_default=True, help="Number of servers.")
@click.option("--tables", type=click.IntRange(1), default=60, show_default=True, help="Active at once.")
@click.option("--pace", type=float, default=3.0, show_default=True, help="Seconds a person takes.")
@click.option("--seconds", type=float, default=90.0, show_default=True, help="How long to play.")
@click.option("--kill-every", type=float, default=10.0, show_default=True, help="Seconds between two kills.")
@click.option("--logs", type=click.Path(path_type=Path), default=None, help="Folder for the servers' logs.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def main(
    servers: int, tables: int, pace: float, seconds: float, kill_every: float, logs: Path | None, as_json: bool
) -> None:
    """Kill and restart servers that share a database, and see what people at their tables notice."""
    with contextlib.ExitStack() as to_end:
        folder = logs or Path(to_end.enter_context(tempfile.TemporaryDirectory(prefix="parlour-cluster-")))
        folder.mkdir(parents=True, exist_ok=True)
        database = Postgres(servers * _CONNECTIONS_EACH)
        to_end.callback(database.remove)
        running: list[Server] = []
        to_end.callback(end_all, running)
        for port in free_ports(servers):
            running.append(Server(port, database.url(), folder / f"{port}.log"))
        ports = to_end.enter_context(balanced(running, folder))
        findings = asyncio.run(play(running, ports, tables, pace, seconds, kill_every))
        result = {"servers": servers, "tables": tables, **told(findings, database.engine())}
        result["load_average"] = os.getloadavg()[0]
    click.echo(json.dumps(result) if as_json else "\n".join(f"{name:>20}  {value}" for name, value in result.items()))
    if result["lost"] or result["doubled"] or result["deals_changed"]:
        raise click.ClickException("something that was acknowledged is not what is stored")


if __name__ == "__main__":
    main()
