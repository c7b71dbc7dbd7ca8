"""Tricky Tribes: who knows what (TT-28)."""

from typing import Any

from parlour.cards import bit
from parlour.engine.compiled import rule
from parlour.engine.rules import UNSEEN
from parlour.games.tricky_tribes.rules import DARK, KEEP, TRICKS


@rule
def turn_in_trick(state: Any, tribe: int) -> int:
    """When a tribe plays to the trick under way: 0 for its first card."""
    place_in_ring = 0
    while state.ring[place_in_ring] != tribe:
        place_in_ring += 1
    turn = place_in_ring - state.leader
    return turn if turn >= 0 else turn + state.tribes


@rule
def has_laid(state: Any, tribe: int) -> bool:
    """Whether the tribe has a card in the trick under way."""
    return state.stage == TRICKS and turn_in_trick(state, tribe) < state.played


@rule
def has_covered(state: Any, tribe: int) -> bool:
    """TT-28: whether that card lies face down."""
    return has_laid(state, tribe) and turn_in_trick(state, tribe) >= state.is_omniscient


@rule
def hand_size(state: Any, player: int) -> int:
    """TT-2, TT-4, TT-6: counted by what everyone has seen."""
    size = state.dealt - state.tricks
    if has_laid(state, player):
        size -= 1
    if state.extra > 0 and (player - state.dealer - 1) % state.seats < state.extra and not state.gone >> player & 1:
        size += 1
    return size


@rule
def places(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """TT-28: for each player the face-down card in the trick, the card put away and the hand; then the deck.

    The dummy's face-down card counts as the deck's. Any card may be played and put away, so nothing rules a card out.
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
def place(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """The places as :func:`places` counts them."""
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
def remember(state: Any, seat: int, random: Any) -> None:
    """TT-28: each player knows the own cards."""
    for player in range(state.seats):
        if player != seat and state.round_number >= 0:
            state.private[player] |= state.hand[player] | state.away[player]
            if has_covered(state, player):
                state.private[player] |= bit(state.trick[turn_in_trick(state, player)])


@rule
def hides(state: Any, action: int, viewer: int) -> int:
    """TT-3, TT-6, TT-28: every card but one that is offered open."""
    if action == KEEP or (state.stage == TRICKS and state.played == 0 and action < DARK):
        return 0
    return bit(action if action < DARK else action - DARK)


def tells_nothing(before: Any, after: Any, text: str) -> bool:
    """TT-3, TT-6, TT-28: a hand kept or a card laid face down; who swaps one sees another."""
    return text in ("keep", "discard ??", "dark ??", "??")
