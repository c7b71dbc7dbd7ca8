"""Castle Walls: faster equivalents of the list of legal actions and of the heuristic. The game works without them.

Random games and playouts draw an action without listing all: they count the placings, and compute the attacks as a set.
"""

from parlour.cards import BLACK, FULL_DECK, JOKERS, count, lowest, rank_of
from parlour.engine.arrays import Stream
from parlour.engine.chance import card_at, pass_over, random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import CERTAIN, any_of_legal, best_by_value, best_of_legal
from parlour.engine.tie_breaking import LEAST, with_luck
from parlour.engine.typed_state import IntVector
from parlour.games.castle_walls.heuristic import (
    STRONG,
    field_size,
    is_way_open,
    value_of_attack,
    value_of_down,
    value_of_flip,
    value_of_rank_up,
)
from parlour.games.castle_walls.legal import (
    code,
    has_field,
    is_fresh,
    may_attack,
    may_be_attacked,
    may_put,
    straights_in,
)
from parlour.games.castle_walls.state import (
    ATTACK,
    BACK,
    BATTLE,
    DOWN,
    FINISH,
    FLIP,
    JOKER,
    LIFE,
    MAIN,
    ONE_OF_EACH,
    STRAIGHT_OF,
    UP,
    USUAL_SLOTS,
    ranks_in,
    up_to_rank,
)
from parlour.games.castle_walls.typed_state import State

WEAK = up_to_rank(STRONG - 1)
USUAL_STRAIGHT = 4
NONE = -1
"""Result of a search without a candidate: every listed action must be valued."""

# A random action


@rule
def random_action(state: State, actions: IntVector, random: Stream) -> int:
    """Draw a legal action uniformly; in the main and battle phases by counting each kind, in the list's order."""
    if state.stage != MAIN and state.stage != BATTLE:
        return any_of_legal(state, actions, random)
    others = joker = lows = cards = 0
    if state.stage == MAIN:
        cards = state.hand[state.turn] & FULL_DECK if may_put(state) else 0
        others = all_placings(state, cards)
        joker, lows = jokers(state), straights(state)
    found = attacks(state)
    which = random_below(random, 1 + others + joker + count(lows) + count(found))
    if which == 0:
        return code(FINISH, 0, 0)
    which -= 1
    if which < others:
        return placing_at(state, cards, which)
    which -= others + joker + count(lows)
    if which >= 0:
        return attack_at(state, card_at(found, which))
    which += count(lows)
    return code(STRAIGHT_OF, card_at(lows, which), 0) if which >= 0 else code(JOKER, 0, 0)


@rule
def is_free(state: State, slot: int) -> bool:
    """CW-8: return whether a slot of the player in turn holds no face-up card."""
    return state.up[state.turn, slot] == 0


@rule
def space_below(state: State, slot: int) -> int:
    """CW-8: return 1 if a slot of the player in turn has space for a face-down card, else 0."""
    return 1 if state.down[state.turn, slot] == 0 else 0


@rule
def flips(state: State, slot: int) -> int:
    """CW-9: return 1 if the face-down card in a slot may be turned up, else 0."""
    return 1 - space_below(state, slot) if is_free(state, slot) & (not is_fresh(state, state.turn, slot)) else 0


@rule
def placings(state: State, cards: int, slot: int) -> int:
    """CW-7 to CW-9: return the number of flips and placings for a slot, given the cards that may be placed."""
    return flips(state, slot) + (count(cards) * (1 + space_below(state, slot)) if is_free(state, slot) else 0)


@rule
def all_placings(state: State, cards: int) -> int:
    """CW-7 to CW-9: return the number of flips and placings for all slots."""
    number = 0
    if state.slots == USUAL_SLOTS:
        for slot in range(USUAL_SLOTS):
            number += placings(state, cards, slot)
    else:
        for slot in range(state.slots):
            number += placings(state, cards, slot)
    return number


@rule
def placing_at(state: State, cards: int, which: int) -> int:
    """Return the placing at an index: for each slot the flip, then for each card UP, and DOWN if there is space."""
    slot = before = total = 0
    for near in range(USUAL_SLOTS):  # slots beyond the last change nothing: ``which < total`` by then
        total += placings(state, cards, near)
        slot += 1 if which >= total else 0
        before = total if which >= total else before
    while which >= total:
        before = total
        total += placings(state, cards, slot)
        slot += 1 if which >= total else 0
    which -= before
    if which < flips(state, slot):
        return code(FLIP, 0, slot)
    which -= flips(state, slot)
    below = space_below(state, slot)
    return code(DOWN if which & below != 0 else UP, card_at(cards, which >> below), slot)


