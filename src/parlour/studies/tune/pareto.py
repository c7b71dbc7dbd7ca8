"""What a search found: the variations of which the deals cannot tell that another is better, and all in numbers."""

import math
import shlex
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scipy.special import stdtrit

from parlour.engine.setup import Setup
from parlour.render.words import counted
from parlour.statistics import SURE, Estimate
from parlour.studies.arguments import written
from parlour.studies.tune.goal import Criterion
from parlour.studies.tune.search import Search, Tried
from parlour.studies.words import interval_text, short_name

_MOST_SHOWN = 12
_MOST_CHECKED = 3
"""Variations of the front that are played again on fresh deals."""


def wider(estimate: Estimate, deals: int, comparisons: int) -> Estimate:
    """An interval so much wider that all of so many hold what they are to hold in 95 of 100 cases (Bonferroni)."""
    once, all_of_them = (float(stdtrit(deals - 1, 1 - (1 - SURE) / 2 / number)) for number in (1, comparisons))
    by = all_of_them / once
    return Estimate(
        estimate.value,
        estimate.value - by * (estimate.value - estimate.low),
        estimate.value + by * (estimate.high - estimate.value),
    )


def beats(one: list[Estimate], other: list[Estimate]) -> bool:
    """Whether one variation is better: beyond doubt in one wish, and, as it seems, in none worse.

    Args:
        one: how far it is from each wish, with the least and the most that it may be.
        other: the same of the other.
    """
    pairs = list(zip(one, other, strict=True))
    return all(mine.value <= theirs.value for mine, theirs in pairs) and any(
        mine.high < theirs.low for mine, theirs in pairs
    )


