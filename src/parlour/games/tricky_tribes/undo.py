"""Tricky Tribes: cards taken back, for searches that ask what the others' actions say about their hands.

An exchange is not taken back, since nothing shows which card of a hand was drawn in it.
"""

from parlour.cards import bit
from parlour.engine.compiled import rule
from parlour.engine.rules import NO_ACTION
from parlour.games.tricky_tribes.rules import DARK, TRICKS, is_dummy, trick_colour
from parlour.games.tricky_tribes.typed_state import State


@rule
def undo(state: State) -> int:
    """Take back the last card of a player in this round, with the trick and the hand as they were before it."""
    while state.stage == TRICKS and state.played + state.tricks > 0:
        if state.played == 0:
            reopen_trick(state)
        state.played -= 1
        player = state.ring[(state.leader + state.played) % state.tribes]
        if not is_dummy(state, player):
            return take_back(state, player)
    return NO_ACTION


@rule
def reopen_trick(state: State) -> None:
    """Put the last finished trick back on the table."""
    state.tricks -= 1
    state.leader = state.leaders[state.tricks]
    state.is_open = state.opened[state.tricks]
    for index in range(state.tribes):
        state.trick[index] = state.course[state.tricks * state.tribes + index]
    state.above = trick_colour(state.trick[0]) if state.is_open else 0
    state.played = state.tribes
    state.must_open = 0
    before = state.tricks - 1
    if before >= 0 and state.opened[before] == 0 and state.leaders[before] == state.leader:
        state.must_open = 1  # TT-15


@rule
def take_back(state: State, player: int) -> int:
    """Return the last card of the trick to the player's hand; return the action that played it."""
    card = state.trick[state.played]
    state.hand[player] |= bit(card)
    state.actor = player
    if state.played > 0:
        return card
    was_open = state.is_open
    state.is_open = 0
    state.above = 0
    return card if was_open else card + DARK
