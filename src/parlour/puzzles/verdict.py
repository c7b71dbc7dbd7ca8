"""Verdict on a try in sentences: whether the action is the best, otherwise its cost and the reasons."""

from collections.abc import Sequence
from dataclasses import dataclass

from parlour.bots import BOTS
from parlour.engine.errors import IllegalError
from parlour.insight.rounding import counted_points, number, percent, whole_points
from parlour.puzzles.certainty import CONFIDENCE
from parlour.puzzles.puzzle import WHOLE, ActionValue, Puzzle
from parlour.statistics import Estimate

SHOWN = 4
"""Maximum number of actions in a verdict: the best, the next ones, and the action tried by the player."""
RARELY, SOMETIMES, MOSTLY = 20, 50, 80
"""Bounds of a level's percentage of best actions for the words "rarely", "sometimes" and "mostly"."""


@dataclass(frozen=True)
class VerdictAction:
    """An action in a verdict.

    Attributes:
        do, phrase: the action's text, and the action in words.
        win: the probability of winning.
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
    """Verdict on a try."""

    right: bool
    do: str
    best: str
    words: Sequence[str]
    actions: Sequence[VerdictAction]
    others: int


def verdict_of(puzzle: Puzzle, do: str) -> Verdict:
    """Judge an action. Raises :class:`IllegalError` if it is not legal."""
    tried = puzzle.value_of(do)
    if tried is None:
        raise IllegalError(f"{do!r} is not legal here")
    position = puzzle.position()
    phrases = {position.notation(move): position.phrase(move) for move in position.moves}
    shown = list(puzzle.actions[:SHOWN])
    if tried not in shown:
        shown[-1] = tried
    actions = [_action(puzzle, each, phrases[each.do], each is tried) for each in shown]
    return Verdict(
        tried is puzzle.best, do, puzzle.best.do, tuple(_words(puzzle, tried, phrases)), actions,
        len(puzzle.actions) - len(actions),
    )  # fmt: skip


def _action(puzzle: Puzzle, judged: ActionValue, phrase: str, tried: bool) -> VerdictAction:
    best = puzzle.best.win
    win = Estimate(judged.win / WHOLE, max(0, best - judged.high) / WHOLE, min(WHOLE, best - judged.low) / WHOLE)
    return VerdictAction(judged.do, phrase, win, percent(judged.win / WHOLE), _loss_text(puzzle, judged), tried)


def _loss_text(puzzle: Puzzle, judged: ActionValue) -> str:
    if judged is puzzle.best:
        return ""
    points = counted_points(whole_points(judged.behind / WHOLE))
    if puzzle.exact:
        return f"{points} less"
    low, high = (number(whole_points(bound / WHOLE)) for bound in (judged.low, judged.high))
    return f"{points} less ({low} to {high})"


def _words(puzzle: Puzzle, tried: ActionValue, phrases: dict[str, str]) -> list[str]:
    """Return the sentences of a verdict: comparison, reason, certainty, and the levels that find the best action."""
    best, next_best = puzzle.best, puzzle.actions[1]
    other = next_best if tried is best else tried
    after_best, after_other = percent(best.win / WHOLE), percent(other.win / WHOLE)
    first = f"It is best to {phrases[best.do]}: your chance to win is then {after_best}. "
    if tried is best:
        first = f"{first}The next best, to {phrases[other.do]}, leaves {after_other}."
    else:
        first += f"If you {phrases[other.do]}, it is {after_other}."
    return [first, *puzzle.reasons, _certainty(puzzle), _finders(puzzle)]


def _certainty(puzzle: Puzzle) -> str:
    if puzzle.exact:
        return "The end of this game is solved: these are the chances if both play perfectly."
    return (
        f"Every other action is worse, with {percent(CONFIDENCE)} certainty over guesses of where the unseen cards lie."
    )


def _finders(puzzle: Puzzle) -> str:
    """Return the sentence on the weakest level that mostly finds the best action, and on the beginner's percentage."""
    levels = list(puzzle.levels)
    weakest = levels[0]
    able = next((level for level in levels if puzzle.levels[level] >= MOSTLY), None)
    share = puzzle.levels[weakest]
    often = "hardly ever" if share < RARELY else "sometimes" if share < SOMETIMES else "often"
    if able == weakest:
        return f"A {BOTS[weakest].title.lower()} finds it {share} % of the time: one to see at once."
    if able is None:
        return f"Even a {BOTS[levels[-1]].title.lower()} finds it only {puzzle.levels[levels[-1]]} % of the time."
    return f"A {BOTS[weakest].title.lower()} {often} finds it ({share} %), a {BOTS[able].title.lower()} mostly does."
