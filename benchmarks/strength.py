"""Measure how strong the bots are, and write ``docs/strength.md``.

    python benchmarks/strength.py                              # everything: days of a core
    python benchmarks/strength.py --minutes 30 --games 40      # begin no further row after half an hour
    python benchmarks/strength.py --only "exploit|trime"       # the rows whose names match

Each row is a command of its own with its results in a folder of the cache, named by the commit's hash of ``src``.
Therefore the same command continues after Ctrl-C or at its limit, and restarts when a commit has changed the sources;
uncommitted changes of one commit share a folder. A row with fewer games or minutes than wanted continues from those
that it has, and a row with more is kept. ``--minutes`` counts from the start of the command.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import platformdirs
from command_line import count, pattern, positive, run
from figures import commit, machine
from rival_names import RIVALS

import parlour
from parlour.cli.arguments import setup_of
from parlour.contests.interval_texts import percent, signed_points
from parlour.engine.files import write_whole
from parlour.engine.rewards import sides_of
from parlour.learning.policy_file import shipped_policy
from parlour.statistics import Estimate

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "strength.md"
MATCH_COLUMNS = "bot | against | game | players | options | games | wins | even | points"
TABLES = {
    "levels": ("Levels", "Each level against the one below, and the lowest and highest against others.", MATCH_COLUMNS),
    "policies": ("Learned policies", "The policies that the games ship, without search.", MATCH_COLUMNS),
    "rivals": (
        "Rivals",
        "Simple searches (`examples/rivals.py`) against the master's search with a tenth of its effort, at equal\n"
        "processor time for a decision.",
        "game | players | rival | games | wins | even | points | ms of the rival | ms of the field",
    ),
    "exploit": (
        "Exploitability by learning",
        "A policy trained against the frozen bot (`parlour exploit`), in fresh deals. *From* is the share of wins\n"
        "in the first point of its curve, *to* that in the best.",
        "against | game | players | games learned from | minutes | from | to | games of the check | wins | even",
    ),
    "variants": ("Other numbers of players and options", "The master against the rule of thumb.", MATCH_COLUMNS),
    "thumb": ("The rule of thumb against random", "", MATCH_COLUMNS),
}
"""Heading, sentence and columns of each table, in the order in which they are measured."""
LEVELS = ("thumb", "beginner", "casual", "regular", "expert", "master")
PAIRS = (*zip(LEVELS[2:], LEVELS[1:], strict=False), ("beginner", "random"), ("master", "thumb"), ("master", "random"))
EXPLOITED = ("thumb", "beginner", "casual", "regular", "learned", "expert", "master")
TENTH_OF_MASTER = "search:effort=50000,temperature=0.004,tree=1,learned=100"
"""The opponent of the rivals: it searches in every decision, as they do, while a level may decide by habit."""
OPTIONS = {
    "trick-walls": (
        "4 pure_bonuses=false", "4 kill_balance=true", "4 city_keepers=true", "4 long_run=true", "4 rounds=1",
    ),
    "trime-kicker": ("2 ace=high", "2 ace=low", "2 judge=leader"),
    "tricky-tribes": (
        "3 dummy=true", "4 jokers=2", "4 teams=pairs", "5 teams=pairs", "6 teams=pairs", "6 teams=trios", "4 rounds=1",
    ),
    "three-tricks": ("2 replacing_ends_turn=false", "2 rank_block=any"),
}  # fmt: skip
"""Players and option of further rows."""


@dataclass(frozen=True)
class Row:
    """Row of a table.

    Attributes:
        table: the table's name.
        game, players, option: the setup; the option is empty for defaults.
        bot, other: the bot measured, and its opponent.
    """

    table: str
    game: str
    players: int
    option: str
    bot: str
    other: str

    @property
    def name(self) -> str:
        """Return the name of the row, and of its files."""
        parts = (self.table, self.game, str(self.players), self.option, self.bot, self.other)
        return re.sub(r"[^\w-]+", "_", ".".join(part for part in parts if part))

    @property
    def title(self) -> str:
        """Return the title of the game."""
        return parlour.make(self.game).game.title

    @property
    def sides(self) -> int:
        """Return the number of sides."""
        given = (self.option,) if self.option else ()
        return len(sides_of(setup_of(self.game, self.players, given)))


def setups(game: str) -> Iterator[tuple[int, str]]:
    """Yield numbers of players and options of a game, the usual number without option first."""
    usual = parlour.make(game)
    yield usual.players, ""
    yield from ((players, "") for players in usual.game.players if players != usual.players)
    yield from ((int(players), option) for players, option in map(str.split, OPTIONS.get(game, ())))


def rows() -> list[Row]:
    """Return all rows, in the order of the tables, and within a table game by game."""
    found = list[Row]()
    for game in parlour.games():
        usual, *others = setups(game)
        found += [Row("levels", game, *usual, bot, other) for bot, other in PAIRS]
        found += [Row("policies", game, *usual, "learned", "thumb")] if shipped_policy(game, usual[0]) else []
        found += [Row("rivals", game, *usual, rival, TENTH_OF_MASTER) for rival in RIVALS]
        found += [Row("exploit", game, *usual, "policy", bot) for bot in EXPLOITED]
        found += [Row("variants", game, *other, "master", "thumb") for other in others]
        found += [Row("thumb", game, *each, "thumb", "random") for each in (usual, *others)]
    return sorted(found, key=lambda row: list(TABLES).index(row.table))


class Measurement:
    """Measurement of rows by commands, whose results are in a folder.

    Attributes:
        folder: the folder.
    """

    def __init__(self, folder: Path, games: int, rival_minutes: float, learning_minutes: float) -> None:
        self.folder = folder
        self._games, self._rival_minutes, self._learning_minutes = games, rival_minutes, learning_minutes
        folder.mkdir(parents=True, exist_ok=True)

    def result_of(self, row: Row) -> dict[str, Any] | None:
        """Return the result of a row, if there is one."""
        file = self.folder / f"{row.name}.result.json"
        found: dict[str, Any] | None = json.loads(file.read_text()) if file.exists() else None
        return found

    def is_done(self, row: Row) -> bool:
        """Return whether there is a result with the amount wanted, or more."""
        kept = self.result_of(row)
        return kept is not None and float(kept["amount"].split()[0]) >= float(self._amount(row).split()[0])

    def _amount(self, row: Row) -> str:
        amounts = {"rivals": f"{self._rival_minutes:g} minutes", "exploit": f"{self._learning_minutes:g} minutes"}
        return amounts.get(row.table, f"{self._games} games")

    def measure(self, row: Row) -> None:
        """Measure a row, and store its result."""
        measures: dict[str, Callable[[Row], str]] = {"rivals": self._rival, "exploit": self._exploit}
        line = measures.get(row.table, self._match)(row)
        values = {**asdict(row), "amount": self._amount(row), "date": date.today().isoformat(), "line": line}
        written = self.folder / f"{row.name}.new"
        written.write_text(json.dumps(values))
        written.replace(self.folder / f"{row.name}.result.json")

    def _match(self, row: Row) -> str:
        deals = max(2, self._games // row.sides)
        kept = ("-n", str(deals), "--seed", "1", "--out", str(self.folder / f"{row.name}.jsonl"))
        options = ("-o", row.option) if row.option else ()
        found = _report("match", row.bot, row.other, row.game, "-p", str(row.players), *options, *kept)
        option = f"`{row.option}`" if row.option else ""
        return _line(
            row.bot, row.other, row.title, row.players, option, f"{found['games']:,}",
            percent(Estimate(**found["win_share"])), f"{100 * found['even_share']:.1f}%",
            signed_points(Estimate(**found["points"])),
        )  # fmt: skip

    def _rival(self, row: Row) -> str:
        script = [sys.executable, ROOT / "benchmarks" / "rivals.py", row.other, row.game]
        amount = ["--rivals", row.bot, "--minutes", str(self._rival_minutes), "--out", str(self.folder)]
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            [*script, *amount], stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "PYTHONPATH": path}
        )
        return done.stdout.splitlines()[-1]

    def _exploit(self, row: Row) -> str:
        file = self.folder / f"{row.name}.json"
        kept = ("--out", str(file), "--minutes", str(self._learning_minutes), *(["--resume"] if file.exists() else []))
        found = _report("exploit", row.game, row.other, "-p", str(row.players), "--seed", "1", *kept)
        wins, check = [point["wins"] for point in found["curve"]], found["check"]
        return _line(
            row.other, row.title, row.players, f"{found['games']:,}", f"{found['minutes']:.1f}",
            f"{100 * wins[0]:.1f}%", f"{100 * max(wins):.1f}%", f"{check['games']:,}",
            percent(Estimate(*check["wins"])), f"{100 * check['even']:.1f}%",
        )  # fmt: skip


def _report(*command: str) -> dict[str, Any]:
    """Run a command of ``parlour``; return its report."""
    whole = [sys.executable, "-m", "parlour", *command, "--json"]
    done = subprocess.run(whole, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def page(measurement: Measurement, about: str) -> str:
    """Return the page with all rows that have results."""
    lines = [
        "# Strength", "",
        "Generated by `make strength`; do not edit. [How the bots work](bots.md) explains the bots and the tables.",
        f"Measured with {about}.",
        "Same deals, seats turned, 95 % intervals over deals. Rows not measured yet are missing.", "",
    ]  # fmt: skip
    for table, (heading, sentence, columns) in TABLES.items():
        kept = [found for row in rows() if row.table == table and (found := measurement.result_of(row))]
        if kept:
            amounts = ", ".join(sorted({f"{found['amount']} a row, {found['date']}" for found in kept}))
            lines += [f"## {heading}", "", *([sentence, ""] if sentence else []), f"{amounts}.", ""]
            lines += [
                f"| {columns} |",
                "|---" * len(columns.split(" | ")) + "|",
                *(found["line"] for found in kept),
                "",
            ]
    return "\n".join(lines)


def sources() -> str:
    """Return a name for the sources: the commit's hash of ``src``, with ``-changed`` if files have changed since."""
    git = ["git", "-C", str(ROOT)]
    tree = subprocess.run([*git, "rev-parse", "--short", "HEAD:src"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run([*git, "status", "--porcelain", "src"], capture_output=True, text=True).stdout
    return f"{tree or 'unknown'}{'-changed' if changed else ''}"


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=count, default=400, help="games of a match")
    parser.add_argument("--learn", type=positive, default=10, help="minutes of a core of learning against a bot")
    parser.add_argument("--rivals", type=positive, default=1.5, help="minutes of a core of a match with a rival")
    parser.add_argument(
        "--minutes", type=positive, default=float("inf"), help="begin no further row after these minutes from now"
    )
    parser.add_argument("--only", type=pattern, default="", help="regular expression for the names of rows")
    arguments = parser.parse_args()
    folder = Path(platformdirs.user_cache_dir("parlour")) / f"strength-{sources()}"
    measurement = Measurement(folder, arguments.games, arguments.rivals, arguments.learn)
    wanted = [row for row in rows() if re.search(arguments.only, row.name)]
    left = [row for row in wanted if not measurement.is_done(row)]
    print(f"{len(wanted) - len(left)} of {len(wanted)} rows were measured already.", file=sys.stderr)
    ends, stopped = time.monotonic() + 60 * arguments.minutes, ""
    try:
        for number, row in enumerate(left, len(wanted) - len(left) + 1):
            if time.monotonic() > ends:
                stopped = "The time is over"
                break
            print(f"Row {number} of {len(wanted)}: {row.name}", file=sys.stderr)
            measurement.measure(row)
    except KeyboardInterrupt:
        stopped = "Stopped"
    except subprocess.CalledProcessError as error:
        stopped = f"A row failed with status {error.returncode}; its error is above"
    if any(measurement.result_of(row) for row in rows()):
        write_whole(PAGE, page(measurement, f"commit {commit()} on\n{machine()}"), 0o644)
        written = f"{PAGE} is written."
    else:
        written = f"No row has a result, so {PAGE} stays."
    print(f"{written}{f' {stopped}; the same command continues.' if stopped else ''}", file=sys.stderr)
    raise SystemExit(1 if "failed" in stopped else 130 if stopped == "Stopped" else 0)


if __name__ == "__main__":
    run(main)
