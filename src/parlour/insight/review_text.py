"""Review as sentences. Every number in them is taken from the review.

The terminal, the page and the exported page show the same sentences. Sentences about a seat exist in two forms: in the
second person for its player (``you``), and in the third person.
"""

from collections.abc import Sequence
from typing import Any

from parlour.games import find_game
from parlour.insight.course import FOUND, Course, Decision
from parlour.insight.review import Rerun, Review
from parlour.insight.rounding import WHOLE, counted_points, percent, running_points, whole_points
from parlour.languages import fill, gettext, ngettext, pgettext
from parlour.languages.declension import listed
from parlour.render.words import labelled, with_semicolons, with_sign

LEAST_TURN = 50
"""Minimum change of the probability of winning, in thousandths, for a turning point."""


def mark_word(mark: str) -> str:
    """Return the word for a decision's mark."""
    return {
        "blunder": pgettext("mark", "blunder"),
        "mistake": pgettext("mark", "mistake"),
        "slip": pgettext("mark", "slip"),
        "find": pgettext("mark", "find"),
    }[mark]


def mark_meanings() -> dict[str, str]:
    """Return the meanings of the marks, in percentage points of the probability of winning."""
    return {
        "blunder": gettext("cost 10 points of the chance to win or more"),
        "mistake": gettext("cost 5 points or more"),
        "slip": gettext("cost 2 points or more"),
        "find": gettext("5 points or more better than what comes to mind first (the rule of thumb)"),
    }


def outcome(review: Review, seat: int = -1) -> str:
    """Return the result by the cards in the table's words, with the resignations, for a seat (default: a spectator)."""
    if not review.resigned:
        return review.outcomes[seat]
    resignations = [_resignation_words(review, each["seat"], each["after"], seat) for each in review.resigned]
    about = gettext("The review is about the result by the cards.")
    return " ".join([review.outcomes[seat], *resignations, about])


def _resignation_words(review: Review, seat: int, after: int, viewer: int) -> str:
    if seat == viewer:
        return gettext("You resigned after move {move}: a bot played on to the end.", move=after)
    return gettext(
        "{name} resigned after move {move}: a bot played on to the end.", name=review.names[seat], move=after
    )


def headline(review: Review, course: Course, you: bool = False) -> str:
    """Return the sentence on the event that decided the game for a seat.

    It is empty if first place is shared, if the seat has resigned, or if a bot that stood in decided the event.
    For a loss it is the costliest marked decision. Otherwise it is the greatest change of the probability of winning by
    a find, by another seat or by chance.
    """
    resigned = any(each["seat"] == course.seat for each in review.resigned)
    if resigned or course.sums.result not in (0, WHOLE):
        return ""
    won = course.sums.result == WHOLE
    seen, change = _turning_event(review, course, 1 if won else -1)
    finds = [decision for decision in course.decisions if decision.mark == FOUND]
    best = max(finds, key=lambda decision: decision.won.value, default=None)
    worst = max(course.decisions, key=lambda decision: decision.cost, default=None)
    if not won and worst and worst.cost:
        return _costly_words(course, worst, you)
    if won and best and best.won.value >= change:
        return _find_words(course, best, you)
    if change < LEAST_TURN:
        return gettext("No single move won the game.") if won else gettext("No single move lost the game.")
    return "" if seen - 1 in course.stood_in else _turn_words(review, course, seen, won, you)


def _costly_words(course: Course, decision: Decision, you: bool) -> str:
    if you:
        return ngettext(
            "You lost it at move {move}: to {phrase} cost {number} point of the chance to win.",
            "You lost it at move {move}: to {phrase} cost {number} points of the chance to win.",
            decision.cost,
            move=decision.seen,
            phrase=decision.phrase,
        )
    return ngettext(
        "{name} lost it at move {move}: to {phrase} cost {number} point of the chance to win.",
        "{name} lost it at move {move}: to {phrase} cost {number} points of the chance to win.",
        decision.cost,
        name=course.name,
        move=decision.seen,
        phrase=decision.phrase,
    )


def _find_words(course: Course, decision: Decision, you: bool) -> str:
    if you:
        return ngettext(
            "You won it at move {move}: to {phrase} was worth {number} point of the chance to win.",
            "You won it at move {move}: to {phrase} was worth {number} points of the chance to win.",
            gain_of(decision),
            move=decision.seen,
            phrase=decision.phrase,
        )
    return ngettext(
        "{name} won it at move {move}: to {phrase} was worth {number} point of the chance to win.",
        "{name} won it at move {move}: to {phrase} was worth {number} points of the chance to win.",
        gain_of(decision),
        name=course.name,
        move=decision.seen,
        phrase=decision.phrase,
    )


