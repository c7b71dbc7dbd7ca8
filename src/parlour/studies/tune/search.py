"""Search: Optuna proposes variations and stops the worse ones after a few deals (successive halving)."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parlour.contests.contest import Deal, whole_deals
from parlour.contests.results_file import ResultsFile
from parlour.engine.errors import OptionError, ParlourError
from parlour.engine.game import Value
from parlour.engine.setup import Setup
from parlour.extras import extra
from parlour.interrupts import defer_interrupts
from parlour.jobs.pool import open_workers
from parlour.jobs.tasks import HERE, Placement
from parlour.statistics import Estimate
from parlour.studies.findings import Findings
from parlour.studies.plan import PLAYERS
from parlour.studies.rule_measures import has_words
from parlour.studies.tune.goal import Criterion
from parlour.studies.tune.plan import TuneJob, TuningPlan

FIRST_RUNG, HALVING = 16, 2
"""Number of deals before the first comparison with other variations, and the factor to the next."""
_MOST_IDLE = 200
"""Consecutive known or impossible proposals after which a space that is not tried completely counts as exhausted."""
_STARTUP = 10
"""Number of random proposals before those of the estimators."""

JobRunner = Callable[[Iterator[TuneJob]], Iterable[tuple[TuneJob, Any]]]


@dataclass
class TriedVariation:
    """A variation and its deals so far."""

    tuning: TuningPlan
    criteria: tuple[Criterion, ...]
    setup: Setup
    deals: list[Deal] = field(default_factory=list)
    _estimates: dict[int, list[Estimate]] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether all its deals have been played."""
        return len(self.deals) >= self.tuning.deals

    def misses(self) -> list[Estimate]:
        """Return the variation's distance from each criterion."""
        return [criterion.miss(estimate) for criterion, estimate in zip(self.criteria, self.estimates(), strict=True)]

    def estimates(self) -> list[Estimate]:
        """Return the estimate of each criterion's measure."""
        if len(self.deals) not in self._estimates:
            findings = Findings(self.tuning.study(self.setup), self.deals)
            self._estimates[len(self.deals)] = [
                self.tuning.estimate(findings, criterion.measure) for criterion in self.criteria
            ]
        return self._estimates[len(self.deals)]


def rungs(deals: int) -> list[int]:
    """Return the numbers of deals after which a variation may be stopped; the last is the full number."""
    found, rung = [], FIRST_RUNG
    while rung < deals:
        found.append(rung)
        rung *= HALVING
    return [*found, deals]


