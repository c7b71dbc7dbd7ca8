"""Explanation as sentences. Every number in them is taken from the explanation."""

from collections.abc import Sequence

from parlour.insight.explanation import Candidate, Explanation
from parlour.insight.layout_kinds import LayoutKind
from parlour.insight.rounding import counted_points, parts_of, percent, percent_text, span, whole_points
from parlour.languages import gettext, ngettext
from parlour.render.words import labelled, the_card


def chance_span(candidate: Candidate) -> str:
    """Return the interval of a probability of winning in percent, as in ``"45 to 49"``."""
    return span(candidate.win.low, candidate.win.high, candidate.percent)


def verdict(candidate: Candidate, first: bool) -> str:
    """Return an action's comparison to the list's first: ``"best"``, ``"about as good"``, ``"−3 points"``."""
    if first:
        # Translators: the best of several actions
        return gettext("best")
    if candidate.less is None:
        return gettext("about as good")
    return f"−{counted_points(candidate.less)}"


def sentences(explanation: Explanation) -> list[str]:
    """Return a hint's sentences: the best action, its lead, the layouts behind the lead, the card that matters most.

    The last sentence names the play that the chances assume.
    """
    return [*_advice(explanation), gettext("The chances assume that all players go on by the rule of thumb.")]


def _advice(explanation: Explanation) -> list[str]:
    best, *rest = explanation.candidates
    values = {"phrase": best.phrase, "percent": percent_text(best.percent), "span": chance_span(best)}
    if not rest:
        # Translators: {phrase} is an action, such as "play the seven of hearts"
        return [gettext("You can only {phrase}: your chance to win is {percent} ({span}).", **values)]
    # Translators: {phrase} is an action, such as "play the seven of hearts"
    advice = gettext("It seems best to {phrase}: your chance to win is {percent} ({span}).", **values)
    found = [advice, comparison_sentence(rest[0])]
    telling = next((candidate for candidate in rest if candidate.kind), None)
    if telling and telling.kind:
        kind = telling.kind
        found.append(
            kind_sentence(
                best.phrase, telling.phrase, kind.card, kind.place.words,
                lead=lead_of(telling), share=kind.share.value, shift=kind.shift.value,
            )
        )  # fmt: skip
    if explanation.matters:
        found.append(matter_sentence(explanation.matters, best.percent))
    return found


def comparison_sentence(candidate: Candidate) -> str:
    """Return the sentence that compares an action to the best one."""
    if candidate.less is None:
        return gettext("You could as well {phrase}: that is about as good.", phrase=candidate.phrase)
    return ngettext(
        "If you {phrase} instead, the chance is {number} point less ({span}).",
        "If you {phrase} instead, the chance is {number} points less ({span}).",
        candidate.less,
        phrase=candidate.phrase,
        span=span(candidate.behind.low, candidate.behind.high, candidate.less),
    )


def lead_of(candidate: Candidate) -> int:
    """Return the best action's lead over another, in whole points: the displayed one, if there is one."""
    return whole_points(candidate.behind.value) if candidate.less is None else candidate.less


def kind_sentence(best: str, other: str, card: str, place: str, *, lead: int, share: float, shift: float) -> str:
    """Return the sentence on the layouts in which one action is better than another, and on the difference.

    Args:
        best: the better action, in words.
        other: the other action, in words.
        card: the text of the hidden card that makes the difference.
        place: its place in these layouts, in words.
        lead: the lead of ``best`` over ``other`` in all layouts, in whole points.
        share: the share of these layouts among all.
        shift: the lead in these layouts minus the lead in all others.
    """
    there, elsewhere = parts_of(lead, share, shift)
    return gettext(
        "With {card} {place}, as in {share} of what is possible, it is {there} to {best} than to {other}; otherwise it "
        "is {elsewhere}.",
        card=the_card(card),
        place=place,
        share=percent(share),
        there=_advantage_text(there),
        best=best,
        other=other,
        elsewhere=_advantage_text(elsewhere),
    )


def _advantage_text(points: int) -> str:
    if not points:
        return gettext("no better")
    if points > 0:
        return ngettext("{number} point better", "{number} points better", points)
    return ngettext("{number} point worse", "{number} points worse", -points)


def matter_sentence(kind: LayoutKind, shown: int) -> str:
    """Return the sentence on the card that affects the probability of winning most; ``shown`` is its whole percent."""
    there, elsewhere = (min(100, max(0, part)) for part in parts_of(shown, kind.share.value, kind.shift.value))
    return gettext(
        "What matters most is {card}: with it {place} your chance is {there}, otherwise {elsewhere}.",
        card=the_card(kind.card),
        place=kind.place.words,
        there=percent_text(there),
        elsewhere=percent_text(elsewhere),
    )


def lines(explanation: Explanation) -> Sequence[str]:
    """Return the candidates as a small text table, the notation first, then the sentences."""
    candidates = explanation.candidates
    width = max(len(candidate.do) for candidate in candidates)
    table = []
    for number, each in enumerate(candidates):
        chance = f"{percent_text(each.percent):>5} ({chance_span(each)})"
        table.append(f"  {each.do:{width}}  {chance}, {labelled(verdict(each, not number), each.phrase)}")
    others = len(explanation.others)
    if others:
        worse = ngettext("{number} other action seemed worse", "{number} other actions seemed worse", others)
        table.append(f"  {worse}")
    return [*table, *(f"  {sentence}" for sentence in sentences(explanation))]
