"""Smoke match: a bot's strength with every number of players and every combination of options."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from parlour import inference
from parlour.bots.protocol import MOVE_TIME, CancelCheck
from parlour.contests.contest import MATCH, Contest, Deal
from parlour.contests.contest_results import ContestTally
from parlour.contests.interval_texts import signed_percent
from parlour.engine.game import option_value_name
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.engine.validation import counted
from parlour.jobs.pool import do_jobs
from parlour.jobs.tasks import Placement
from parlour.render.words import with_minus
from parlour.statistics import Estimate


@dataclass(frozen=True)
class SmokeMatch:
    """Challenger against a field of one other bot in every combination; a job is the index of a combination.

    Attributes:
        setups: the combinations, all of one game.
        challenger: a bot's id.
        field_bot: the id of the field's bot.
        deals: the number of deals of each combination, with the seats rotated.
        seed: the seed of all chance; no two combinations have the same cards.
        move_time: seconds that an external bot may take for a decision.
    """

    setups: tuple[Setup, ...]
    challenger: str
    field_bot: str
    deals: int
    seed: int
    move_time: float = MOVE_TIME

    def contest(self, combination: int) -> Contest:
        """Return the contest of a combination. Raises :class:`ParlourError` if there is no such bot."""
        bots = self.challenger, self.field_bot
        return Contest(MATCH, self.setups[combination], bots, self.seed, self.move_time)

    @property
    def code(self) -> str:
        """Hash of the rules, the bots and the compilers."""
        return self.contest(0).code

    @property
    def suspect(self) -> str:
        """Other possible cause of a process's unexpected end: the end of a sentence, or empty."""
        return self.contest(0).suspect

    def open(self) -> Callable[[int, CancelCheck], ContestTally]:
        """Prepare the bots; return a function that plays a combination."""
        self.contest(0).open()  # the code is the same for all
        return self._play

    def _play(self, combination: int, stopped: CancelCheck) -> ContestTally:
        contest = self.contest(combination)
        play, tally = contest.open(), ContestTally(contest)
        for deal in range(combination * self.deals, (combination + 1) * self.deals):
            tally.add(Deal(deal, tuple(play(job, stopped) for job in contest.jobs(deal))))
        return tally


@dataclass
class SmokeResult:
    """Wins of the challenger above its even share.

    Attributes:
        smoke: the smoke match, of at least one setup.
        above: for each combination that has been played, the share of first places minus the even share, by deal.
        games: the number of games.
    """

    smoke: SmokeMatch
    above: list[tuple[Setup, list[float]]] = field(default_factory=list)
    games: int = 0

    def add(self, setup: Setup, tally: ContestTally) -> None:
        """Add a combination."""
        self.above.append((setup, [share - tally.even_share for share in tally.shares[0]]))
        self.games += tally.games

    def rows(self) -> dict[str, tuple[int, Estimate]]:
        """Return number and mean of all combinations, by number of players, and by value of the options that vary."""
        found: dict[str, list[tuple[Setup, list[float]]]] = defaultdict(list)
        for played in sorted(self.above, key=lambda each: each[0].players):
            found["all"].append(played)
            found[f"{played[0].players} players"].append(played)
        for option in self.smoke.setups[0].game.options:
            varies = len({setup.options[option.name] for setup, _ in self.above}) > 1
            for played in self.above if varies else ():
                found[f"{option.name}={option_value_name(played[0].options[option.name])}"].append(played)
        return {name: (len(group), _mean(group)) for name, group in found.items()}

    def worst(self) -> tuple[str, float]:
        """Return the challenger's worst combination, and the challenger's mean in it."""
        setup, above = min(self.above, key=lambda each: sum(each[1]))
        return setup.variation, sum(above) / len(above)

    @property
    def has_results(self) -> bool:
        """Return whether any combination has been added."""
        return bool(self.above)

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "game": self.smoke.setups[0].game.id,
            "challenger": self.smoke.challenger,
            "field": self.smoke.field_bot,
            "combinations": len(self.above),
            "games": self.games,
            "rows": {
                name: {"combinations": number, "above": mean.to_json()} for name, (number, mean) in self.rows().items()
            },
            "each": [
                {"players": setup.players, "options": setup.chosen, "above": above} for setup, above in self.above
            ],
        }

    def text(self) -> str:
        """Return the result as a text table."""
        rows, smoke = self.rows(), self.smoke
        width = max(map(len, rows))
        lines = [
            f"{smoke.challenger} against {smoke.field_bot}: {smoke.setups[0].game.title},"
            f" {counted(len(self.above), 'combination')}, {counted(self.games, 'game')}, seats turned",
            f"  {'':{width}}  combinations  wins beyond the even share, of 100 games",
        ]
        for name, (number, mean) in rows.items():
            lines.append(f"  {name:{width}}  {number:12}  {signed_percent(mean, 5)}")
        where, how = self.worst()
        lines.append(f"  worst: {where}: {with_minus(f'{100 * how:+.1f}')}")
        return "\n".join(lines)


def _mean(group: Sequence[tuple[Setup, list[float]]]) -> Estimate:
    """Return the mean of combinations, with an interval of possible values."""
    even = sum(1 / len(sides_of(setup)) for setup, _ in group) / len(group)
    values = np.array([each for _, above in group for each in above])
    return inference.mean_interval(values, 1.0).clipped(-even, 1 - even)


def measure(result: SmokeResult, where: Placement, progress: Callable[[int], None] = lambda done: None) -> None:
    """Play every combination and add it to the result."""
    setups = result.smoke.setups
    with closing(do_jobs(result.smoke, iter(range(len(setups))), where)) as played:
        for combination, tally in played:
            result.add(setups[combination], tally)
            progress(1)
