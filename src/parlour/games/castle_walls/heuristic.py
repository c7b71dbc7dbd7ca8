"""Castle Walls: the heuristic, which values every legal action."""

from typing import Any

from parlour.cards import BLACK, FULL_DECK, JOKERS, bit, count, lowest, rank_of
from parlour.engine.chance import card_at, pass_over, random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import CERTAIN, LEAST, best_of_legal, with_luck
from parlour.games.castle_walls.legal import (
    attack_at,
    attacks,
    code,
    flips,
    has_field,
    is_free,
    jokers,
    random_action,
    room_below,
    straights_in,
    to_be_placed,
)
from parlour.games.castle_walls.state import (
    ATTACK,
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
    TRAP,
    UP,
    rank_set,
    ranks_in,
    up_to_rank,
)

STRONG = 6
"""The lowest rank of a card that does better face up than face down."""
WEAK = up_to_rank(STRONG - 1)
WORTH_FLIPPING = FULL_DECK & ~up_to_rank(STRONG)
EACH_SLOT = 0b001001001
"""Mask of target 0 for all three attackers in the bits of ``attacks``; shift it by the target."""
NONE = -1
"""Result of a search without a candidate: every listed action must be valued."""


@rule
def action_value(state: Any, action: int) -> int:
    """Return the value of an action: high cards up, low cards down, then sure attacks, unsure ones, the life pile.

    Ending the turn has value 0; actions that must precede the attacks have higher values than attacks.
    """
    return value_of(state, action, is_way_open(state))


@rule
def heuristic_choice(state: Any, actions: Any, number: int, random: Any) -> int:
    """Return the index of the best action; the best one before the attacks is found without valuing each."""
    open_way = is_way_open(state)
    chosen = NONE
    if state.stage == MAIN:
        kind, cards, slots = best_before_attacks(state, open_way)
        chosen = luckiest_of(actions, number, kind, cards, slots, random)
    if chosen == NONE:
        chosen = 0
        best = LEAST
        for index in range(number):
            value = with_luck(value_of(state, actions[index], open_way), best, random, index)
            if value > best:
                best = value
                chosen = index
    pass_over(random, number)
    return chosen


@rule
def heuristic_action(state: Any, actions: Any, careless: int, random: Any) -> int:
    """Return the best action; in the main and battle phases only attacks are valued one by one."""
    if state.stage != MAIN and state.stage != BATTLE:
        return best_of_legal(state, actions, careless, random)
    if random_below(random, CERTAIN) < careless:
        return random_action(state, actions, random)
    if state.stage == MAIN:
        kind, cards, slots = best_before_attacks(state, is_way_open(state))
        if kind != NONE:
            card = card_at(cards, random_below(random, count(cards)))
            return code(kind, card, card_at(slots, random_below(random, count(slots))))
    return best_attack(state, random)


@rule
def best_attack(state: Any, random: Any) -> int:
    """Return the best of all attacks and the end of the turn, which has value 0."""
    found = attacks(state)
    if found == 0:
        return code(FINISH, 0, 0)
    if not has_field(state, 1 - state.turn):
        return attack_at(state, card_at(found, random_below(random, count(found))))
    chosen = code(FINISH, 0, 0)
    best = with_luck(0, LEAST, random, 0)
    for target in range(SLOTS):
        if found >> target & EACH_SLOT != 0:
            most, loss, least = worth_of_target(state, target)
            for slot in range(SLOTS):
                if found >> SLOTS * slot + target & 1 != 0:
                    value = value_from(state, slot, most, loss, least)
                    value = with_luck(value, best, random, 1 + SLOTS * slot + target)
                    if value > best:
                        best = value
                        chosen = code(ATTACK, target, slot)
    pass_over(random, 1 + SLOTS * SLOTS)
    return chosen


@rule
def luckiest_of(actions: Any, number: int, kind: int, cards: int, slots: int, random: Any) -> int:
    """Return the index of a random listed action of this kind, with these cards and slots; ``NONE`` without one."""
    chosen = NONE
    best = LEAST
    for index in range(number):
        action = actions[index]
        if action >> 8 == kind and cards >> (action >> 2 & 63) & slots >> (action & 3) & 1 != 0:
            value = with_luck(0, best, random, index)
            if value > best:
                best = value
                chosen = index
    return chosen


@rule
def best_before_attacks(state: Any, open_way: bool) -> tuple[int, int, int]:
    """Return the best actions of the main phase: their kind, cards and slots; ``NONE`` when only attacks are left."""
    player = state.actor
    hand = state.hand[player]
    size = field_size(state, 1 - player)
    if size > 1 and jokers(state) != 0:
        return JOKER, 1, 1
    if size == 1 and straights_in(hand) != 0:
        return STRAIGHT_OF, straights_in(hand), 1
    empty = covered = worth_flipping = 0
    for slot in range(SLOTS):
        if is_free(state, slot):
            empty |= room_below(state, slot) << slot
            covered |= 1 - room_below(state, slot) << slot
            worth_flipping |= (1 << slot) * flips(state, slot) if value_of_flip(state, slot, open_way) > 0 else 0
    cards = to_be_placed(state)
    if empty | covered != 0 and cards != 0:
        return best_in_open_way(cards, empty, covered) if open_way else best_in_closed_way(cards, empty, covered)
    return (FLIP, 1, worth_flipping) if worth_flipping != 0 else (NONE, 0, 0)


@rule
def best_in_open_way(hand: int, empty: int, covered: int) -> tuple[int, int, int]:
    """Return the best placing when any card can take a life card: a strong card of the lowest rank, or a flip."""
    if hand & ~WEAK != 0:
        return UP, of_lowest_rank(hand & ~WEAK), empty if empty != 0 else covered
    if covered != 0:
        return FLIP, 1, covered
    return UP, of_lowest_rank(hand), empty


