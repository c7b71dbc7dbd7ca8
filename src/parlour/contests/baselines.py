"""Baselines of a game: each bot against a field of reference bots, with intervals."""

import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from parlour.bots import LEVELS
from parlour.bots.protocol import MOVE_TIME
from parlour.contests.contest_results import MatchResult, seconds_name
from parlour.contests.interval_texts import percent, signed_points
from parlour.contests.play import plan_match
from parlour.contests.precision import WINS
from parlour.contests.results_file import ResultsFile, play_and_store
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.jobs.tasks import HERE, Placement

FIELDS = ("random", "thumb")
"""The reference bots, which are the fields of the matches."""
BASELINE_BOTS = (*FIELDS, *LEVELS)
"""The default bots."""

Progress = Callable[..., None]
_UNSAFE = re.compile(r"[^\w.=-]+")


class Baselines:
    """Results of bots against the reference bots so far.

    Attributes:
        matches: the results by challenger and field, in the order of play.
    """

    def __init__(
        self,
        setup: Setup,
        bots: Sequence[str] = BASELINE_BOTS,
        seed: int = 0,
        move_time: float = MOVE_TIME,
        out: str = "",
    ) -> None:
        """Plan the matches; ``out`` is the folder for their deals. Raises :class:`ParlourError`."""
        if not bots or len(set(bots)) < len(bots):
            raise ParlourError("name one or more bots, each once")
        self.setup, self._bots, self._seed, self._out = setup, tuple(bots), seed, out
        self.matches = {
            (bot, field): plan_match(setup, (bot, field), seed, move_time, None, WINS)
            for bot in bots
            for field in FIELDS
            if bot != field
        }

    def play(self, deals: int, where: Placement = HERE, progress: Progress = lambda deals: None) -> None:
        """Play the deals of all matches; deals in the folder are not played again. Raises :class:`ParlourError`."""
        if self._out:
            try:
                Path(self._out).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ParlourError(f"{self._out}: cannot be created: {error.strerror}") from None
        for (bot, field), result in self.matches.items():
            contest = result.tally.contest
            with ExitStack() as stack:
                file = stack.enter_context(ResultsFile(self._file(bot, field), contest)) if self._out else None
                progress(min(deals, len(file.deals)) if file else 0)
                for _ in stack.enter_context(
                    closing(play_and_store(contest, deals, file, where, progress, result.add))
                ):
                    pass

    def _file(self, bot: str, field: str) -> str:
        return str(Path(self._out) / f"{_UNSAFE.sub('-', bot)}-{field}.jsonl")

    @property
    def has_results(self) -> bool:
        """Return whether any deal has been played."""
        return any(result.has_results for result in self.matches.values())

    def text(self) -> str:
        """Return the results as a Markdown table."""
        first = next(iter(self.matches.values())).tally
        lines = [
            f"{self.setup.label}, seed {self._seed}; an even share of the wins is {first.even_share:.1%}",
            "",
            f"| bot | {' | '.join(f'wins against {field} | points' for field in FIELDS)} | games | a decision |",
            f"|---|{'---|---|' * len(FIELDS)}---|---|",
        ]
        return "\n".join([*lines, *map(self._row, self._bots), *self._forfeits_text()])

    def _forfeits_text(self) -> list[str]:
        """Return the forfeits of each match that has some, after an empty line."""
        return [
            line
            for (bot, field), result in self.matches.items()
            if (forfeits := result.tally.forfeits_text())
            for line in ("", f"{bot} against {field}:", *forfeits)
        ]

    def _row(self, bot: str) -> str:
        found = [self.matches.get((bot, field)) for field in FIELDS]
        cells = [cell for result in found for cell in _cells(result)]
        played = [result.tally for result in found if result and result.has_results]
        games = " + ".join(f"{tally.games:,}" for tally in played)
        seconds = seconds_name(max(tally.seconds_a_decision(0) for tally in played)) if played else ""
        return f"| {bot} | {' | '.join([*cells, games, seconds])} |"

    def to_json(self) -> dict[str, Any]:
        """Return JSON values: the result of each match with at least one deal."""
        return {
            **self.setup.to_json(),
            "matches": [result.to_json() for result in self.matches.values() if result.has_results],
        }


def _cells(result: MatchResult | None) -> tuple[str, str]:
    """Return the wins and the points of a match, as cells of a table."""
    if result is None or not result.has_results:
        return "", ""
    return percent(result.wins), signed_points(result.points)