class OptionSearch:
    """Search with its results so far.

    Attributes:
        criteria: the criteria of the goal.
        tried: the variations with at least two deals, in the order in which they were tried.
        fresh: variations played again on fresh deals, after the search.
    """

    def __init__(self, tuning: TuningPlan, folder: Path | None) -> None:
        """Open the folder.

        Raises:
            ParlourError: Optuna is missing, the goal is invalid, or the folder is not writable.
        """
        self._optuna = extra("optuna", "tune needs")
        self.tuning, self._folder = tuning, folder
        self.criteria = tuning.criteria()
        self._variations: dict[Setup, TriedVariation] = {}
        self.fresh: dict[Setup, TriedVariation] = {}
        self._scores: dict[Setup, float] = {}
        if folder:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ParlourError(f"{folder}: cannot be created: {error.strerror}") from None

    @property
    def tried(self) -> list[TriedVariation]:
        """The variations with at least two deals, in the order in which they were tried."""
        return [each for each in self._variations.values() if len(each.deals) > 1]

    @property
    def games(self) -> int:
        """Number of games of all deals, fresh ones and those read from files included."""
        every = [*self._variations.values(), *self.fresh.values()]
        return sum(len(deal.games) for each in every for deal in each.deals)

    def run(self, where: Placement = HERE, progress: Callable[[float], None] = lambda trials: None) -> None:
        """Try variations until ``trials`` is reached or the space is exhausted.

        ``progress`` receives fractions of a trial.
        """
        study = self._begin()
        with open_workers(self.tuning, where) as do:
            if self._is_small:
                for _ in range(self.tuning.space.size + 1):
                    self._try_next(study, do, progress)
                return
            idle = 0
            while len(self._variations) < self.tuning.trials and idle < _MOST_IDLE:
                idle = 0 if self._try_next(study, do, progress) else idle + 1

    @property
    def _is_small(self) -> bool:
        """Whether the space is tried completely; its combinations are then in Optuna's queue after the first one."""
        return self.tuning.space.size <= self.tuning.trials

    def check(
        self, setups: Iterable[Setup], where: Placement = HERE, progress: Callable[[float], None] = lambda trials: None
    ) -> None:
        """Play variations on the same number of fresh deals, which removes the bias of choosing the best."""
        tuning = self.tuning.with_fresh_deals()
        with open_workers(tuning, where) as do:
            for setup in setups:
                tried = TriedVariation(tuning, self.criteria, setup)
                with self._results_file(tried) as file:
                    self._play_to(tried, tuning.deals, do, file)
                self.fresh[setup] = tried
                progress(1)

    def _begin(self) -> Any:
        """Create Optuna's study. It is not stored: with the same seed and deals it makes the same proposals."""
        optuna, tuning = self._optuna, self.tuning
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = optuna.samplers.TPESampler(seed=tuning.seed % 2**32, n_startup_trials=_STARTUP)
        pruner = optuna.pruners.SuccessiveHalvingPruner(min_resource=FIRST_RUNG, reduction_factor=HALVING)
        study = optuna.create_study(sampler=sampler, pruner=pruner)
        first = tuning.first
        study.enqueue_trial({name: first.options.get(name, first.players) for name in tuning.space.axes})
        if self._is_small:
            for point in tuning.space.combinations():
                study.enqueue_trial(point)
        return study

    def _try_next(self, study: Any, do: JobRunner, progress: Callable[[float], None]) -> bool:
        """Try Optuna's next proposal; return whether the proposal was new."""
        trial, pruned = study.ask(), self._optuna.trial.TrialState.PRUNED
        try:
            setup = self.tuning.space.setup(_point(trial, self.tuning))
        except OptionError:
            study.tell(trial, state=pruned)  # without a value it counts as worse than all others
            return False
        if setup in self._variations:
            known = self._variations[setup]
            study.tell(trial, self._scores[setup] if known.is_complete else None, None if known.is_complete else pruned)
            return False
        tried = self._variations[setup] = TriedVariation(self.tuning, self.criteria, setup)
        if self._play_out(tried, trial, do, progress):
            study.tell(trial, self._scores[setup])
        else:
            study.tell(trial, state=pruned)
        return True

    def _play_out(self, tried: TriedVariation, trial: Any, do: JobRunner, progress: Callable[[float], None]) -> bool:
        """Play a variation's deals; return false if the search stopped the variation early.

        The first variation is never stopped early: it defines the units of misses.
        """
        deals, done = self.tuning.deals, 0.0
        with self._results_file(tried) as file:
            for rung in rungs(deals):
                self._play_to(tried, rung, do, file)
                progress(rung / deals - done)
                done = rung / deals
                self._scores[tried.setup] = score = self.score(tried)
                trial.report(score, rung)
                self._check_sources(tried)
                if rung < deals and len(self._variations) > 1 and trial.should_prune():
                    progress(1 - done)
                    return False
        return True

    def _check_sources(self, tried: TriedVariation) -> None:
        """Raise :class:`ParlourError` if a criterion names a source of points that the first variation lacks."""
        if len(self._variations) > 1:
            return
        counts = [game.clause_counts for deal in tried.deals for game in deal.games if game.clause_counts]
        sources = dict.fromkeys(source for each in counts for source in each.points)
        for criterion in self.criteria:
            word = criterion.measure.name.removeprefix("points ")
            if word != criterion.measure.name and not any(has_words(source, word) for source in sources):
                found = ", ".join(f"'{source}'" for source in sources) or "none that add up to the scores"
                raise ParlourError(f"{criterion.text!r}: no points come from {word!r}; the sources are {found}")

    def _play_to(self, tried: TriedVariation, number: int, do: JobRunner, file: ResultsFile | None) -> None:
        """Play a variation until it has ``number`` deals; deals in the file come first."""
        if file:
            tried.deals += file.deals[len(tried.deals) : number]
        plan = tried.tuning.study(tried.setup)
        jobs = ((tried.setup, job) for deal in range(len(tried.deals), number) for job in plan.jobs(deal))
        for deal in whole_deals(plan, ((job, game) for (_, job), game in do(jobs))):
            with defer_interrupts():
                if file:
                    file.append(deal)
                tried.deals.append(deal)

    def score(self, tried: TriedVariation) -> float:
        """Return the sum of the misses in their units, which the search minimises."""
        first = next(iter(self._variations.values()))
        units = [
            criterion.unit or abs(miss.value) or 1.0
            for criterion, miss in zip(self.criteria, first.misses(), strict=True)
        ]
        return sum(miss.value / unit for miss, unit in zip(tried.misses(), units, strict=True))

    @contextmanager
    def _results_file(self, tried: TriedVariation) -> Iterator[ResultsFile | None]:
        """Open the file of a variation's deals, named by a hash of the study so that other goals can reuse it."""
        if self._folder is None:
            yield None
            return
        study = tried.tuning.study(tried.setup)
        name = hashlib.sha256(json.dumps(study.header(), sort_keys=True).encode()).hexdigest()[:16]
        with ResultsFile(str(self._folder / f"{name}.jsonl"), study) as file:
            yield file


def _point(trial: Any, tuning: TuningPlan) -> Mapping[str, Value]:
    """Return Optuna's proposal: numbers of a range are ordered, other values categorical."""
    point: dict[str, Value] = {}
    for name, values in tuning.space.axes.items():
        if isinstance(values, range):
            point[name] = trial.suggest_int(name, values[0], values[-1], step=values.step)
        elif len(values) == 1 and name != PLAYERS:
            point[name] = values[0]
        else:
            point[name] = trial.suggest_categorical(name, list(values))
    return point
