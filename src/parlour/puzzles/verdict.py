"""Verdict on a try in sentences: whether the action is the best, otherwise its cost and the reasons."""

from collections.abc import Sequence
from dataclasses import dataclass

from parlour.cards import CARD_NUMBERS
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError
from parlour.engine.information.determinization import determinize
from parlour.engine.typed_state import OwnState
from parlour.insight.explanation_text import kind_sentence
from parlour.insight.position import Position, place_words
from parlour.insight.rounding import percent, percent_text, whole_points
from parlour.languages import fill, gettext, ngettext
from parlour.puzzles.certainty import CONFIDENCE
from parlour.puzzles.puzzle import WHOLE, ActionValue, Puzzle, PuzzleError, PuzzleReason
from parlour.render.words import points_text
from parlour.statistics import Estimate

MOST_ACTIONS = 4
"""Maximum number of actions in a verdict: the best, the next ones, and the action tried by the player."""
RARELY, SOMETIMES, MOSTLY = 20, 50, 80
"""Bounds of the percentage of a level's choices that are the best action: below the first a beginner "hardly ever"
finds it, below the second "sometimes", else "often"; from the third on a level "mostly" does.
"""
MOST_LAYOUTS = 20_000
"""Maximum number of determinizations in the search for one of a reason's layouts."""


@dataclass(frozen=True)
class VerdictAction:
    """An action in a verdict.

    Attributes:
        do, phrase: the action's text, and the action in words.
        win, percent: the probability of winning with its interval, and the probability in words.
        less: the loss in points as words; empty for the best.
        tried: whether the player tried this action.
    """

    do: str
    phrase: str
    win: Estimate
    percent: str
    less: str
    tried: bool


@dataclass(frozen=True)
class Verdict:
    """Verdict on a try.

    Attributes:
        right: whether the action is the best.
        do, best: the texts of the action tried and of the best.
        words: the sentences.
        actions: the actions shown, the best first.
        others: the number of legal actions that are not shown.
    """

    right: bool
    do: str
    best: str
    words: Sequence[str]
    actions: Sequence[VerdictAction]
    others: int


def verdict_of(puzzle: Puzzle, do: str) -> Verdict:
    """Judge an action.

    Raises:
        IllegalError: the action is not legal.
        PuzzleError: the puzzle has other actions than the rules of this version.
    """
    position, tried = puzzle.position(), puzzle.value_of(do)
    phrases = {position.notation(move): position.phrase(move) for move in position.moves}
    if do not in phrases:
        raise IllegalError(gettext("{action} is not legal here", action=repr(do)))
    if tried is None:
        raise PuzzleError(f"puzzle {puzzle.id}: it lacks the legal action {do!r}")
    shown = list(puzzle.actions[:MOST_ACTIONS])
    if tried not in shown:
        shown[-1] = tried
    actions = [_action(puzzle, each, phrases[each.do], each is tried) for each in shown]
    return Verdict(
        tried is puzzle.best, do, puzzle.best.do, tuple(_words(puzzle, position, tried, phrases)), actions,
        len(puzzle.actions) - len(actions),
    )  # fmt: skip


def _action(puzzle: Puzzle, action: ActionValue, phrase: str, tried: bool) -> VerdictAction:
    best = puzzle.best.win
    win = Estimate(action.win / WHOLE, max(0, best - action.high) / WHOLE, min(WHOLE, best - action.low) / WHOLE)
    return VerdictAction(action.do, phrase, win, percent(action.win / WHOLE), _loss_text(puzzle, action), tried)


def _loss_text(puzzle: Puzzle, action: ActionValue) -> str:
    if action is puzzle.best:
        return ""
    points = _points_less(puzzle, action)
    if puzzle.exact:
        return ngettext("{number} point less", "{number} points less", points)
    low = points_text(min(whole_points(action.low / WHOLE), points))
    high = points_text(max(whole_points(action.high / WHOLE), points))
    return ngettext(
        "{number} point less ({low} to {high})",
        "{number} points less ({low} to {high})",
        points,
        low=low,
        high=high,
    )


def _points_less(puzzle: Puzzle, action: ActionValue) -> int:
    """Return an action's loss in whole points: the difference of the displayed percentages."""
    return whole_points(puzzle.best.win / WHOLE) - whole_points(action.win / WHOLE)