@dataclass
class Front:
    """What a search found so far."""

    search: Search

    @property
    def begun(self) -> bool:
        """Whether there is anything to tell yet."""
        return bool(self.search.tried)

    @cached_property
    def _misses(self) -> dict[Setup, list[Estimate]]:
        """How far each variation is from each wish, so surely that all can be compared with all."""
        tried, wishes = self.search.tried, self.search.wishes
        comparisons = len(tried) * len(wishes)
        return {
            each.setup: [
                wish.miss(wider(estimate, len(each.deals), comparisons))
                for wish, estimate in zip(wishes, each.estimates(), strict=True)
            ]
            for each in tried
        }

    @cached_property
    def _rivals(self) -> list[Tried]:
        """Those that were played out, or all if none was."""
        return [each for each in self.search.tried if each.played_out] or self.search.tried

    def _beaten(self, tried: Tried) -> bool:
        own = self._misses[tried.setup]
        return any(beats(self._misses[rival.setup], own) for rival in self._rivals if rival is not tried)

    @cached_property
    def best(self) -> list[Tried]:
        """The front: those that were played out and that none is better than, the nearest to all wishes first."""
        return sorted((each for each in self._rivals if not self._beaten(each)), key=self.search.score)

    @cached_property
    def open(self) -> list[Tried]:
        """Those that were given up early, but may be as good as the front."""
        return [each for each in self.search.tried if each not in self._rivals and not self._beaten(each)]

    @property
    def to_check(self) -> list[Setup]:
        """The nearest variations of the front, if the search had a choice."""
        return [each.setup for each in self.best[:_MOST_CHECKED]] if len(self._rivals) > 1 else []

    def command(self) -> str:
        """The command that compares the front's variations closely, on deals that chose none of them."""
        tuning = self.search.tuning
        chosen = [word for each in self.best[:_MOST_SHOWN] for word in ("--variation", written(each.setup))]
        words = ["parlour", "study", tuning.space.game.id, *chosen, "--bots", ",".join(tuning.bots)]
        looked = ["--look", str(tuning.looked)] if tuning.looked else []
        return shlex.join([*words, "--deals", str(4 * tuning.deals), "--seed", str(tuning.seed + 2), *looked])

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        tuning = self.search.tuning
        return {
            "game": tuning.space.game.id,
            "goal": tuning.goal,
            "bots": list(tuning.bots),
            "deals": tuning.deals,
            "trials": tuning.trials,
            "seed": tuning.seed,
            "games": self.search.games,
            "wishes": [_wish_json(wish) for wish in self.search.wishes],
            "front": [each.setup.variation for each in self.best],
            "open": [each.setup.variation for each in self.open],
            "tried": [self._tried_json(each) for each in self.search.tried],
        }

    def _tried_json(self, tried: Tried) -> dict[str, Any]:
        fresh = self.search.fresh.get(tried.setup)
        return {
            "variation": tried.setup.variation,
            "players": tried.setup.players,
            "options": tried.setup.chosen,
            "given_up": not tried.played_out,
            **self._result_json(tried),
            **({"fresh": self._result_json(fresh)} if fresh else {}),
        }

    def _result_json(self, tried: Tried) -> dict[str, Any]:
        measured = zip(self.search.wishes, tried.estimates(), strict=True)
        return {
            "deals": len(tried.deals),
            "score": round(self.search.score(tried), 6),
            "measured": {wish.measure.name: estimate.to_json() for wish, estimate in measured},
        }

    def text(self) -> str:
        """The answer in words, and a table of the front with the first variation."""
        search, first = self.search, self.search.tried[0]
        title = search.tuning.space.game.title
        shown = self.best[:_MOST_SHOWN]
        rows = [*shown, *([] if first in shown else [first])]
        setups = [each.setup for each in self.search.tried]
        lines = [
            f"{title}: {counted(len(search.tried), 'variation')} tried, {search.games:,} games by "
            f"{', '.join(search.tuning.bots)}",
            *(f"\n{paragraph}" for paragraph in self._answer()),
            "",
        ]
        for each in rows:
            mark = "  " if each in shown else "  (tried first, not of the front) "
            lines.append(f"{mark}{short_name(each.setup, setups)}")
            lines += [f"      {line}" for line in self._measured(each)]
            if fresh := search.fresh.get(each.setup):
                misses = f"{search.score(each):.2f}, on {len(fresh.deals):,} fresh deals {search.score(fresh):.2f}"
                lines.append(f"      score (lower is better) {misses}; on these:")
                lines += [f"        {line}" for line in self._measured(fresh)]
        return "\n".join([*lines, f"\nTo look closer: {self.command()}"])

    def _measured(self, tried: Tried) -> list[str]:
        wide = max(len(wish.text) for wish in self.search.wishes)
        return [
            f"{wish.text:{wide}}  {interval_text(wish.measure, estimate)} {wish.measure.unit}{_fits(wish, estimate)}"
            for wish, estimate in zip(self.search.wishes, tried.estimates(), strict=True)
        ]

    def _answer(self) -> list[str]:
        return [text for text in (self._of_the_front(), self._unreached(), self._of_the_rest()) if text]

    def _of_the_front(self) -> str:
        number, deals = len(self.best), self.search.tuning.deals
        if len(self._rivals) == 1:
            return "One variation was played out, so there is nothing to compare yet."
        if number == 1:
            return "One variation is better than every other that was played out, beyond doubt in one wish at least."
        return (
            f"{number} variations make the front: of none of them can {deals:,} deals tell that another is better in "
            "one wish and worse in none. Between them either the deals cannot tell, or one wish costs another."
        )

    def _unreached(self) -> str:
        """The wishes that nothing fits, beyond doubt."""
        wishes = [
            f"'{wish.text}'"
            for place, wish in enumerate(self.search.wishes)
            if not wish.sense and all(misses[place].low > 0 for misses in self._misses.values())
        ]
        return f"Nothing that was tried fits {' or '.join(wishes)}." if wishes else ""

    def _of_the_rest(self) -> str:
        given_up, might = len(self.search.tried) - len(self._rivals), len(self.open)
        if not given_up:
            return ""
        told = f"{counted(given_up, 'variation')} {'was' if given_up == 1 else 'were'} given up early"
        return (
            f"{told}; so few deals cannot tell whether {might} of them should be in the front." if might else f"{told}."
        )


def _fits(wish: Criterion, estimate: Estimate) -> str:
    """Whether a wish with bounds is met."""
    if wish.sense:
        return ""
    miss = wish.miss(estimate)
    if miss.high == 0:
        return "  fits"
    if miss.low > 0:
        return "  does not fit"
    return "  may fit"


def _wish_json(wish: Criterion) -> dict[str, Any]:
    return {
        "text": wish.text,
        "measure": wish.measure.name,
        "low": wish.low if math.isfinite(wish.low) else None,
        "high": wish.high if math.isfinite(wish.high) else None,
        "sense": wish.sense,
    }
