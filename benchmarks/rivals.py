"""Matches of the rivals (``examples/rivals.py``) against a built-in bot at equal processor time per decision.

    PYTHONPATH=. python benchmarks/rivals.py FIELD [--minutes 2] [--factor 1] [--rivals UCT,EXP3] [GAME …]

Each row of the Markdown table is measured for some minutes. First the field's mean time of a search is measured; a
rival then gets this time for each decision, multiplied by the factor. The times in the table are those measured in the
match itself. A level that decides by habit now and then has a disadvantage, since the rival searches every decision: a
field such as ``search:effort=50000,temperature=0.004,tree=1,learned=100`` compares searches. A field that does not
search is refused: it has no time to give to its rivals.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

from command_line import game_id, positive, run
from rival_names import RIVALS

import parlour
from examples import rivals
from parlour.bots.levels import Level
from parlour.contests.interval_texts import percent, signed_points

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

    def mean(self) -> float:
        """Return the mean seconds of a call since the last request."""
        mean, self.seconds, self.calls = self.seconds / max(self.calls, 1), 0.0, 0
        return mean


def play(game: str, rival: str, field: str, minutes: float, factor: float, clocks: tuple[Clock, Clock]) -> str:
    """Play a match; return its row of the table."""
    setup, rival_id = parlour.make(game), f"examples.rivals:{rival}"
    own, others = clocks
    parlour.match(setup, field, "thumb", 2, seed=100)  # compiles
    others.mean()
    parlour.match(setup, field, "thumb", 4, seed=101)
    rivals.SECONDS = factor * others.mean()
    if not rivals.SECONDS:
        raise parlour.ParlourError(f"{field} does not search in {game}, so its rivals have no time for a decision")
    parlour.match(setup, rival_id, field, 2, seed=102)  # compiles
    began = time.process_time()
    parlour.match(setup, rival_id, field, 2, seed=103)
    deals = max(2, round(60 * minutes / ((time.process_time() - began) / 2)))
    own.mean(), others.mean()
    found = parlour.match(setup, rival_id, field, deals, seed=1)
    even = found.tally.even_share
    cells = (
        percent(found.wins), f"{100 * even:.1f}%", signed_points(found.points), f"{1e3 * own.mean():.1f}",
        f"{1e3 * others.mean():.1f}",
    )  # fmt: skip
    return f"| {game} | {setup.players} | {rival} | {found.tally.games:,} | {' | '.join(cells)} |"


def main() -> None:
    """Print a row for each game and rival."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("field")
    parser.add_argument("games", nargs="*", type=game_id, default=parlour.games())
    parser.add_argument("--minutes", type=positive, default=2.0, help="processor time of a row")
    parser.add_argument("--factor", type=positive, default=1.0, help="times the field's time for a decision")
    parser.add_argument("--rivals", default=",".join(RIVALS))
    args = parser.parse_args()
    clocks = Clock(rivals.Rival, "choose"), Clock(Level, "weigh")
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for game in args.games:
        for rival in args.rivals.split(","):
            print(play(game, rival, args.field, args.minutes, args.factor, clocks), flush=True)


if __name__ == "__main__":
    run(main)
