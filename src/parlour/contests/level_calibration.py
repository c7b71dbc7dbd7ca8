"""Calibration of levels: settings with which the steps between a game's levels are even.

Bots at equal distances on the scale of settings (:func:`parlour.bots.game_levels.level_at`) play against their
neighbours and against bots farther away. The advantage of a bot is the log-odds of its wins less those of an even
share; as in the models of Elo and of Bradley and Terry, it is the difference of two strengths, which are fitted to all
matches. Players without search, the baselines, play against places in the middle of the scale, since the regular must
not be weaker than they are. The master stays; the other levels move to places with the strengths of
:func:`level_strengths`, and then play against their neighbours as a check.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np

from parlour.bots.game_levels import TOP, level_at, levels_text
from parlour.bots.learned import LEARNED
from parlour.bots.levels import LEVELS, Level
from parlour.bots.protocol import MOVE_TIME
from parlour.contests.contest import fresh_seed
from parlour.contests.contest_results import MatchResult
from parlour.contests.interval_texts import percent, signed_points
from parlour.contests.play import plan_match
from parlour.contests.precision import WINS
from parlour.contests.results_file import play_and_store
from parlour.engine.arrays import Floats
from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole
from parlour.engine.setup import Setup
from parlour.jobs.tasks import HERE, Placement
from parlour.learning.policy_file import shipped_policy

DISTANCE = 0.5
"""Distance of two neighbours on the scale."""
FAR = 2.0
"""Distance of two places that play directly, since the errors of a chain of small steps add up."""
LEAST_ADVANTAGE = 0.01
"""Least advantage of a step of the scale: a stronger bot that seems weaker does so by chance."""
ROUNDING = 20
"""The scale is divided in this many places between two usual levels."""
BASELINE_PLACES = 1.5, 2.0
"""Places of the scale that play against each baseline."""
BASELINE_WINS = 0.48
"""Largest share of wins of a baseline against the regular, as a share of two sides."""
LARGEST_STEP = 0.7
"""Largest share of wins of a level against the next lower one, as a share of two sides, where levels can move."""

Progress = Callable[[float], None]


class LevelCalibration:
    """Calibration of a game's levels so far.

    Attributes:
        setup: the setup that is played.
        deals: the number of deals of each match.
        pairs: the pairs of places that play, the lower one first: neighbours, then places farther apart.
        scale: the results of the higher place of each pair.
        baselines: the results of each player without search against each of :data:`BASELINE_PLACES`.
        levels: the settings of each level, empty until the scale is measured.
        checks: the results of each of these levels against the next lower one, in fresh deals.
    """

    def __init__(self, setup: Setup, deals: int, seed: int, points: int = 0) -> None:
        self.setup, self.deals, self._seed, self._points = setup, deals, seed, points
        self.places = [float(place) for place in np.arange(0, TOP + DISTANCE / 2, DISTANCE)]
        self.pairs = [*pairwise(self.places), *((place, place + FAR) for place in self.places if place + FAR <= TOP)]
        self.scale: list[MatchResult] = []
        policy = shipped_policy(setup.game.id, setup.players)
        self._baseline_bots = ["thumb", *([LEARNED] if policy and policy.is_clearly_better else [])]
        self.baselines: list[MatchResult] = []
        self.levels: dict[str, Level] = {}
        self.checks: list[MatchResult] = []

    @property
    def matches(self) -> int:
        """The number of matches in all."""
        return len(self.pairs) + len(self._baseline_bots) * len(BASELINE_PLACES) + TOP

    @property
    def has_results(self) -> bool:
        """Return whether any match has ended."""
        return bool(self.scale)

    def play(self, where: Placement = HERE, progress: Progress = lambda deals: None) -> None:
        """Measure the scale, place the levels, and check their steps. Raises :class:`ParlourError`."""
        scale = [(self._bot_at(lower), self._bot_at(higher)) for lower, higher in self.pairs]
        for result in self._play(scale, self._seed, where, progress):
            self.scale.append(result)
        against = [(self._bot_at(place), bot) for bot in self._baseline_bots for place in BASELINE_PLACES]
        for result in self._play(against, self._seed, where, progress):
            self.baselines.append(result)
        self.levels = self._even_levels()
        settings = [f"search:{level}" for level in self.levels.values()]
        for result in self._play(pairwise(settings), fresh_seed(self._seed), where, progress):
            self.checks.append(result)

    def _bot_at(self, place: float) -> str:
        return f"search:{level_at(place, self._points)}"

    def _play(
        self, pairs: Iterable[tuple[str, str]], seed: int, where: Placement, progress: Progress
    ) -> Iterator[MatchResult]:
        """Play the second bot of each pair against the first; yield the results."""
        for field, challenger in pairs:
            result = self._plan(challenger, field, seed)
            for _ in play_and_store(result.tally.contest, self.deals, None, where, progress, result.add):
                pass
            yield result

    def _plan(self, challenger: str, field: str, seed: int) -> MatchResult:
        return plan_match(self.setup, (challenger, field), seed, MOVE_TIME, None, WINS)

    def _even_levels(self) -> dict[str, Level]:
        """Return the settings of the levels, as even on the measured scale as the baselines allow."""
        strengths = self._strengths()
        targets = level_strengths(strengths[-1], self._least_regular(strengths))
        places = np.round(ROUNDING * np.interp(targets, strengths, self.places)) / ROUNDING
        levels = {name: level_at(float(place), self._points) for name, place in zip(LEVELS, places, strict=True)}
        # a beginner never searches, so that it needs neither processes nor time of a server
        beginner = replace(LEVELS["beginner"], lapses=levels["beginner"].lapses, memory=levels["beginner"].memory)
        return {**levels, "beginner": beginner}

    def _strengths(self) -> Floats:
        """Return the strength of each place, 0 for the lowest, by weighted least squares; a higher one is stronger."""
        design, advantages = np.zeros((len(self.scale), len(self.places))), np.zeros(len(self.scale))
        for row, (result, pair) in enumerate(zip(self.scale, self.pairs, strict=True)):
            lower, higher = map(self.places.index, pair)
            share = _win_share(result)
            weight = math.sqrt(result.tally.games * share * (1 - share))  # the inverse of the error of the log-odds
            design[row, [lower, higher]] = -weight, weight
            advantages[row] = weight * advantage(result)
        fitted = np.linalg.lstsq(design[:, 1:], advantages, rcond=None)[0]
        strengths: Floats = np.cumsum([0.0, *np.maximum(np.diff([0.0, *fitted]), LEAST_ADVANTAGE)])
        return strengths

    def _least_regular(self, strengths: Floats) -> float:
        """Return the strength against which no baseline wins more than :data:`BASELINE_WINS`.

        The strength of a baseline is the mean of those that its matches show.
        """
        places = np.interp(BASELINE_PLACES, self.places, strengths)
        shown = np.reshape([advantage(result) for result in self.baselines], (-1, len(places)))
        return float((places + shown).mean(axis=1).max()) - _log_odds(BASELINE_WINS)

    def write(self, file: Path, command: str) -> None:
        """Write the file of the levels; ``command`` is stored in it.

        Raises:
            ParlourError: the file cannot be written, or there is one, perhaps of another run that ended meanwhile.
        """
        if file.exists():
            raise ParlourError(f"{file} was written meanwhile, by another run, and is kept")
        ends = self.places[0], self.places[-1]
        moved = {name: level for name, level in self.levels.items() if level not in (level_at(end, 0) for end in ends)}
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
                for result, (lower, place) in zip(self.scale, self.pairs, strict=False)
            ],
            "baselines": [
                {"bot": bot, "against": place, **_to_json(result)} for bot, place, result in self._baseline_results()
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
        for result, (lower, place) in zip(self.scale, self.pairs, strict=False):
            lines.append(f"| {place:g} | {lower:g} | {percent(result.wins)} | {signed_points(result.points)} |")
        if self.baselines:
            lines += ["", "| baseline | against place | wins | points |", "|---|---|---|---|"]
        for bot, place, result in self._baseline_results():
            lines.append(f"| {bot} | {place:g} | {percent(result.wins)} | {signed_points(result.points)} |")
        if self.levels:
            lines += ["", "| level | against | settings | wins | points |", "|---|---|---|---|---|"]
        for result, (weaker, name) in zip(self.checks, pairwise(self.levels), strict=False):
            cells = (name, weaker, f"`{self.levels[name]}`", percent(result.wins), signed_points(result.points))
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)

    def _baseline_results(self) -> Iterator[tuple[str, float, MatchResult]]:
        """Yield the bot, the place against which it played and the result of each match of a baseline."""
        for (bot, place), result in zip(product(self._baseline_bots, BASELINE_PLACES), self.baselines, strict=False):
            yield bot, place, result


def level_strengths(top: float, least_regular: float) -> list[float]:
    """Return the strength of each level, from the beginner to the master, whose strength is ``top``.

    The steps are equal and at most :data:`LARGEST_STEP`. Where a regular so placed is weaker than ``least_regular``,
    the regular has that strength, and the steps above and those below are equal among themselves.
    """
    largest = _log_odds(LARGEST_STEP)
    regular = max(top - 2 * min(top / TOP, largest), min(least_regular, top))
    upper, lower = (top - regular) / 2, min(regular / 2, largest)
    return [regular - 2 * lower, regular - lower, regular, regular + upper, top]


def advantage(result: MatchResult) -> float:
    """Return the log-odds of a challenger's wins less those of an even share; half a game keeps them finite."""
    return _log_odds(_win_share(result)) - _log_odds(result.tally.even_share)


def _win_share(result: MatchResult) -> float:
    """Return a challenger's share of wins, at least half a game above 0 and below 1."""
    games = result.tally.games
    return min(max(result.wins.value, 0.5 / games), 1 - 0.5 / games)


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))


def _to_json(result: MatchResult) -> dict[str, Any]:
    wins = result.wins
    return {"games": result.tally.games, "wins": [round(value, 4) for value in (wins.value, wins.low, wins.high)]}
