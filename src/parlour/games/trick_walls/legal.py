"""Trick Walls: what is legal (TW-7, TW-14, TW-24)."""

from typing import Any

from parlour.cards import count, suit_set
from parlour.engine.chance import card_at, random_below, random_card, spread
from parlour.engine.compiled import rule
from parlour.games.trick_walls.rules import TOP, is_dummy, pile_of


@rule
def legal(state: Any, actions: Any) -> int:
    """TW-7, TW-14, TW-24."""
    number = spread(actions, playable(state))
    if has_top(state):
        actions[number] = TOP  # TW-14
        number += 1
    return number


@rule
def random_action(state: Any, actions: Any, random: Any) -> int:
    """A card is drawn from those that may be played, without listing them; a dummy's top comes after them."""
    if not is_dummy(state, state.city):  # asked first, lest LLVM make a branch of whether a suit can be followed
        return random_card(random, playable(state))
    cards = playable(state)
    which = random_below(random, count(cards) + (1 if has_top(state) else 0))
    return card_at(cards, which) if which < count(cards) else TOP


@rule
def following(state: Any) -> int:
    """TW-7: the cards of the suit that was led, if one was."""
    return state.hand[state.city] & suit_set(state.trick_suit) if state.played > 0 else 0


@rule
def playable(state: Any) -> int:
    """TW-7: the cards of the city whose turn it is that may be played."""
    return following(state) if following(state) != 0 else state.hand[state.city]


@rule
def has_top(state: Any) -> bool:
    """TW-14: whether a dummy's unseen card may be played."""
    return is_dummy(state, state.city) and state.left[pile_of(state.city)] > 0 and following(state) == 0
