"""Law on the slots of hidden cards: the true layout is among those from which determinizations are drawn."""

import numpy as np

from parlour.authors.laws import viewer_text
from parlour.authors.text_laws import source_of
from parlour.cards import bit, card_name, lowest
from parlour.engine.chance import new_stream
from parlour.engine.game import Game
from parlour.engine.information.determinization import hidden_from
from parlour.engine.match import Match
from parlour.engine.rules import (
    MAX_CARDS,
    MAX_SLOTS,
    assign,
    cards_of_unknown_origin,
    copy_state,
    hidden_slots,
    is_consistent,
)
from parlour.engine.typed_state import OwnState

ATTEMPTS = 500
"""Number of times that ``is_consistent`` may reject the true layout, which it accepts with some probability."""


def check_possibility(match: Match) -> str:
    """The true layout of the hidden cards is one that each seat considers possible."""
    # a card of unknown origin takes part in layouts without lying in a slot
    seats = [seat for seat in range(match.players) if not cards_of_unknown_origin(match.state, seat)]
    return next(filter(None, (_impossible_slot(match, seat) or _rejected(match, seat) for seat in seats)), "")


def _impossible_slot(match: Match, seat: int) -> str:
    """Return a sentence about a slot that may not hold an unknown card that lies there, or an empty string."""
    state, no_cards = copy_state(match.state), np.zeros(MAX_CARDS, np.int64)
    sizes, allowed = np.zeros((2, MAX_SLOTS), np.int64)
    number = hidden_slots(state, seat, sizes, allowed)
    unknown, lying = hidden_from(state, seat), _lying(match.game, state)
    for slot in range(number if lying else 0):
        assign(state, seat, slot, no_cards, 0)
        left = _lying(match.game, state)
        if excluded := lying & ~left & unknown & ~int(allowed[slot]):
            fault = f"slot {slot} excludes {card_name(lowest(excluded))}, which lies there"
            return f"{source_of(match.game.hidden_slots)}: for {viewer_text(seat)}, {fault}"
        lying = left
    return ""


def _lying(game: Game, state: OwnState) -> int:
    """Return the set of cards that lie in a zone of a state, from which slots may have been emptied."""
    return sum({bit(card) for zone in game.zones(state) for card in zone.cards if card is not None})


def _rejected(match: Match, seat: int) -> str:
    """Return a sentence if ``is_consistent`` never accepts the true layout, or an empty string."""
    stream = new_stream(len(match.events))
    if any(is_consistent(match.state, seat, stream) for _ in range(ATTEMPTS)):
        return ""
    return f"{source_of(match.game.is_consistent)}: rejects the true layout for {viewer_text(seat)}"