@rule
def best_in_closed_way(hand: int, empty: int, covered: int) -> tuple[int, int, int]:
    """Return the best placing when no card can take a life card: the highest card up, or a low one down."""
    high = of_highest_rank(hand)
    if empty == 0 or hand & WEAK == 0:
        return UP, high, empty if empty != 0 else covered
    red, black = of_lowest_rank(hand & WEAK & ~BLACK), of_lowest_rank(hand & WEAK & BLACK)
    red_worth = value_of_down(lowest(red)) if red != 0 else 0
    black_worth = value_of_down(lowest(black)) if black != 0 else 0
    if high & ~WEAK != 0 and worth_up(rank_of(lowest(high))) > max(red_worth, black_worth):
        return UP, high, empty
    return DOWN, red if red_worth > black_worth else black, empty


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


@rule
def is_way_open(state: Any) -> bool:
    """CW-11, CW-14: return whether any card on the field could take a life card."""
    return state.turns > 1 and not has_field(state, 1 - state.actor)


@rule
def value_of(state: Any, action: int, open_way: bool) -> int:
    """Return the value of an action."""
    kind, what, slot = action >> 8, action >> 2 & 63, action & 3
    if kind == ATTACK:
        return value_of_attack(state, slot, what)
    if kind == FINISH:
        return 0
    if kind == UP:
        return value_of_up(state, what, slot, open_way)
    if kind == DOWN:
        return value_of_down(what)
    if kind == FLIP:
        return value_of_flip(state, slot, open_way)
    if kind == JOKER:
        return 900 if field_size(state, 1 - state.actor) > 1 else -1
    if kind == DISCARD:
        return value_of_discard(state, what)
    if kind == DESTROY:
        return value_of_destroying(state, slot, what)
    return 800 if field_size(state, 1 - state.actor) == 1 else -1


@rule
def field_size(state: Any, player: int) -> int:
    """Return the number of cards on a player's field."""
    number = 0
    for slot in range(SLOTS):
        number += (1 if state.up[player, slot] != 0 else 0) + (1 if state.down[player, slot] != 0 else 0)
    return number


@rule
def value_of_up(state: Any, card: int, slot: int, open_way: bool) -> int:
    """Value a card put face up: a strong one attacks and stands; with the way open any card takes a life card."""
    rank = rank_of(card)
    worth = worth_up(rank)
    if open_way:
        worth += 300 - 8 * rank
    if state.down[state.actor, slot] != 0:
        worth -= 40
    return worth


@rule
def worth_up(rank: int) -> int:
    """Value a face-up card in an empty slot by its rank alone."""
    return 400 + 4 * rank if rank >= STRONG else 250 + 4 * rank


@rule
def value_of_down(card: int) -> int:
    """Value a card put face down: a low red one destroys its attacker, a low black one another card."""
    rank = rank_of(card)
    if rank >= STRONG:
        return 240 + rank
    return 430 - 8 * rank - (10 if bit(card) & BLACK != 0 else 0)


@rule
def value_of_flip(state: Any, slot: int, open_way: bool) -> int:
    """Value a flip: worthwhile when the way is open, or for a strong card."""
    if open_way:
        return 600
    return 200 if state.down[state.actor, slot] & WORTH_FLIPPING != 0 else -1


@rule
def value_of_attack(state: Any, slot: int, target: int) -> int:
    """Value an attack: on a face-up card with the weakest card that suffices, on a face-down one with the others."""
    if target == LIFE:
        return 150
    most, loss, least = worth_of_target(state, target)
    return value_from(state, slot, most, loss, least)


@rule
def value_from(state: Any, slot: int, most: int, loss: int, least: int) -> int:
    """Return the value of an attack from a slot on a target valued by :func:`worth_of_target`."""
    power = rank_of(lowest(state.up[state.turn, slot]))
    return most - loss * power if power >= least else -1


@rule
def worth_of_target(state: Any, target: int) -> tuple[int, int, int]:
    """Return an attack's largest value, its loss per rank of the attacker, and the least rank of use."""
    other = 1 - state.turn
    if state.up[other, target] != 0:
        return 120 + 2 * rank_of(lowest(state.up[other, target])), 1, 0
    card = state.down[other, target] & FULL_DECK
    if card == 0:
        return 60, 1, 3
    above = rank_of(lowest(card)) + 1
    return (100, 1, above) if card & BLACK != 0 else (50, 6, above)


@rule
def value_of_discard(state: Any, card: int) -> int:
    """Value a discard: cards of middling rank are the least useful; the choices for a straight are equal."""
    if state.stage == STRAIGHT:
        return 0
    if bit(card) & JOKERS != 0:
        return -100
    rank = rank_of(card)
    same = count(state.hand[state.actor] & rank_set(rank))
    return 5 * same - (3 * rank if rank >= 5 else 3 * (8 - rank))


@rule
def value_of_destroying(state: Any, slot: int, face_up: int) -> int:
    """Value a card to destroy: the strongest face-up card first, then a face-down one."""
    side = state.turn if state.stage == TRAP else 1 - state.turn
    return 10 + rank_of(lowest(state.up[side, slot])) if face_up else 15


@rule
def likelihood(state: Any, seat: int) -> int:
    """Return a determinization's likelihood: players rather put low cards face down than high ones."""
    strong = 0
    for slot in range(SLOTS):
        card = state.down[1 - seat, slot] & FULL_DECK
        if card != 0 and rank_of(lowest(card)) >= STRONG:
            strong += 1
    return CERTAIN >> strong
