"""Castle Walls: the memory of a player's hidden cards (CW-24).

The state stores it for two observers, called *eyes*: the rival and the public. A card seen once is either ``known``,
with a certain position, or ``possible``, in the hand or face down. For each slot, ``may_hold`` is the set of the
possible cards that it may hold, and ``capacity`` limits the number of never-seen cards in this slot and those filled
before it, since the hand that filled them held no more of them. The public has one more uncertainty: when a joker takes
a face-down card unseen, the once-seen cards that may be it are ``displaced``, with one player or the other.

The heuristic reads what a player knows. So playouts by the heuristic update the memory, and random playouts do not.
"""

from parlour.cards import FULL_DECK, count
from parlour.engine.compiled import called_rule, rule
from parlour.engine.rules import RESULT_AT_RANDOM
from parlour.games.castle_walls.options import MOST_SLOTS
from parlour.games.castle_walls.state import PUBLIC, RIVAL, UNLIMITED
from parlour.games.castle_walls.typed_state import State


@rule
def note_known(state: State) -> None:
    """CW-6, CW-24, CW-26: update the sets of cards known to everyone and to each seat."""
    if state.result_only == RESULT_AT_RANDOM:
        return
    state.public = state.open_cards | state.known[PUBLIC, 0] | state.known[PUBLIC, 1]
    for player in range(2):
        down = 0
        for slot in range(MOST_SLOTS):
            down |= state.down[player, slot]
        state.private[player] = state.hand[player] | down | state.known[RIVAL, 1 - player]


@called_rule
def never_seen(state: State, eyes: int, player: int) -> int:
    """Return the number of a player's hidden cards that an observer has never seen; an upper bound if uncertain."""
    if eyes == PUBLIC and state.displaced != 0:
        return UNLIMITED
    number = state.held[player] - count(state.known[eyes, player]) - count(state.possible[eyes, player])
    for slot in range(MOST_SLOTS):
        number += 1 if state.down[player, slot] != 0 else 0
    return number


@rule
def leave_hand(state: State, player: int, card: int) -> None:
    """Remove a card from a hand in public."""
    state.hand[player] &= ~card
    state.held[player] -= 1
    if state.result_only == RESULT_AT_RANDOM:
        return
    for eyes in range(2):
        if not forget_card(state, eyes, player, card) and state.possible[eyes, player] != 0:
            unseen = never_seen(state, eyes, player)
            for slot in range(state.slots):
                state.capacity[eyes, player, slot] = min(state.capacity[eyes, player, slot], unseen)
        settle(state, eyes, player)


@called_rule
def forget_card(state: State, eyes: int, player: int, card: int) -> bool:
    """Forget a revealed card wherever it was remembered, and return whether it had been seen before."""
    if state.known[eyes, player] & card != 0:
        state.known[eyes, player] &= ~card
        return True
    if state.possible[eyes, player] & card != 0:
        state.possible[eyes, player] &= ~card
        for slot in range(state.slots):
            state.may_hold[eyes, player, slot] &= ~card
        return True
    if eyes == PUBLIC and state.displaced & card != 0:
        state.displaced &= ~card
        for slot in range(state.slots):
            state.may_hold[PUBLIC, 0, slot] &= ~card
            state.may_hold[PUBLIC, 1, slot] &= ~card
        return True
    return False


@rule
def note_seen_in_slot(state: State, eyes: int, player: int, slot: int, card: int) -> None:
    """Record that an observer sees which card lay face down in a slot; the card has left the slot already."""
    if state.result_only == RESULT_AT_RANDOM:
        return
    if not forget_card(state, eyes, player, card):
        note_never_seen(state, eyes, player, slot)
    state.may_hold[eyes, player, slot] = 0
    settle(state, eyes, player)


@called_rule
def note_never_seen(state: State, eyes: int, player: int, slot: int) -> None:
    """Record that a slot held a never-seen card, which the slots filled before or since cannot have held."""
    capacity = state.capacity[eyes, player, slot] - 1
    for near in range(state.slots):
        if state.laid[player, near] > state.laid[player, slot]:
            state.capacity[eyes, player, near] -= 1
        else:
            state.capacity[eyes, player, near] = min(state.capacity[eyes, player, near], capacity)


