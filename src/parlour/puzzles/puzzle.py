"""Puzzle: one decision, the actions of a game that lead to it, and the value of every action."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from parlour.bots import LEVELS
from parlour.cards import CARD_NUMBERS
from parlour.engine.errors import ParlourError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.setup import Setup, expect
from parlour.engine.validation import shown
from parlour.insight.position import Position, position_of
from parlour.render.bot_names import seat_names

WHOLE = 1000
"""Thousandths in a probability of 1."""


class PuzzleError(ParlourError):
    """A puzzle or a file of puzzles does not exist or is not valid; the message names the place."""


@dataclass(frozen=True)
class ActionValue:
    """Value of an action, in thousandths of a win.

    Attributes:
        do: the action's text.
        win: the probability of winning after the action.
        behind: the loss against the best action; 0 for the best.
        low, high: the interval of ``behind``; all intervals of a puzzle hold simultaneously
            (:data:`certainty.CONFIDENCE`).
    """

    do: str
    win: int
    behind: int
    low: int
    high: int


@dataclass(frozen=True)
class PuzzleReason:
    """The layouts in which the best action differs most from the nearest other action, in thousandths.

    Attributes:
        other: the other action's text.
        card: the text of a hidden card.
        zone, at: the card's zone in these layouts, as the game names it, and the zone's index.
        share: the share of these layouts among all.
        there, elsewhere: the best action's lead over the other in these layouts, and in all others.
    """

    other: str
    card: str
    zone: str
    at: int
    share: int
    there: int
    elsewhere: int


@dataclass(frozen=True)
class Puzzle:
    """One decision with one best action.

    Attributes:
        setup: the game.
        number: the number of the game that contains the decision.
        events: the texts of the events before the decision: outcomes of chance and actions, in order.
        actions: every legal action, the best first.
        levels: for each level of bots the percentage of its choices that are the best action.
        rating: the difficulty, on the scale of players' ratings.
        themes: words for the kind of decision.
        exact: whether the values follow from the exact solution of the endgame.
        reasons: the layouts of the hidden cards that make the difference.
    """

    setup: Setup
    number: int
    events: Sequence[str]
    actions: Sequence[ActionValue]
    levels: Mapping[str, int]
    rating: int
    themes: Sequence[str]
    exact: bool
    reasons: Sequence[PuzzleReason]

    @cached_property
    def id(self) -> str:
        """The first 8 digits of the hash of the puzzle's events: equal positions have equal ids."""
        return hashlib.sha256("\n".join(self.events).encode()).hexdigest()[:8]

    @property
    def best(self) -> ActionValue:
        """The best action."""
        return self.actions[0]

    def value_of(self, do: str) -> ActionValue | None:
        """Return the value of a legal action; ``None`` for an illegal action."""
        return next((each for each in self.actions if each.do == do), None)

    def match(self, events: int | None = None) -> Match:
        """Return the game at the decision, or after fewer events, rebuilt by the rules.

        Raises:
            PuzzleError: an event or, at the decision, an action is not legal by the rules of this version.
        """
        match = Match(self.setup)
        try:
            for text in self.events[:events]:
                match.apply_event(Event(match.actor, text))
        except ParlourError as error:
            raise PuzzleError(f"puzzle {self.id}: event {len(match.events) + 1}: {error}") from None
        legal = match.legal()
        if events is None and (illegal := [each.do for each in self.actions if each.do not in legal]):
            raise PuzzleError(f"puzzle {self.id}: its action {shown(illegal[0])} is not legal")
        return match

    def position(self) -> Position:
        """Return the decision as its seat observes it."""
        match = self.match()
        return position_of(match, match.actor, seat_names(match.players, match.actor))

    def to_json(self) -> dict[str, Any]:
        """Return JSON values without the setup, which is the same for a whole file."""
        return {
            "id": self.id,
            "number": self.number,
            "events": list(self.events),
            "actions": [[each.do, each.win, each.behind, each.low, each.high] for each in self.actions],
            "levels": dict(self.levels),
            "rating": self.rating,
            "themes": list(self.themes),
            "exact": self.exact,
            "reasons": [asdict(each) for each in self.reasons],
        }

    @classmethod
    def from_json(cls, setup: Setup, values: Any) -> "Puzzle":
        """Return the puzzle of :meth:`to_json`'s values. Raises :class:`ParlourError`."""
        expect(values, {"number": int, "events": list, "actions": list, "levels": dict, "rating": int, "themes": list})
        try:
            actions = tuple(ActionValue(str(do), *map(int, numbers)) for do, *numbers in values["actions"])
            levels = {level: int(values["levels"][level]) for level in LEVELS}
            reasons = tuple(map(_reason_of, values.get("reasons", ())))
        except (KeyError, TypeError, ValueError, OverflowError):
            raise PuzzleError("'actions', 'levels' or 'reasons' are not those of a puzzle") from None
        texts = {each.do for each in actions}
        if len(texts) < max(2, len(actions)):
            raise PuzzleError("'actions' needs at least two actions, each of them once")
        if unknown := [each.other for each in reasons if each.other not in texts]:
            raise PuzzleError(f"'reasons' has the action {shown(unknown[0])}, which is not among 'actions'")
        puzzle = cls(
            setup, values["number"], tuple(map(str, values["events"])), actions, levels, values["rating"],
            tuple(map(str, values["themes"])), values.get("exact") is True, reasons,
        )  # fmt: skip
        if values.get("id", puzzle.id) != puzzle.id:
            raise PuzzleError(f"'id' is {shown(values['id'])}, but the events have the hash {puzzle.id}")
        return puzzle


def _reason_of(values: Mapping[str, Any]) -> PuzzleReason:
    """Return the reason of JSON values. Raises ``TypeError`` or ``ValueError`` for other values."""
    reason = PuzzleReason(**values)
    if reason.card not in CARD_NUMBERS or not isinstance(reason.zone, str):
        raise ValueError
    numbers = map(int, (reason.at, reason.share, reason.there, reason.elsewhere))
    return PuzzleReason(str(reason.other), reason.card, reason.zone, *numbers)
