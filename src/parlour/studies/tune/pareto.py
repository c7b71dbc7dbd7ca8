"""Search results: the Pareto front (variations not significantly dominated by another) and the full table."""

import math
import shlex
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scipy.special import stdtrit

from parlour.contests.contest import fresh_seed
from parlour.engine.setup import Setup
from parlour.engine.validation import counted
from parlour.render.words import with_minus
from parlour.statistics import CONFIDENCE, Estimate
from parlour.studies.arguments import options_text
from parlour.studies.labels import interval_text, short_name
from parlour.studies.plan import move_time_words
from parlour.studies.tune.goal import Criterion
from parlour.studies.tune.search import OptionSearch, TriedVariation

_FRONT_ROWS = 12
"""Maximum number of variations of the front that the text and the command list."""
_MOST_CHECKED = 3
"""Maximum number of variations of the front that are played again on fresh deals."""


def bonferroni_interval(estimate: Estimate, deals: int, comparisons: int) -> Estimate:
    """Return the Bonferroni-corrected interval for ``comparisons`` simultaneous estimates."""
    once, all_of_them = (float(stdtrit(deals - 1, 1 - (1 - CONFIDENCE) / 2 / number)) for number in (1, comparisons))
    by = all_of_them / once
    return Estimate(
        estimate.value,
        estimate.value - by * (estimate.value - estimate.low),
        estimate.value + by * (estimate.high - estimate.value),
    )


def dominates(one: list[Estimate], other: list[Estimate]) -> bool:
    """Return whether one variation dominates another: significantly better in one criterion, on average worse in none.

    Args:
        one: the one variation's distances from the criteria, with intervals.
        other: the other variation's distances.
    """
    pairs = list(zip(one, other, strict=True))
    return all(mine.value <= theirs.value for mine, theirs in pairs) and any(
        mine.high < theirs.low for mine, theirs in pairs
    )


