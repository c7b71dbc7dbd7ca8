"""What a search for good variations is: the space, the goal, who plays, and how much."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from parlour.bots.protocol import MOVE_TIME, Asking
from parlour.contests.contest import Job
from parlour.contests.game_results import GameResult
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.statistics import Estimate
from parlour.studies.findings import Findings
from parlour.studies.measures import MEASURES, Measure
from parlour.studies.plan import Study
from parlour.studies.tune.goal import Criterion, criteria_of
from parlour.studies.tune.space import Space

TuneJob = tuple[Setup, Job]
"""A game of one of the variations that are tried."""
_MOST_LOOKED_THROUGH = 1000
"""Combinations among which one that is possible is looked for."""


@dataclass(frozen=True)
class Tuning:
    """A search. Its jobs are games of any variation, so one crew of processes does for all of it.

    Attributes:
        space: which variations may be tried.
        goal: what is looked for, as it was written.
        bots: ids, from weak to strong.
        deals: how many are played of a variation that is not given up.
        trials: how many variations are tried at most.
        seed: of all chance, and of the search.
        move_time: seconds that a bot from outside may take for a decision.
    """

    space: Space
    goal: str
    bots: tuple[str, ...]
    deals: int
    trials: int
    seed: int = 0
    move_time: float = MOVE_TIME

    def wishes(self) -> tuple[Criterion, ...]:
        """The goal's parts. Raises :class:`ParlourError` if it is not understood."""
        return criteria_of(self.goal, [each for each in MEASURES if self.strongest or not each.met])

    @property
    def first(self) -> Setup:
        """The variation that is tried first: the game as it is, as nearly as the space allows.

        Raises:
            ParlourError: no combination is possible.
        """
        points = [self.space.defaults(), *islice(self.space.combinations(), _MOST_LOOKED_THROUGH)]
        for place, point in enumerate(points):
            try:
                return self.space.setup(point)
            except ParlourError:
                if place == len(points) - 1:
                    raise
        raise AssertionError("a space has points")

    def with_fresh_deals(self) -> "Tuning":
        """The same with the next seed, and so with deals that the search has not seen."""
        return replace(self, seed=self.seed + 1)

    def study(self, setup: Setup) -> Study:
        """What is played of a variation."""
        return Study((setup,), self.bots, self.seed, self.move_time, looked=self.looked)

    @cached_property
    def looked(self) -> int:
        """In how many deals chances to win are told: in all, if a wish is about them; otherwise in none."""
        return self.deals if any(wish.measure.foreseen for wish in self.wishes()) else 0

    @property
    def strongest(self) -> int:
        """The number of the bot that is measured."""
        return Study((self.first,), self.bots).strongest

    def estimate(self, findings: Findings, measure: Measure) -> Estimate:
        """A measure of a variation: of games of the strongest bot alone, or of it against the next weaker one."""
        top = self.strongest
        return findings.estimate(0, (top, top - 1) if measure.met else (top,), measure)

    @property
    def code(self) -> str:
        """A hash of the rules, the bots and what compiles them."""
        return self.study(self.first).code

    @property
    def suspect(self) -> str:
        """Who else may be to blame if a process ends by itself."""
        return self.study(self.first).suspect

    def open(self) -> Callable[[TuneJob, Asking], GameResult]:
        """Get ready to play games of it."""
        first = self.first
        opened: dict[Setup, Callable[[Job, Asking], GameResult]] = {first: self.study(first).open()}

        def play(job: TuneJob, stopped: Asking) -> GameResult:
            setup, game = job
            if setup not in opened:
                opened[setup] = self.study(setup).open()
            return opened[setup](game, stopped)

        return play
