"""Trick Walls: the legal actions (TW-7, TW-14, TW-24)."""

from parlour.cards import suit_set
from parlour.engine.chance import spread
from parlour.engine.compiled import rule
from parlour.engine.typed_state import IntVector
from parlour.games.trick_walls.rules import TOP, is_dummy, pile_of
from parlour.games.trick_walls.typed_state import State


@rule
def legal(state: State, actions: IntVector) -> int:
    """Write the legal actions into ``actions`` and return their number (TW-7, TW-14, TW-24)."""
    number = spread(actions, playable(state))
    if has_top(state):
        actions[number] = TOP  # TW-14
        number += 1
    return number


@rule
def led_suit_cards(state: State) -> int:
    """TW-7: return the acting city's cards of the suit led, as a set; empty before the lead."""
    return state.hand[state.city] & suit_set(state.trick_suit) if state.played > 0 else 0


@rule
def playable(state: State) -> int:
    """TW-7: return the cards that the acting city may play, as a set."""
    return led_suit_cards(state) if led_suit_cards(state) != 0 else state.hand[state.city]


@rule
def has_top(state: State) -> bool:
    """TW-14: return whether a dummy's unseen card may be played."""
    return is_dummy(state, state.city) and state.left[pile_of(state.city)] > 0 and led_suit_cards(state) == 0
