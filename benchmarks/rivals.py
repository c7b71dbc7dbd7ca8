"""Matches of the rivals (``examples/rivals.py``) against a built-in bot at equal processor time per decision.

    PYTHONPATH=. python benchmarks/rivals.py FIELD [--minutes 2] [--factor 1] [--rivals UCT,EXP3] [--out runs] [GAME …]

Each row of the Markdown table is measured for some minutes. First the field's mean time of a search is measured; a
rival then gets this time for each decision, multiplied by the factor. The times in the table are those measured in the
match itself. Ctrl-C and SIGTERM print the row of the deals played so far. With ``--out`` the deals and times of each
row are kept in a folder, and the same command continues from them; more minutes add deals to a row, and fewer minutes
print it as it is.

A level that decides by habit now and then has a disadvantage, since the rival searches every decision: a field such as
``search:effort=50000,temperature=0.004,tree=1,learned=100`` compares searches. A field that does not search is refused:
it has no time to give to its rivals.
"""

import argparse
import json
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from command_line import folder, game_id, positive, run
from rival_names import RIVALS

import parlour
from examples import rivals
from parlour.bots.levels import Level
from parlour.bots.protocol import MOVE_TIME
from parlour.contests.contest_results import MatchResult
from parlour.contests.interval_texts import percent, signed_points
from parlour.contests.play import FEWEST_DEALS, MOST_DEALS, ONE_CORE, plan_match
from parlour.contests.precision import WINS
from parlour.contests.results_file import ResultsFile, play_and_store
from parlour.engine.files import write_whole

COLUMNS = ("game", "players", "rival", "games", "wins", "even", "points", "ms of the rival", "ms of the field")