@rule
def jokers(state: State) -> int:
    """CW-23: return 1 if a joker may be played, else 0; computed without a branch."""
    player = state.turn
    return 1 if (state.hand[player] & JOKERS != 0) & (state.left[player] < state.left[1 - player]) else 0


@rule
def straights(state: State) -> int:
    """CW-22: return the lowest ranks, as a set, of the playable straights."""
    if not has_field(state, 1 - state.turn):
        return 0
    if state.straight_cards != USUAL_STRAIGHT:
        return straights_in(state, state.hand[state.turn])
    ranks = ranks_in(state.hand[state.turn])
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3


@rule
def attacks(state: State) -> int:
    """CW-1, CW-10, CW-14 to CW-17: return a bit per attack, ``8 * slot + target``; none in the first turns (CW-11).

    Where the other field is empty, target 0 stands for the life pile (CW-14).
    """
    if state.turns <= state.quiet_turns:
        return 0
    other = 1 - state.turn
    first = to_be_attacked(state, other, 0) if has_field(state, other) else BACK
    second = to_be_attacked(state, other, 1)
    third = to_be_attacked(state, other, 2)
    found = 0
    for slot in range(USUAL_SLOTS):
        if may_attack(state, slot):
            beaten = beaten_by(state.up[state.turn, slot])
            targets = (beaten & first != 0) | (beaten & second != 0) << 1 | (beaten & third != 0) << 2
            found |= targets << 8 * slot
    return found if state.slots <= USUAL_SLOTS else found | attacks_of_more_slots(state)


@rule
def attacks_of_more_slots(state: State) -> int:
    """CW-10, CW-14 to CW-17: return the bits of ``attacks`` with a slot or a target beyond ``USUAL_SLOTS``."""
    found = 0
    way_open = not has_field(state, 1 - state.turn)
    for slot in range(state.slots):
        if may_attack(state, slot):
            for target in range(0 if slot >= USUAL_SLOTS else USUAL_SLOTS, state.slots):
                if may_be_attacked(state, slot, target) or (way_open and target == 0):
                    found |= 1 << 8 * slot + target
    return found


@rule
def to_be_attacked(state: State, player: int, slot: int) -> int:
    """CW-16, CW-17: return the uncovered card of a slot, ``BACK`` for a face-down one; 0 if there is none."""
    top = state.up[player, slot]
    return top if top != 0 else (BACK if state.down[player, slot] != 0 else 0)


@rule
def beaten_by(card: int) -> int:
    """CW-16, CW-17: return the cards that a card may attack: ranks up to its own, and ``BACK``."""
    return ((ranks_in(card) << 1) - 1) * ONE_OF_EACH | BACK


@rule
def attack_at(state: State, index: int) -> int:
    """Return the attack for a bit of ``attacks``."""
    return code(ATTACK, index & 7 if has_field(state, 1 - state.turn) else LIFE, index >> 3)


# The best action


@rule
def heuristic_choice(state: State, actions: IntVector, number: int, random: Stream) -> int:
    """Return the index of the best action; the best one before the attacks is found without valuing each action."""
    chosen = NONE
    if state.stage == MAIN:
        kind, cards, slots = best_before_attacks(state)
        chosen = luckiest_of(actions, number, kind, cards, slots, random)
    if chosen == NONE:
        return best_by_value(state, actions, number, random)
    pass_over(random, number)
    return chosen


@rule
def luckiest_of(actions: IntVector, number: int, kind: int, cards: int, slots: int, random: Stream) -> int:
    """Return the index of a random listed action of this kind, with these cards and slots; ``NONE`` without one."""
    chosen = NONE
    best = LEAST
    for index in range(number):
        action = actions[index]
        if action >> 9 == kind and cards >> (action >> 3 & 63) & slots >> (action & 7) & 1 != 0:
            value = with_luck(0, best, random, index)
            if value > best:
                best = value
                chosen = index
    return chosen


