"""Contests: bots play against each other, every deal with the seats rotated, in the order of the deals.

A *match* is a challenger against a field of one other bot. In a *ladder* several bots meet each other. In a *study* of
a game each bot plays itself and a field of the next weaker bot. A bot always plays a whole side: partners are the same
bot. The games of a deal depend only on the contest and the deal's number. The results do so, too, if the bots use no
randomness but their random streams.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Protocol

from parlour.bots.game_levels import bots_hash
from parlour.bots.kinds import split_kinds
from parlour.bots.protocol import MOVE_TIME, CancelCheck
from parlour.contests.arena import STREAMS_A_DEAL, Arena
from parlour.contests.game_results import GameResult
from parlour.contests.omniscient import find_player, is_omniscient
from parlour.contests.outside_bots import check_creation, suspect_of, versions_of
from parlour.engine.chance import new_stream, shuffle
from parlour.engine.errors import ParlourError
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.engine.validation import shown, whole
from parlour.jobs.pool import do_jobs
from parlour.jobs.tasks import HERE, Placement, Work
from parlour.version import __version__

FORMAT = "parlour-contest/1"
MATCH, LADDER, STUDY = "match", "ladder", "study"

Seating = tuple[int, ...]
"""Number of the bot in each seat."""


@dataclass(frozen=True)
class Deal:
    """Deal with the results of all its games."""

    number: int
    games: tuple[GameResult, ...]


@dataclass(frozen=True)
class Job:
    """Game to play: its deal and seating, the index of its setup among several, and the index of its repetition."""

    deal: int
    seating: Seating
    variation: int = 0
    replicate: int = 0


def rival_of(bots: Sequence[str], bot: int) -> int:
    """Return the number of the bot in the field against a study's bot: the previous bot in the list.

    The field against a kind of player is the same bot without the kind, if the list has that bot before the kind.
    """
    plain, kinds = split_kinds(bots[bot])
    return bots.index(plain) if kinds and plain in bots[:bot] else bot - 1


MOST_SEED = 1 << 62
"""The greatest seed of a contest."""


def fresh_seed(seed: int, number: int = 1) -> int:
    """Return the seed of deals that have not been played with ``seed``: the ``number``-th after it."""
    return (seed + number) % (MOST_SEED + 1)


@dataclass(frozen=True)
class Contest:
    """Configuration of a contest.

    Attributes:
        kind: ``MATCH``, ``LADDER`` or ``STUDY``.
        setup: the setup.
        bots: the bots' ids; in a match the challenger and the field; in a study from weak to strong.
        seed: the seed of all chance.
        move_time: seconds that an external bot may take for a decision.
    """

    kind: str
    setup: Setup
    bots: tuple[str, ...]
    seed: int = 0
    move_time: float = MOVE_TIME

    def __post_init__(self) -> None:
        """Raises :class:`ParlourError` for an invalid seed or bot, for instance a program that does not start."""
        if whole("a seed", self.seed, 0) > MOST_SEED:
            raise ParlourError(f"a seed must be {MOST_SEED} at most, not {shown(self.seed)}")
        _ = self.outside  # raises now instead of when results are written
        check_creation(self.bots)
        if self.kind != MATCH and len(set(self.bots)) != len(self.bots):
            twice = next(bot for bot in self.bots if self.bots.count(bot) > 1)
            raise ParlourError(f"{twice} is named twice; each bot has one place")
        if self.outside and any(map(is_omniscient, self.bots)):
            raise ParlourError("a bot with open cards plays against the built-in bots only")
        if len(self.bots) < 2 and self.kind != STUDY:
            raise ParlourError("a ladder needs at least two bots")

    @cached_property
    def outside(self) -> dict[str, str]:
        """Versions of the external bots, and of those that play from files."""
        return versions_of(self.bots)

    def header(self) -> dict[str, Any]:
        """Return the header of a results file; files can be combined only if their headers are equal."""
        outside = {"outside": self.outside, "move_time": self.move_time}
        return {
            "format": FORMAT,
            "kind": self.kind,
            **self.setup.to_json(),
            "bots": list(self.bots),
            "seed": self.seed,
            "version": __version__,
            "code": self.code,
            **(outside if self.outside else {}),
        }

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Seats of each side."""
        return sides_of(self.setup)

    @cached_property
    def line_ups(self) -> tuple[Seating, ...]:
        """Line-ups of a deal's games before rotation: a bot number for each side.

        In a ladder with at most as many bots as sides, each bot occurs equally often or once more than another; with
        more bots, every combination of the right size occurs.
        """
        sides, bots = len(self.sides), len(self.bots)
        if self.kind == MATCH:
            return ((0,) + (1,) * (sides - 1),)
        if self.kind == STUDY:
            apart = tuple((bot,) * sides for bot in range(bots) if not is_omniscient(self.bots[bot]))
            return (*apart, *((bot,) + (rival_of(self.bots, bot),) * (sides - 1) for bot in range(1, bots)))
        all_of_them = tuple(range(bots)) * (sides // bots)
        return tuple((*all_of_them, *others) for others in combinations(range(bots), sides % bots))

    def seatings(self, deal: int) -> list[Seating]:
        """Return the games of a deal: each line-up, in an order drawn for the deal, in every distinct rotation."""
        found: dict[Seating, None] = {}
        random = new_stream(self.seed, (deal + 1) * STREAMS_A_DEAL - 1)
        for line_up in self.line_ups:
            order = list(line_up)
            shuffle(random, order, 0, len(order))
            for turn in range(len(order)):
                found[self._bots_by_seat(order[turn:] + order[:turn])] = None
        return list(found)

    def _bots_by_seat(self, bots: Sequence[int]) -> Seating:
        """Convert a bot for each side to a bot for each seat."""
        by_seat = {seat: bot for side, bot in zip(self.sides, bots, strict=True) for seat in side}
        return tuple(by_seat[seat] for seat in range(self.setup.players))

    def arena(self, statistics: bool = False, record: bool = False) -> Arena:
        """Return the contest's arena; ``statistics`` and ``record`` add these to results."""
        bots = [find_player(bot) for bot in self.bots]
        return Arena(self.setup, bots, self.seed, self.move_time, statistics, record)

    def jobs(self, deal: int) -> list[Job]:
        """Return the games of a deal, in their order."""
        return [Job(deal, seating) for seating in self.seatings(deal)]

    def parts(self, job: Job) -> tuple[str, ...]:
        """Return no names: results of contests have no parts on request."""
        return ()

    def open(self) -> Callable[[Job, CancelCheck], GameResult]:
        """Prepare the arena; return a function that plays a game."""
        arena = self.arena()
        arena.warm_up()
        return lambda job, stopped: arena.play(job.deal, job.seating, stopped)

    @property
    def code(self) -> str:
        """Hash of the rules, the bots and the compilers."""
        return bots_hash(self.setup.game)

    @property
    def suspect(self) -> str:
        """Other possible cause of a process's unexpected end: the end of a sentence, or empty."""
        return suspect_of(self.bots)


class Plan(Work[Job, GameResult], Protocol):
    """Games of each deal and the work that plays them: a contest, or a study of several setups."""

    def jobs(self, deal: int) -> list[Job]:
        """Return the games of a deal, in their order."""

    def parts(self, job: Job) -> tuple[str, ...]:
        """Return the names of the attributes on request that the result of a game has."""

    def header(self) -> dict[str, Any]:
        """Return the header of a results file; files can be combined only if their headers are equal."""


def play_deals(
    plan: Plan,
    first: int,
    stop: int,
    where: Placement = HERE,
    progress: Callable[[float], None] = lambda deals: None,
) -> Iterator[Deal]:
    """Yield the deals from ``first`` to ``stop - 1``, in this order.

    Args:
        plan: the games of each deal.
        first: the number of the first deal.
        stop: the number after the last deal.
        where: the place of execution.
        progress: a function that is called after each new game with its share of a deal, a fraction.
    """
    jobs = (job for deal in range(first, stop) for job in plan.jobs(deal))
    with closing(do_jobs(plan, jobs, where)) as played:
        yield from whole_deals(plan, played, progress)


def whole_deals(
    plan: Plan, played: Iterable[tuple[Job, GameResult]], progress: Callable[[float], None] = lambda deals: None
) -> Iterator[Deal]:
    """Group games, in the order of a plan's jobs, into deals."""
    games: list[GameResult] = []
    size = 0
    for job, game in played:
        size = size if games else len(plan.jobs(job.deal))
        games.append(game)
        progress(1 / size)
        if len(games) == size:
            yield Deal(job.deal, tuple(games))
            games = []
