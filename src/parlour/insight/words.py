"""An explanation in sentences. Every number in them stands in the explanation; nothing is found out here."""

from collections.abc import Sequence

from parlour.insight.explanation import Candidate, Explanation
from parlour.insight.kinds import TRIFLE, Kind
from parlour.lab.measure import Estimate
from parlour.render.words import the_card


def percent(share: float) -> str:
    """``"63 %"``"""
    return f"{100 * share:.0f} %"


def points(difference: float) -> str:
    """``"4.1 points"``, without its sign: percentage points of the chance to win."""
    return f"{abs(100 * difference):.1f} points"


def span(estimate: Estimate) -> str:
    """``"(59 to 66)"``, in percent."""
    return f"({100 * estimate.low:.0f} to {100 * estimate.high:.0f})"


def points_span(low: float, high: float) -> str:
    """``"(2.0 to 6.2)"``, in percentage points."""
    return f"({100 * low:.1f} to {100 * high:.1f})".replace("-0.0", "0.0")


def sentences(explanation: Explanation) -> list[str]:
    """What a hint says: the best action, how it compares, where the difference comes from, what matters most."""
    best, *rest = explanation.candidates
    if not rest:
        return [f"{best.do} is all you can do: you win {percent(best.win.value)} {span(best.win)}."]
    told = [f"{best.do} seems best: it wins {percent(best.win.value)} {span(best.win)}.", compared(rest[0])]
    telling = next((candidate for candidate in rest if candidate.kind), None)
    if telling and telling.kind:
        told.append(kind_sentence(best.do, telling.do, telling.kind))
    if explanation.matters:
        told.append(matter_sentence(explanation.matters))
    return told


def compared(candidate: Candidate) -> str:
    """How an action compares to the best one."""
    behind = candidate.behind
    if max(abs(behind.low), abs(behind.high)) < TRIFLE:
        return f"{candidate.do} comes to the same within a point."
    if behind.value < 0:
        span = points_span(-behind.high, -behind.low)
        sure = "wins" if behind.high < 0 else "may be as good:"
        return f"{candidate.do} {sure} {points(behind.value)} more {span}."
    sure = "wins" if behind.low > 0 else "may be as good:"
    return f"{candidate.do} {sure} {points(behind.value)} less {points_span(behind.low, behind.high)}."


def kind_sentence(best: str, other: str, kind: Kind) -> str:
    """In which layouts one action is so much better than another."""
    return (
        f"With {the_card(kind.card)} {kind.place.words}, as in {percent(kind.share.value)} of what is possible, "
        f"{best} wins {points(kind.there.value)} {_more(kind.there)} than {other}; "
        f"otherwise {points(kind.elsewhere.value)} {_more(kind.elsewhere)}."
    )


def _more(estimate: Estimate) -> str:
    return "more" if estimate.value >= 0 else "less"


def matter_sentence(kind: Kind) -> str:
    """The card on which the chance to win hangs most."""
    return (
        f"What matters most is {the_card(kind.card)}: with it {kind.place.words} you win "
        f"{percent(kind.there.value)}, otherwise {percent(kind.elsewhere.value)}."
    )


def lines(explanation: Explanation) -> Sequence[str]:
    """The candidates as a small table in text, then the sentences."""
    width = max(len(candidate.do) for candidate in explanation.candidates)
    table = [
        f"  {candidate.do:{width}}  wins {percent(candidate.win.value):>5} {span(candidate.win):12}"
        + (f"  {_short(candidate.behind)}" if number else "  best")
        for number, candidate in enumerate(explanation.candidates)
    ]
    others = len(explanation.others)
    if others:
        table.append(f"  {others} other {'action' if others == 1 else 'actions'} seemed worse")
    return [*table, *(f"  {sentence}" for sentence in sentences(explanation))]


def _short(behind: Estimate) -> str:
    return f"{-100 * behind.value:+5.1f} points {points_span(-behind.high, -behind.low)}"