@rule
def put_down(state: State, player: int, card: int, slot: int) -> None:
    """CW-8, CW-24: put a card face down; to others it may be any card of the hand but a joker."""
    state.laid[player, slot] = (state.turns - 1) * state.placings + count(state.placed)  # CW-7
    state.down[player, slot] = card
    hand = state.hand[player]
    state.hand[player] &= ~card
    state.held[player] -= 1
    if state.result_only == RESULT_AT_RANDOM:
        return
    for eyes in range(2):
        cards = (state.known[eyes, player] & hand | state.possible[eyes, player]) & FULL_DECK
        state.known[eyes, player] &= ~cards
        state.possible[eyes, player] |= cards
        state.may_hold[eyes, player, slot] = cards | (state.displaced & FULL_DECK if eyes == PUBLIC else 0)
        state.capacity[eyes, player, slot] = never_seen(state, eyes, player)
        settle(state, eyes, player)


@rule
def note_taken_unseen(state: State, taker: int, slot: int, card: int) -> None:
    """CW-24: record that a joker took a face-down card unseen: for the public, any card that the slot could hold."""
    if state.result_only == RESULT_AT_RANDOM:
        return
    other = 1 - taker
    if state.known[PUBLIC, other] & card != 0:
        state.known[PUBLIC, other] &= ~card
        state.known[PUBLIC, taker] |= card
    elif state.may_hold[PUBLIC, other, slot] == 0:
        note_never_seen(state, PUBLIC, other, slot)
    else:
        state.displaced |= state.may_hold[PUBLIC, other, slot]
        state.possible[PUBLIC, other] &= ~state.displaced
        for near in range(state.slots):
            state.capacity[PUBLIC, 0, near] = UNLIMITED
            state.capacity[PUBLIC, 1, near] = UNLIMITED
    state.may_hold[PUBLIC, other, slot] = 0
    settle(state, PUBLIC, other)


@called_rule
def settle(state: State, eyes: int, player: int) -> None:
    """CW-24: find the once-seen cards whose position has become certain again.

    A card that fits no slot is in the hand. If the slots filled early must hold as many once-seen cards as could be
    there, all of these are there: one that fits only the last of these slots lies in it, and none lies in a slot filled
    later.
    """
    if state.possible[eyes, player] == 0:
        return
    again = True
    while again:
        again = False
        before = 0
        needed = 0
        passed = 0
        last = 0
        slot = next_slot(state, eyes, player, last)
        while slot < state.slots:
            last = state.laid[player, slot]
            passed += 1
            needed = max(needed, passed - state.capacity[eyes, player, slot])
            only = state.may_hold[eyes, player, slot] & ~before
            before |= only
            if needed == count(before):
                make_certain(state, eyes, player, only)
                if only != 0 or clear_later_slots(state, eyes, player, last, before):
                    again = True
                    break
            slot = next_slot(state, eyes, player, last)
    make_certain(state, eyes, player, state.possible[eyes, player] & ~in_any_slot(state, eyes, player))


@rule
def clear_later_slots(state: State, eyes: int, player: int, last: int, cards: int) -> bool:
    """Record that the slots filled after placing number ``last`` hold none of these cards; return whether it is new."""
    new = False
    slot = next_slot(state, eyes, player, last)
    while slot < state.slots:
        if state.may_hold[eyes, player, slot] & cards != 0:
            state.may_hold[eyes, player, slot] &= ~cards
            new = True
        slot = next_slot(state, eyes, player, state.laid[player, slot])
    return new


@rule
def in_any_slot(state: State, eyes: int, player: int) -> int:
    """Return the once-seen cards that may lie face down in any slot."""
    cards = 0
    for slot in range(MOST_SLOTS):
        cards |= state.may_hold[eyes, player, slot]
    return cards


@rule
def make_certain(state: State, eyes: int, player: int, cards: int) -> None:
    """Record that an observer knows the position of these cards again."""
    state.possible[eyes, player] &= ~cards
    state.known[eyes, player] |= cards
    for slot in range(state.slots):
        state.may_hold[eyes, player, slot] &= ~cards


@rule
def next_slot(state: State, eyes: int, player: int, last: int) -> int:
    """Return the slot filled first after placing number ``last``, of the slots whose card the observer does not know.

    Returns ``state.slots`` if there is none.
    """
    found = state.slots
    for slot in range(state.slots):
        card = state.down[player, slot]
        if card != 0 and card & state.known[eyes, player] == 0 and state.laid[player, slot] > last:
            if found == state.slots or state.laid[player, slot] < state.laid[player, found]:
                found = slot
    return found
