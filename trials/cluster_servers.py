"""Servers of :mod:`trials.cluster`, of this version or an earlier one, and the balancer in front of them."""

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

from trials.cluster_clients import ask
from trials.process_usage import cpu_seconds
from trials.relays import Relay

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
    # all requests for a table go to the same server, and so do all other requests from an address
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
_SERVE = (sys.executable, "-m", "parlour", "serve")
_POLL_SECONDS = 0.1
_READY_SECONDS = 60.0


def free_ports(number: int) -> list[int]:
    """Return unused ports, below the range of ports for outgoing connections."""
    found: list[int] = []
    while len(found) < number:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as asking, contextlib.suppress(OSError):
            asking.bind(("127.0.0.1", port))
            found += [port] * (port not in found)
    return found


class Version:
    """Version of the program: this one, or that of a commit of this repository."""

    def __init__(self, source: Path | None = None) -> None:
        """Use this version, or the one in a ``src`` folder; options unknown to it are left out."""
        self.environment = dict(os.environ) if source is None else {**os.environ, "PYTHONPATH": str(source)}
        help_text = subprocess.run(
            [*_SERVE, "--help"], env=self.environment, capture_output=True, text=True, check=True
        ).stdout
        self.command = [*_SERVE, *(option for option in _OPTIONS if option.partition("=")[0] in help_text)]


@contextlib.contextmanager
def check_out(commit: str | None) -> Iterator[Version]:
    """Provide the version of a commit in a temporary worktree; this version if there is no commit."""
    if commit is None:
        yield Version()
        return
    git = ["git", "-C", str(Path(__file__).parent), "worktree"]
    with tempfile.TemporaryDirectory(prefix="parlour-before-") as folder:
        added = subprocess.run([*git, "add", "--detach", folder, commit], capture_output=True, text=True, check=False)
        if added.returncode:
            raise click.ClickException(f"the version {commit} is not here: {added.stderr.strip()}")
        try:
            yield Version(Path(folder) / "src")
        finally:
            subprocess.run([*git, "remove", "--force", folder], capture_output=True, check=False)


class Server:
    """Server at a fixed port, optionally with a relay between it and the database."""

    def __init__(self, port: int, database: str, log: Path, version: Version, relay: Relay | None = None) -> None:
        self.port, self._database, self._log, self.version = port, database, log, version
        self.relay = relay
        self.start()

    def start(self) -> None:
        """Start the process, without waiting until it is ready."""
        command = [*self.version.command, "--port", str(self.port), "--database", self._database]
        with self._log.open("a") as log:
            self.process = subprocess.Popen(command, env=self.version.environment, stdout=log, stderr=log)

    async def ready(self) -> None:
        """Wait until the server is ready."""
        until = time.monotonic() + _READY_SECONDS
        while time.monotonic() < until:
            if (await asyncio.to_thread(ask, self.port, "/readyz"))[0] == HTTPStatus.OK:
                return
            await asyncio.sleep(_POLL_SECONDS)
        raise click.ClickException(f"a server did not start; see {self._log}")

    def kill(self) -> None:
        """Kill the process, as a failing machine does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Suspend the process, as a suspended machine does."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Resume the process after :meth:`stop`."""
        self.process.send_signal(signal.SIGCONT)

    async def restart(self, version: Version) -> None:
        """Let the process hand over its tables, and start one of this version in its place."""
        self.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(self.process.wait)
        self.version = version
        self.start()
        await self.ready()

    def seconds(self) -> float:
        """Return the processor seconds since the start."""
        return cpu_seconds(self.process.pid)


def end_all(servers: list[Server]) -> None:
    """Kill all servers and remove their relays."""
    for server in servers:
        server.kill()
        if server.relay is not None:
            server.relay.remove()


@dataclass(frozen=True)
class Balancer:
    """Ports for clients: HAProxy's, or those of the servers; and HAProxy's process, if it runs."""

    ports: list[int]
    process: int | None = None

    def seconds(self) -> float:
        """Return the processor seconds of HAProxy."""
        return cpu_seconds(self.process) if self.process else 0.0


@contextlib.contextmanager
def run_balancer(servers: list[Server], folder: Path) -> Iterator[Balancer]:
    """Run HAProxy in front of the servers, if it is installed; provide the clients' ports."""
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
