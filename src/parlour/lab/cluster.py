"""Several servers on one database, killed and restarted under people who play: what is lost, and how long they wait.

Starts PostgreSQL, so many servers as processes, and HAProxy before them (where it is not installed, the clients look
for a server themselves). People at real sockets play at tables with bots; now and then a server is killed, and once all
are restarted one after another, perhaps with another version of the program than before. In the end what people were
shown is compared with what is stored.
"""

import asyncio
import contextlib
import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import sqlalchemy as sql

from parlour.lab.cluster_people import DISTURBANCES, Findings, Table, ask
from parlour.lab.cluster_servers import Balancer, Server, Version, balanced, checked_out, end_all, free_ports
from parlour.lab.load import milliseconds
from parlour.lab.postgresql import Postgres
from parlour.lab.relays import Relay

_CONNECTIONS_EACH = 20
_BACK_SECONDS = 1.0
QUIET_SECONDS = 15.0
"""Seconds after a kill or a restart in which waits do not count as those of quiet times."""


@dataclass(frozen=True)
class Plan:
    """What is to be tried.

    Attributes:
        tables: active at once.
        pace: seconds that a person takes for an action, on average.
        quiet: seconds before anything is disturbed.
        seconds: in which servers are killed.
        kill_every: seconds from one kill to the next; 0 is never.
        update: whether all servers are restarted in turn, when half of the time is over.
        restart_database: whether PostgreSQL is restarted then, too.
        stop: seconds for which a server stands still then; 0 is never.
        cut_off: seconds for which a server is cut off from PostgreSQL then; 0 is never.
        fail_over: whether PostgreSQL is killed then, and its standby promoted.
        before: the commit of the version that the servers have until then.
    """

    tables: int
    pace: float
    quiet: float
    seconds: float
    kill_every: float
    update: bool
    restart_database: bool
    stop: float = 0.0
    cut_off: float = 0.0
    fail_over: bool = False
    before: str | None = None