class Clock:
    """Processor time of a method, and the number of its calls that are not forced decisions."""

    FORCED_SECONDS = 1e-4
    """Processor seconds up to which a call counts as a forced decision."""

    def __init__(self, owner: type, name: str) -> None:
        self.seconds, self.calls = 0.0, 0
        setattr(owner, name, self._wrap(getattr(owner, name)))

    def _wrap(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            began = time.thread_time()
            found = method(*arguments)
            spent = time.thread_time() - began
            if spent > self.FORCED_SECONDS:
                self.seconds, self.calls = self.seconds + spent, self.calls + 1
            return found

        return timed

    def restart(self) -> None:
        """Begin at 0 again."""
        self.seconds, self.calls = 0.0, 0

    def mean(self) -> float:
        """Return the mean seconds of a call."""
        return self.seconds / max(self.calls, 1)


@dataclass
class Times:
    """Processor times of a row, in seconds.

    Attributes:
        budget: the time of each decision of the rival.
        spent: the time of the deals.
        rival, field: the time of the searched decisions of each side.
        rival_decisions, field_decisions: their number.
    """

    budget: float
    spent: float = 0.0
    rival: float = 0.0
    rival_decisions: int = 0
    field: float = 0.0
    field_decisions: int = 0

    def add(self, spent: float, own: Clock, others: Clock) -> None:
        """Add the time of a deal and of its decisions, and let the clocks begin again."""
        self.spent += spent
        self.rival, self.rival_decisions = self.rival + own.seconds, self.rival_decisions + own.calls
        self.field, self.field_decisions = self.field + others.seconds, self.field_decisions + others.calls
        own.restart(), others.restart()


class Row:
    """Row of the table: a match, and its times.

    Attributes:
        result: the result of the deals played so far.
    """

    def __init__(
        self, game: str, rival: str, field: str, factor: float, clocks: tuple[Clock, Clock], kept: Path | None
    ) -> None:
        """Plan the match.

        Args:
            game: the game's id.
            rival: the name of the rival's class.
            field: the id of the other bot.
            factor: the rival's time for a decision, in times of the field.
            clocks: those of the rival and of the field.
            kept: the folder of the deals and times, if any.
        """
        self._setup, self._rival, self._field, self._factor = parlour.make(game), rival, field, factor
        self._own, self._others = clocks
        rivals.Rival.version = f"1, {factor:g} times the field's time"  # a file with another factor is refused
        self.result: MatchResult = plan_match(
            self._setup, (f"examples.rivals:{rival}", field), 1, MOVE_TIME, None, WINS
        )
        self._deals, self._kept = (kept / f"{game}.{rival}.{each}" if kept else None for each in ("jsonl", "times"))
        self._times = Times(0.0)

    def play(self, minutes: float) -> None:
        """Play deals until the row has taken these minutes, and at least two deals."""
        contest = self.result.tally.contest
        with ExitStack() as stack:
            file = stack.enter_context(ResultsFile(str(self._deals), contest)) if self._deals else None
            kept = len(file.deals) if file else 0
            self._times = self._read_times() if kept else Times(self._budget())
            self._compile()
            deals = stack.enter_context(
                closing(play_and_store(contest, MOST_DEALS, file, ONE_CORE, count=self.result.add))
            )
            began = time.process_time()
            for deal in deals:
                if deal.number >= kept:
                    now = time.process_time()
                    self._times.add(now - began, self._own, self._others)
                    began = now
                    self._write_times()
                if self.result.tally.deals >= max(kept, FEWEST_DEALS) and self._times.spent >= 60 * minutes:
                    break

    def _budget(self) -> float:
        """Return the seconds of a decision of the rival: the field's time of a search, times the factor."""
        parlour.match(self._setup, self._field, "thumb", 2, seed=100)  # compiles
        self._others.restart()
        parlour.match(self._setup, self._field, "thumb", 4, seed=101)
        if not self._others.calls:
            raise parlour.ParlourError(
                f"{self._field} does not search in {self._setup.game.id}, so its rivals have no time for a decision"
            )
        return self._factor * self._others.mean()

    def _compile(self) -> None:
        """Compile what the match calls, with short decisions of the rival; then let the rival and the clocks begin."""
        self.result.tally.contest.open()
        rivals.SECONDS = Clock.FORCED_SECONDS
        parlour.match(self._setup, f"examples.rivals:{self._rival}", "thumb", 2, seed=102)
        rivals.SECONDS = self._times.budget
        self._own.restart(), self._others.restart()

    def _read_times(self) -> Times:
        assert self._kept
        try:
            return Times(**json.loads(self._kept.read_text()))
        except (OSError, ValueError, TypeError):
            raise parlour.ParlourError(
                f"{self._kept}: the times of the deals in {self._deals} cannot be read; remove both files"
            ) from None

    def _write_times(self) -> None:
        if self._kept:
            write_whole(self._kept, json.dumps(asdict(self._times)))

    def line(self) -> str:
        """Return the line of the table."""
        times, tally = self._times, self.result.tally
        cells = (
            percent(self.result.wins), f"{100 * tally.even_share:.1f}%", signed_points(self.result.points),
            f"{1e3 * times.rival / max(times.rival_decisions, 1):.1f}",
            f"{1e3 * times.field / max(times.field_decisions, 1):.1f}",
        )  # fmt: skip
        played = f"{self._setup.game.id} | {self._setup.players} | {self._rival} | {tally.games:,}"
        return f"| {played} | {' | '.join(cells)} |"


def rival_names(text: str) -> list[str]:
    """Return the names of rivals in a text with commas. Raises ``argparse.ArgumentTypeError``."""
    known = [name for name, each in vars(rivals).items() if isinstance(each, type) and hasattr(each, "spend")]
    for name in text.split(","):
        if name not in known:
            raise argparse.ArgumentTypeError(f"there is no rival {name!r}; there are {', '.join(known)}")
    return text.split(",")


def main() -> None:
    """Print a row for each game and rival."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("field")
    parser.add_argument("games", nargs="*", type=game_id, default=parlour.games())
    parser.add_argument("--minutes", type=positive, default=2.0, help="processor time of a row")
    parser.add_argument("--factor", type=positive, default=1.0, help="times the field's time for a decision")
    parser.add_argument("--rivals", type=rival_names, default=list(RIVALS), help="names with commas between them")
    parser.add_argument("--out", type=folder, help="keep deals and times in this folder, and continue from there")
    args = parser.parse_args()
    clocks = Clock(rivals.Rival, "choose"), Clock(Level, "weigh")
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}", flush=True)
    for game in args.games:
        for rival in args.rivals:
            row = Row(game, rival, args.field, args.factor, clocks, args.out)
            try:
                row.play(args.minutes)
            finally:  # also the row of an interrupted match
                if row.result.tally.deals >= FEWEST_DEALS:
                    print(row.line(), flush=True)


if __name__ == "__main__":
    run(main)
