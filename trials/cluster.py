"""Trial of several servers on one database, killed and restarted during play: lost actions and wait times.

Starts PostgreSQL, several servers as processes, and HAProxy in front of them (if it is not installed, the clients find
a server themselves). Clients at real sockets play at tables with bots. The trial kills a random server at regular
intervals and once restarts all of them in turn, optionally from an earlier version of the program to this one. At the
end it compares the events that the clients received with the stored ones.
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

from trials.cluster_clients import DISTURBANCES, Findings, Table, ask
from trials.cluster_servers import Balancer, Server, Version, check_out, end_all, free_ports, run_balancer
from trials.command import NOT_NEGATIVE, POSITIVE, TrialCommand, check_tasks, wait_for_all
from trials.load import quantile_ms
from trials.postgresql import Postgres
from trials.relays import Relay

_CONNECTIONS_EACH = 20
_BACK_SECONDS = 1.0
"""Seconds from the kill of a server to its next start."""
QUIET_SECONDS = 15.0
"""Seconds after a disturbance or its end in which waits do not count as quiet."""


@dataclass(frozen=True)
class Plan:
    """Load and disturbances of a trial.

    Attributes:
        tables: number of simultaneous tables.
        pace: mean seconds from a person's turn to the action.
        quiet: seconds before the first disturbance.
        seconds: duration of the kills: one half before all other disturbances, one half after them.
        kill_every: seconds from one kill to the next; 0 is never.
        update: whether to restart all servers in turn, at half time.
        restart_database: whether to restart PostgreSQL at half time.
        stop: seconds for which a server is suspended at half time; 0 is never.
        cut_off: seconds for which a server is cut off from PostgreSQL at half time; 0 is never.
        fail_over: whether to kill PostgreSQL and promote its standby at half time.
        before: the commit of the servers' version before the update.
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
    """Servers on one database, and the disturbances during play."""

    def __init__(self, plan: Plan, servers: list[Server], database: Postgres, findings: Findings) -> None:
        self._plan, self._servers, self._database, self._findings = plan, servers, database, findings

    async def disturb(self) -> None:
        """Kill servers; between the two halves of the kills, run all other disturbances of the plan."""
        half = self._plan.seconds / 2
        await self._kill_servers(half)
        if self._plan.update:
            await self._update(Version())
        if self._plan.restart_database:
            for mode in ("fast", "immediate"):
                await self._restart_database(mode)
        if self._plan.stop:
            server = random.choice(self._servers)
            await self._disturb_for("stopped", self._plan.stop, server.stop, server.go_on)
        if self._plan.cut_off and (relay := random.choice(self._servers).relay):
            await self._disturb_for("cut_off", self._plan.cut_off, relay.cut, relay.mend)
        if self._plan.fail_over:
            await self._fail_over()
        await self._kill_servers(half)

    async def _update(self, version: Version) -> None:
        for server in self._servers:
            self._findings.disturb("restarts")
            await server.restart(version)
            self._findings.disturb("restarts", again=True)
        await asyncio.sleep(QUIET_SECONDS)  # until HAProxy uses the last server again

    async def _restart_database(self, mode: str) -> None:
        self._findings.disturb("databases")
        await asyncio.to_thread(self._database.stop, mode)
        await asyncio.to_thread(self._database.start)
        self._findings.disturb("databases", again=True)
        await asyncio.sleep(QUIET_SECONDS)

    async def _disturb_for(self, what: str, seconds: float, begin: Callable[[], None], end: Callable[[], None]) -> None:
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

    async def _kill_servers(self, seconds: float) -> None:
        """Kill and restart random servers one at a time; the next kill waits until the server is ready again."""
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
    """Let clients play, at first without disturbances; return the findings."""
    await asyncio.gather(*(server.ready() for server in servers))
    await asyncio.sleep(2 * _BACK_SECONDS)  # until HAProxy has noticed the servers
    games = ask(balancer.ports[0], "/api/games")[1]["games"]
    findings = Findings()
    rooms = [
        Table(balancer.ports, games[number % len(games)], number, plan.pace, findings, plan.before is None)
        for number in range(plan.tables)
    ]
    playing = [asyncio.create_task(room.play()) for room in rooms]
    await wait_for_all([room.sitting for room in rooms], playing)
    click.echo(f"{plan.tables} tables at play", err=True)
    await asyncio.sleep(2 * plan.pace)
    findings.begin()
    quiet = await _quiet(plan.quiet, servers, balancer, database, findings)
    await Trial(plan, servers, database, findings).disturb()
    await asyncio.sleep(QUIET_SECONDS)
    for room in rooms:
        room.record_open_wait()
    check_tasks(playing)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return {**quiet, **report(findings, database.engine())}


