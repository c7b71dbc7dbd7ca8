"""Castle Walls: the memory of a player's hidden cards (CW-24).

The state stores it for two observers, called *eyes*: the rival and the public. A card seen once is either ``shown``,
with a certain position, or ``maybe``, in the hand or face down. For the latter, ``could`` lists per slot the cards that
it may hold, and ``room`` limits the never-seen cards in the slots filled up to it, since the hand that filled them held
no more of them. The public has one more uncertainty: when a joker takes a face-down card unseen, the once-seen cards
that may be it are ``adrift``, with one player or the other.
"""

from typing import Any

from parlour.cards import FULL_DECK, count
from parlour.engine.compiled import rule
from parlour.games.castle_walls.state import ANY_ROOM, PUBLIC, RIVAL, SLOTS


@rule
def note_known(state: Any) -> None:
    """CW-6, CW-24, CW-26: update the sets of cards known to everyone and to each seat."""
    if state.result_only:
        return
    state.public = state.open_cards | state.shown[PUBLIC, 0] | state.shown[PUBLIC, 1]
    for player in range(2):
        down = state.down[player, 0] | state.down[player, 1] | state.down[player, 2]
        state.private[player] = state.hand[player] | down | state.shown[RIVAL, 1 - player]


@rule
def never_seen(state: Any, eyes: int, player: int) -> int:
    """Return the number of a player's hidden cards that an observer has never seen; an upper bound if uncertain."""
    if eyes == PUBLIC and state.adrift != 0:
        return ANY_ROOM
    number = state.held[player] - count(state.shown[eyes, player]) - count(state.maybe[eyes, player])
    for slot in range(SLOTS):
        if state.down[player, slot] != 0:
            number += 1
    return number


@rule
def leave_hand(state: Any, player: int, card: int) -> None:
    """Remove a card from a hand in public."""
    state.hand[player] &= ~card
    state.held[player] -= 1
    if state.result_only:
        return
    for eyes in range(2):
        if not struck(state, eyes, player, card) and state.maybe[eyes, player] != 0:
            unseen = never_seen(state, eyes, player)
            for slot in range(SLOTS):
                state.room[eyes, player, slot] = min(state.room[eyes, player, slot], unseen)
        settle(state, eyes, player)


@rule
def struck(state: Any, eyes: int, player: int, card: int) -> bool:
    """Forget a revealed card wherever it was remembered, and return whether it had been seen before."""
    if state.shown[eyes, player] & card != 0:
        state.shown[eyes, player] &= ~card
        return True
    if state.maybe[eyes, player] & card != 0:
        state.maybe[eyes, player] &= ~card
        for slot in range(SLOTS):
            state.could[eyes, player, slot] &= ~card
        return True
    if eyes == PUBLIC and state.adrift & card != 0:
        state.adrift &= ~card
        for slot in range(SLOTS):
            state.could[PUBLIC, 0, slot] &= ~card
            state.could[PUBLIC, 1, slot] &= ~card
        return True
    return False


@rule
def seen_in_slot(state: Any, eyes: int, player: int, slot: int, card: int) -> None:
    """Record that an observer sees which card lay face down in a slot; the card has left the slot already."""
    if state.result_only:
        return
    if not struck(state, eyes, player, card):
        never_seen_in_slot(state, eyes, player, slot)
    state.could[eyes, player, slot] = 0
    settle(state, eyes, player)


@rule
def never_seen_in_slot(state: Any, eyes: int, player: int, slot: int) -> None:
    """Record that a slot held a never-seen card, which the slots filled before or since cannot have held."""
    room = state.room[eyes, player, slot] - 1
    for near in range(SLOTS):
        if state.laid[player, near] > state.laid[player, slot]:
            state.room[eyes, player, near] -= 1
        else:
            state.room[eyes, player, near] = min(state.room[eyes, player, near], room)


@rule
def put_down(state: Any, player: int, card: int, slot: int) -> None:
    """CW-8, CW-24: put a card face down; to others it may be any card of the hand but a joker."""
    state.laid[player, slot] = state.turns
    state.down[player, slot] = card
    hand = state.hand[player]
    state.hand[player] &= ~card
    state.held[player] -= 1
    if state.result_only:
        return
    for eyes in range(2):
        cards = (state.shown[eyes, player] & hand | state.maybe[eyes, player]) & FULL_DECK
        state.shown[eyes, player] &= ~cards
        state.maybe[eyes, player] |= cards
        state.could[eyes, player, slot] = cards | (state.adrift & FULL_DECK if eyes == PUBLIC else 0)
        state.room[eyes, player, slot] = never_seen(state, eyes, player)
        settle(state, eyes, player)


@rule
def taken_unseen(state: Any, taker: int, slot: int, card: int) -> None:
    """CW-24: record that a joker took a face-down card unseen: for the public, any card that the slot could hold."""
    if state.result_only:
        return
    other = 1 - taker
    if state.shown[PUBLIC, other] & card != 0:
        state.shown[PUBLIC, other] &= ~card
        state.shown[PUBLIC, taker] |= card
    elif state.could[PUBLIC, other, slot] == 0:
        never_seen_in_slot(state, PUBLIC, other, slot)
    else:
        state.adrift |= state.could[PUBLIC, other, slot]
        state.maybe[PUBLIC, other] &= ~state.adrift
        for near in range(SLOTS):
            state.room[PUBLIC, 0, near] = ANY_ROOM
            state.room[PUBLIC, 1, near] = ANY_ROOM
    state.could[PUBLIC, other, slot] = 0
    settle(state, PUBLIC, other)


@rule
def settle(state: Any, eyes: int, player: int) -> None:
    """CW-24: find the once-seen cards whose position has become certain again.

    A card that fits no slot is in the hand. If the slots filled early must hold as many once-seen cards as could be
    there, all of these are there, and one that fits only the last of these slots lies in it.
    """
    if state.maybe[eyes, player] == 0:
        return
    again = True
    while again:
        again = False
        before = 0
        needed = 0
        passed = 0
        turn = 0
        slot = next_slot(state, eyes, player, turn)
        while slot < SLOTS:
            turn = state.laid[player, slot]
            passed += 1
            needed = max(needed, passed - state.room[eyes, player, slot])
            could = state.could[eyes, player, slot]
            only = could & ~before
            if only != 0 and needed == count(could):
                make_certain(state, eyes, player, only)
                again = True
                break
            before = could
            slot = next_slot(state, eyes, player, turn)
    could = state.could[eyes, player, 0] | state.could[eyes, player, 1] | state.could[eyes, player, 2]
    make_certain(state, eyes, player, state.maybe[eyes, player] & ~could)


@rule
def make_certain(state: Any, eyes: int, player: int, cards: int) -> None:
    """Record that an observer knows the position of these cards again."""
    state.maybe[eyes, player] &= ~cards
    state.shown[eyes, player] |= cards
    for slot in range(SLOTS):
        state.could[eyes, player, slot] &= ~cards


@rule
def next_slot(state: Any, eyes: int, player: int, turn: int) -> int:
    """Return the first slot filled after a turn whose face-down card the observer does not know; ``SLOTS`` if none."""
    found = SLOTS
    for slot in range(SLOTS):
        card = state.down[player, slot]
        if card != 0 and card & state.shown[eyes, player] == 0 and state.laid[player, slot] > turn:
            if found == SLOTS or state.laid[player, slot] < state.laid[player, found]:
                found = slot
    return found