@rule
def heuristic_action(state: State, actions: IntVector, careless: int, random: Stream) -> int:
    """Return the best action; in the main and battle phases only attacks are valued one by one."""
    if state.stage != MAIN and state.stage != BATTLE:
        return best_of_legal(state, actions, careless, random)
    if random_below(random, CERTAIN) < careless:
        return random_action(state, actions, random)
    if state.stage == MAIN:
        kind, cards, slots = best_before_attacks(state)
        if kind != NONE:
            card = card_at(cards, random_below(random, count(cards)))
            return code(kind, card, card_at(slots, random_below(random, count(slots))))
    return best_attack(state, random)


@rule
def best_attack(state: State, random: Stream) -> int:
    """Return the best of all attacks and the end of the turn, which has value 0."""
    found = attacks(state)
    if found == 0:
        return code(FINISH, 0, 0)
    if not has_field(state, 1 - state.turn):
        return attack_at(state, card_at(found, random_below(random, count(found))))
    chosen = code(FINISH, 0, 0)
    best = with_luck(0, LEAST, random, 0)
    while found != 0:
        index = lowest(found)
        found &= found - 1
        action = attack_at(state, index)
        drawn = 1 + (index >> 3) * state.slots + (index & 7)
        value = with_luck(value_of_attack(state, index >> 3, index & 7), best, random, drawn)
        if value > best:
            best = value
            chosen = action
    pass_over(random, 1 + state.slots * state.slots)
    return chosen


@rule
def best_before_attacks(state: State) -> tuple[int, int, int]:
    """Return the best actions before the attacks: their kind, cards and slots; ``NONE`` if only attacks are left."""
    player = state.actor
    hand = state.hand[player]
    size = field_size(state, 1 - player)
    if size > 1 and jokers(state) != 0:
        return JOKER, 1, 1
    if size == 1 and straights_in(state, hand) != 0:
        return STRAIGHT_OF, straights_in(state, hand), 1
    way_open = is_way_open(state)
    empty = covered = worth_flipping = 0
    for slot in range(state.slots):
        if is_free(state, slot):
            empty |= space_below(state, slot) << slot
            covered |= 1 - space_below(state, slot) << slot
            worth_flipping |= (1 << slot) * flips(state, slot) if value_of_flip(state, slot, way_open) > 0 else 0
    cards = hand & FULL_DECK if may_put(state) else 0
    if empty | covered != 0 and cards != 0:
        return (
            best_in_open_way(cards, empty, covered, worth_flipping)
            if way_open
            else best_in_closed_way(cards, empty, covered)
        )
    return (FLIP, 1, worth_flipping) if worth_flipping != 0 else (NONE, 0, 0)


@rule
def best_in_open_way(hand: int, empty: int, covered: int, flippable: int) -> tuple[int, int, int]:
    """Return the best action when any card can take a life card.

    It puts up a strong card of the lowest rank, or else flips a card, or else puts up a weak card of the lowest rank.
    """
    slots = empty if empty != 0 else covered
    if hand & ~WEAK != 0:
        return UP, of_lowest_rank(hand & ~WEAK), slots
    if flippable != 0:
        return FLIP, 1, flippable
    return UP, of_lowest_rank(hand), slots


@rule
def best_in_closed_way(hand: int, empty: int, covered: int) -> tuple[int, int, int]:
    """Return the best placing when no card can take a life card: the highest card up, or a low one down."""
    high = of_highest_rank(hand)
    if empty == 0 or hand & WEAK == 0:
        return UP, high, empty if empty != 0 else covered
    red, black = of_lowest_rank(hand & WEAK & ~BLACK), of_lowest_rank(hand & WEAK & BLACK)
    red_value = value_of_down(lowest(red)) if red != 0 else 0
    black_value = value_of_down(lowest(black)) if black != 0 else 0
    if high & ~WEAK != 0 and value_of_rank_up(rank_of(lowest(high))) > max(red_value, black_value):
        return UP, high, empty
    return DOWN, red if red_value > black_value else black, empty


@rule
def of_lowest_rank(cards: int) -> int:
    """Return the cards of the lowest rank in a set without jokers; the empty set for an empty set."""
    ranks = ranks_in(cards)
    return cards & (ranks & -ranks) * ONE_OF_EACH


@rule
def of_highest_rank(cards: int) -> int:
    """Return the cards of the highest rank in a set without jokers."""
    below = ranks_in(cards)
    below |= below >> 1
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    return cards & (below - (below >> 1)) * ONE_OF_EACH
