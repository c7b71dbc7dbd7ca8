"""Castle Walls: the legal actions (CW-1, CW-7 to CW-17, CW-19, CW-22, CW-23)."""

from typing import Any

from parlour.cards import FULL_DECK, JOKERS, count, lowest
from parlour.engine.chance import card_at, random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import any_of_legal
from parlour.games.castle_walls.state import (
    ATTACK,
    BACK,
    BATTLE,
    DESTROY,
    DISCARD,
    DOWN,
    FINISH,
    FLIP,
    JOKER,
    LIFE,
    MAIN,
    ONE_OF_EACH,
    SLOTS,
    STRAIGHT,
    STRAIGHT_OF,
    TARGET,
    TRAP,
    UP,
    rank_set,
    ranks_in,
)


@rule
def code(kind: int, what: int, slot: int) -> int:
    """Return an encoded action: its kind, a card, rank or second slot, and a slot."""
    return kind << 8 | what << 2 | slot


@rule
def legal(state: Any, actions: Any) -> int:
    """CW-7 to CW-13, CW-19, CW-22: write the legal actions and return their number."""
    stage = state.stage
    if stage == MAIN:
        return list_attacks(state, actions, legal_main(state, actions))
    if stage == BATTLE:
        actions[0] = code(FINISH, 0, 0)
        return list_attacks(state, actions, 1)
    if stage == TARGET:
        return legal_targets(state, actions)
    if stage == TRAP:
        return legal_victims(state, actions)
    cards = state.hand[state.turn]
    if stage == STRAIGHT:
        cards &= rank_set(state.straight_next)
    return list_each(actions, 0, DISCARD, cards)


@rule
def legal_main(state: Any, actions: Any) -> int:
    """CW-7 to CW-9, CW-12, CW-22, CW-23: write the actions of the main phase without attacks; return their number.

    Items of ``actions`` from ``number`` on are scratch: writing them is faster than an unpredictable branch.
    """
    actions[0] = code(FINISH, 0, 0)
    number = 1
    for slot in range(SLOTS):
        actions[number] = code(FLIP, 0, slot)
        number += flips(state, slot)
        below = room_below(state, slot)
        cards = to_be_placed(state) if is_free(state, slot) else 0
        while cards != 0:
            actions[number] = code(UP, lowest(cards), slot)
            actions[number + 1] = code(DOWN, lowest(cards), slot)
            number += 1 + below
            cards &= cards - 1
    actions[number] = code(JOKER, 0, 0)
    return list_each(actions, number + jokers(state), STRAIGHT_OF, straights(state))


@rule
def list_each(actions: Any, number: int, kind: int, what: int) -> int:
    """Append an action of a kind for each card, or rank, of a set; return the new number of actions."""
    while what != 0:
        actions[number] = code(kind, lowest(what), 0)
        number += 1
        what &= what - 1
    return number


@rule
def list_attacks(state: Any, actions: Any, number: int) -> int:
    """Append the attacks and return the new number of actions."""
    found = attacks(state)
    while found != 0:
        actions[number] = attack_at(state, lowest(found))
        number += 1
        found &= found - 1
    return number


@rule
def random_action(state: Any, actions: Any, random: Any) -> int:
    """Draw a legal action uniformly; in the main and battle phases by counting each kind, in the list's order."""
    if state.stage != MAIN and state.stage != BATTLE:
        return any_of_legal(state, actions, random)
    first = second = third = joker = lows = cards = 0
    if state.stage == MAIN:
        cards = to_be_placed(state)
        first, second, third = placings(state, cards, 0), placings(state, cards, 1), placings(state, cards, 2)
        joker, lows = jokers(state), straights(state)
    found = attacks(state)
    others = first + second + third
    which = random_below(random, 1 + others + joker + count(lows) + count(found))
    if which == 0:
        return code(FINISH, 0, 0)
    which -= 1
    if which < others:
        slot = (1 if which >= first else 0) + (1 if which >= first + second else 0)
        return placing_at(state, cards, slot, which - (first if slot > 0 else 0) - (second if slot > 1 else 0))
    which -= others + joker + count(lows)
    if which >= 0:
        return attack_at(state, card_at(found, which))
    which += count(lows)
    return code(STRAIGHT_OF, card_at(lows, which), 0) if which >= 0 else code(JOKER, 0, 0)


# Onto the field


@rule
def to_be_placed(state: Any) -> int:
    """CW-7: return the cards that may be put onto the field, one a turn; never a joker."""
    return state.hand[state.turn] & FULL_DECK if state.placed == 0 else 0


@rule
def is_free(state: Any, slot: int) -> bool:
    """CW-8: return whether one's slot holds no face-up card."""
    return state.up[state.turn, slot] == 0


