"""Trick Walls: hidden information (TW-6, TW-7, TW-12, TW-13, TW-24)."""

from parlour.cards import FULL_DECK, bit, count, lowest
from parlour.engine.arrays import Stream
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import NOBODY, UNSEEN, known_to
from parlour.engine.typed_state import IntVector
from parlour.games.trick_walls.rules import EXCHANGE, NO_GIFT, is_dummy, pile_of
from parlour.games.trick_walls.typed_state import State


@rule
def hand_size(state: State, city: int) -> int:
    """Return the number of cards in a hand: the cards dealt less those in the walls (TW-6, TW-7)."""
    return state.dealt - count(state.face_up[city]) - count(state.face_down[city])


@rule
def hidden_slots(state: State, seat: int, sizes: IntVector, allowed: IntVector) -> int:
    """TW-6, TW-7, TW-13: describe the hidden slots, one per city (hand or dummy's pile), then the cards out of play."""
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
def assign(state: State, seat: int, index: int, cards: IntVector, number: int) -> None:
    """Put cards into one hidden slot, numbered as in :func:`hidden_slots`."""
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
def hide_rest(state: State, seat: int) -> None:
    """TW-24: mask the gifts that this seat does not know."""
    for city in range(state.cities):
        if state.gift[city] != NO_GIFT and not knows_gift(state, seat, city):
            state.gift[city] = UNSEEN


@rule
def knows_gift(state: State, seat: int, city: int) -> bool:
    """TW-24: return whether a seat knows a gift: the giver does, the receiver once the cards have changed hands."""
    if seat == NOBODY:
        return False
    return state.holder[city] == seat or (state.stage != EXCHANGE and state.holder[(city + 2) % 4] == seat)


@rule
def sample_rest(state: State, seat: int, random: Stream) -> None:
    """TW-24: draw the unknown gifts, and give the other players the knowledge of the cards dealt to them and of gifts.

    Every card that the city with the gift has held since is a candidate. Until the cards change hands that city is the
    giver's, afterwards the receiver's.
    """
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
            state.private[player] |= state.hand[city] | state.face_up[city] | state.face_down[city]
            if state.gift[city] >= 0:
                state.private[player] |= bit(state.gift[city])


@rule
def hides(state: State, action: int, viewer: int) -> int:
    """TW-24: return the cards of an action that no viewer but its player may see: those of a gift."""
    return bit(action) if state.stage == EXCHANGE else 0


def tells_nothing(before: State, after: State, text: str) -> bool:
    """TW-13, TW-24: return whether an action reveals nothing: a dummy's open card, or any gift but the last.

    The top card of a dummy's pile needs no test, because a card that is turned up always counts as a disclosure.
    """
    return bool(after.stage == EXCHANGE if before.stage == EXCHANGE else is_dummy(before, before.city))
