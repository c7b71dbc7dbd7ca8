"""Parse a goal written in words of measures: ``fair within 1 point, 20-30 minutes, few forced moves``."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from parlour.contests.clause_counts import citations_of
from parlour.contests.precision import refuse_decimal_commas
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.statistics import Estimate
from parlour.studies.measures import EDGE, MEAN, MEASURES, PART, SHARE, Measure
from parlour.studies.rule_measures import (
    SIDES,
    clause_measure,
    ending_like,
    has_words,
    plain_words,
    side_measure,
    source_like,
)
from parlour.studies.rulebook import ending_texts

WORDS = {
    "first_player": ("fair", "balanced", "fairness", "first player"),
    "minutes": ("minute", "length"),
    "forced": ("forced moves", "forced decisions", "forced actions"),
    "decisions": ("moves", "actions"),
    "choice": ("choices",),
    "draws": ("drawn games",),
    "rounds": ("deals",),
    "lead_changes": ("lead changes", "changes of the lead"),
    "comeback": ("comebacks",),
}
"""Accepted words for a measure, besides its name."""

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
"""Forms of a criterion, each with its pattern; the first one that matches and names a measure counts."""
_FIELD = re.compile(r"\{\w+\}")
"""Field of a number in the text of an ending."""
_UNIT = r"(?:%|percent|points? of 100(?: games)?|points?|of \d+ (?:games|decisions|moves))"
_POSSIBLE = {MEAN: (0.0, math.inf), SHARE: (0.0, 100.0), EDGE: (-100.0, 100.0), PART: (-100.0, 100.0)}
"""Range of each kind of measure, in its displayed unit."""
_NEAR = 0.1
"""Half-width of *about*, and the distance from a bound that counts as one miss, as a fraction of the number."""


class UnknownCriterion(ParlourError):
    """A criterion without a known form or measure."""


@dataclass(frozen=True)
class Criterion:
    """One criterion of a goal, in the displayed unit of its measure.

    Attributes:
        text: the criterion, as the user wrote it.
        measure: the measure that it constrains.
        low: the least value that fits.
        high: the greatest value that fits.
        sense: 1 to maximize, −1 to minimize, without bounds; 0 with bounds.
    """

    text: str
    measure: Measure
    low: float = -math.inf
    high: float = math.inf
    sense: int = 0

    @property
    def unit(self) -> float | None:
        """Distance that counts as one miss; ``None`` without bounds: then the first variation defines the distance."""
        if self.sense:
            return None
        if math.isfinite(self.high - self.low) and self.high > self.low:
            return (self.high - self.low) / 2
        bound = self.low if math.isfinite(self.low) else self.high
        return _NEAR * abs(bound) or 1.0

    def miss(self, estimate: Estimate) -> Estimate:
        """Return the distance of a measure from the criterion, with an interval.

        0 fulfils the criterion. Without bounds the distance is the measure itself, negated if more is better.
        """
        value, low, high = (self.measure.scale * each for each in (estimate.value, estimate.low, estimate.high))
        if self.sense:
            ends = sorted((-self.sense * low, -self.sense * high))
            return Estimate(-self.sense * value, *ends)
        least = max(self.low - high, low - self.high, 0.0)
        return Estimate(self._excess(value), least, max(self._excess(low), self._excess(high)))

    def _excess(self, value: float) -> float:
        return max(self.low - value, value - self.high, 0.0)


def criteria_of(goal: str, measures: Sequence[Measure], game: Game | None = None) -> tuple[Criterion, ...]:
    """Return the comma-separated criteria of a goal.

    Args:
        goal: the text.
        measures: the measures that apply to the games.
        game: the game, whose sides, endings, clauses and sources of points a criterion may name.

    Raises:
        ParlourError: the goal is not understood; the message lists the accepted words.
    """
    refuse_decimal_commas(goal)
    texts = [text.strip() for text in re.split(r"[,;]", goal.replace("–", "-").replace("−", "-")) if text.strip()]
    found = [_criterion_of(text, measures, game) for text in texts]
    if not found:
        raise ParlourError(f"the goal is empty; {_help(measures, game)}")
    twice = [
        criterion
        for place, criterion in enumerate(found)
        if criterion.measure in [other.measure for other in found[:place]]
    ]
    if twice:
        raise ParlourError(f"the goal has two criteria for {twice[0].measure.name}: {twice[0].text!r} is the second")
    return tuple(found)


def _criterion_of(text: str, measures: Sequence[Measure], game: Game | None) -> Criterion:
    for form, pattern in _FORMS:
        match = re.fullmatch(pattern, text.lower())
        if match and (measure := _measure_of(match["what"], text, measures, game)):
            groups = match.groupdict()
            if groups.get("unit") and not re.fullmatch(rf"\s*(?:{_UNIT}|minutes?)", groups["unit"]):
                continue
            return _criterion(form, text, measure, *(float(groups[key]) for key in ("a", "b") if groups.get(key)))
    _refuse_without_form(text, measures, game)
    raise UnknownCriterion(f"{text!r} is not understood; {_help(measures, game)}")


def _refuse_without_form(text: str, measures: Sequence[Measure], game: Game | None) -> None:
    """Raise an error about a number without bounds, or about an estimate that only whole studies have.

    Raises:
        ParlourError: the criterion names such an estimate.
        UnknownCriterion: the criterion is a number of a known measure.
    """
    if of_studies := re.search(r"\b(luck|deal part|skill part)\b", text.lower().replace("_", " ")):
        raise ParlourError(
            f"{text!r}: {of_studies[1]} is an estimate from all deals of a study, not a measure of games; compare "
            "chosen variations with 'parlour study' (--replicated-deals measures luck)"
        )
    plain = re.fullmatch(rf"(?P<number>{_NUMBER}) ?(?P<what>.*)", text.lower())
    if plain and _measure_of(plain["what"], text, measures, game):
        raise UnknownCriterion(f"{text!r} has no bounds; write 'about {text}', 'at most {text}' or 'at least {text}'")


def _criterion(form: str, text: str, measure: Measure, first: float = 0.0, second: float = 0.0) -> Criterion:
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


def _measure_of(words: str, criterion: str, measures: Sequence[Measure], game: Game | None) -> Measure | None:
    """Return the measure with this name, or ``None``.

    Raises:
        ParlourError: these games have no such measure.
    """
    plain = plain_words(re.sub(rf"^{_UNIT}\s*(?:of )?|\s*{_UNIT}$", "", words.strip()))
    for measure in MEASURES:
        if plain in map(plain_words, (measure.name, *WORDS.get(measure.name, ()))):
            if measure not in measures:
                why = "only where a better bot meets another: name two with --bots"
                raise ParlourError(f"{criterion!r}: {measure.name} is measured {why}")
            return measure
    return rule_measure_of(plain, game) if game else None


def rule_measure_of(words: str, game: Game) -> Measure | None:
    """Return the measure of a game's sides, endings, clauses or sources of points, or ``None``.

    A clause alone names the number of its events. An ending has two kinds of names:

    - ``ending`` with words of its text, such as its clause;
    - a word of the option that cites the same clause: *stall* for the ending of the option ``stall_turns``.
    """
    if words == "side":
        return SIDES
    if side := re.fullmatch(r"side (\d)", words):
        return side_measure(int(side[1]) - 1) if 1 <= int(side[1]) <= max(game.players) else None
    if source := re.fullmatch(r"(?:point )?from (.+)", words):
        return source_like(source[1])
    if clause := re.fullmatch(rf"(?:clause )?({game.prefix.lower()}-\d+)(?: fire)?", words):
        return clause_measure(clause[1].upper()) if clause[1].upper() in citations_of(game).clauses else None
    if ending := re.fullmatch(r"(?:game that )?end(?:ing)?(?: by| because| in)? (.+)", words):
        number = re.search(r"(?<![\w-])\d+(?= )", ending[1])
        texts = [_with_number(text, number[0] if number else "") for text in ending_texts(game)]
        found = [text for text in texts if has_words(text, ending[1])]
        return ending_like(found[0]) if len(found) == 1 else None
    for option in game.options:
        names = {plain_words(option.name), *plain_words(option.name).split()}
        if words in names and any(f"({option.clause})" in text for text in ending_texts(game)):
            return ending_like(f"({option.clause})")
    return None


def _with_number(text: str, number: str) -> str:
    """Return the text of an ending with a number in its field, if it has one."""
    return _FIELD.sub(number, text).strip()


def _help(measures: Sequence[Measure], game: Game | None) -> str:
    return (
        "a criterion is written 'fair within 1 point', '20-30 minutes', 'at most 25 minutes', "
        "'at least 3 lead changes', "
        f"'about 40 decisions', 'few forced moves' or 'many choices', and the words are "
        f"{measure_words(measures)}" + (_rule_help(game) if game else "")
    )


def measure_words(measures: Sequence[Measure]) -> str:
    """Return the words for measures, as a list."""
    return ", ".join(" or ".join((each.name, *WORDS.get(each.name, ())[:1])) for each in measures)


def _rule_help(game: Game) -> str:
    """Return the words for a game's own measures, as the end of a sentence; of texts with a number the plural."""
    by_kind = {text[text.rindex("(") :] if _FIELD.search(text) else text: text for text in ending_texts(game)}
    endings = "".join(f", 'ending {_with_number(text, '2')}'" for text in by_kind.values())
    return f", sides, 'side 1', 'points from' a source, a clause as {citations_of(game).clauses[0]}{endings}"