class Trial:
    """Servers on one database, and what is done to them while people play."""

    def __init__(self, plan: Plan, servers: list[Server], database: Postgres, findings: Findings) -> None:
        self._plan, self._servers, self._database, self._findings = plan, servers, database, findings

    async def disturb(self) -> None:
        """Kill servers; when half of the time is over, do all else that the plan has."""
        half = self._plan.seconds / 2
        await self._kill_now_and_then(half)
        if self._plan.update:
            await self._update(Version())
        if self._plan.restart_database:
            for mode in ("fast", "immediate"):
                await self._restart_database(mode)
        if self._plan.stop:
            server = random.choice(self._servers)
            await self._for_a_while("stopped", self._plan.stop, server.stop, server.go_on)
        if self._plan.cut_off and (relay := random.choice(self._servers).relay):
            await self._for_a_while("cut_off", self._plan.cut_off, relay.cut, relay.mend)
        if self._plan.fail_over:
            await self._fail_over()
        await self._kill_now_and_then(half)

    async def _update(self, version: Version) -> None:
        for server in self._servers:
            self._findings.disturb("restarts")
            await server.restart(version)
            self._findings.disturb("restarts", again=True)
        await asyncio.sleep(QUIET_SECONDS)  # until HAProxy sends people to the last one again

    async def _restart_database(self, mode: str) -> None:
        self._findings.disturb("databases")
        await asyncio.to_thread(self._database.stop, mode)
        await asyncio.to_thread(self._database.start)
        self._findings.disturb("databases", again=True)
        await asyncio.sleep(QUIET_SECONDS)

    async def _for_a_while(self, what: str, seconds: float, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._findings.disturb(what)
        begin()
        await asyncio.sleep(seconds)
        end()
        self._findings.disturb(what, again=True)
        await asyncio.sleep(QUIET_SECONDS)

    async def _fail_over(self) -> None:
        self._findings.disturb("failovers")
        await asyncio.to_thread(self._database.stop)
        await asyncio.to_thread(self._database.promote_standby)
        self._findings.disturb("failovers", again=True)
        await asyncio.sleep(QUIET_SECONDS)

    async def _kill_now_and_then(self, seconds: float) -> None:
        """Kill a server drawn at random, start it again, and so on; a kill waits until all are back."""
        now = began = time.monotonic()
        while self._plan.kill_every and (now := max(now + self._plan.kill_every, time.monotonic())) < began + seconds:
            await asyncio.sleep(now - time.monotonic())
            server = random.choice(self._servers)
            self._findings.disturb("kills")
            server.kill()
            await asyncio.sleep(_BACK_SECONDS)
            server.start()
            await server.ready()
            self._findings.disturb("kills", again=True)
        await asyncio.sleep(max(0.0, began + seconds - time.monotonic()))


async def play(plan: Plan, servers: list[Server], balancer: Balancer, database: Postgres) -> dict[str, Any]:
    """Let people play, undisturbed at first. Returns what was found."""
    await asyncio.gather(*(server.ready() for server in servers))
    await asyncio.sleep(2 * _BACK_SECONDS)  # until HAProxy has noticed
    games = ask(balancer.ports[0], "/api/games")[1]["games"]
    findings = Findings()
    rooms = [
        Table(balancer.ports, games[number % len(games)], number, plan.pace, findings, plan.before is None)
        for number in range(plan.tables)
    ]
    playing = [asyncio.create_task(room.play()) for room in rooms]
    await asyncio.gather(*(room.sitting.wait() for room in rooms))
    click.echo(f"{plan.tables} tables at play", err=True)
    await asyncio.sleep(2 * plan.pace)
    findings.begin()
    quiet = await _quiet(plan.quiet, servers, balancer, database, findings)
    await Trial(plan, servers, database, findings).disturb()
    await asyncio.sleep(QUIET_SECONDS)
    for room in rooms:
        room.see_who_waits()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return {**quiet, **told(findings, database.engine())}


async def _quiet(
    seconds: float, servers: list[Server], balancer: Balancer, database: Postgres, findings: Findings
) -> dict[str, float]:
    """Disturb nothing for some seconds. Returns what that takes: cores, and actions a second."""

    def used() -> dict[str, float]:
        return {
            "actions_per_second": findings.acknowledged,
            "server_cores": sum(server.seconds() for server in servers),
            "database_cores": database.work().seconds,
            "balancer_cores": balancer.seconds(),
            "people_cores": time.process_time(),
        }

    before = used()
    await asyncio.sleep(seconds)
    return {name: round((after - before[name]) / seconds, 2) for name, after in used().items()}


def told(findings: Findings, database: sql.Engine) -> dict[str, Any]:
    """What was found, compared with what is stored."""
    waits = [wait for _, wait in findings.waits]
    quiet = [wait for at, wait in findings.waits if findings.quiet(at, wait + QUIET_SECONDS)]
    return {
        **findings.compared(database),
        **{name: findings.counts[name] for name in DISTURBANCES},
        "connections_lost": {str(int(code)): number for code, number in sorted(findings.closed.items())},
        "refused": findings.counts["refused"],
        "wait_p50_ms": milliseconds(waits, 0.5),
        "wait_p99_ms": milliseconds(waits, 0.99),
        "wait_quiet_p50_ms": milliseconds(quiet, 0.5),
        "wait_quiet_p99_ms": milliseconds(quiet, 0.99),
        "longest_wait_s": round(max(waits, default=0.0), 2),
        "longest_after_s": findings.longest(),
    }


@click.command()
@click.option("--servers", type=click.IntRange(1), default=3, show_default=True, help="Number of servers.")
@click.option("--tables", type=click.IntRange(1), default=60, show_default=True, help="Active at once.")
@click.option("--pace", type=float, default=3.0, show_default=True, help="Seconds a person takes for an action.")
@click.option("--quiet", type=float, default=30.0, show_default=True, help="Seconds before anything is disturbed.")
@click.option("--seconds", type=float, default=60.0, show_default=True, help="Seconds in which servers are killed.")
@click.option("--kill-every", type=float, default=10.0, show_default=True, help="Seconds between two kills; 0: none.")
@click.option("--update/--no-update", default=True, show_default=True, help="Restart all servers in turn, in between.")
@click.option("--before", metavar="COMMIT", default=None, help="The version that the servers have until then.")
@click.option("--restart-database", is_flag=True, help="Restart PostgreSQL, too.")
@click.option("--stop", type=float, default=0.0, show_default=True, help="Seconds for which a server stands still.")
@click.option("--cut-off", type=float, default=0.0, show_default=True, help="Seconds without PostgreSQL for a server.")
@click.option("--fail-over", is_flag=True, help="Kill PostgreSQL and promote a synchronous standby.")
@click.option("--logs", type=click.Path(path_type=Path), default=None, help="Folder for the servers' logs.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def main(servers: int, logs: Path | None, as_json: bool, **planned: Any) -> None:
    """Kill and restart servers that share a database, and see what people at their tables notice."""
    plan = Plan(**planned)
    with contextlib.ExitStack() as to_end:
        folder = logs or Path(to_end.enter_context(tempfile.TemporaryDirectory(prefix="parlour-cluster-")))
        folder.mkdir(parents=True, exist_ok=True)
        version = to_end.enter_context(checked_out(plan.before))
        database = Postgres(servers * _CONNECTIONS_EACH)
        to_end.callback(database.remove)
        if plan.fail_over:
            database.add_standby()
        running: list[Server] = []
        to_end.callback(end_all, running)
        for port in free_ports(servers):
            relay = Relay(database.folder) if plan.cut_off else None
            place = database.url(folder=relay.folder if relay else None)
            running.append(Server(port, place, folder / f"{port}.log", version, relay))
        balancer = to_end.enter_context(balanced(running, folder))
        found = asyncio.run(play(plan, running, balancer, database))
        result = {"servers": servers, "tables": plan.tables, "pace_seconds": plan.pace, **found}
        result["load_average"] = os.getloadavg()[0]
    click.echo(json.dumps(result) if as_json else "\n".join(f"{name:>20}  {value}" for name, value in result.items()))
    if result["lost"] or result["doubled"] or result["deals_changed"]:
        raise click.ClickException("something that was acknowledged is not what is stored")


if __name__ == "__main__":
    main()
