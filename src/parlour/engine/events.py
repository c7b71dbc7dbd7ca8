"""The events of a match, and its result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.cards import card_name, cards_of
from parlour.engine import rules
from parlour.engine.rules import CHANCE, MAX_SEATS, OVER, WHOLE, known_to
from parlour.engine.typed_state import AnyState

HIDDEN_CARD = "??"
"""Placeholder in an event's text for a card that the viewer may not know, or for an action hidden as a whole."""


@dataclass(frozen=True, slots=True)
class Event:
    """An action or the outcome of a chance event: ``by`` is a seat or ``CHANCE``, ``do`` the text in the notation."""

    by: int
    do: str

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Event":
        """Return the event for values of the form of :meth:`to_json`, which the caller has checked."""
        return cls(CHANCE if values["by"] == "chance" else values["by"], values["do"])

    def to_json(self) -> dict[str, Any]:
        """Return the event as JSON values, as in a record."""
        return {"by": "chance" if self.by == CHANCE else self.by, "do": self.do}

    def as_seen(self, state: AnyState, hidden: int, viewer: int) -> "Event":
        """Return this action as a viewer sees it, with ``??`` for each hidden card that the viewer may not know.

        Args:
            state: the state after the action.
            hidden: the set of the action's cards that the rules hide from the viewer; ``WHOLE`` hides the whole action.
            viewer: a seat, or ``SPECTATOR`` for a viewer who knows only public information.
        """
        if hidden == WHOLE:
            return Event(self.by, HIDDEN_CARD)
        unknown = {card_name(card) for card in cards_of(hidden & ~int(known_to(state, viewer)))}
        if not unknown:
            return self
        return Event(self.by, " ".join(HIDDEN_CARD if word in unknown else word for word in self.do.split(" ")))


@dataclass(frozen=True)
class Result:
    """A game's result: the score of each seat, and the seats that share first place."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def to_json(self) -> dict[str, list[int]]:
        """Return the result as JSON values, as in a record."""
        return {"scores": list(self.scores), "winners": list(self.winners)}


def current_result(state: AnyState) -> Result:
    """Return the scores and winners as if the game ended in this state."""
    scores = np.zeros(MAX_SEATS, np.int64)
    winners = int(rules.score(state, scores))
    firsts = tuple(seat for seat in range(state.seats) if winners >> seat & 1)
    return Result(tuple(int(score) for score in scores[: state.seats]), firsts)


def actor_name(actor: int) -> str:
    """Return ``state.actor`` in words: ``"seat 2"``, ``"chance"`` or ``"no seat: the game is over"``."""
    return {CHANCE: "chance", OVER: "no seat: the game is over"}.get(actor, f"seat {actor}")
