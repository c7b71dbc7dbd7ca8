"""The servers of :mod:`parlour.lab.cluster`, of this version or of the one before, and the balancer before them."""

import asyncio
import contextlib
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
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import click

from parlour.lab.cluster_people import ask
from parlour.lab.relays import Relay
from parlour.lab.using import computed

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
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""
_OPTIONS = ("--no-warm-up", "--no-pace", "--no-limits", "--behind-proxy", "--drain-seconds=3")
_SERVE = (sys.executable, "-m", "parlour.cli", "serve")
_LOOK_SECONDS = 0.1
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


class Version:
    """A version of the program: this one, or that of a commit of the repository that this one lies in."""

    def __init__(self, source: Path | None = None) -> None:
        """Have this version run, or the one whose ``src`` is named; it leaves out options that it doesn't know."""
        self.environment = dict(os.environ) if source is None else {**os.environ, "PYTHONPATH": str(source)}
        told = subprocess.run(
            [*_SERVE, "--help"], env=self.environment, capture_output=True, text=True, check=True
        ).stdout
        self.command = [*_SERVE, *(option for option in _OPTIONS if option.partition("=")[0] in told)]


@contextlib.contextmanager
def checked_out(commit: str | None) -> Iterator[Version]:
    """The version of a commit, for as long as it is needed; this one if there is none."""
    if commit is None:
        yield Version()
        return
    repository, folder = Path(__file__).parent, tempfile.mkdtemp(prefix="parlour-before-")
    git = ["git", "-C", str(repository), "worktree"]
    added = subprocess.run([*git, "add", "--detach", folder, commit], capture_output=True, text=True, check=False)
    if added.returncode:
        raise click.ClickException(f"the version {commit} is not here: {added.stderr.strip()}")
    try:
        yield Version(Path(folder) / "src")
    finally:
        subprocess.run([*git, "remove", "--force", folder], capture_output=True, check=False)


class Server:
    """One of the servers, at a port that stays the same, with a relay between it and the database if it has one."""

    def __init__(self, port: int, database: str, log: Path, version: Version, relay: Relay | None = None) -> None:
        self.port, self._database, self._log, self.version = port, database, log, version
        self.relay = relay
        self.start()

    def start(self) -> None:
        """Start it; it is not ready yet."""
        command = [*self.version.command, "--port", str(self.port), "--database", self._database]
        with self._log.open("a") as log:
            self.process = subprocess.Popen(command, env=self.version.environment, stdout=log, stderr=log)

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

    def stop(self) -> None:
        """Have it stand still, as a machine does that is suspended."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on after :meth:`stop`."""
        self.process.send_signal(signal.SIGCONT)

    async def restart(self, version: Version) -> None:
        """Let it hand over its tables, and start one of this version in its place."""
        self.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(self.process.wait)
        self.version = version
        self.start()
        await self.ready()

    def seconds(self) -> float:
        """What it has computed since it was started."""
        return computed(self.process.pid)


def end_all(servers: list[Server]) -> None:
    """End them at once."""
    for server in servers:
        server.kill()
        if server.relay is not None:
            server.relay.remove()


@dataclass(frozen=True)
class Balancer:
    """Where clients ask: HAProxy's port, or those of the servers; and its process, if it runs."""

    ports: list[int]
    process: int | None = None

    def seconds(self) -> float:
        """What it has computed."""
        return computed(self.process) if self.process else 0.0


@contextlib.contextmanager
def balanced(servers: list[Server], folder: Path) -> Iterator[Balancer]:
    """HAProxy before the servers, if it is installed."""
    program = shutil.which("haproxy") or shutil.which("/usr/sbin/haproxy")
    if program is None:
        click.echo("HAProxy is not here (apt install haproxy): clients look for a server themselves", err=True)
        yield Balancer([server.port for server in servers])
        return
    (port,) = free_ports(1)
    lines = "\n".join(f"    server s{each.port} 127.0.0.1:{each.port} check" for each in servers)
    (folder / "haproxy.cfg").write_text(HAPROXY.format(port=port, servers=lines))
    with (folder / "haproxy.log").open("w") as log:
        process = subprocess.Popen([program, "-db", "-f", str(folder / "haproxy.cfg")], stdout=log, stderr=log)
    try:
        yield Balancer([port], process.pid)
    finally:
        process.terminate()
        process.wait()
