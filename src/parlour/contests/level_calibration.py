"""Calibration of levels: settings with which the steps between a game's levels are even.

Bots at equal distances on the scale of settings (:func:`parlour.bots.game_levels.level_at`) play against their
neighbours. The advantage of a bot is the log-odds of its wins less those of an even share; as in the models of Elo and
of Bradley and Terry, the advantages of successive steps add up. The weakest and the strongest level stay; the levels
between them move to the places that divide the sum evenly, and then play against their neighbours as a check.
"""

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from parlour.bots.game_levels import TOP, level_at, levels_text
from parlour.bots.levels import LEVELS, Level
from parlour.bots.protocol import MOVE_TIME
from parlour.contests.contest_results import MatchResult, percent, signed_points
from parlour.contests.play import plan_match
from parlour.contests.precision import WINS
from parlour.contests.results_file import play_and_store
from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole
from parlour.engine.setup import Setup
from parlour.jobs.tasks import HERE, Placement

DISTANCE = 0.5
"""Distance of two neighbours on the scale."""
LEAST_ADVANTAGE = 0.01
"""Least advantage of a step of the scale: a stronger bot that seems weaker does so by chance."""
ROUNDING = 20
"""The scale is divided in this many places between two usual levels."""

Progress = Callable[[float], None]


class LevelCalibration:
    """Calibration of a game's levels so far.

    Attributes:
        setup: the setup that is played.
        deals: the number of deals of each match.
        steps: the results of each place of the scale against the next lower one.
        levels: the settings of each level, empty until the scale is measured.
        checks: the results of each of these levels against the next lower one, in fresh deals.
    """

    def __init__(self, setup: Setup, deals: int, seed: int) -> None:
        self.setup, self.deals, self._seed = setup, deals, seed
        self.places = [float(place) for place in np.arange(0, TOP + DISTANCE / 2, DISTANCE)]
        self.steps: list[MatchResult] = []
        self.levels: dict[str, Level] = {}
        self.checks: list[MatchResult] = []

    @property
    def matches(self) -> int:
        """The number of matches in all."""
        return len(self.places) - 1 + TOP

    @property
    def has_results(self) -> bool:
        """Return whether any match has ended."""
        return bool(self.steps)

    def play(self, where: Placement = HERE, progress: Progress = lambda deals: None) -> None:
        """Measure the scale, place the levels, and check their steps. Raises :class:`ParlourError`."""
        for result in self._play([level_at(place) for place in self.places], self._seed, where, progress):
            self.steps.append(result)
        self.levels = self._even_levels()
        for result in self._play(list(self.levels.values()), self._seed + 1, where, progress):
            self.checks.append(result)

    def _play(self, levels: list[Level], seed: int, where: Placement, progress: Progress) -> Iterator[MatchResult]:
        """Play each level against the one before; yield the results."""
        for lower, higher in pairwise(levels):
            result = self._plan(higher, lower, seed)
            for _ in play_and_store(result.tally.contest, self.deals, None, where, progress, result.add):
                pass
            yield result

    def _plan(self, higher: Level, lower: Level, seed: int) -> MatchResult:
        return plan_match(self.setup, (f"search:{higher}", f"search:{lower}"), seed, MOVE_TIME, None, WINS)

    def _even_levels(self) -> dict[str, Level]:
        """Return the settings that divide the measured scale in even steps."""
        strengths = np.cumsum([0.0, *(max(advantage(result), LEAST_ADVANTAGE) for result in self.steps)])
        targets = np.linspace(0, strengths[-1], TOP + 1)
        places = np.round(ROUNDING * np.interp(targets, strengths, self.places)) / ROUNDING
        return {name: level_at(float(place)) for name, place in zip(LEVELS, places, strict=True)}

    def write(self, file: Path, command: str) -> None:
        """Write the file of the levels; ``command`` is stored in it. Raises :class:`ParlourError`."""
        ends = self.places[0], self.places[-1]
        moved = {name: level for name, level in self.levels.items() if level not in map(level_at, ends)}
        text = levels_text(self.setup.game.id, moved, {"command": command, **self.to_json()})
        try:
            write_whole(file, text, 0o644)
        except OSError as error:
            raise ParlourError(f"{file}: cannot be written: {error.strerror}") from None

    def to_json(self) -> dict[str, Any]:
        """Return JSON values: of each match the places or levels, the games and the wins."""
        return {
            "players": self.setup.players,
            "options": dict(self.setup.options),
            "seed": self._seed,
            "deals": self.deals,
            "scale": [
                {"place": place, "against": lower, **_to_json(result)}
                for result, (lower, place) in zip(self.steps, pairwise(self.places), strict=False)
            ],
            "steps": [
                {"level": higher, "against": lower, **_to_json(result)}
                for result, (lower, higher) in zip(self.checks, pairwise(LEVELS), strict=False)
            ],
        }

    def text(self) -> str:
        """Return the results as Markdown tables."""
        lines = [f"{self.setup.label}, {self.deals:,} deals a match, seed {self._seed}", ""]
        lines += ["| place on the scale | against | wins | points |", "|---|---|---|---|"]
        for result, (lower, place) in zip(self.steps, pairwise(self.places), strict=False):
            lines.append(f"| {place:g} | {lower:g} | {percent(result.wins)} | {signed_points(result.points)} |")
        if self.levels:
            lines += ["", "| level | against | settings | wins | points |", "|---|---|---|---|---|"]
        for result, (weaker, name) in zip(self.checks, pairwise(self.levels), strict=False):
            cells = (name, weaker, f"`{self.levels[name]}`", percent(result.wins), signed_points(result.points))
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)


def advantage(result: MatchResult) -> float:
    """Return the log-odds of a challenger's wins less those of an even share; half a game keeps them finite."""
    games = result.tally.games
    share = min(max(result.wins.value, 0.5 / games), 1 - 0.5 / games)
    return _log_odds(share) - _log_odds(result.tally.even_share)


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))


def _to_json(result: MatchResult) -> dict[str, Any]:
    wins = result.wins
    return {"games": result.tally.games, "wins": [round(value, 4) for value in (wins.value, wins.low, wins.high)]}
