"""List of the games whose ends can be solved exactly, with the size and the value of each end."""

from collections.abc import Callable
from contextlib import closing
from typing import Any

from parlour.endgames.common_knowledge import SEATS
from parlour.endgames.endgame_tree import TreeLimits
from parlour.endgames.exact import ExactWork, MeasuredPosition
from parlour.engine.errors import PlayersError
from parlour.engine.setup import Setup
from parlour.engine.validation import counted
from parlour.jobs.pool import do_jobs
from parlour.jobs.tasks import Placement

_HEADER = ("number", "events", "worlds", "nodes", "sets", "value", "gap")


class EndsList:
    """Ends found so far among the first games of a seed.

    Attributes:
        games: the number of games searched.
        ends: the ends, by ascending number.
    """

    def __init__(self, setup: Setup, seed: int, nodes: int) -> None:
        """Raises :class:`PlayersError` if the number of players is not two."""
        if setup.players != SEATS:
            raise PlayersError(f"exact values exist for two players, not for {setup.players}")
        self.setup, self.seed, self.nodes = setup, seed, nodes
        self.games = 0
        self.ends: list[MeasuredPosition] = []

    def search(
        self,
        games: int,
        where: Placement,
        progress: Callable[[int, Callable[[], str]], None] = lambda done, words: None,
    ) -> None:
        """Search the games after those searched already, up to this number of them."""
        work = ExactWork(self.setup, self.seed, (), 1, TreeLimits(nodes=self.nodes))
        with closing(do_jobs(work, iter(range(self.games, games)), where)) as results:
            for _, found in results:
                self.games += 1
                self.ends += [found] if found else []
                progress(1, lambda: counted(len(self.ends), "end"))

    @property
    def has_results(self) -> bool:
        """Return whether any game has been searched."""
        return self.games > 0

    def text(self) -> str:
        """Return the list as a text table."""
        ends = f"{counted(len(self.ends), 'end')} of at most {self.nodes:,} nodes, decided by play"
        head = f"{self.setup.label}: {ends}, in {counted(self.games, 'game')} of seed {self.seed}"
        if not self.ends:
            return head
        rows = [_HEADER, *map(_row, self.ends)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
        return "\n".join([head, *("  " + "  ".join(map(str.rjust, row, widths)) for row in rows)])

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            **self.setup.to_json(),
            "seed": self.seed,
            "nodes": self.nodes,
            "games": self.games,
            "ends": [
                {
                    "number": each.number,
                    "events": each.events,
                    "worlds": each.worlds,
                    "nodes": each.nodes,
                    "sets": list(each.sets),
                    "value": round(each.value, 9),
                    "gap": each.gap,
                }
                for each in self.ends
            ],
        }


def _row(end: MeasuredPosition) -> tuple[str, ...]:
    sizes = (f"{size:,}" for size in (end.number, end.events, end.worlds, end.nodes, sum(end.sets)))
    return *sizes, f"{end.value:.6f}", f"{end.gap:.0e}"
