"""Castle Walls: hidden information and its constraints (CW-6, CW-8, CW-22, CW-24, CW-26)."""

from parlour.cards import FULL_DECK, bit, count
from parlour.engine.arrays import Stream
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import NOBODY, UNSEEN, known_to
from parlour.engine.typed_state import IntVector
from parlour.games.castle_walls.memory import note_known
from parlour.games.castle_walls.rules import whole_deck
from parlour.games.castle_walls.state import (
    BACK,
    DEAL,
    DOWN,
    LIFE,
    RING,
    RIVAL,
    STRAIGHT,
    rank_set,
)
from parlour.games.castle_walls.typed_state import State

LIVES, DECK, PLAYERS = 0, 2, 3
"""Indices of hidden slots: two life piles, the deck, other players' hands and slots, then a straight's ranks."""


@rule
def hidden_slots(state: State, seat: int, sizes: IntVector, allowed: IntVector) -> int:
    """CW-22, CW-26: describe the hidden slots, numbered from ``LIVES``, ``DECK`` and ``PLAYERS`` on."""
    if state.stage == DEAL:
        return 0
    fresh = whole_deck(state) & ~state.possible[RIVAL, 0 if seat == 1 else 1]
    for player in range(2):
        sizes[LIVES + player] = state.left[player]
        allowed[LIVES + player] = fresh
    sizes[DECK] = 0 if state.turned else state.deck_left
    allowed[DECK] = fresh
    number = PLAYERS
    for player in range(2):
        if player != seat:
            add_player(state, seat, player, fresh, sizes, allowed, number)
            number += 1 + state.slots
    if state.stage == STRAIGHT and state.turn == 1 - seat:
        number = add_straight(state, seat, sizes, allowed, number)
    return number


@rule
def add_player(
    state: State, seat: int, player: int, fresh: int, sizes: IntVector, allowed: IntVector, first: int
) -> None:
    """CW-8, CW-24: describe a player's hand and slots, from index ``first`` on."""
    known = known_to(state, seat)
    sizes[first] = state.held[player] - count(state.hand[player] & known)
    allowed[first] = fresh | state.possible[RIVAL, player]
    if state.no_black[player]:
        allowed[first] &= ~bit(52)
    for slot in range(state.slots):
        sizes[first + 1 + slot] = 1 if is_hidden(state, player, slot, known) else 0
        cards = state.may_hold[RIVAL, player, slot]
        if cards == 0 or state.capacity[RIVAL, player, slot] > 0:
            cards |= fresh & FULL_DECK
        allowed[first + 1 + slot] = cards


@rule
def is_hidden(state: State, player: int, slot: int, known: int) -> bool:
    """Return whether a slot holds a face-down card that is not among the known cards."""
    return state.down[player, slot] != 0 and state.down[player, slot] & known == 0


@rule
def add_straight(state: State, seat: int, sizes: IntVector, allowed: IntVector, number: int) -> int:
    """CW-22: add a hidden slot for each announced rank still to come: the hand must hold a card of it."""
    for rank in range(state.straight_low, state.straight_next + 1):
        if not rank_known(state, seat, rank):
            sizes[PLAYERS] -= 1
            sizes[number] = 1
            allowed[number] = allowed[PLAYERS] & rank_set(rank)
            number += 1
    return number


@rule
def rank_known(state: State, seat: int, rank: int) -> bool:
    """Return whether a card of this rank is known to be in the straight's hand."""
    return state.hand[state.turn] & known_to(state, seat) & rank_set(rank) != 0


@rule
def assign(state: State, seat: int, index: int, cards: IntVector, number: int) -> None:
    """Put cards into one hidden slot, numbered as in :func:`hidden_slots`; a straight's ranks join the hand."""
    if index < DECK:
        for which in range(state.left[index]):
            state.life[index, which] = cards[which] if which < number else UNSEEN
        return
    if index == DECK:
        if not state.turned:
            for which in range(state.deck_left):
                state.line[(state.head + which) & (RING - 1)] = cards[which] if which < number else UNSEEN
        return
    unknown = 0
    for which in range(number):
        unknown |= bit(cards[which])
    player = (index - PLAYERS) // (1 + state.slots) if seat == NOBODY else 1 - seat
    part = index - PLAYERS if seat != NOBODY else index - PLAYERS - player * (1 + state.slots)
    if player > 1 or part > state.slots:
        state.hand[state.turn] |= unknown
    elif part == 0:
        state.hand[player] = state.hand[player] & known_to(state, seat) | unknown
    elif is_hidden(state, player, part - 1, known_to(state, seat)):
        state.down[player, part - 1] = unknown if number > 0 else BACK


@rule
def is_consistent(state: State, seat: int, random: Stream) -> bool:
    """CW-22, CW-24: return whether a determinization meets the constraints across several hidden slots.

    If the hand holds *n* cards of a straight's rank, the same hand can be drawn in *n* ways; one in *n* is accepted.
    """
    if state.possible[RIVAL, 1 - seat] != 0 and not slots_fit(state, seat):
        return False
    if state.stage == STRAIGHT and state.turn != seat:
        for rank in range(state.straight_low, state.straight_next + 1):
            if not rank_known(state, seat, rank):
                ways = count(state.hand[state.turn] & rank_set(rank))
                if ways > 1 and random_below(random, ways) != 0:
                    return False
    return True


@rule
def slots_fit(state: State, seat: int) -> bool:
    """CW-24: return whether the slots filled up to any time hold no more never-seen cards than the hand had then."""
    player = 1 - seat
    known = known_to(state, seat)
    for slot in range(state.slots):
        if not is_hidden(state, player, slot, known):
            continue
        fresh = 0
        for near in range(state.slots):
            if is_hidden(state, player, near, known) and state.laid[player, near] <= state.laid[player, slot]:
                fresh += 1 if state.down[player, near] & state.possible[RIVAL, player] == 0 else 0
        if fresh > state.capacity[RIVAL, player, slot] and state.may_hold[RIVAL, player, slot] != 0:
            return False
    return True


@rule
def hide_rest(state: State, seat: int) -> None:
    """CW-24: mask the players' memory for the public; each player can infer what the other remembers."""
    if seat == NOBODY:
        for player in range(2):
            state.known[RIVAL, player] = 0
            state.possible[RIVAL, player] = 0
            for slot in range(state.slots):
                state.may_hold[RIVAL, player, slot] = 0
                state.capacity[RIVAL, player, slot] = 0


@rule
def sample_rest(state: State, seat: int, random: Stream) -> None:
    """CW-6, CW-26: update the known cards; the other player knows their own."""
    note_known(state)


@rule
def hides(state: State, action: int, viewer: int) -> int:
    """CW-26: return the cards of an action that others may not see: a card put face down."""
    return bit(action >> 3 & 63) if action >> 9 == DOWN else 0


def tells_nothing(before: State, after: State, text: str) -> bool:
    """CW-5, CW-12, CW-16, CW-26: return whether an action reveals nothing.

    This holds for a card put face down, for a face-up card attacked or destroyed, and for the end of a turn after which
    no unseen card is drawn, since a discard is due, the deck was the graveyard, or the deck is empty.
    """
    kind, *rest = text.split()
    if kind == "attack":
        slot = LIFE if rest[1] == "life" else int(rest[1]) - 1
        return slot != LIFE and bool(before.up[1 - int(before.turn), slot])
    if kind == "end":
        return bool(after.turn == before.turn or before.turned or before.deck_left == 0)
    return kind == "down" or (kind == "destroy" and text.endswith("u"))
