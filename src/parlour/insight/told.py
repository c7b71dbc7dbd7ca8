"""A review in sentences. Every number in them stands in the review; nothing is found out here."""

from collections.abc import Sequence

from parlour.games import find_game
from parlour.insight.course import FOUND, Course, Decision, Sums
from parlour.insight.numbers import WHOLE, counted_points, number, percent, running, signed, whole_points
from parlour.insight.review import Rerun, Review
from parlour.render.words import listed

MARK_WORDS = {
    "blunder": "cost 10 points of the chance to win or more",
    "mistake": "cost 5 points or more",
    "slip": "cost 2 points or more",
    "find": "5 points or more better than what comes to mind first (the rule of thumb)",
}
"""What the marks of decisions mean, in percentage points of the chance to win."""


def outcome(review: Review) -> str:
    """Who has won, with the scores."""
    scores = ", ".join(f"{name}: {number(score)}" for name, score in zip(review.names, review.scores, strict=True))
    return f"Won by {listed([review.names[seat] for seat in review.winners])}. Scores: {scores}."


def sum_terms(sums: Sums) -> list[tuple[str, str]]:
    """The sum that leads from the chance at the start to the result, in whole points that add up."""
    chance, others, own = running(sums.start, (sums.chance, sums.others, sums.own))
    return [
        (percent(sums.start / WHOLE), "at the start"),
        (signed(chance), "by what chance brought"),
        (signed(others), "by what the others did"),
        (signed(own), "by own decisions"),
        (percent(sums.result / WHOLE), "in the end"),
    ]


def own_words(course: Course) -> str:
    """What the own decisions were worth, beside the best ones."""
    if not course.decisions:
        return "There was nothing to decide."
    mean = course.sums.lost / len(course.decisions) / WHOLE
    if whole_points(mean) < 1:
        return f"On average, each of {len(course.decisions)} decisions lost less than a point of the chance to win."
    lost = counted_points(whole_points(mean))
    return f"On average, each of {len(course.decisions)} decisions lost {lost} of the chance to win."


def decision_words(decision: Decision) -> str:
    """What is to be said of a decision."""
    if decision.mark == FOUND:
        more = whole_points(decision.won.value / WHOLE)
        return f"{decision.phrase}: {counted_points(more)} better than what comes to mind first"
    if not decision.cost or decision.do == decision.best:
        return decision.phrase
    return f"{decision.phrase}. Better by {counted_points(decision.cost)}: {decision.best_phrase}"


def rerun_words(names: Sequence[str], rerun: Rerun) -> str:
    """How the same deal ended when the strongest bot played it."""
    side = listed([names[seat] for seat in rerun.seats])
    if rerun.parted is None:
        return f"Had the strongest bot ({rerun.bot}) played for {side}, it would have done the same."
    scores = ", ".join(f"{name}: {number(score)}" for name, score in zip(names, rerun.scores, strict=True))
    chance = "as in the game" if rerun.same == rerun.chance else f"as in the game {rerun.same} of {rerun.chance} times"
    ending = f"won by {listed([names[seat] for seat in rerun.winners])} ({scores})"
    return (
        f"Had the strongest bot ({rerun.bot}) played for {side}, and for everybody after its first other action "
        f"(move {rerun.parted}), the game would have been {ending}. Chance came out {chance}."
    )


def course_lines(course: Course) -> list[str]:
    """One seat's part of the text."""
    told = [course.name, "  " + ", ".join(f"{number} {what}" for number, what in sum_terms(course.sums))]
    told.append(f"  {own_words(course)}")
    marked = [decision for decision in course.decisions if decision.mark]
    for decision in marked:
        place = f"move {decision.seen:3}  {decision.heading}"
        told.append(f"  {place}  {decision.mark:8} {decision_words(decision)}")
    if not marked:
        told.append(f"  none of {len(course.decisions)} decisions is marked")
    return told


def review_text(review: Review) -> str:
    """The whole review as text."""
    blocks = [[f"{find_game(review.game).title}, {review.players} players", outcome(review)]]
    blocks += [course_lines(course) for course in review.courses]
    blocks.append([rerun_words(review.names, rerun) for rerun in review.reruns or ()])
    marks = "; ".join(f"{mark}: {meaning}" for mark, meaning in MARK_WORDS.items())
    blocks.append([f"Points are percentage points of the chance to win, as the seat could know it. {marks}."])
    return "\n\n".join("\n".join(block) for block in blocks)


def told(review: Review) -> dict[str, object]:
    """The sentences of a review for a page: each number is rounded here, and nowhere else."""
    return {
        "title": find_game(review.game).title,
        "outcome": outcome(review),
        "courses": [
            {
                "sums": sum_terms(course.sums),
                "own": own_words(course),
                "chances": [percent(chance / WHOLE) for chance in course.chances],
                "decisions": [_decision_told(decision) for decision in course.decisions],
            }
            for course in review.courses
        ],
        "reruns": None if review.reruns is None else [rerun_words(review.names, rerun) for rerun in review.reruns],
        "marks": MARK_WORDS,
    }


def _decision_told(decision: Decision) -> dict[str, str]:
    if decision.mark == FOUND:
        return {"cost": f"{counted_points(whole_points(decision.won.value / WHOLE))} gained"}
    return {"cost": counted_points(decision.cost) if decision.cost and decision.do != decision.best else ""}
