"""What a card room for very many people needs, reckoned from what was measured on one machine.

``python benchmarks/reckoning.py`` prints the table that ``docs/running.md`` holds; with the name of that file it writes
the table there. ``--pace`` and ``--people-at-a-table`` reckon for other habits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

PEOPLE = (10_000, 100_000, 1_000_000)
BEGIN, END = "<!-- reckoned: python benchmarks/reckoning.py docs/running.md -->", "<!-- end of what is reckoned -->"


@dataclass(frozen=True)
class Measured:
    """What an action of a person costs, with all that comes of it, and what a table holds.

    Processors by ``make cluster CLUSTER="--tables 600 --pace 20"``, all else by
    ``make load LOAD="--postgresql --workers 1 --tables 60 --pace 2 --seconds 20"``, on two cores of a rented machine
    that had other work as well.
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
    """How people play, and how full a process is to be.

    Attributes:
        people: at a table.
        pace: seconds from one person's action to the next at a table.
        actions: of people in a game.
        busy: the share of a core that a process uses, so that nobody waits for others' actions.
        hours: of a day as full as the fullest one.
        listed: the share of tables that are listed in the lobby.
    """

    people: int = 2
    pace: float = 8.0
    actions: int = 60
    busy: float = 0.5
    hours: float = 6.0
    listed: float = 0.2


@dataclass(frozen=True)
class Capacity:
    """What one of these can do; assumed, and not measured here.

    Attributes:
        what: the thing.
        most: how much of it there is.
        why: where the number comes from.
    """

    what: str
    most: float
    why: str


CAPACITIES = {
    "sessions": Capacity("PostgreSQL's sessions", 2_000, "a process for each, some 5 MB"),
    "database_cores": Capacity("PostgreSQL's processors", 64, "one large machine"),
    "commits": Capacity("PostgreSQL's commits", 30_000, "one fast disk, many commits at once"),
    "log_mb": Capacity("PostgreSQL's log", 200, "MB/s that standbys can follow"),
    "notices": Capacity("PostgreSQL's notices", 200_000, "each handed to every process"),
    "balancer_cores": Capacity("the balancer's processors", 32, "one large machine"),
    "balancer_gb": Capacity("the balancer's memory", 64, "of the same machine, 35 KB a connection"),
    "network_mbit": Capacity("the network", 10_000, "10 Gbit/s"),
}


def needs(people: int, measured: Measured, habits: Habits) -> dict[str, float]:
    """What so many people at once need."""
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
    """What is used of each capacity, the most first."""
    return sorted(((need[name] / each.most, each.what) for name, each in CAPACITIES.items()), reverse=True)


ROWS = (
    ("tables", "tables", "{:,.0f}"),
    ("actions a second", "actions", "{:,.0f}"),
    ("processes, a core each", "processes", "{:,.0f}"),
    ("their memory, GB", "memory_gb", "{:,.0f}"),
    ("a dead process's tables are taken over in, s", "taken_over", "{:,.1f}"),
    ("PostgreSQL: sessions", "sessions", "{:,.0f}"),
    ("PostgreSQL: cores", "database_cores", "{:,.1f}"),
    ("PostgreSQL: commits a second, at most", "commits", "{:,.0f}"),
    ("PostgreSQL: log, MB/s", "log_mb", "{:,.1f}"),
    ("PostgreSQL: notices handed out a second", "notices", "{:,.0f}"),
    ("the balancer: cores", "balancer_cores", "{:,.1f}"),
    ("the balancer: memory, GB", "balancer_gb", "{:,.1f}"),
    ("network to people, Mbit/s", "network_mbit", "{:,.0f}"),
    ("stored in a day, GB", "stored_gb", "{:,.1f}"),
    ("games in a day", "games", "{:,.0f}"),
)


def table(people: Sequence[int], measured: Measured, habits: Habits) -> str:
    """What is needed, as a table in Markdown; in the last rows what is used most of what cannot simply be doubled."""
    needed = [needs(number, measured, habits) for number in people]
    lines = [f"| people at once | {' | '.join(f'{number:,}' for number in people)} |", "|---|" + "---:|" * len(people)]
    lines += [f"| {told} | {' | '.join(how.format(need[name]) for need in needed)} |" for told, name, how in ROWS]
    for place, told in enumerate(("breaks first", "breaks next")):
        used = [most_used(need)[place] for need in needed]
        lines.append(f"| {told} | {' | '.join(f'{what} ({share:.0%} used)' for share, what in used)} |")
    return "\n".join(lines)


def assumed() -> str:
    """What one of each can do, as a table in Markdown."""
    rows = [f"| {each.what} | {each.most:,} | {each.why} |" for each in CAPACITIES.values()]
    return "\n".join(["| taken to be the most of | which is | for |", "|---|---:|---|", *rows])


def costs(measured: Measured) -> str:
    """What was measured, as a table in Markdown."""
    rows = (
        ("the server's processor, an action", f"{measured.server_ms} ms"),
        ("PostgreSQL's", f"{measured.database_ms} ms"),
        ("the balancer's", f"{measured.balancer_ms} ms"),
        ("messages to and from people", f"{measured.bytes:,} bytes"),
        ("commits, where few come together", f"{measured.commits}"),
        ("PostgreSQL's log", f"{measured.log_bytes:,} bytes"),
        ("stored", f"{measured.stored_bytes:,} bytes"),
        ("memory of a table with its connections", f"{measured.kb_per_table} KB"),
        ("of an empty process", f"{measured.empty_mb} MB"),
        ("processor to take a table over", f"{measured.take_over_ms:.0f} ms"),
    )
    return "\n".join(["| measured | |", "|---|---:|", *(f"| {what} | {cost} |" for what, cost in rows)])


def paper(people: Sequence[int] = PEOPLE, habits: Habits | None = None) -> str:
    """What stands in ``docs/running.md``."""
    measured, habits = Measured(), habits or Habits()
    return "\n\n".join([BEGIN, costs(measured), assumed(), table(people, measured, habits), END])


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--people", type=int, multiple=True, default=PEOPLE, help="At once; may be given several times.")
@click.option("--people-at-a-table", type=int, default=Habits.people, show_default=True, help="Beside bots.")
@click.option("--pace", type=float, default=Habits.pace, show_default=True, help="Seconds from action to action.")
def main(file: Path | None, people: tuple[int, ...], people_at_a_table: int, pace: float) -> None:
    """Reckon what so many people at once need; written into FILE in the place of what was reckoned before."""
    text = paper(people, replace(Habits(), people=people_at_a_table, pace=pace))
    if file is None:
        click.echo(text)
        return
    before, _, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    file.write_text(before + text + after, encoding="utf-8")


if __name__ == "__main__":
    main()
