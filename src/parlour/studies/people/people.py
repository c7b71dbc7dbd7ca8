"""People of recorded games beside the bots of a study: length, endings, points, choices and mistakes.

The people played other deals than the bots, so nothing is paired, and the intervals of people and bots contain the luck
of the deals. Games of people with bots count as whole games; of their decisions, only those of people are judged.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cached_property
from typing import Any

from parlour.contests.contest import Deal
from parlour.contests.omniscient import is_omniscient
from parlour.engine.errors import ParlourError
from parlour.jobs.pool import do_jobs
from parlour.jobs.tasks import HERE, Placement
from parlour.statistics import Estimate, estimate_mean_by_group, estimate_share_by_group
from parlour.studies import rulebook
from parlour.studies.games import Games, arrays_of, games_of
from parlour.studies.measures import MEASURES, Measure
from parlour.studies.people.evaluation import EFFORT, EvaluatedGame, EvaluationJob, EvaluationWork, JudgedDecision
from parlour.studies.people.recorded_games import RecordedGame, read_games
from parlour.studies.plan import Study

JUDGED_DECISIONS = 200
"""Default of the approximate number of judged decisions of the people and of each bot, in each variation."""
BOTS_DEALS = 20
"""Number of deals, the first ones, from which the judged decisions of the bots are drawn."""
PEOPLE = -1
"""Number that stands for the people among the players of a variation; a bot has its number in the study."""
SELF_PLAY_MEASURES = tuple(each for each in MEASURES if not each.head_to_head and not each.needs_win_probability)
"""Measures of self-play games that need no win probabilities."""


class Mistakes:
    """Judged decisions of one player.

    Attributes:
        games: the decisions by game; no game is empty.
    """

    def __init__(self, games: Sequence[Sequence[JudgedDecision]]) -> None:
        """``games`` may contain games without judged decisions."""
        self.games = [game for game in games if game]

    @property
    def number(self) -> int:
        """The number of judged decisions."""
        return sum(map(len, self.games))

    @property
    def mean_loss(self) -> Estimate:
        """The mean chance to win that a decision lost, over games."""
        return estimate_mean_by_group([[each.lost for each in game] for game in self.games])

    @property
    def marked_share(self) -> Estimate:
        """The share of decisions that a review marks as slip, mistake or blunder, over games."""
        return estimate_share_by_group([[float(each.cost > 0) for each in game] for game in self.games])

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        estimates = {"lost": self.mean_loss.to_json(), "marked": self.marked_share.to_json()} if self.games else {}
        return {"decisions": self.number, **estimates}


class People:
    """People of recorded games, variation by variation.

    Attributes:
        study: the study.
        files: the names of the files of records.
        judged_decisions: the approximate number of judged decisions of the people and of each bot, in each variation.
        left_out: the numbers of records that were left out, by reason.
        games: the recorded games of each variation.
    """

    def __init__(self, study: Study, files: Sequence[str], judged_decisions: int = JUDGED_DECISIONS) -> None:
        """Read the records.

        Raises:
            ParlourError: a record is wrong, or no record is of a variation of the study.
        """
        self.study, self.files, self.judged_decisions = study, files, judged_decisions
        found, self.left_out = read_games(files, study.game)
        self.games: list[list[RecordedGame]] = [
            [game for game in found if game.setup == setup] for setup in study.setups
        ]
        others = len(found) - sum(map(len, self.games))
        if others == len(found):
            played = ", ".join(sorted({game.setup.variation for game in found}))
            raise ParlourError(f"{', '.join(files)}: no record of a variation of this study; they are of {played}")
        self.left_out += Counter({"of other variations": others})
        self._results: dict[int, list[EvaluatedGame]] = {number: [] for number in range(len(study.setups))}
        self._decisions: dict[tuple[int, int], list[Sequence[JudgedDecision]]] = {}

    # Evaluation

    def jobs(self, deals: Sequence[Deal]) -> Iterator[EvaluationJob]:
        """Yield the jobs: every record, then the first deals of every bot."""
        for variation, games in enumerate(self.games):
            share = self._share(sum(game.choices for game in games))
            for number, game in enumerate(games):
                traced = number < self.study.traced_deals
                yield EvaluationJob(number, variation, share, game=game, traced=traced)
        if self.judged_decisions:
            yield from self._jobs_of_bots(deals[:BOTS_DEALS])

    def _jobs_of_bots(self, deals: Sequence[Deal]) -> Iterator[EvaluationJob]:
        fair = [number for number, bot in enumerate(self.study.bots) if not is_omniscient(bot)]
        played = games_of(self.study, deals, {(at, (bot,)) for at in self.variations for bot in fair})
        for (variation, (bot, *_)), games in sorted(played.items(), key=lambda each: each[0]):
            share = self._share(int((games.decisions - games.statistics["forced"]).sum()))
            for deal in deals:
                yield EvaluationJob(deal.number, variation, share, bot)

    def _share(self, choices: int) -> float:
        return min(1.0, self.judged_decisions / max(1, choices))

    def evaluate(
        self, deals: Sequence[Deal], where: Placement = HERE, progress: Callable[[int], None] = lambda done: None
    ) -> None:
        """Evaluate the records, and games of the bots in the first of the study's ``deals``."""
        with closing(do_jobs(EvaluationWork(self.study), self.jobs(deals), where)) as results:
            for job, found in results:
                if job.game:
                    self._results[job.variation].append(found)
                player = PEOPLE if job.game else job.bot
                self._decisions.setdefault((job.variation, player), []).append(found.judged)
                progress(1)

    # Results

    @property
    def variations(self) -> list[int]:
        """The variations that have recorded games."""
        return [number for number, games in enumerate(self.games) if games]

    @property
    def evaluated_variations(self) -> list[int]:
        """The variations with evaluated records: all of :attr:`variations`, unless the work was stopped."""
        return [number for number in self.variations if self._results[number]]

    @cached_property
    def _cells(self) -> dict[int, Games]:
        return {
            number: arrays_of(
                self.study.contests[number], [[each.result] for each in self._results[number] if each.result]
            )
            for number in self.evaluated_variations
        }

    def estimate(self, variation: int, measure: Measure) -> Estimate:
        """Return the estimate of a measure of the recorded games, with its interval."""
        return measure.estimate(self._cells[variation])

    def endings(self, variation: int) -> dict[str, Estimate]:
        """Return the share of recorded games with each ending, the most frequent first."""
        return rulebook.endings(self._cells[variation].endings)

    def sources(self, variation: int) -> dict[str, Estimate]:
        """Return the mean number of points that each source brings a seat in a recorded game."""
        return rulebook.sources([*self._cells[variation].clause_counts.values()])

    def mistakes(self, variation: int, player: int = PEOPLE) -> Mistakes:
        """Return the judged decisions of the people, or of a bot by its number."""
        return Mistakes(self._decisions.get((variation, player), []))

    def number(self, variation: int) -> int:
        """Return the number of evaluated records of a variation."""
        return len(self._results[variation])

    def without_bots(self, variation: int) -> int:
        """Return the number of evaluated records in which people made every decision."""
        return sum(game.without_bots for game in self.games[variation][: self.number(variation)])

    def to_json(self) -> list[dict[str, Any]]:
        """Return the findings on people as JSON values, variation by variation."""
        return [self._variation_json(number) for number in self.evaluated_variations]

    def _variation_json(self, variation: int) -> dict[str, Any]:
        players = {"people": PEOPLE, **{bot: number for number, bot in enumerate(self.study.bots)}}
        return {
            "variation": self.study.setups[variation].variation,
            "records": self.number(variation),
            "without_bots": self.without_bots(variation),
            **{each.name: self.estimate(variation, each).to_json() for each in SELF_PLAY_MEASURES},
            "endings": {way: share.to_json() for way, share in self.endings(variation).items()},
            "points": {source: mean.to_json() for source, mean in self.sources(variation).items()},
            "effort": EFFORT,
            "mistakes": {
                who: found.to_json()
                for who, number in players.items()
                if (found := self.mistakes(variation, number)).games
            },
        }
