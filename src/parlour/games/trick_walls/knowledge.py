"""Trick Walls: who knows what (TW-6, TW-7, TW-12, TW-13, TW-24)."""

from typing import Any

from parlour.cards import FULL_DECK, bit, count, lowest
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import NOBODY, UNSEEN, known_to
from parlour.games.trick_walls.rules import EXCHANGE, NO_GIFT, is_dummy, pile_of


@rule
def hand_size(state: Any, city: int) -> int:
    """A player's hand shrinks by a card a trick, which the walls show (TW-6, TW-7)."""
    return state.dealt - count(state.face_up[city]) - count(state.face_down[city])


@rule
def places(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """TW-6, TW-7, TW-13: the hands, then the dummies' piles, then the cards out of play."""
    if state.round_number < 0:
        return 0
    known = known_to(state, seat)
    number = 0
    for city in range(state.cities):
        if is_dummy(state, city):
            sizes[number] = state.left[pile_of(city)]
            allowed[number] = FULL_DECK
        else:
            sizes[number] = hand_size(state, city) - count(state.hand[city] & known)
            allowed[number] = FULL_DECK & ~state.lacks[city]
        number += 1
    sizes[number] = 52 - state.dealt * state.cities
    allowed[number] = FULL_DECK
    return number + 1


@rule
def place(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """The places as :func:`places` counts them."""
    if index == state.cities:
        state.undealt = 0
        for which in range(number):
            state.undealt |= bit(cards[which])
    elif is_dummy(state, index):
        pile = pile_of(index)
        for which in range(state.left[pile]):
            state.pile[pile, which] = cards[which] if which < number else UNSEEN
    else:
        hand = state.hand[index] & known_to(state, seat)
        for which in range(number):
            hand |= bit(cards[which])
        state.hand[index] = hand


@rule
def forget(state: Any, seat: int) -> None:
    """TW-24: which card others gave away."""
    for city in range(state.cities):
        if state.gift[city] != NO_GIFT and not knows_gift(state, seat, city):
            state.gift[city] = UNSEEN


@rule
def knows_gift(state: Any, seat: int, city: int) -> bool:
    """TW-24: the giver knows, and the receiver once the cards have changed hands."""
    if seat == NOBODY:
        return False
    return state.holder[city] == seat or (state.stage != EXCHANGE and state.holder[(city + 2) % 4] == seat)


@rule
def remember(state: Any, seat: int, random: Any) -> None:
    """TW-24: which cards others gave away; every card that a hand has held since may be the one it was given."""
    for city in range(state.cities):
        player = state.holder[city]
        if player == NOBODY:
            continue
        if state.gift[city] == UNSEEN:
            source = city if state.stage == EXCHANGE else (city + 2) % 4
            held = state.hand[source] | state.face_up[source] | state.face_down[source]
            for _ in range(random_below(random, count(held))):
                held &= held - 1
            state.gift[city] = lowest(held)
        if player != seat:
            state.private[player] |= state.hand[city]
            if state.gift[city] >= 0:
                state.private[player] |= bit(state.gift[city])


@rule
def hides(state: Any, action: int, viewer: int) -> int:
    """TW-24: only giver and taker know a gift."""
    return bit(action) if state.stage == EXCHANGE else 0


def tells_nothing(before: Any, after: Any, text: str) -> bool:
    """TW-13, TW-24: an open card of a dummy, and a gift as long as no hand has changed."""
    return bool(after.stage == EXCHANGE if before.stage == EXCHANGE else is_dummy(before, before.city))
