"""A review in sentences. Every number in them stands in the review; nothing is found out here."""

from collections.abc import Sequence

from parlour.games import find_game
from parlour.insight.course import Course, Decision, Sums
from parlour.insight.review import Rerun, Review
from parlour.lab.measure import Estimate

MARK_WORDS = {
    "blunder": "lost 10 points or more beyond doubt",
    "mistake": "lost 5 points or more beyond doubt",
    "slip": "lost 2 points or more beyond doubt",
    "find": "won 5 points or more over the rule of thumb beyond doubt",
}
"""What the marks of decisions mean, in percentage points of the chance to win."""


def percent(thousandths: int) -> str:
    """``"46.9 %"``"""
    return f"{thousandths / 10:.1f} %"


def signed(thousandths: float) -> str:
    """``"+4.7"``, ``"−3.2"``: percentage points."""
    return f"{thousandths / 10:+.1f}".replace("-", "−")


def listed(names: Sequence[str]) -> str:
    """``"Ann, Bob and Cyd"``"""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def outcome(review: Review) -> str:
    """Who has won, with the scores."""
    scores = ", ".join(f"{name}: {score}" for name, score in zip(review.names, review.scores, strict=True))
    return f"Won by {listed([review.names[seat] for seat in review.winners])}. Scores: {scores}."


def sum_words(sums: Sums) -> str:
    """The sum that leads from the chance at the start to the result."""
    return (
        f"{percent(sums.start)} at the start, {signed(sums.chance)} by chance, {signed(sums.others)} by what others "
        f"did, {signed(sums.own)} by own decisions: {percent(sums.result)} in the end"
    )


def own_words(sums: Sums) -> str:
    """What the own decisions' part is made of."""
    return (
        f"own decisions: the best ones had {signed(sums.offered)} over the rule of thumb, "
        f"{signed(-sums.lost)} of it was lost"
    )


def decision_words(decision: Decision) -> str:
    """What is to be said of a marked decision."""
    if decision.mark == "find":
        return f"{decision.do} wins {_points_more(decision.won)} than what the rule of thumb does"
    return f"{decision.do}: {decision.best} wins {_points_more(decision.lost)}"


def _points_more(estimate: Estimate) -> str:
    return f"{estimate.value / 10:.1f} points more ({estimate.low / 10:.1f} to {estimate.high / 10:.1f})"


def rerun_words(review: Review, rerun: Rerun) -> str:
    """How the same deal ended when the strongest bot played it."""
    side = listed([review.names[seat] for seat in rerun.seats])
    if rerun.parted is None:
        return f"With the strongest bot ({rerun.bot}) for {side} the same happens."
    ending = f"won by {listed([review.names[seat] for seat in rerun.winners])}, scores {_numbers(rerun.scores)}"
    kept = f"{rerun.same} of {rerun.chance} chance events as in the game"
    return (
        f"With the strongest bot ({rerun.bot}) for {side} the game goes another way after {rerun.parted} events "
        f"and is {ending} ({kept}; all seats are the bot's from there on)."
    )


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def course_lines(course: Course) -> list[str]:
    """One seat's part of the text."""
    told = [course.name, f"  {sum_words(course.sums)}", f"  {own_words(course.sums)}"]
    marked = [decision for decision in course.decisions if decision.mark]
    for decision in marked:
        told.append(f"  after {decision.seen:3} events  {decision.mark:8} {decision_words(decision)}")
    if not marked:
        told.append(f"  none of {len(course.decisions)} decisions is marked")
    return told


def review_text(review: Review) -> str:
    """The whole review as text."""
    blocks = [[f"{find_game(review.game).title}, {review.players} players", outcome(review)]]
    blocks += [course_lines(course) for course in review.courses]
    blocks.append([rerun_words(review, rerun) for rerun in review.reruns])
    marks = "; ".join(f"{mark}: {meaning}" for mark, meaning in MARK_WORDS.items())
    blocks.append([f"Numbers are percentage points of the chance to win, as the seat could know it. {marks}."])
    return "\n\n".join("\n".join(block) for block in blocks)
