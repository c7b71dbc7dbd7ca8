"""Trick Walls: the legal actions (TW-7, TW-14, TW-24)."""

from typing import Any

from parlour.cards import count, suit_set
from parlour.engine.chance import card_at, random_below, random_card, spread
from parlour.engine.compiled import rule
from parlour.games.trick_walls.rules import TOP, is_dummy, pile_of


@rule
def legal(state: Any, actions: Any) -> int:
    """Write the legal actions into ``actions`` and return their number (TW-7, TW-14, TW-24)."""
    number = spread(actions, playable(state))
    if has_top(state):
        actions[number] = TOP  # TW-14
        number += 1
    return number


@rule
def random_action(state: Any, actions: Any, random: Any) -> int:
    """Draw a legal action uniformly without listing them; a dummy's top card comes after the playable ones."""
    if not is_dummy(state, state.city):  # first, or LLVM branches on whether a suit can be followed
        return random_card(random, playable(state))
    cards = playable(state)
    which = random_below(random, count(cards) + (1 if has_top(state) else 0))
    return card_at(cards, which) if which < count(cards) else TOP


@rule
def following(state: Any) -> int:
    """TW-7: return the cards of the suit led, as a set; empty before the lead."""
    return state.hand[state.city] & suit_set(state.trick_suit) if state.played > 0 else 0


@rule
def playable(state: Any) -> int:
    """TW-7: return the cards that the acting city may play, as a set."""
    return following(state) if following(state) != 0 else state.hand[state.city]


@rule
def has_top(state: Any) -> bool:
    """TW-14: return whether a dummy's unseen card may be played."""
    return is_dummy(state, state.city) and state.left[pile_of(state.city)] > 0 and following(state) == 0
