"""Castle Walls: the legal actions (CW-1, CW-7 to CW-17, CW-19, CW-22, CW-23)."""

from parlour.cards import FULL_DECK, JOKERS, lowest
from parlour.engine.compiled import rule
from parlour.engine.typed_state import IntVector
from parlour.games.castle_walls.options import MOST_SLOTS
from parlour.games.castle_walls.state import (
    ATTACK,
    DESTROY,
    DISCARD,
    DISCARDS,
    DOWN,
    FINISH,
    FLIP,
    JOKER,
    LIFE,
    MAIN,
    STRAIGHT,
    STRAIGHT_OF,
    TARGET,
    TRAP,
    UP,
    power_of,
    rank_set,
    ranks_in,
)
from parlour.games.castle_walls.typed_state import State


@rule
def code(kind: int, what: int, slot: int) -> int:
    """Return an encoded action: its kind, a card, rank or second slot, and a slot."""
    return kind << 9 | what << 3 | slot


@rule
def legal(state: State, actions: IntVector) -> int:
    """Write the legal actions and return their number."""
    stage = state.stage
    hand = state.hand[state.turn]
    if stage == STRAIGHT:
        return list_each(actions, 0, DISCARD, hand & rank_set(state.straight_next))  # CW-22
    if stage == DISCARDS:
        return list_each(actions, 0, DISCARD, hand)  # CW-13
    if stage == TARGET:
        return list_targets(state, actions)
    if stage == TRAP:
        return list_victims(state, actions)
    actions[0] = code(FINISH, 0, 0)  # CW-12
    number = 1
    if stage == MAIN:  # CW-10: not after the first attack
        number = list_main_phase(state, actions, number)
    return list_attacks(state, actions, number)


@rule
def list_each(actions: IntVector, number: int, kind: int, what: int) -> int:
    """Append an action of a kind for each card, or rank, of a set; return the new number of actions."""
    while what != 0:
        actions[number] = code(kind, lowest(what), 0)
        number += 1
        what &= what - 1
    return number


# Main phase


@rule
def list_main_phase(state: State, actions: IntVector, number: int) -> int:
    """CW-7: append the actions of the main phase other than attacks; return the new number of actions."""
    for slot in range(state.slots):
        number = list_slot(state, actions, number, slot)
    if may_play_joker(state):
        actions[number] = code(JOKER, 0, 0)
        number += 1
    if has_field(state, 1 - state.turn):  # CW-22: a straight needs a card to destroy
        number = list_each(actions, number, STRAIGHT_OF, straights_in(state, state.hand[state.turn]))
    return number


@rule
def list_slot(state: State, actions: IntVector, number: int, slot: int) -> int:
    """CW-7 to CW-9: append the flip of a slot's card and the placings into a slot; return the new number of actions."""
    player = state.turn
    if state.up[player, slot] != 0:
        return number  # CW-4: the slot has no space, and its face-down card is covered
    empty = state.down[player, slot] == 0
    if not empty and not is_fresh(state, player, slot):
        actions[number] = code(FLIP, 0, slot)  # CW-9
        number += 1
    if not may_put(state):
        return number  # CW-7
    cards = state.hand[player] & FULL_DECK  # CW-8: never a joker
    while cards != 0:
        actions[number] = code(UP, lowest(cards), slot)
        number += 1
        if empty:
            actions[number] = code(DOWN, lowest(cards), slot)  # CW-8
            number += 1
        cards &= cards - 1
    return number


@rule
def may_put(state: State) -> bool:
    """CW-7: return whether one more card may be put onto the field this turn."""
    return state.placed >> (state.placings - 1) == 0


@rule
def is_fresh(state: State, player: int, slot: int) -> bool:
    """CW-9: return whether the face-down card of a slot was put down this turn."""
    return state.laid[player, slot] > (state.turns - 1) * state.placings


@rule
def may_play_joker(state: State) -> bool:
    """CW-23: return whether the player holds a joker and has lost more life cards than the other player."""
    player = state.turn
    return state.hand[player] & JOKERS != 0 and state.left[player] < state.left[1 - player]


@rule
def straights_in(state: State, hand: int) -> int:
    """CW-22: return the lowest ranks, as a set, of the straights in a hand."""
    ranks = ranks_in(hand)
    found = ranks
    for step in range(1, state.straight_cards):
        found &= ranks >> step
    return found


@rule
def has_field(state: State, player: int) -> bool:
    """CW-4: return whether a player's field holds any card."""
    field = 0
    for slot in range(MOST_SLOTS):
        field |= state.up[player, slot] | state.down[player, slot]
    return field != 0


# Attacks


@rule
def list_attacks(state: State, actions: IntVector, number: int) -> int:
    """CW-10, CW-11, CW-14: append the attacks and return the new number of actions."""
    if state.turns <= state.quiet_turns:
        return number  # CW-11
    way_open = not has_field(state, 1 - state.turn)
    for slot in range(state.slots):
        if not may_attack(state, slot):
            continue
        if way_open:
            actions[number] = code(ATTACK, LIFE, slot)  # CW-14
            number += 1
            continue
        for target in range(state.slots):
            if may_be_attacked(state, slot, target):
                actions[number] = code(ATTACK, target, slot)
                number += 1
    return number


@rule
def may_attack(state: State, slot: int) -> bool:
    """CW-10: return whether a slot holds a face-up card that has not attacked this turn."""
    return state.up[state.turn, slot] != 0 and state.attacked >> slot & 1 == 0


@rule
def may_be_attacked(state: State, slot: int, target: int) -> bool:
    """CW-15 to CW-17: return whether the face-up card of a slot may attack the top card of a slot across."""
    player, other = state.turn, 1 - state.turn
    if state.up[other, target] != 0:
        return power_of(state.up[other, target]) <= power_of(state.up[player, slot])  # CW-16
    return state.down[other, target] != 0  # CW-17


# After a straight, and after a black trap


@rule
def list_targets(state: State, actions: IntVector) -> int:
    """CW-22: write the choices for a straight, the uncovered cards of the other field; return their number."""
    other = 1 - state.turn
    number = 0
    for slot in range(state.slots):
        if state.up[other, slot] != 0:
            actions[number] = code(DESTROY, 1, slot)
            number += 1
        elif state.down[other, slot] != 0:
            actions[number] = code(DESTROY, 0, slot)
            number += 1
    return number


@rule
def list_victims(state: State, actions: IntVector) -> int:
    """CW-19: write the choices for a black trap, every card except the attacker; return their number."""
    player = state.turn
    number = 0
    for slot in range(state.slots):
        if state.up[player, slot] != 0 and slot != state.attacker:
            actions[number] = code(DESTROY, 1, slot)
            number += 1
        if state.down[player, slot] != 0:
            actions[number] = code(DESTROY, 0, slot)
            number += 1
    return number
