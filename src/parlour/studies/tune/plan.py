"""Plan of a search for good variations: space, goal, bots and budget."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from parlour.bots.protocol import MOVE_TIME, CancelCheck
from parlour.contests.contest import Job, fresh_seed
from parlour.contests.game_results import GameResult
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.statistics import Estimate
from parlour.studies.findings import Findings
from parlour.studies.measures import MEASURES, Measure
from parlour.studies.plan import Study
from parlour.studies.rule_measures import TracedMeasure
from parlour.studies.tune.goal import Criterion, criteria_of
from parlour.studies.tune.space import Space

TuneJob = tuple[Setup, Job]
"""A variation and a game of it."""
_MOST_TRACED = 64
"""Maximum number of deals of a variation in which clauses are counted; these games run interpreted."""
_MOST_EXAMINED = 1000
"""Maximum number of combinations examined to find a possible one."""


@dataclass(frozen=True)
class TuningPlan:
    """Plan of a search. A job is a game of any variation, so one pool of processes serves the whole search.

    Attributes:
        space: the variations that may be tried.
        goal: the goal, as the user wrote it.
        bots: ids, from weak to strong.
        deals: number of deals of a variation that the search does not stop early.
        trials: maximum number of variations.
        seed: the seed of all chance and of the search.
        move_time: seconds that an external bot may take for a decision.
    """

    space: Space
    goal: str
    bots: tuple[str, ...]
    deals: int
    trials: int
    seed: int = 0
    move_time: float = MOVE_TIME

    def criteria(self) -> tuple[Criterion, ...]:
        """Return the criteria of the goal. Raises :class:`ParlourError` if it is not understood."""
        measures = [each for each in MEASURES if self.strongest or not each.head_to_head]
        return criteria_of(self.goal, measures, self.space.game)

    @property
    def first(self) -> Setup:
        """The first variation: the point nearest to the game's defaults, or else the first possible one of the space.

        Raises:
            ParlourError: no combination is possible.
        """
        points = [self.space.defaults(), *islice(self.space.combinations(), _MOST_EXAMINED)]
        for place, point in enumerate(points):
            try:
                return self.space.setup(point)
            except ParlourError:
                if place == len(points) - 1:
                    raise
        raise AssertionError("a space has points")

    def with_fresh_deals(self) -> "TuningPlan":
        """Return the plan with the next seed, whose deals the search has not used."""
        return replace(self, seed=fresh_seed(self.seed))

    def study(self, setup: Setup) -> Study:
        """Return the study of one variation."""
        return Study(
            (setup,),
            self.bots,
            self.seed,
            self.move_time,
            evaluated_deals=self.evaluated_deals,
            traced_deals=self.traced_deals,
        )

    @cached_property
    def evaluated_deals(self) -> int:
        """Number of deals with win probabilities: all if a criterion needs them, otherwise none."""
        return self.deals if any(criterion.measure.needs_win_probability for criterion in self.criteria()) else 0

    @cached_property
    def traced_deals(self) -> int:
        """Number of deals with clause counts: some if a criterion needs them, otherwise none."""
        traced = any(isinstance(criterion.measure, TracedMeasure) for criterion in self.criteria())
        return min(self.deals, _MOST_TRACED) if traced else 0

    @property
    def strongest(self) -> int:
        """Number of the bot whose games are measured."""
        return Study((self.first,), self.bots).strongest

    def estimate(self, findings: Findings, measure: Measure) -> Estimate:
        """Return a measure of a variation: of the strongest bot alone, or of that bot against the next weaker one.

        Raises:
            ParlourError: the variation has no such measure, because it has fewer sides.
        """
        top = self.strongest
        line_up = findings.study.head_to_head(top) if measure.head_to_head else (top,)
        if not measure.applies(findings.cell(0, line_up)):
            raise ParlourError(f"{self.goal!r}: {findings.study.setups[0].label} has no {measure.name}")
        return findings.estimate(0, line_up, measure)

    @property
    def code(self) -> str:
        """Hash of the rules, the bots and the compilers."""
        return self.study(self.first).code

    @property
    def suspect(self) -> str:
        """Other possible cause of a process's unexpected end: the end of a sentence, or empty."""
        return self.study(self.first).suspect

    def open(self) -> Callable[[TuneJob, CancelCheck], GameResult]:
        """Compile the rules and bots of the games, and return the function that plays one."""
        first = self.first
        opened: dict[Setup, Callable[[Job, CancelCheck], GameResult]] = {first: self.study(first).open()}

        def play(job: TuneJob, stopped: CancelCheck) -> GameResult:
            setup, game = job
            if setup not in opened:
                opened[setup] = self.study(setup).open()
            return opened[setup](game, stopped)

        return play