def _turn_words(review: Review, course: Course, seen: int, won: bool, you: bool) -> str:
    """Return the headline on a turning point by chance or by another seat's action."""
    by = review.events[seen - 1]["by"]
    before, after = (percent(course.chances[at] / WHOLE) for at in (seen - 1, seen))
    message = _turns_by_chance(won, you) if by == "chance" else _turns_by_others(won, you)
    player = "" if by == "chance" else review.names[by]
    return fill(message, name=course.name, move=seen, player=player, before=before, after=after)


def _turns_by_chance(won: bool, you: bool) -> str:
    if you and won:
        return gettext("You won it at move {move}, through luck: your chance to win rose from {before} to {after}.")
    if you:
        return gettext("You lost it at move {move}, through luck: your chance to win fell from {before} to {after}.")
    if won:
        return gettext("{name} won it at move {move}, through luck: the chance to win rose from {before} to {after}.")
    return gettext("{name} lost it at move {move}, through luck: the chance to win fell from {before} to {after}.")


def _turns_by_others(won: bool, you: bool) -> str:
    if you and won:
        return gettext(
            "You won it at move {move}, through {player}'s play: your chance to win rose from {before} to {after}."
        )
    if you:
        return gettext(
            "You lost it at move {move}, through {player}'s play: your chance to win fell from {before} to {after}."
        )
    if won:
        return gettext(
            "{name} won it at move {move}, through {player}'s play: the chance to win rose from {before} to {after}."
        )
    return gettext(
        "{name} lost it at move {move}, through {player}'s play: the chance to win fell from {before} to {after}."
    )


def _turning_event(review: Review, course: Course, sign: int) -> tuple[int, int]:
    """Return the event not of the seat's player with the greatest rise (``sign`` 1) or fall (−1), and the change."""
    changes = [
        (sign * (course.chances[seen] - course.chances[seen - 1]), -seen)
        for seen in range(1, len(course.chances))
        if review.events[seen - 1]["by"] != course.seat or seen - 1 in course.stood_in
    ]
    change, seen = max(changes, default=(0, 0))
    return -seen, change


def sum_terms(course: Course, you: bool = False) -> list[tuple[str, str]]:
    """Return the sum from the initial probability to the result, as whole points that add up."""
    sums = course.sums
    chance, others, own = running_points(sums.start, (sums.chance, sums.others, sums.own))
    return [
        # Translators: a sum follows: "50 % at the start, +9 luck, −10 their play, −49 your play, 0 % in the end"
        (percent(sums.start / WHOLE), gettext("at the start")),
        (with_sign(chance), gettext("luck")),
        (with_sign(others), gettext("their play") if you else gettext("the others' play")),
        (with_sign(own), gettext("your play") if you else gettext("own play")),
        (percent(sums.result / WHOLE), gettext("in the end")),
    ]


def own_words(course: Course, you: bool = False) -> str:
    """Return the sentence on the cost of a seat's own decisions: the sum of the costs of all marked decisions.

    It also explains the difference from the term for the seat's own play in :func:`sum_terms`.
    """
    sentences = [_decisions_words(course, you), _stand_in_words(len(course.stood_in), you)]
    return " ".join(sentence for sentence in sentences if sentence)


def _stand_in_words(number: int, you: bool) -> str:
    """Return the sentence on the events that a bot decided for a seat's player; empty if there are none."""
    if not number:
        return ""
    if you:
        return ngettext(
            "A bot played {number} move for you: it counts as their play.",
            "A bot played {number} moves for you: they count as their play.",
            number,
        )
    return ngettext(
        "A bot played {number} move in this seat: it counts as the others' play.",
        "A bot played {number} moves in this seat: they count as the others' play.",
        number,
    )


def _decisions_words(course: Course, you: bool) -> str:
    number, cost = len(course.decisions), sum(decision.cost for decision in course.decisions)
    if not number:
        return gettext("There was nothing to decide.")
    costly = sum(decision.cost > 0 for decision in course.decisions)
    own = sum_terms(course, you)[3][0]
    if you:
        explained = gettext(
            "Your play above is {own}: it compares every decision with a rule of thumb instead.", own=own
        )
    else:
        explained = gettext(
            "Own play above is {own}: it compares every decision with a rule of thumb instead.", own=own
        )
    return f"{_cost_words(number, costly, cost, you)} {explained}"


def _cost_words(number: int, costly: int, cost: int, you: bool) -> str:
    """Return the sentence on decisions: ``costly`` of ``number`` cost ``cost`` points together, the others nothing."""
    if number == 1:
        message = _only_cost(costly, you)
    elif not costly and you:
        message = gettext(
            "Compared with the best move found each time, none of your {decisions} decisions cost anything that is "
            "beyond doubt."
        )
    elif not costly:
        message = gettext(
            "Compared with the best move found each time, none of the {decisions} decisions cost anything that is "
            "beyond doubt."
        )
    elif costly == number:
        message = _all_cost(you)
    else:
        message = _some_cost(you)
    return fill(message, decisions=number, costly=costly, points=counted_points(cost))


