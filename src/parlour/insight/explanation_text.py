"""Explanation as sentences. Every number in them is taken from the explanation."""

from collections.abc import Sequence

from parlour.insight.explanation import Candidate, Explanation
from parlour.insight.layout_kinds import LayoutKind
from parlour.insight.rounding import MINUS, counted_points, percent, span, whole_points
from parlour.render.words import the_card
from parlour.statistics import Estimate

AS_GOOD = "about as good"


def chance_span(candidate: Candidate) -> str:
    """Return the interval of a probability of winning in percent, as in ``"45 to 49"``."""
    return span(candidate.win.low, candidate.win.high, candidate.percent)


def verdict(candidate: Candidate, first: bool) -> str:
    """Return an action's comparison to the list's first: ``"best"``, ``"about as good"``, ``"−3 points"``."""
    if first:
        return "best"
    return AS_GOOD if candidate.less is None else f"{MINUS}{counted_points(candidate.less)}"


def sentences(explanation: Explanation) -> list[str]:
    """Return a hint's sentences: the best action, its lead, the layouts behind the lead, the card that matters most."""
    best, *rest = explanation.candidates
    chance = f"your chance to win is {best.percent} % ({chance_span(best)})"
    if not rest:
        return [f"You can only {best.phrase}: {chance}."]
    found = [f"It seems best to {best.phrase}: {chance}.", comparison_sentence(rest[0])]
    telling = next((candidate for candidate in rest if candidate.kind), None)
    if telling and telling.kind:
        found.append(kind_sentence(best.phrase, telling.phrase, telling.kind))
    if explanation.matters:
        found.append(matter_sentence(explanation.matters))
    return found


def comparison_sentence(candidate: Candidate) -> str:
    """Return the sentence that compares an action to the best one."""
    if candidate.less is None:
        return f"You could as well {candidate.phrase}: that is {AS_GOOD}."
    within = span(candidate.behind.low, candidate.behind.high, candidate.less)
    return f"If you {candidate.phrase} instead, the chance is {counted_points(candidate.less)} less ({within})."


def kind_sentence(best: str, other: str, kind: LayoutKind) -> str:
    """Return the sentence on the layouts in which one action is better than another, and on the difference."""
    return (
        f"With {the_card(kind.card)} {kind.place.words}, as in {percent(kind.share.value)} of what is possible, "
        f"it is {_advantage_text(kind.there)} to {best} than to {other}; otherwise it is "
        f"{_advantage_text(kind.elsewhere)}."
    )


def _advantage_text(estimate: Estimate) -> str:
    points = whole_points(estimate.value)
    return f"{counted_points(points)} {'better' if points > 0 else 'worse'}" if points else "no better"


def matter_sentence(kind: LayoutKind) -> str:
    """Return the sentence on the card that affects the probability of winning most."""
    return (
        f"What matters most is {the_card(kind.card)}: with it {kind.place.words} your chance is "
        f"{percent(kind.there.value)}, otherwise {percent(kind.elsewhere.value)}."
    )


def lines(explanation: Explanation) -> Sequence[str]:
    """Return the candidates as a small text table, the notation first, then the sentences."""
    candidates = explanation.candidates
    width = max(len(candidate.do) for candidate in candidates)
    table = []
    for number, each in enumerate(candidates):
        chance = f"{each.percent:3} % ({chance_span(each)})"
        table.append(f"  {each.do:{width}}  {chance}, {verdict(each, not number)}: {each.phrase}")
    others = len(explanation.others)
    if others:
        table.append(f"  {others} other {'action' if others == 1 else 'actions'} seemed worse")
    return [*table, *(f"  {sentence}" for sentence in sentences(explanation))]
