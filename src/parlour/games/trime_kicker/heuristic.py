"""Trime Kicker: the heuristic, which values every legal action."""

from parlour.cards import FULL_DECK, bit, count, suit_of
from parlour.engine.compiled import rule
from parlour.engine.rules import known_to
from parlour.games.trime_kicker.rules import DECLINE, DRAW, fitting, points_on
from parlour.games.trime_kicker.typed_state import State


@rule
def action_value(state: State, action: int) -> int:
    """Return the value of an action in tenths of a point: decline until the judge orders a move.

    The player who can still lay at the end owns the piles, so keeping a card outweighs owning any pile now.
    """
    if action == DECLINE:
        return 0
    if action == DRAW:
        return -1
    card = action >> 2
    pile = action & 3
    player = state.actor
    value = 10 * (state.pile_points + (state.bonus_points if suit_of(card) == pile else 0)) - 1000
    value += 10 * (points_on(state, pile, 1 - player) - points_on(state, pile, player))
    value -= count(fitting(state, card) & ~state.everywhere & FULL_DECK & ~known_to(state, player))
    if bit(card) & state.everywhere != 0:
        value -= 200  # it goes on anything, at any time
    return value