async def _quiet(
    seconds: float, servers: list[Server], balancer: Balancer, database: Postgres, findings: Findings
) -> dict[str, float]:
    """Measure an undisturbed interval; return the cores used and the actions per second."""

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


def report(findings: Findings, database: sql.Engine) -> dict[str, Any]:
    """Return the findings, after a comparison with the stored events."""
    waits = [wait for _, wait in findings.waits]
    quiet = [wait for at, wait in findings.waits if findings.quiet(at, wait + QUIET_SECONDS)]
    return {
        **findings.compare(database),
        **{name: findings.counts[name] for name in DISTURBANCES},
        "connections_lost": {str(int(code)): number for code, number in sorted(findings.closed.items())},
        "refused": findings.counts["refused"],
        "commitments": findings.counts["commitments"],
        "wait_p50_ms": quantile_ms(waits, 0.5),
        "wait_p99_ms": quantile_ms(waits, 0.99),
        "wait_quiet_p50_ms": quantile_ms(quiet, 0.5),
        "wait_quiet_p99_ms": quantile_ms(quiet, 0.99),
        "longest_wait_s": round(max(waits, default=0.0), 2),
        "longest_after_s": findings.longest(),
    }


@click.command(cls=TrialCommand)
@click.option("--servers", type=click.IntRange(1), default=3, show_default=True, help="Number of servers.")
@click.option("--tables", type=click.IntRange(1), default=60, show_default=True, help="Simultaneous tables.")
@click.option("--pace", type=NOT_NEGATIVE, default=3.0, show_default=True, help="Mean seconds per action of a person.")
@click.option("--quiet", type=POSITIVE, default=30.0, show_default=True, help="Seconds before the first disturbance.")
@click.option("--seconds", type=POSITIVE, default=60.0, show_default=True, help="Seconds of disturbances.")
@click.option(
    "--kill-every", type=NOT_NEGATIVE, default=10.0, show_default=True, help="Seconds between kills; 0: no kills."
)
@click.option("--update/--no-update", default=True, show_default=True, help="Restart all servers in turn at half time.")
@click.option("--before", metavar="COMMIT", default=None, help="Version of the servers before the update.")
@click.option("--restart-database", is_flag=True, help="Also restart PostgreSQL.")
@click.option(
    "--stop", type=NOT_NEGATIVE, default=0.0, show_default=True, help="Seconds for which a server is suspended."
)
@click.option(
    "--cut-off", type=NOT_NEGATIVE, default=0.0, show_default=True, help="Seconds without PostgreSQL for a server."
)
@click.option("--fail-over", is_flag=True, help="Kill PostgreSQL and promote a synchronous standby.")
@click.option("--logs", type=click.Path(path_type=Path), default=None, help="Folder for the servers' logs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(servers: int, logs: Path | None, as_json: bool, **plan_values: Any) -> None:
    """Kill and restart servers that share a database, and measure the effect on people at their tables."""
    plan = Plan(**plan_values)
    with contextlib.ExitStack() as to_end:
        folder = logs or Path(to_end.enter_context(tempfile.TemporaryDirectory(prefix="parlour-cluster-")))
        folder.mkdir(parents=True, exist_ok=True)
        version = to_end.enter_context(check_out(plan.before))
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
        balancer = to_end.enter_context(run_balancer(running, folder))
        found = asyncio.run(play(plan, running, balancer, database))
        result = {"servers": servers, "tables": plan.tables, "pace_seconds": plan.pace, **found}
        result["load_average"] = os.getloadavg()[0]
    click.echo(json.dumps(result) if as_json else "\n".join(f"{name:>20}  {value}" for name, value in result.items()))
    if result["lost"] or result["doubled"] or result["deals_changed"]:
        raise click.ClickException("an acknowledged action differs from the stored one")
    if result["commitments"]:
        raise click.ClickException("a table has shown another commitment to its deal than at its opening")


if __name__ == "__main__":
    main()
