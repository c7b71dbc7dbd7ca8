"""Tricky Tribes: hidden information (TT-28)."""

from parlour.cards import bit
from parlour.engine.arrays import Stream
from parlour.engine.compiled import rule
from parlour.engine.rules import UNSEEN
from parlour.engine.typed_state import IntVector
from parlour.games.tricky_tribes.rules import DARK, KEEP, TRICKS
from parlour.games.tricky_tribes.typed_state import State


@rule
def turn_in_trick(state: State, tribe: int) -> int:
    """Return a tribe's turn in the current trick, from 0."""
    place_in_ring = 0
    while state.ring[place_in_ring] != tribe:
        place_in_ring += 1
    turn = place_in_ring - state.leader
    return turn if turn >= 0 else turn + state.tribes


@rule
def has_laid(state: State, tribe: int) -> bool:
    """Return whether the tribe has a card in the current trick."""
    return state.stage == TRICKS and turn_in_trick(state, tribe) < state.played


@rule
def has_covered(state: State, tribe: int) -> bool:
    """TT-28: return whether the tribe has a face-down card in the current trick."""
    return has_laid(state, tribe) and turn_in_trick(state, tribe) >= state.is_open


@rule
def hand_size(state: State, player: int) -> int:
    """TT-2, TT-4, TT-6: return the size of a hand, computed from public facts."""
    size = state.dealt - state.tricks
    if has_laid(state, player):
        size -= 1
    if state.extra > 0 and (player - state.dealer - 1) % state.seats < state.extra and not state.gone >> player & 1:
        size += 1
    return size


@rule
def hidden_slots(state: State, seat: int, sizes: IntVector, allowed: IntVector) -> int:
    """TT-28: describe the hidden slots: each player's face-down, put-away and hand cards together, then the deck.

    The dummy's face-down card belongs to the deck's slot. Every card is allowed everywhere, since any card may be
    played or put away.
    """
    if state.round_number < 0:
        return 0
    for player in range(state.seats):
        sizes[player] = 0
        allowed[player] = state.in_use
        if player != seat:
            sizes[player] = hand_size(state, player) + (state.gone >> player & 1)
            if has_covered(state, player):
                sizes[player] += 1
    sizes[state.seats] = state.deck_size - state.drawn
    allowed[state.seats] = state.in_use
    if state.dummy and has_covered(state, state.seats):
        sizes[state.seats] += 1
    return state.seats + 1


@rule
def assign(state: State, seat: int, index: int, cards: IntVector, number: int) -> None:
    """Put cards into one hidden slot, numbered as in :func:`hidden_slots`."""
    if index == seat:
        return
    used = 0
    if (index < state.seats or state.dummy) and has_covered(state, index):
        state.trick[turn_in_trick(state, index)] = cards[0] if number > 0 else UNSEEN
        used = 1
    if index == state.seats:
        for which in range(state.deck_size - state.drawn):
            state.deck[state.drawn + which] = cards[used + which] if number > 0 else UNSEEN
        return
    state.away[index] = 0
    state.hand[index] = 0
    if number > 0 and state.gone >> index & 1:
        state.away[index] = bit(cards[used])
        used += 1
    for which in range(used, number):
        state.hand[index] |= bit(cards[which])


@rule
def sample_rest(state: State, seat: int, random: Stream) -> None:
    """TT-28: update what each player knows: their own cards, also those played in this round."""
    for player in range(state.seats):
        if player != seat and state.round_number >= 0:
            state.private[player] |= state.hand[player] | state.away[player]
            if has_laid(state, player):
                state.private[player] |= bit(state.trick[turn_in_trick(state, player)])
    for trick in range(state.tricks):
        for index in range(state.tribes):
            tribe = state.ring[(state.leaders[trick] + index) % state.tribes]
            if tribe != seat and tribe < state.seats:
                state.private[tribe] |= bit(state.course[trick * state.tribes + index])


@rule
def hides(state: State, action: int, viewer: int) -> int:
    """TT-3, TT-6, TT-28: return the cards of an action that others may not see: all but an open offer."""
    if action == KEEP or (state.stage == TRICKS and state.played == 0 and action < DARK):
        return 0
    return bit(action if action < DARK else action - DARK)


def tells_nothing(before: State, after: State, text: str) -> bool:
    """TT-3, TT-4, TT-6, TT-28: return whether an action reveals nothing.

    This holds for a hand kept, a card put away by ``discard``, and a card laid face down.
    """
    return text in ("keep", "discard ??", "dark ??", "??")