def _only_cost(costly: int, you: bool) -> str:
    if costly and you:
        return gettext("Compared with the best move found, your only decision cost {points}.")
    if costly:
        return gettext("Compared with the best move found, the only decision cost {points}.")
    if you:
        return gettext("Compared with the best move found, your only decision cost nothing that is beyond doubt.")
    return gettext("Compared with the best move found, the only decision cost nothing that is beyond doubt.")


def _all_cost(you: bool) -> str:
    if you:
        return gettext(
            "Compared with the best move found each time, {costly} of your {decisions} decisions cost {points}."
        )
    return gettext("Compared with the best move found each time, {costly} of the {decisions} decisions cost {points}.")


def _some_cost(you: bool) -> str:
    if you:
        return gettext(
            "Compared with the best move found each time, {costly} of your {decisions} decisions cost {points}, the "
            "others nothing that is beyond doubt."
        )
    return gettext(
        "Compared with the best move found each time, {costly} of the {decisions} decisions cost {points}, the others "
        "nothing that is beyond doubt."
    )


def decision_words(decision: Decision) -> str:
    """Return the description of a decision."""
    if decision.mark == FOUND:
        return ngettext(
            "{phrase}: {number} point better than what comes to mind first",
            "{phrase}: {number} points better than what comes to mind first",
            gain_of(decision),
            phrase=decision.phrase,
        )
    if not decision.cost:
        return decision.phrase
    return ngettext(
        "{phrase}. Better by {number} point: {best}",
        "{phrase}. Better by {number} points: {best}",
        decision.cost,
        phrase=decision.phrase,
        best=decision.best_phrase,
    )


def gain_of(decision: Decision) -> int:
    """Return the gain of a find over the heuristic, in whole points."""
    return whole_points(decision.won.value / WHOLE)


def rerun_words(names: Sequence[str], before: Sequence[int], rerun: Rerun, you: bool = False) -> str:
    """Return the sentence on a replay by the strongest bot; ``before`` has the winners of the original game."""
    if you:
        where = gettext("in your seat") if len(rerun.seats) == 1 else gettext("in your seats")
    else:
        owners = [names[seat] for seat in rerun.seats]
        where = ngettext("in the seat of {names}", "in the seats of {names}", len(owners), names=listed(owners))
    if rerun.parted is None:
        return gettext(
            "With the same cards, the strongest bot {where} would have played exactly the same.", where=where
        )
    ended, as_before = _ending(rerun.seats, rerun.winners), _ending(rerun.seats, before)
    return fill(_ended_words(ended, ended == as_before), where=where)


def _ending(seats: Sequence[int], winners: Sequence[int]) -> str:
    """Return ``"won"``, ``"lost"`` or ``"shared"``."""
    if not set(seats) & set(winners):
        return "lost"
    return "won" if set(winners) <= set(seats) else "shared"


def _ended_words(ended: str, too: bool) -> str:
    """Return the sentence on the end of a replay, with the field ``{where}``; ``too``: the game ended the same way."""
    if ended == "won":
        again = gettext("With the same cards, the strongest bot {where} would have won, too.")
        return again if too else gettext("With the same cards, the strongest bot {where} would have won.")
    if ended == "lost":
        again = gettext("With the same cards, the strongest bot {where} would have lost, too.")
        return again if too else gettext("With the same cards, the strongest bot {where} would have lost.")
    again = gettext("With the same cards, the strongest bot {where} would have shared the first place, too.")
    return (
        again if too else gettext("With the same cards, the strongest bot {where} would have shared the first place.")
    )


def course_lines(review: Review, course: Course) -> list[str]:
    """Return one seat's lines of the text."""
    lines = [course.name]
    lines += [f"  {sentence}" for sentence in (headline(review, course),) if sentence]
    lines += ["  " + ", ".join(f"{number} {what}" for number, what in sum_terms(course)), f"  {own_words(course)}"]
    for decision in course.decisions:
        if decision.mark:
            number = f"{decision.seen:3}"
            move = gettext("move {number}", number=number)
            lines.append(f"  {move}  {decision.heading}  {mark_word(decision.mark):8} {decision_words(decision)}")
    return lines


def review_text(review: Review) -> str:
    """Return the whole review as text, without :func:`reruns_text`."""
    title = find_game(review.game).title
    about = ngettext("{game}, {number} player", "{game}, {number} players", review.players, game=title)
    blocks = [[about, outcome(review)]]
    blocks += [course_lines(review, course) for course in review.courses]
    marks = with_semicolons(labelled(mark_word(mark), meaning) for mark, meaning in mark_meanings().items())
    points = gettext("Points are percentage points of the chance to win, as the seat could know it.")
    blocks.append([f"{points} {marks}."])
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
        "marks": mark_meanings(),
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
        return {"cost": ngettext("{number} point gained", "{number} points gained", gain_of(decision))}
    return {"cost": counted_points(decision.cost) if decision.cost else ""}
