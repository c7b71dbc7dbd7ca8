"""Castle Walls: which action stands where in the list of what is legal, told without listing all.

Before a card is put onto the field there are some dozens of actions, nearly all of them to put some card into some
slot. They begin with the end of the turn; then come those of each slot: to turn a card up, and for each card of the
hand to put it there, face up and, if nothing lies there, face down (``rules.legal_placings``).
"""

from typing import Any

from parlour.cards import FULL_DECK, bit, count, lowest, those_at
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import LEAST, any_of_legal, with_luck
from parlour.games.castle_walls.rules import code, legal_others
from parlour.games.castle_walls.state import DOWN, FINISH, FLIP, MAIN, SLOTS, UP


@rule
def may_place(state: Any) -> bool:
    """CW-7: whether no card has been put onto the field yet this turn."""
    return state.stage == MAIN and state.placed == 0


@rule
def flips(state: Any, slot: int) -> int:
    """CW-9: 1 if a card can be turned up in a slot."""
    uncovered = (state.up[state.turn, slot] == 0) & (state.down[state.turn, slot] != 0)
    return 1 if uncovered & (state.covered_now != slot) else 0


@rule
def ways_to_put(state: Any, slot: int) -> int:
    """CW-8: in how many ways each card of the hand can be put into a slot."""
    if state.up[state.turn, slot] != 0:
        return 0
    return 2 if state.down[state.turn, slot] == 0 else 1


@rule
def placings(state: Any) -> int:
    """How many actions stand in the list before the joker's, the straights' and the attacks."""
    ways = turned = 0
    for slot in range(SLOTS):
        ways += ways_to_put(state, slot)
        turned += flips(state, slot)
    return 1 + turned + ways * count(state.hand[state.turn] & FULL_DECK)


@rule
def placing_at(state: Any, place: int) -> int:
    """The action at one of these places."""
    hand = state.hand[state.turn] & FULL_DECK
    if place == 0:
        return code(FINISH, 0, 0)
    place -= 1
    slot = 0
    size = flips(state, slot) + ways_to_put(state, slot) * count(hand)
    while place >= size:
        place -= size
        slot += 1
        size = flips(state, slot) + ways_to_put(state, slot) * count(hand)
    place -= flips(state, slot)
    if place < 0:
        return code(FLIP, 0, slot)
    both = ways_to_put(state, slot) - 1
    kind = DOWN if both & place != 0 else UP
    return code(kind, lowest(those_at(hand, 1 << (place >> both))), slot)


@rule
def random_action(state: Any, actions: Any, random: Any) -> int:
    """Where a card can be put onto the field, the list of the ways to do so is not made."""
    if not may_place(state):
        return any_of_legal(state, actions, random)
    return drawn_placing(state, actions, placings(state), legal_others(state, actions, 0), random)


@rule
def drawn_placing(state: Any, actions: Any, placed: int, others: int, random: Any) -> int:
    """One of the placings or of the other actions, which are listed."""
    place = random_below(random, placed + others)
    return actions[place - placed] if place >= placed else placing_at(state, place)


@rule
def luckiest_placing(state: Any, kind: int, cards: int, slots: int, random: Any) -> int:
    """One of the equally good actions of a kind with these cards and slots: the one to which chance adds most."""
    hand = state.hand[state.turn] & FULL_DECK
    chosen = 0
    best = LEAST
    first = 1
    for slot in range(SLOTS):
        turned, ways = flips(state, slot), ways_to_put(state, slot)
        rest = cards if slots >> slot & 1 != 0 else 0
        while rest != 0:
            card = lowest(rest)
            rest &= rest - 1
            place = first
            if kind != FLIP:
                place += turned + ways * count(hand & (bit(card) - 1)) + (1 if kind == DOWN else 0)
            value = with_luck(0, best, random, place)
            if value > best:
                best = value
                chosen = code(kind, card, slot)
        first += turned + ways * count(hand)
    return chosen
