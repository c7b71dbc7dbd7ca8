"""Resources of a card room with many people, extrapolated from measurements on one machine.

``python benchmarks/capacity.py`` prints the tables in ``docs/running.md``; with that file as an argument it writes
them there. ``--people``, ``--pace`` and ``--people-at-a-table`` change the assumptions.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from parlour.cli.arguments import FiniteRange
from parlour.engine.files import write_whole

PEOPLE = (10_000, 100_000, 1_000_000)
BEGIN, END = "<!-- estimated: python benchmarks/capacity.py docs/running.md -->", "<!-- end of the estimate -->"


@dataclass(frozen=True)
class MeasuredCosts:
    """Measured costs of a person's action, with all its consequences, and of a table.

    Processor times by ``make cluster CLUSTER="--tables 600 --pace 20"``, all others by
    ``make load LOAD="--postgresql --workers 1 --tables 60 --pace 2 --seconds 20"``, on two cores of a rented machine
    with other load.
    """

    server_ms: float = 8.8
    database_ms: float = 1.3
    balancer_ms: float = 0.35
    bytes: int = 9_399
    commits: float = 0.82
    log_bytes: int = 340
    stored_bytes: int = 111
    kb_per_table: int = 207
    empty_mb: int = 105
    take_over_ms: float = 12


@dataclass(frozen=True)
class Habits:
    """Assumptions about play and about the load of a process.

    Attributes:
        people: number of people at a table.
        pace: seconds from one person's action to the next at a table.
        actions: number of people's actions in a game.
        busy: utilization of a core by a process, low enough that people do not wait for others' actions.
        hours: number of peak hours with the same load as a day.
        listed: fraction of tables listed in the lobby.
    """

    people: int = 2
    pace: float = 8.0
    actions: int = 60
    busy: float = 0.5
    hours: float = 6.0
    listed: float = 0.2


@dataclass(frozen=True)
class Capacity:
    """Assumed capacity of a component, not measured here.

    Attributes:
        what: the resource.
        most: its maximum.
        why: the source of the maximum.
    """

    what: str
    most: float
    why: str


CAPACITIES = {
    "sessions": Capacity("PostgreSQL's sessions", 2_000, "a process for each, some 5 MB"),
    "database_cores": Capacity("PostgreSQL's processors", 64, "one large machine"),
    "commits": Capacity("PostgreSQL's commits", 30_000, "one fast disk, many commits at once"),
    "log_mb": Capacity("PostgreSQL's log", 200, "MB/s that standbys can follow"),
    "notices": Capacity("PostgreSQL's notices", 200_000, "each delivered to every process"),
    "balancer_cores": Capacity("the balancer's processors", 32, "one large machine"),
    "balancer_gb": Capacity("the balancer's memory", 64, "of the same machine, 35 KB a connection"),
    "network_mbit": Capacity("the network", 10_000, "10 Gbit/s"),
}


def needs(people: int, measured: MeasuredCosts, habits: Habits) -> dict[str, float]:
    """Return the needs of ``people`` simultaneous people."""
    tables = people / habits.people
    actions = tables / habits.pace
    cores = actions * measured.server_ms / 1000
    processes = math.ceil(max(cores / habits.busy, people / 4000, 2))
    games = actions / habits.actions
    return {
        "tables": tables,
        "actions": actions,
        "processes": processes,
        "memory_gb": (tables * measured.kb_per_table / 1024 + processes * measured.empty_mb) / 1024,
        "taken_over": tables / processes * measured.take_over_ms / 1000 / max(1, processes - 1),
        "sessions": processes * 5,
        "database_cores": actions * measured.database_ms / 1000,
        "commits": actions * measured.commits,
        "log_mb": actions * measured.log_bytes / 1e6,
        "notices": games * habits.listed * habits.people * processes,
        "balancer_cores": actions * measured.balancer_ms / 1000,
        "balancer_gb": people * 35 / 1024**2,
        "network_mbit": actions * measured.bytes * 8 / 1e6,
        "stored_gb": actions * measured.stored_bytes * habits.hours * 3600 / 1e9,
        "games": games * habits.hours * 3600,
    }


def most_used(need: dict[str, float]) -> list[tuple[float, str]]:
    """Return the utilization and the name of each capacity, the highest utilization first."""
    return sorted(((need[name] / each.most, each.what) for name, each in CAPACITIES.items()), reverse=True)


ROWS = (
    ("tables", "tables", "{:,.0f}"),
    ("actions a second", "actions", "{:,.0f}"),
    ("processes, a core each", "processes", "{:,.0f}"),
    ("memory of the processes, GB", "memory_gb", "{:,.0f}"),
    ("take-over of a dead process's tables, s", "taken_over", "{:,.1f}"),
    ("PostgreSQL: sessions", "sessions", "{:,.0f}"),
    ("PostgreSQL: cores", "database_cores", "{:,.1f}"),
    ("PostgreSQL: commits a second, at most", "commits", "{:,.0f}"),
    ("PostgreSQL: log, MB/s", "log_mb", "{:,.1f}"),
    ("PostgreSQL: notices delivered a second", "notices", "{:,.0f}"),
    ("the balancer: cores", "balancer_cores", "{:,.1f}"),
    ("the balancer: memory, GB", "balancer_gb", "{:,.1f}"),
    ("network to people, Mbit/s", "network_mbit", "{:,.0f}"),
    ("stored in a day, GB", "stored_gb", "{:,.1f}"),
    ("games in a day", "games", "{:,.0f}"),
)


def table(people: Sequence[int], measured: MeasuredCosts, habits: Habits) -> str:
    """Return the needs as a Markdown table; the last rows name the bottlenecks that cannot simply be doubled."""
    needed = [needs(number, measured, habits) for number in people]
    lines = [f"| people at once | {' | '.join(f'{number:,}' for number in people)} |", "|---|" + "---:|" * len(people)]
    lines += [f"| {label} | {' | '.join(how.format(need[name]) for need in needed)} |" for label, name, how in ROWS]
    for place, label in enumerate(("breaks first", "breaks next")):
        used = [most_used(need)[place] for need in needed]
        lines.append(f"| {label} | {' | '.join(f'{what} ({share:.0%} used)' for share, what in used)} |")
    return "\n".join(lines)


def capacities_table() -> str:
    """Return the assumed capacities as a Markdown table."""
    rows = [f"| {each.what} | {each.most:,} | {each.why} |" for each in CAPACITIES.values()]
    return "\n".join(["| assumed maximum of | value | basis |", "|---|---:|---|", *rows])


def costs(measured: MeasuredCosts) -> str:
    """Return the measured costs as a Markdown table."""
    rows = (
        ("the server's processor, an action", f"{measured.server_ms} ms"),
        ("PostgreSQL's processor, an action", f"{measured.database_ms} ms"),
        ("the balancer's processor, an action", f"{measured.balancer_ms} ms"),
        ("messages to and from people, an action", f"{measured.bytes:,} bytes"),
        ("commits of an action, with little load", f"{measured.commits}"),
        ("PostgreSQL's log, an action", f"{measured.log_bytes:,} bytes"),
        ("stored, an action", f"{measured.stored_bytes:,} bytes"),
        ("memory of a table with its connections", f"{measured.kb_per_table} KB"),
        ("memory of an empty process", f"{measured.empty_mb} MB"),
        ("processor time to take a table over", f"{measured.take_over_ms:.0f} ms"),
    )
    return "\n".join(["| measured | |", "|---|---:|", *(f"| {what} | {cost} |" for what, cost in rows)])


def generated_section(people: Sequence[int] = PEOPLE, habits: Habits | None = None) -> str:
    """Return the generated part of ``docs/running.md``."""
    measured, habits = MeasuredCosts(), habits or Habits()
    return "\n\n".join([BEGIN, costs(measured), capacities_table(), table(people, measured, habits), END])


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--people", type=click.IntRange(1), multiple=True, default=PEOPLE, help="Simultaneous people; repeatable."
)
@click.option(
    "--people-at-a-table", type=click.IntRange(1), default=Habits.people, show_default=True, help="People at a table."
)
@click.option(
    "--pace",
    type=FiniteRange(0, min_open=True),
    default=Habits.pace,
    show_default=True,
    help="Seconds from action to action.",
)
def main(file: Path | None, people: tuple[int, ...], people_at_a_table: int, pace: float) -> None:
    """Estimate the resources for a number of simultaneous people, and print them or replace them in FILE."""
    text = generated_section(people, replace(Habits(), people=people_at_a_table, pace=pace))
    if file is None:
        click.echo(text)
        return
    try:
        before, begin, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file}: not a text in UTF-8: {error.reason}") from None
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise click.ClickException(f"{file}: the estimate's place is missing, from the line {BEGIN} to {END}")
    write_whole(file, before + text + after, file.stat().st_mode & 0o777)


if __name__ == "__main__":
    main()