@dataclass
class Front:
    """Results of a search so far."""

    search: OptionSearch

    @property
    def has_results(self) -> bool:
        """Whether any variation has been tried."""
        return bool(self.search.tried)

    @cached_property
    def _misses(self) -> dict[Setup, list[Estimate]]:
        """Distances of each variation from the criteria, with intervals for all variations and criteria together."""
        tried, criteria = self.search.tried, self.search.criteria
        comparisons = len(tried) * len(criteria)
        return {
            each.setup: [
                criterion.miss(bonferroni_interval(estimate, len(each.deals), comparisons))
                for criterion, estimate in zip(criteria, each.estimates(), strict=True)
            ]
            for each in tried
        }

    @cached_property
    def _rivals(self) -> list[TriedVariation]:
        """Variations with all their deals; all variations if none has all."""
        return [each for each in self.search.tried if each.is_complete] or self.search.tried

    def _is_dominated(self, tried: TriedVariation) -> bool:
        own = self._misses[tried.setup]
        return any(dominates(self._misses[rival.setup], own) for rival in self._rivals if rival is not tried)

    @cached_property
    def best(self) -> list[TriedVariation]:
        """The front: fully played variations that no other dominates, in order of score."""
        return sorted((each for each in self._rivals if not self._is_dominated(each)), key=self.search.score)

    @cached_property
    def open(self) -> list[TriedVariation]:
        """Variations that the search stopped early and that no fully played variation dominates."""
        return [each for each in self.search.tried if each not in self._rivals and not self._is_dominated(each)]

    @property
    def to_check(self) -> list[Setup]:
        """The best variations of the front; empty if the search played only one variation fully."""
        return [each.setup for each in self.best[:_MOST_CHECKED]] if len(self._rivals) > 1 else []

    def command(self) -> str:
        """Return the command that compares the front's variations on deals that the search has not used."""
        tuning = self.search.tuning
        chosen = [word for each in self._listed for word in ("--variation", options_text(each.setup))]
        words = ["parlour", "study", tuning.space.game.id, *chosen, "--bots", ",".join(tuning.bots)]
        budgets = [("--evaluated-deals", tuning.evaluated_deals), ("--traced-deals", tuning.traced_deals)]
        extra = [word for name, number in budgets if number for word in (name, str(number))]
        extra += move_time_words(tuning.move_time)
        return shlex.join([*words, "--deals", str(4 * tuning.deals), "--seed", str(fresh_seed(tuning.seed, 2)), *extra])

    def to_json(self) -> dict[str, Any]:
        """Return the results as JSON values."""
        tuning = self.search.tuning
        return {
            "game": tuning.space.game.id,
            "goal": tuning.goal,
            "bots": list(tuning.bots),
            "deals": tuning.deals,
            "trials": tuning.trials,
            "seed": tuning.seed,
            "games": self.search.games,
            "criteria": [_criterion_json(criterion) for criterion in self.search.criteria],
            "front": [each.setup.variation for each in self.best],
            "open": [each.setup.variation for each in self.open],
            "tried": [self._tried_json(each) for each in self.search.tried],
        }

    def _tried_json(self, tried: TriedVariation) -> dict[str, Any]:
        fresh = self.search.fresh.get(tried.setup)
        return {
            "variation": tried.setup.variation,
            "players": tried.setup.players,
            "options": tried.setup.chosen,
            "pruned": not tried.is_complete,
            **self._result_json(tried),
            **({"fresh": self._result_json(fresh)} if fresh else {}),
        }

    def _result_json(self, tried: TriedVariation) -> dict[str, Any]:
        measured = zip(self.search.criteria, tried.estimates(), strict=True)
        return {
            "deals": len(tried.deals),
            "score": round(self.search.score(tried), 6),
            "measured": {criterion.measure.name: estimate.to_json() for criterion, estimate in measured},
        }

    def text(self) -> str:
        """Return the answer in words, and a table of the front with the first variation."""
        search, first = self.search, self.search.tried[0]
        title = search.tuning.space.game.title
        rows = self._listed if first in self._listed else [*self._listed, first]
        setups = [each.setup for each in self.search.tried]
        lines = [
            f"{title}: {counted(len(search.tried), 'variation')} tried, {search.games:,} games by "
            f"{', '.join(search.tuning.bots)}",
            *(f"\n{paragraph}" for paragraph in self._paragraphs()),
            "",
        ]
        for each in rows:
            lines.append(f"  {self._place_text(each)}{short_name(each.setup, setups)}")
            lines += [f"      {line}" for line in self._measure_lines(each)]
            if fresh := search.fresh.get(each.setup):
                scores = f"{_score_text(search.score(each))}, on {len(fresh.deals):,} fresh deals"
                lines.append(f"      score (lower is better) {scores} {_score_text(search.score(fresh))}; on these:")
                lines += [f"        {line}" for line in self._measure_lines(fresh)]
        return "\n".join([*lines, f"\nTo look closer: {self.command()}"])

    @property
    def _listed(self) -> list[TriedVariation]:
        """The variations of the front that the text and the command list, the best scores first."""
        return self.best[:_FRONT_ROWS]

    def _place_text(self, tried: TriedVariation) -> str:
        """Return a mark of the first variation, if it is not among the listed part of the front."""
        if tried in self._listed:
            return ""
        place = f"number {self.best.index(tried) + 1} of" if tried in self.best else "not in"
        return f"(tried first, {place} the front) "

    def _measure_lines(self, tried: TriedVariation) -> list[str]:
        wide = max(len(each.text) for each in self.search.criteria)
        return [
            f"{each.text:{wide}}  {interval_text(each.measure, estimate)} {each.measure.unit}"
            + _fulfilment_text(each, estimate)
            for each, estimate in zip(self.search.criteria, tried.estimates(), strict=True)
        ]

    def _paragraphs(self) -> list[str]:
        texts = (self._front_text(), self._unreached_text(), self._stopped_text(), self._score_sign_text())
        return [text for text in texts if text]

    def _front_text(self) -> str:
        number, deals = len(self.best), self.search.tuning.deals
        if len(self._rivals) == 1:
            return "Only one variation was tried to the end, so there is nothing to compare."
        if number == 1:
            return "One variation is better than every other tried to the end, in at least one criterion significantly."
        listed = len(self._listed)
        part = f" The {listed} with the best scores are listed; --json has all {number}." if listed < number else ""
        return (
            f"{number} variations make the front: for none of them do {deals:,} deals show another to be better in "
            "one criterion and worse in none. Of any two of them, each may be better in one criterion, or they differ "
            f"too little.{part}"
        )

    def _unreached_text(self) -> str:
        """Return the sentence on criteria that all variations miss significantly."""
        criteria = [
            f"'{criterion.text}'"
            for place, criterion in enumerate(self.search.criteria)
            if not criterion.sense and all(misses[place].low > 0 for misses in self._misses.values())
        ]
        return f"Nothing that was tried fits {' or '.join(criteria)}." if criteria else ""

    def _stopped_text(self) -> str:
        pruned, might = len(self.search.tried) - len(self._rivals), len(self.open)
        if not pruned:
            return ""
        sentence = f"{counted(pruned, 'variation')} {'was' if pruned == 1 else 'were'} given up early"
        if not might:
            return f"{sentence}."
        which = "it" if pruned == 1 else f"{might} of them"
        return f"{sentence}; after so few deals, {which} may still belong to the front."

    def _score_sign_text(self) -> str:
        """Return the sentence on criteria that make a score negative, if scores are shown."""
        more = [f"'{criterion.text}'" for criterion in self.search.criteria if criterion.sense > 0]
        if not more or not self.search.fresh:
            return ""
        count = "counts as a negative miss" if len(more) == 1 else "count as negative misses"
        return f"A score is a sum of misses; it may be below 0, because {' and '.join(more)} {count}."


def _score_text(score: float) -> str:
    return with_minus(f"{round(score, 2) + 0.0:.2f}")


def _fulfilment_text(criterion: Criterion, estimate: Estimate) -> str:
    """Return whether a criterion with bounds is fulfilled, as words for a table."""
    if criterion.sense:
        return ""
    miss = criterion.miss(estimate)
    if miss.high == 0:
        return "  fits"
    if miss.low > 0:
        return "  does not fit"
    return "  may fit"


def _criterion_json(criterion: Criterion) -> dict[str, Any]:
    return {
        "text": criterion.text,
        "measure": criterion.measure.name,
        "low": criterion.low if math.isfinite(criterion.low) else None,
        "high": criterion.high if math.isfinite(criterion.high) else None,
        "sense": criterion.sense,
    }