@rule
def room_below(state: Any, slot: int) -> int:
    """CW-8: return 1 if one's slot has no face-down card, so that one may be put there, else 0."""
    return 1 if state.down[state.turn, slot] == 0 else 0


@rule
def flips(state: Any, slot: int) -> int:
    """CW-9: return 1 if the face-down card in a slot may be turned up, else 0."""
    return 1 - room_below(state, slot) if is_free(state, slot) & (state.covered_now != slot) else 0


@rule
def placings(state: Any, cards: int, slot: int) -> int:
    """CW-7 to CW-9: return the number of flips and placings for a slot, given the cards that may be placed."""
    return flips(state, slot) + (count(cards) * (1 + room_below(state, slot)) if is_free(state, slot) else 0)


@rule
def placing_at(state: Any, cards: int, slot: int, which: int) -> int:
    """Return the action at an index of a slot's list: the flip, then for each card UP, and DOWN if there is room."""
    if which < flips(state, slot):
        return code(FLIP, 0, slot)
    which -= flips(state, slot)
    below = room_below(state, slot)
    return code(DOWN if which & below != 0 else UP, card_at(cards, which >> below), slot)


# With the whole hand


@rule
def jokers(state: Any) -> int:
    """CW-23: return 1 if a joker may be played, else 0."""
    player = state.turn
    return 1 if (state.hand[player] & JOKERS != 0) & (state.left[player] < state.left[1 - player]) else 0


@rule
def straights(state: Any) -> int:
    """CW-22: return the lowest ranks, as a set, of the playable straights, which need a card to destroy."""
    return straights_in(state.hand[state.turn]) if has_field(state, 1 - state.turn) else 0


@rule
def straights_in(hand: int) -> int:
    """CW-22: return the lowest ranks, as a set, of the straights in a hand."""
    ranks = ranks_in(hand)
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3


@rule
def has_field(state: Any, player: int) -> bool:
    """CW-14: return whether a player's field holds any card."""
    field = 0
    for slot in range(SLOTS):
        field |= state.up[player, slot] | state.down[player, slot]
    return field != 0


# Attacks


@rule
def attacks(state: Any) -> int:
    """CW-1, CW-10, CW-14 to CW-17: return a bit per attack, ``SLOTS * slot + target``; none in the first turn (CW-11).

    Where the other field is empty, target 0 stands for the life pile (CW-14).
    """
    if state.turns == 1:
        return 0
    other = 1 - state.turn
    first = to_be_attacked(state, other, 0)
    second = to_be_attacked(state, other, 1)
    third = to_be_attacked(state, other, 2)
    if first | second | third == 0:
        first = BACK
    found = 0
    for slot in range(SLOTS):
        if state.up[state.turn, slot] != 0 and state.attacked >> slot & 1 == 0:
            beaten = beaten_by(state.up[state.turn, slot])
            targets = (beaten & first != 0) | (beaten & second != 0) << 1 | (beaten & third != 0) << 2
            found |= targets << SLOTS * slot
    return found


@rule
def to_be_attacked(state: Any, player: int, slot: int) -> int:
    """CW-16, CW-17: return the uncovered card of a slot, ``BACK`` for a face-down one; 0 if there is none."""
    top = state.up[player, slot]
    return top if top != 0 else (BACK if state.down[player, slot] != 0 else 0)


@rule
def beaten_by(card: int) -> int:
    """CW-16, CW-17: return the cards that a card may attack: ranks up to its own, and ``BACK``."""
    return ((ranks_in(card) << 1) - 1) * ONE_OF_EACH | BACK


@rule
def attack_at(state: Any, place: int) -> int:
    """Return the attack for a bit of ``attacks``."""
    slot = (1 if place >= SLOTS else 0) + (1 if place >= 2 * SLOTS else 0)
    target = place - SLOTS * slot if has_field(state, 1 - state.turn) else LIFE
    return code(ATTACK, target, slot)


# After a straight, and after a black trap


@rule
def legal_targets(state: Any, actions: Any) -> int:
    """CW-22: write the choices for a straight, the uncovered cards of the other field; return their number."""
    other = 1 - state.turn
    number = 0
    for slot in range(SLOTS):
        if state.up[other, slot] != 0:
            actions[number] = code(DESTROY, 1, slot)
            number += 1
        elif state.down[other, slot] != 0:
            actions[number] = code(DESTROY, 0, slot)
            number += 1
    return number


@rule
def legal_victims(state: Any, actions: Any) -> int:
    """CW-19: write the choices for a black trap, every card beside the attacker; return their number."""
    player = state.turn
    number = 0
    for slot in range(SLOTS):
        if state.up[player, slot] != 0 and slot != state.attacker:
            actions[number] = code(DESTROY, 1, slot)
            number += 1
        if state.down[player, slot] != 0:
            actions[number] = code(DESTROY, 0, slot)
            number += 1
    return number
