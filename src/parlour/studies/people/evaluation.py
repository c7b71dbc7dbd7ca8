"""Evaluation of recorded games and of a study's bot games: results, and the cost of decisions.

The cost is that of a review (:mod:`parlour.insight.course`), at a small effort and for a sample of the decisions.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from parlour.bots.protocol import CancelCheck, Stopped
from parlour.contests.arena import Arena
from parlour.contests.clause_counts import ClauseTracer
from parlour.contests.contest import MOST_SEED
from parlour.contests.game_results import GameResult
from parlour.contests.game_statistics import new_notes, note, statistics_of
from parlour.engine.events import Event
from parlour.engine.matches.records import begin_replay
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import CHANCE, choices, wanted
from parlour.insight.course import judge
from parlour.insight.position import position_of
from parlour.insight.review import names_in
from parlour.insight.rounding import WHOLE
from parlour.jobs.setup_work import compile_search
from parlour.studies.people.recorded_games import RecordedGame, whole_game
from parlour.studies.plan import Study

EFFORT = 20_000
"""Simulated players' actions for a judged decision: a fifteenth of a review's effort."""


@dataclass(frozen=True)
class JudgedDecision:
    """A decision as a review judges it.

    Attributes:
        lost: the chance to win after the best action minus that after the action done, in the same determinizations;
            it may be below 0 by chance.
        cost: the significant loss in whole points of 100; 0 for a decision without a mark.
    """

    lost: float
    cost: int


@dataclass(frozen=True)
class EvaluationJob:
    """A game to evaluate.

    Attributes:
        number: the number of the deal or of the record; it seeds the sample.
        variation: the variation of the study.
        share: the probability with which each choice is judged.
        bot: the number of the bot that plays all seats of the deal, if there is no record.
        game: the recorded game of people, if there is one.
        traced: whether clauses and sources of points are counted in the recorded game.
    """

    number: int
    variation: int
    share: float
    bot: int = -1
    game: RecordedGame | None = None
    traced: bool = False


@dataclass(frozen=True)
class EvaluatedGame:
    """Judged decisions of a game; for a recorded game also its result."""

    judged: tuple[JudgedDecision, ...]
    result: GameResult | None = None


@dataclass(frozen=True)
class EvaluationWork:
    """Work that evaluates the games of a study's jobs."""

    study: Study

    @property
    def code(self) -> str:
        """Hash of the rules, the bots and the compilers."""
        return self.study.code

    @property
    def suspect(self) -> str:
        """Other possible cause of a process's unexpected end: the end of a sentence, or empty."""
        return self.study.suspect

    def open(self) -> Callable[[EvaluationJob, CancelCheck], EvaluatedGame]:
        """Prepare the bots and the search; return a function that does a job."""
        arenas = [contest.arena(record=True) for contest in self.study.contests]
        for setup in self.study.setups:
            compile_search(setup.game)
        return lambda job, stopped: self._evaluate(job, stopped, arenas[job.variation])

    def _evaluate(self, job: EvaluationJob, stopped: CancelCheck, arena: Arena) -> EvaluatedGame:
        if job.game:
            return EvaluatedGame(self._judge(job, job.game, stopped), result_of(job.game, job.traced))
        played = arena.play(job.number, (job.bot,) * arena.setup.players, stopped)
        assert played.record is not None
        game = whole_game(dict(played.record), f"deal {job.number}")
        return EvaluatedGame(() if played.forfeit else self._judge(job, game, stopped))

    def _judge(self, job: EvaluationJob, game: RecordedGame, stopped: CancelCheck) -> tuple[JudgedDecision, ...]:
        """Judge a sample of the choices of a game. Raises :class:`Stopped`."""
        found, names = [], names_in(game.record, game.setup.players)
        key = (self.study.seed, job.variation, job.bot + 1, job.number)
        random, seeds = (np.random.default_rng([*key, stream]) for stream in range(2))
        for number, match in game.sample(job.share, random):
            if stopped():
                raise Stopped
            done = match.parse_move(game.record["events"][number]["do"])
            position = position_of(match, match.actor, names)
            decision = judge(position, done, EFFORT, int(seeds.integers(MOST_SEED)))
            found.append(JudgedDecision(decision.lost.value / WHOLE, decision.cost))
        return tuple(found)


def result_of(game: RecordedGame, traced: bool = False) -> GameResult:
    """Return the result of a recorded game with its statistics.

    With ``traced`` the rules run interpreted, and clauses and sources of points are counted.
    """
    setup, tracer = game.setup, ClauseTracer(game.setup.game)
    if traced:
        tracer.begin(setup)
    match = begin_replay(game.record, game.place, tracer.steps if traced else COMPILED)
    notes, made = new_notes(setup, True), [0] * setup.players
    chance_events, deals, dealt = 0, 0, 0
    for event in game.record["events"]:
        if match.actor == CHANCE:
            chance_events += 1
            if choices(match.state) == 0:
                dealt = dealt or int(wanted(match.state))
                deals += dealt == int(wanted(match.state))
        else:
            note(match.state, len(match.moves()), notes)
            made[match.actor] += 1
        match.apply_event(Event.from_json(event))
    note(match.state, 0, notes)
    assert match.result is not None
    scores, winners = match.result.scores, match.result.winners
    return GameResult(
        (0,) * setup.players,
        tuple(scores),
        tuple(winners),
        tuple(made),
        (0.0,) * setup.players,
        statistics=statistics_of(notes, chance_events, deals, sum(1 << seat for seat in winners)),
        ending=setup.game.ending(match.state),
        clause_counts=tracer.counts_of(match.state, tuple(scores)) if traced else None,
    )
