"""Fit of a bot to the choices of people in records: the work, and the result as text and JSON."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cached_property
from typing import Any

from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.validation import counted
from parlour.jobs.pool import do_jobs
from parlour.jobs.tasks import HERE, Placement
from parlour.render.words import with_minus
from parlour.statistics import Estimate
from parlour.studies.people.choices import ChoiceJob, ChoiceWork, RecordedChoice
from parlour.studies.people.fitting import FITTED, FOLDS, Agreement, FittedBot
from parlour.studies.people.recorded_games import read_games

FEWEST_GAMES = 2
"""Minimum number of games: a choice is predicted by a bot that was fitted to other games."""


class BotFit:
    """A bot fitted to the choices of people in finished games, whatever their options.

    Attributes:
        game: the game.
        files: the names of the files of records.
        choices: the evaluated choices so far.
    """

    def __init__(self, game: Game, files: Sequence[str], decisions: int, seed: int = 0) -> None:
        """Read the records; about ``decisions`` choices are drawn from them.

        Raises:
            ParlourError: a record is wrong, or there are too few games.
        """
        self.game, self.files, self._seed = game, files, seed
        found, self._omitted_records = read_games(files, game)
        self._games = [each for each in found if each.choices]
        if len(self._games) < FEWEST_GAMES:
            raise ParlourError(f"{', '.join(files)}: a fit needs choices of people in {FEWEST_GAMES} games or more")
        self._available = sum(each.choices for each in self._games)
        self._share = min(1.0, decisions / self._available)
        self.choices: list[RecordedChoice] = []

    @property
    def number(self) -> int:
        """The number of games with choices of people."""
        return len(self._games)

    def evaluate(self, where: Placement = HERE, progress: Callable[[int], None] = lambda done: None) -> None:
        """Evaluate the sampled choices of all games."""
        jobs: Iterator[ChoiceJob] = (ChoiceJob(at, self._share, each) for at, each in enumerate(self._games))
        with closing(do_jobs(ChoiceWork(self.game, self._seed), jobs, where)) as results:
            for _, choices in results:
                self.choices += choices
                progress(1)

    @property
    def has_results(self) -> bool:
        """Whether choices of several games have been evaluated."""
        return len({each.game for each in self.choices}) >= FEWEST_GAMES

    @cached_property
    def bot(self) -> FittedBot:
        """The fitted bot."""
        return FittedBot(self.game.id, self.choices)

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "game": self.game.id,
            "records": self.number,
            "choices": len(self.choices),
            "available": self._available,
            "fitted": self.bot.name,
            "intervals": {name: [round(end, 3) for end in ends] for name, ends in self.bot.intervals.items()},
            "agreement": [each.to_json() for each in self.bot.agreements],
        }

    def text(self) -> str:
        """Return the bot's name and the table of predictions."""
        left_out = "".join(f", without {counted(many, 'record')} {why}" for why, many in self._omitted_records.items())
        shares = ", ".join(f"{name} {low:.0f} to {high:.0f}" for name, (low, high) in self.bot.intervals.items())
        wide = max(len(each.bot) for each in self.bot.agreements)
        likeliest = max(self.bot.agreements[1:], key=lambda each: each.likeliest.value)
        return "\n".join(
            [
                f"{self.game.title}: {len(self.choices):,} of {self._available:,} choices of people in "
                f"{counted(self.number, 'recorded game')}{left_out}",
                f"Fitted bot: {self.bot.name}",
                f"  95 % intervals, of 100 choices: {shares}",
                f"Of 100 recorded choices, {FITTED} with the bot fitted to the other games ({FOLDS} parts):",
                f"  {'':{wide}}  {'it makes':22}  {'its likeliest action':22}  log-likelihood",
                *(_line(each, wide) for each in self.bot.agreements),
                _verdict(likeliest),
            ]
        )


def _line(agreement: Agreement, wide: int) -> str:
    likelihood = "−∞" if agreement.log_likelihood is None else with_minus(f"{agreement.log_likelihood:.3f}")
    makes, likeliest = _percent(agreement.makes), _percent(agreement.likeliest)
    return f"  {agreement.bot:{wide}}  {makes:22}  {likeliest:22}  {likelihood:>14}"


def _percent(share: Estimate) -> str:
    return f"{100 * share.value:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"


def _verdict(other: Agreement) -> str:
    """Return a sentence that compares the fitted bot's likeliest actions with those of the best of the other bots."""
    gain = other.fitted_gain
    assert gain is not None
    compared = "more often than" if gain.low > 0 else "less often than" if gain.high < 0 else "about as often as"
    value, low, high = (with_minus(f"{round(100 * each, 1) + 0.0:.1f}") for each in (gain.value, gain.low, gain.high))
    return (
        f"Its likeliest action is the recorded one {compared} that of {other.bot}, the best of the others "
        f"({value} points, {low} to {high})."
    )
