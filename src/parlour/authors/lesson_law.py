"""Law on the lesson of a game: its script can be played."""

from parlour.authors.text_laws import unknown_clause
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.render.layouts import find_lesson, guide_of
from parlour.render.lesson import Guide, Hand


def lesson_problem(game: Game) -> str:
    """The events and tasks of the lesson are legal, and it cites clauses of the page of rules."""
    try:
        if find_lesson(game.id) is None:
            return ""
        guide = guide_of(game.id)
    except ParlourError as error:
        return str(error)
    for number, hand in enumerate(guide.lesson.hands):
        if problem := _hand_problem(guide, number, hand):
            return f"lesson.toml, {problem}"
    return ""


def _hand_problem(guide: Guide, number: int, hand: Hand) -> str:
    """Return the first fault of a hand with its place, or an empty string."""
    where = f"hand {number + 1}"
    if hand.players not in guide.game.players:
        return f"{where}: the game has no setup for {hand.players} players"
    if hand.seat not in range(hand.players) or len(hand.names) != hand.players:
        return f"{where}: seat {hand.seat} and {len(hand.names)} names do not fit {hand.players} players"
    if "You" in hand.names and hand.names[hand.seat] != "You":
        return f"{where}: the name 'You' belongs to the learner, seat {hand.seat}, which is {hand.names[hand.seat]!r}"
    for step in range(len(hand.steps)):
        where = f"hand {number + 1}, step {step + 1}"
        try:
            if problem := _step_problem(guide, number, step):
                return f"{where}: {problem}"
        except ParlourError as error:
            return f"{where}: {error}"
    return ""


def _step_problem(guide: Guide, hand: int, number: int) -> str:
    """Return the fault of a step, or an empty string. Raises :class:`ParlourError` for an event that is not legal."""
    step, seat = guide.step(hand, number), guide.lesson.hands[hand].seat
    match = guide.match_at(hand, number)
    if step.do and match.actor != seat:
        return f"the task is {step.do!r}, but the learner, seat {seat}, does not act now"
    if step.do:
        match.parse_move(step.do)
    cited = (unknown_clause(guide.game, text, "it") for text in (step.say, step.other))
    return next(filter(None, cited), "")
