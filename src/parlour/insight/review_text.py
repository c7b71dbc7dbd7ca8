"""Review as sentences. Every number in them is taken from the review.

The terminal, the page and the exported page show the same sentences. Sentences about a seat exist in two forms: in the
second person for its player (``you``), and in the third person.
"""

from collections.abc import Sequence
from typing import Any

from parlour.games import find_game
from parlour.insight.course import FOUND, Course, Decision
from parlour.insight.review import Rerun, Review
from parlour.insight.rounding import WHOLE, counted_points, percent, running_points, signed_text, whole_points
from parlour.languages.declension import listed

MARK_WORDS = {
    "blunder": "cost 10 points of the chance to win or more",
    "mistake": "cost 5 points or more",
    "slip": "cost 2 points or more",
    "find": "5 points or more better than what comes to mind first (the rule of thumb)",
}
"""Meanings of the marks, in percentage points of the probability of winning."""
LEAST_TURN = 50
"""Minimum change of the probability of winning, in thousandths, for a turning point."""


def outcome(review: Review, seat: int = -1) -> str:
    """Return the result in the table's words for a seat or, by default, for a spectator."""
    return review.outcomes[seat]


def headline(review: Review, course: Course, you: bool = False) -> str:
    """Return the sentence on the event that decided the game for a seat; empty if first place is shared.

    For a loss it is the costliest marked decision. Otherwise it is the greatest change of the probability of winning by
    a find, by another seat or by chance.
    """
    if course.sums.result not in (0, WHOLE):
        return ""
    won = course.sums.result == WHOLE
    did = f"{'You' if you else course.name} {'won' if won else 'lost'} it at move"
    seen, change = _turning_event(review, course, 1 if won else -1)
    finds = [decision for decision in course.decisions if decision.mark == FOUND]
    best = max(finds, key=lambda decision: decision.won.value, default=None)
    worst = max(course.decisions, key=lambda decision: decision.cost, default=None)
    if not won and worst and worst.cost:
        return f"{did} {worst.seen}: to {worst.phrase} cost {counted_points(worst.cost)} of the chance to win."
    if won and best and best.won.value >= change:
        gain = counted_points(whole_points(best.won.value / WHOLE))
        return f"{did} {best.seen}: to {best.phrase} was worth {gain} of the chance to win."
    if change < LEAST_TURN:
        return f"No single move {'won' if won else 'lost'} the game."
    by = review.events[seen - 1]["by"]
    through = "luck" if by == "chance" else f"{review.names[by]}'s play"
    before, after = (percent(course.chances[at] / WHOLE) for at in (seen - 1, seen))
    chance = f"{'your' if you else 'the'} chance to win {'rose' if won else 'fell'} from {before} to {after}"
    return f"{did} {seen}, through {through}: {chance}."


def _turning_event(review: Review, course: Course, sign: int) -> tuple[int, int]:
    """Return the other seats' or chance event with the greatest rise (``sign`` 1) or fall (−1), and the change."""
    changes = [
        (sign * (course.chances[seen] - course.chances[seen - 1]), -seen)
        for seen in range(1, len(course.chances))
        if review.events[seen - 1]["by"] != course.seat
    ]
    change, seen = max(changes, default=(0, 0))
    return -seen, change


def sum_terms(course: Course, you: bool = False) -> list[tuple[str, str]]:
    """Return the sum from the initial probability to the result, as whole points that add up."""
    sums = course.sums
    chance, others, own = running_points(sums.start, (sums.chance, sums.others, sums.own))
    return [
        (percent(sums.start / WHOLE), "at the start"),
        (signed_text(chance), "luck"),
        (signed_text(others), "their play" if you else "the others' play"),
        (signed_text(own), "your play" if you else "own play"),
        (percent(sums.result / WHOLE), "in the end"),
    ]


def own_words(course: Course, you: bool = False) -> str:
    """Return the sentence on the cost of a seat's own decisions: the sum of the costs of all marked decisions.

    It also explains the difference from the term for the seat's own play in :func:`sum_terms`.
    """
    number, cost = len(course.decisions), sum(decision.cost for decision in course.decisions)
    if not number:
        return "There was nothing to decide."
    whose, play = ("your", "Your play") if you else ("the", "Own play")
    costly = sum(decision.cost > 0 for decision in course.decisions)
    if not costly:
        found = f"none of {whose} {number} decisions cost anything that is beyond doubt."
    else:
        found = f"{costly} of {whose} {number} decisions cost {counted_points(cost)}"
        found += "." if costly == number else ", the others nothing that is beyond doubt."
    own = sum_terms(course, you)[3][0]
    return (
        f"Compared with the best move found each time, {found} "
        f"{play} above is {own}: it compares every decision with a rule of thumb instead."
    )


