"""A goal in words of metrics: ``fair within 1 point, 20-30 minutes, few forced moves``."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from parlour.engine.errors import ParlourError
from parlour.statistics import Estimate
from parlour.studies.measures import EDGE, MEAN, MEASURES, PART, SHARE, Measure

WORDS = {
    "first_player": ("fair", "fairness", "first player"),
    "minutes": ("minute", "length"),
    "forced": ("forced moves", "forced decisions", "forced actions"),
    "decisions": ("moves", "actions"),
    "choice": ("choices",),
    "draws": ("drawn games",),
    "rounds": ("deals",),
    "lead_changes": ("lead changes", "changes of the lead"),
    "comeback": ("comebacks",),
}
"""What people may write for a metric beside its own name."""

_NUMBER = r"-?\d+(?:\.\d+)?"
_LESS, _MORE = r"at most|up to|no more than|less than|under|below|<=?", r"at least|more than|over|above|>=?"
_FORMS = (
    ("within", rf"(?P<what>.*?) ?within (?P<a>{_NUMBER})(?P<unit>.*)"),
    ("between", rf"(?:between )?(?P<a>{_NUMBER}) ?(?:-|to|and) ?(?P<b>{_NUMBER}) ?(?P<what>.*)"),
    ("between", rf"(?P<what>.*?) ?(?:between )?(?P<a>{_NUMBER}) ?(?:-|to|and) ?(?P<b>{_NUMBER})(?P<unit>.*)"),
    ("most", rf"(?:{_LESS}) ?(?P<a>{_NUMBER}) ?(?P<what>.*)"),
    ("most", rf"(?P<what>.*?) ?(?:{_LESS}) ?(?P<a>{_NUMBER})(?P<unit>.*)"),
    ("least", rf"(?:{_MORE}) ?(?P<a>{_NUMBER}) ?(?P<what>.*)"),
    ("least", rf"(?P<what>.*?) ?(?:{_MORE}) ?(?P<a>{_NUMBER})(?P<unit>.*)"),
    ("about", rf"(?:about|around) (?P<a>{_NUMBER}) ?(?P<what>.*)"),
    ("few", r"(?:few|little|low|small|as few|as little) (?P<what>.*)"),
    ("many", r"(?:many|much|high|great|as many|as much) (?P<what>.*)"),
    ("fair", r"(?P<what>fair|balanced)"),
)
_UNIT = r"(?:%|percent|points?|of \d+ (?:games|decisions|moves))"
_POSSIBLE = {MEAN: (0.0, math.inf), SHARE: (0.0, 100.0), EDGE: (-100.0, 100.0), PART: (-100.0, 100.0)}
"""The values that a measure of each kind can have, in the unit in which it is shown."""
_NEAR = 0.1
"""How far *about* reaches, and how far beyond a bound counts as one whole miss: a part of the number."""


@dataclass(frozen=True)
class Criterion:
    """One part of a goal, in the unit in which its measure is shown.

    Attributes:
        text: as it was written.
        measure: what it is about.
        low: the least that fits.
        high: the most that fits.
        sense: 1 if more is better, −1 if less is, without any bound; 0 with bounds.
    """

    text: str
    measure: Measure
    low: float = -math.inf
    high: float = math.inf
    sense: int = 0

    @property
    def unit(self) -> float | None:
        """How much counts as one whole miss; nothing where only a first variation can tell."""
        if self.sense:
            return None
        if math.isfinite(self.high - self.low) and self.high > self.low:
            return (self.high - self.low) / 2
        bound = self.low if math.isfinite(self.low) else self.high
        return _NEAR * abs(bound) or 1.0

    def miss(self, estimate: Estimate) -> Estimate:
        """How far from the wish a measure is, with the least and the most that it may be.

        0 is a wish that is met. Where more is better, or less, it is the measure itself, so turned that less is better.
        """
        value, low, high = (self.measure.scale * each for each in (estimate.value, estimate.low, estimate.high))
        if self.sense:
            ends = sorted((-self.sense * low, -self.sense * high))
            return Estimate(-self.sense * value, *ends)
        inside = max(self.low - high, low - self.high, 0.0)
        return Estimate(self._beyond(value), inside, max(self._beyond(low), self._beyond(high)))

    def _beyond(self, value: float) -> float:
        return max(self.low - value, value - self.high, 0.0)


def criteria_of(goal: str, measures: Sequence[Measure]) -> tuple[Criterion, ...]:
    """The wishes of a goal, which commas part.

    Args:
        goal: as people write it.
        measures: those that the games will be measured by.

    Raises:
        ParlourError: it is not understood; the message lists the words that there are.
    """
    texts = [text.strip() for text in re.split(r"[,;]", goal.replace("–", "-").replace("−", "-")) if text.strip()]
    found = [_wish_of(text, measures) for text in texts]
    if not found:
        raise ParlourError(f"the goal says nothing; {_help(measures)}")
    twice = [wish for place, wish in enumerate(found) if wish.measure in [other.measure for other in found[:place]]]
    if twice:
        raise ParlourError(f"the goal has two wishes about {twice[0].measure.name}: {twice[0].text!r} is the second")
    return tuple(found)


def _wish_of(text: str, measures: Sequence[Measure]) -> Criterion:
    for form, pattern in _FORMS:
        match = re.fullmatch(pattern, text.lower())
        if match and (measure := _measure_of(match["what"], text, measures)):
            told = match.groupdict()
            if told.get("unit") and not re.fullmatch(rf"\s*(?:{_UNIT}|minutes?)", told["unit"]):
                continue
            return _made(form, text, measure, *(float(told[key]) for key in ("a", "b") if told.get(key)))
    raise ParlourError(f"{text!r} is no wish that is understood; {_help(measures)}")


def _made(form: str, text: str, measure: Measure, first: float = 0.0, second: float = 0.0) -> Criterion:
    if form == "between" and first > second:
        raise ParlourError(f"{text!r}: {first:g} is more than {second:g}")
    if form == "within" and first < 0:
        raise ParlourError(f"{text!r}: a distance is not negative; write 'within {-first:g}'")
    least, most = _POSSIBLE[measure.kind]
    for number in (first, second):
        if not least <= number <= most:
            span = f"between {least:g} and {most:g}" if math.isfinite(most) else f"{least:g} or more"
            raise ParlourError(f"{text!r}: {number:g} is impossible, for {measure.name} is {span} ({measure.unit})")
    reach = _NEAR * abs(first)
    bounds = {
        "within": (-first, first),
        "between": (first, second),
        "most": (-math.inf, first),
        "least": (first, math.inf),
        "about": (first - reach, first + reach),
        "fair": (0.0, 0.0),
    }
    if form in bounds:
        return Criterion(text, measure, *bounds[form])
    return Criterion(text, measure, sense=1 if form == "many" else -1)


def _measure_of(words: str, wish: str, measures: Sequence[Measure]) -> Measure | None:
    """The measure that words name, if they do. Raises :class:`ParlourError` if these games are not measured by it."""
    wanted = _plain(re.sub(rf"^{_UNIT}\s*(?:of )?|\s*{_UNIT}$", "", words.strip()))
    for measure in MEASURES:
        if wanted in map(_plain, (measure.name, *WORDS.get(measure.name, ()))):
            if measure not in measures:
                why = "only where a better bot meets another: name two with --bots"
                raise ParlourError(f"{wish!r}: {measure.name} is measured {why}")
            return measure
    return None


def _plain(words: str) -> str:
    """Words without what makes no difference."""
    return " ".join(word.removesuffix("s") for word in words.replace("_", " ").split())


def _help(measures: Sequence[Measure]) -> str:
    words = [" or ".join((each.name, *WORDS.get(each.name, ())[:1])) for each in measures]
    return (
        "a wish is written 'fair within 1 point', '20-30 minutes', 'at most 25 minutes', 'at least 3 lead changes', "
        f"'about 40 decisions', 'few forced moves' or 'many choices', and the words are {', '.join(words)}"
    )