def _words(puzzle: Puzzle, position: Position, tried: ActionValue, phrases: dict[str, str]) -> list[str]:
    """Return the sentences of a verdict: comparison, reason, certainty, and the levels that find the best action."""
    best, next_best = puzzle.best, puzzle.actions[1]
    other = next_best if tried is best else tried
    after_best, after_other = percent(best.win / WHOLE), percent(other.win / WHOLE)
    comparison = gettext("If you {phrase}, it is {chance}.", phrase=phrases[other.do], chance=after_other)
    if tried is best:
        comparison = gettext(
            "The next best, to {phrase}, leaves {chance}.", phrase=phrases[other.do], chance=after_other
        )
    # Translators: {phrase} is an action, such as "play the seven of hearts"; {comparison} is a sentence
    first = gettext(
        "It is best to {phrase}: your chance to win is then {chance}. {comparison}",
        phrase=phrases[best.do],
        chance=after_best,
        comparison=comparison,
    )
    reasons = [sentence for each in puzzle.reasons if (sentence := _reason_sentence(puzzle, position, each, phrases))]
    return [first, *reasons, _certainty(puzzle), _finders(puzzle)]


def _reason_sentence(puzzle: Puzzle, position: Position, reason: PuzzleReason, phrases: dict[str, str]) -> str:
    """Return the sentence of a reason; empty if no layout with its card in its place is found."""
    layout, other = _layout_with(position, reason), puzzle.value_of(reason.other)
    if layout is None or other is None:
        return ""
    place = place_words(position, layout, reason.zone, reason.at, CARD_NUMBERS[reason.card])
    return kind_sentence(
        phrases[puzzle.best.do], phrases[reason.other], reason.card, place, lead=_points_less(puzzle, other),
        share=reason.share / WHOLE, shift=(reason.there - reason.elsewhere) / WHOLE,
    )  # fmt: skip


def _layout_with(position: Position, reason: PuzzleReason) -> OwnState | None:
    """Return a layout of the hidden cards, as the seat may imagine it, with a reason's card in its place."""
    stream, card = new_stream(0), CARD_NUMBERS[reason.card]
    for _ in range(MOST_LAYOUTS):
        layout = determinize(position.state, position.seat, stream)
        for zone in position.game.zones(layout):
            if (zone.name, zone.at) == (reason.zone, reason.at) and card in zone.cards:
                return layout
    return None


def _certainty(puzzle: Puzzle) -> str:
    if puzzle.exact:
        return gettext("The end of this game is solved: these are the chances if both play perfectly.")
    return gettext(
        "Every other action is worse, with {percent} certainty over guesses of where the unseen cards lie.",
        percent=percent(CONFIDENCE),
    )


def _finders(puzzle: Puzzle) -> str:
    """Return the sentence on the weakest level that mostly finds the best action, and on the beginner's percentage."""
    levels = list(puzzle.levels)
    able = next((level for level in levels if puzzle.levels[level] >= MOSTLY), None)
    share, best_share = puzzle.levels[levels[0]], puzzle.levels[levels[-1]]
    if able == levels[0]:
        return gettext("A beginner finds it {share} of the time: one to see at once.", share=percent_text(share))
    if able is None:
        return gettext("Even a master finds it only {share} of the time.", share=percent_text(best_share))
    # Translators: two clauses, such as "A beginner often finds it (52 %)" and "a regular mostly does"
    return gettext("{beginner}, {other}.", beginner=_beginner_words(share), other=_able_words(able))


def _beginner_words(share: int) -> str:
    if share < RARELY:
        message = gettext("A beginner hardly ever finds it ({share})")
    elif share < SOMETIMES:
        message = gettext("A beginner sometimes finds it ({share})")
    else:
        message = gettext("A beginner often finds it ({share})")
    return fill(message, share=percent_text(share))


def _able_words(level: str) -> str:
    """Return the clause on the weakest level that mostly finds the best action."""
    return {
        "casual": gettext("a casual player mostly does"),
        "regular": gettext("a regular mostly does"),
        "expert": gettext("an expert mostly does"),
        "master": gettext("a master mostly does"),
    }[level]