def decision_words(decision: Decision) -> str:
    """Return the description of a decision."""
    if decision.mark == FOUND:
        return f"{decision.phrase}: {gain_text(decision)} better than what comes to mind first"
    if not decision.cost:
        return decision.phrase
    return f"{decision.phrase}. Better by {counted_points(decision.cost)}: {decision.best_phrase}"


def gain_text(decision: Decision) -> str:
    """Return the gain of a find over the heuristic: ``"8 points"``."""
    return counted_points(whole_points(decision.won.value / WHOLE))


def rerun_words(names: Sequence[str], before: Sequence[int], rerun: Rerun, you: bool = False) -> str:
    """Return the sentence on a replay by the strongest bot; ``before`` has the winners of the original game."""
    seats = "seat" if len(rerun.seats) == 1 else "seats"
    where = f"your {seats}" if you else f"the {seats} of {listed([names[seat] for seat in rerun.seats])}"
    if rerun.parted is None:
        return f"With the same cards, the strongest bot in {where} would have played exactly the same."
    ended, as_before = _result_words(rerun.seats, rerun.winners), _result_words(rerun.seats, before)
    too = ", too" if ended == as_before else ""
    return f"With the same cards, the strongest bot in {where} would have {ended}{too}."


def _result_words(seats: Sequence[int], winners: Sequence[int]) -> str:
    if not set(seats) & set(winners):
        return "lost"
    return "won" if set(winners) <= set(seats) else "shared the first place"


def course_lines(review: Review, course: Course) -> list[str]:
    """Return one seat's lines of the text."""
    lines = [course.name]
    lines += [f"  {sentence}" for sentence in (headline(review, course),) if sentence]
    lines += ["  " + ", ".join(f"{number} {what}" for number, what in sum_terms(course)), f"  {own_words(course)}"]
    for decision in course.decisions:
        if decision.mark:
            place = f"move {decision.seen:3}  {decision.heading}"
            lines.append(f"  {place}  {decision.mark:8} {decision_words(decision)}")
    return lines


def review_text(review: Review) -> str:
    """Return the whole review as text, without :func:`reruns_text`."""
    blocks = [[f"{find_game(review.game).title}, {review.players} players", outcome(review)]]
    blocks += [course_lines(review, course) for course in review.courses]
    marks = "; ".join(f"{mark}: {meaning}" for mark, meaning in MARK_WORDS.items())
    blocks.append([f"Points are percentage points of the chance to win, as the seat could know it. {marks}."])
    return "\n\n".join("\n".join(block) for block in blocks)


def reruns_text(review: Review) -> str:
    """Return the sentences on the replays by the strongest bot, a line for each side."""
    return "\n".join(rerun_words(review.names, review.winners, rerun) for rerun in review.reruns or ())


def review_texts(review: Review) -> dict[str, Any]:
    """Return the sentences of a review for a page; all rounding happens here."""
    return {
        "title": find_game(review.game).title,
        "outcome": outcome(review),
        "courses": [
            {
                "to_you": _course_json(review, course, True),
                "to_others": _course_json(review, course, False),
                "chances": [percent(chance / WHOLE) for chance in course.chances],
                "decisions": [_decision_json(decision) for decision in course.decisions],
            }
            for course in review.courses
        ],
        "reruns": None if review.reruns is None else rerun_texts(review.names, review.winners, review.reruns),
        "marks": MARK_WORDS,
    }


def rerun_texts(names: Sequence[str], before: Sequence[int], reruns: Sequence[Rerun]) -> list[dict[str, Any]]:
    """Return the sentences of :func:`rerun_words` for a page, each with the seats of its side."""
    return [
        {
            "seats": list(rerun.seats),
            "to_you": rerun_words(names, before, rerun, True),
            "to_others": rerun_words(names, before, rerun),
        }
        for rerun in reruns
    ]


def _course_json(review: Review, course: Course, you: bool) -> dict[str, Any]:
    return {
        "outcome": outcome(review, course.seat if you else -1),
        "headline": headline(review, course, you),
        "sums": sum_terms(course, you),
        "own": own_words(course, you),
    }


def _decision_json(decision: Decision) -> dict[str, str]:
    if decision.mark == FOUND:
        return {"cost": f"{gain_text(decision)} gained"}
    return {"cost": counted_points(decision.cost) if decision.cost else ""}
