"""Castle Walls: the heuristic, which values every legal action."""

from parlour.cards import BLACK, FULL_DECK, JOKERS, bit, count, rank_of
from parlour.engine.compiled import rule
from parlour.engine.rules import CERTAIN, known_to
from parlour.games.castle_walls.legal import has_field
from parlour.games.castle_walls.options import MOST_SLOTS
from parlour.games.castle_walls.state import (
    ATTACK,
    DESTROY,
    DISCARD,
    DOWN,
    FINISH,
    FLIP,
    JOKER,
    LIFE,
    STRAIGHT,
    TRAP,
    UP,
    power_of,
    rank_set,
    up_to_rank,
)
from parlour.games.castle_walls.typed_state import State

STRONG = 6
"""The lowest rank of a card that does better face up than face down."""
WORTH_FLIPPING = FULL_DECK & ~up_to_rank(STRONG)
PROBING = 3
"""The minimum power of a card with which to attack an unknown face-down card."""


@rule
def action_value(state: State, action: int) -> int:
    """Return the value of an action: high cards up, low cards down, then attacks: certain, uncertain, on the life pile.

    Ending the turn has value 0; actions that must precede the attacks have higher values than attacks.
    """
    kind, what, slot = action >> 9, action >> 3 & 63, action & 7
    if kind == ATTACK:
        return value_of_attack(state, slot, what)
    if kind == FINISH:
        return 0
    if kind == UP:
        return value_of_up(state, what, slot)
    if kind == DOWN:
        return value_of_down(what)
    if kind == FLIP:
        return value_of_flip(state, slot, is_way_open(state))
    if kind == JOKER:
        return 900 if field_size(state, 1 - state.actor) > 1 else -1
    if kind == DISCARD:
        return value_of_discard(state, what)
    if kind == DESTROY:
        return value_of_destroying(state, slot, what)
    return 800 if field_size(state, 1 - state.actor) == 1 else -1


@rule
def field_size(state: State, player: int) -> int:
    """Return the number of cards on a player's field."""
    number = 0
    for slot in range(MOST_SLOTS):
        number += (1 if state.up[player, slot] != 0 else 0) + (1 if state.down[player, slot] != 0 else 0)
    return number


@rule
def is_way_open(state: State) -> bool:
    """CW-11, CW-14: return whether any card on the field could take a life card."""
    return state.turns > state.quiet_turns and not has_field(state, 1 - state.actor)


@rule
def value_of_up(state: State, card: int, slot: int) -> int:
    """Value a card put face up: a strong one attacks and stands; with the way open any card takes a life card."""
    rank = rank_of(card)
    value = value_of_rank_up(rank)
    if is_way_open(state):
        value += 300 - 8 * rank
    if state.down[state.actor, slot] != 0:
        value -= 40
    return value


@rule
def value_of_rank_up(rank: int) -> int:
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
def value_of_flip(state: State, slot: int, way_open: bool) -> int:
    """Value a flip: worthwhile when the way is open, or for a strong card."""
    if way_open:
        return 600
    return 200 if state.down[state.actor, slot] & WORTH_FLIPPING != 0 else -1


@rule
def value_of_attack(state: State, slot: int, target: int) -> int:
    """Value an attack: the strongest face-up card first, by the weakest attacker; no attack on a known wall."""
    if target == LIFE:
        return 150
    other = 1 - state.turn
    power = power_of(state.up[state.turn, slot])
    if state.up[other, target] != 0:
        return 120 + 2 * power_of(state.up[other, target]) - power
    card = state.down[other, target] & known_to(state, state.turn)
    if card == 0:
        return 60 - power if power >= PROBING else -1
    if power <= power_of(card):
        return -1
    return 100 - power if card & BLACK != 0 else 50 - 6 * power


@rule
def value_of_discard(state: State, card: int) -> int:
    """Value a discard: cards of middling rank are the least useful; the choices for a straight are equal."""
    if state.stage == STRAIGHT:
        return 0
    if bit(card) & JOKERS != 0:
        return -100
    rank = rank_of(card)
    same = count(state.hand[state.actor] & rank_set(rank))
    return 5 * same - (3 * rank if rank >= 5 else 3 * (8 - rank))


@rule
def value_of_destroying(state: State, slot: int, face_up: int) -> int:
    """Value a card to destroy: the strongest face-up card first; a face-down card counts as much as a seven."""
    side = state.turn if state.stage == TRAP else 1 - state.turn
    return 10 + power_of(state.up[side, slot]) if face_up else 15


@rule
def likelihood(state: State, seat: int) -> int:
    """Return a determinization's likelihood: players put low cards face down more often than high ones."""
    strong = 0
    for slot in range(state.slots):
        card = state.down[1 - seat, slot] & FULL_DECK
        if card != 0 and power_of(card) >= STRONG:
            strong += 1
    return CERTAIN >> strong
