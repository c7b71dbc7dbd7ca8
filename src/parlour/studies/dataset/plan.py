"""Games of a data set: each has a deal of its own, and the bots take turns in its seats."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from parlour.bots.game_levels import bots_hash
from parlour.bots.protocol import MOVE_TIME, CancelCheck
from parlour.contests.arena import Arena
from parlour.contests.contest import Job, Seating
from parlour.contests.game_results import GameResult
from parlour.contests.omniscient import find_player, is_omniscient
from parlour.contests.outside_bots import check_creation, suspect_of, versions_of
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.version import __version__

FORMAT = "parlour-dataset/1"
"""The version of the files and columns (docs/datasets.md)."""
KIND = "data set"


@dataclass(frozen=True)
class DatasetPlan:
    """Games of a data set, or of one of its shards.

    Attributes:
        setup: the setup.
        bots: the bots' ids; in game *n* seat *s* has bot *(s + n)* modulo the number of bots.
        seed: the seed of all chance.
        move_time: seconds that an external bot may take for a decision.
        first: the number of the first game.
    """

    setup: Setup
    bots: tuple[str, ...]
    seed: int = 0
    move_time: float = MOVE_TIME
    first: int = 0

    def __post_init__(self) -> None:
        """Raises :class:`ParlourError` for invalid bots."""
        if not self.bots:
            raise ParlourError("a data set needs a bot")
        if any(map(is_omniscient, self.bots)):
            raise ParlourError("a bot with open cards does not play from observations, so it makes no data set")
        _ = self.outside
        check_creation(self.bots)

    @cached_property
    def outside(self) -> dict[str, str]:
        """Versions of the external bots, and of those that play from files."""
        return versions_of(self.bots)

    def from_game(self, first: int) -> "DatasetPlan":
        """Return the plan of the games from this number on."""
        return replace(self, first=first)

    def seating(self, game: int) -> Seating:
        """Return the number of the bot in each seat of a game."""
        return tuple((seat + game) % len(self.bots) for seat in range(self.setup.players))

    def jobs(self, deal: int) -> list[Job]:
        """Return the only game of a deal; deals are counted from the first game of the plan."""
        return [Job(deal, self.seating(self.first + deal))]

    def parts(self, job: Job) -> tuple[str, ...]:
        """Return the name of the only attribute on request: the columns are made from the record."""
        return ("record",)

    def header(self) -> dict[str, Any]:
        """Return the description of these games; a folder or a journal is continued only by an equal description."""
        outside = {"outside": self.outside, "move_time": self.move_time}
        return {
            "format": FORMAT,
            "kind": KIND,
            **self.setup.to_json(),
            "bots": list(self.bots),
            "seed": self.seed,
            "version": __version__,
            "code": self.code,
            "first": self.first,
            **(outside if self.outside else {}),
        }

    def open(self) -> Callable[[Job, CancelCheck], GameResult]:
        """Prepare the arena; return a function that plays a game and keeps its record."""
        arena = Arena(self.setup, [find_player(bot) for bot in self.bots], self.seed, self.move_time, record=True)
        arena.warm_up()
        return lambda job, stopped: arena.play(self.first + job.deal, job.seating, stopped)

    @property
    def code(self) -> str:
        """Hash of the rules, the bots and the compilers."""
        return bots_hash(self.setup.game)

    @property
    def suspect(self) -> str:
        """Other possible cause of a process's unexpected end: the end of a sentence, or empty."""
        return suspect_of(self.bots)
