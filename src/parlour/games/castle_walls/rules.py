"""Castle Walls: the deal, the effects of actions, and the end.

(CW-1 to CW-10, CW-12 to CW-14, CW-16 to CW-23, CW-25, CW-27)
"""

from parlour.cards import BLACK, FULL_DECK, JOKERS, bit, lowest
from parlour.engine.compiled import called_rule, rule
from parlour.engine.game import Options, take_options
from parlour.engine.rules import NOBODY, OVER, UNSEEN
from parlour.engine.typed_state import IntVector
from parlour.games.castle_walls.memory import leave_hand, note_known, note_seen_in_slot, note_taken_unseen, put_down
from parlour.games.castle_walls.state import (
    ATTACK,
    BATTLE,
    DEAL,
    DESTROY,
    DISCARD,
    DISCARDS,
    DOWN,
    END,
    FINISH,
    FIRST,
    FLIP,
    JOKER,
    LIFE,
    MAIN,
    PUBLIC,
    RING,
    RIVAL,
    STRAIGHT,
    TARGET,
    TRAP,
    UP,
    power_of,
)
from parlour.games.castle_walls.typed_state import State


def setup(state: State, players: int, options: Options) -> None:
    """Copy the options and prepare an empty table."""
    take_options(state, players, options)
    state.stage = DEAL
    state.covered_now = NOBODY
    state.line[:] = UNSEEN


@rule
def whole_deck(state: State) -> int:
    """CW-23: return all cards in use, as a set."""
    return FULL_DECK | ((1 << state.jokers) - 1) << 52


# Chance


@rule
def choices(state: State) -> int:
    """CW-3: return the number of possible first players, once the cards are dealt."""
    return 2 if state.stage == FIRST else 0


@rule
def wanted(state: State) -> int:
    """CW-2: return the cards to be dealt: the whole deck."""
    return whole_deck(state)


@rule
def deal(state: State, deck: IntVector) -> None:
    """CW-2: deal the life piles, the hands and the deck."""
    hands = 2 * state.life_cards
    rest = hands + 2 * state.hand_cards
    state.deck_left = 52 + state.jokers - rest
    for index in range(hands):
        state.life[index & 1, index >> 1] = deck[index]
    for index in range(hands, rest):
        state.hand[index & 1] |= bit(deck[index])
    for index in range(state.deck_left):
        state.line[index] = deck[rest + index]
    for player in range(2):
        state.left[player] = state.life_cards
        state.held[player] = state.hand_cards
    state.stage = FIRST
    note_known(state)


@rule
def begin_turn(state: State, player: int) -> None:
    """CW-5, CW-7: start a player's turn, which begins with a draw."""
    state.turn = player
    state.actor = player
    state.turns += 1
    state.placed = 0
    state.covered_now = NOBODY
    state.attacked = 0
    state.stage = MAIN
    for _ in range(state.draws):
        draw(state, player)


# Play


@rule
def play(state: State, action: int) -> None:
    """Apply a chance outcome or a player's action, then update the cards known to each seat."""
    if state.stage == FIRST:
        begin_turn(state, action)  # CW-3
    else:
        act(state, action >> 9, action >> 3 & 63, action & 7)
    note_known(state)


@rule
def act(state: State, kind: int, what: int, slot: int) -> None:
    """CW-7 to CW-13, CW-19, CW-22, CW-23: apply a player's action."""
    player = state.turn
    if kind == ATTACK:
        attack(state, player, slot, what)
    elif kind == FINISH:
        finish_turn(state)  # CW-12
    elif kind == UP or kind == DOWN:
        put(state, player, what, slot, kind == UP)
    elif kind == FLIP:
        turn_up(state, player, slot)  # CW-9
    elif kind == DISCARD:
        leave_hand(state, player, bit(what))
        bury(state, bit(what))
        after_discard(state)
    elif kind == DESTROY:
        destroy(state, slot, what)
    elif kind == JOKER:
        play_joker(state, player)  # CW-23
    else:
        state.straight_low = what
        state.straight_next = what + state.straight_cards - 1
        state.stage = STRAIGHT  # CW-22


@rule
def put(state: State, player: int, card: int, slot: int, face_up: bool) -> None:
    """CW-4, CW-7, CW-8: put a card from the hand onto the field."""
    state.placed = state.placed << 1 | 1  # CW-7
    if face_up:
        leave_hand(state, player, bit(card))
        state.up[player, slot] = bit(card)  # CW-8
        state.open_cards |= bit(card)
    else:
        put_down(state, player, bit(card), slot)  # CW-8
        state.covered_now = slot


@rule
def draw(state: State, player: int) -> None:
    """CW-5, CW-6: draw the top card, if there is any; an empty deck is first replaced by the graveyard."""
    if state.deck_left == 0:
        if state.grave_left == 0:
            return
        state.deck_left = state.grave_left
        state.grave_left = 0
        state.turned = 1  # CW-5
    card = bit(state.line[state.head])
    state.line[state.head] = UNSEEN
    state.head = (state.head + 1) & (RING - 1)
    state.deck_left -= 1
    state.hand[player] |= card
    state.held[player] += 1
    if state.turned:
        state.open_cards &= ~card  # CW-6
        state.known[RIVAL, player] |= card
        state.known[PUBLIC, player] |= card
    else:
        state.no_black[player] = 0


@rule
def bury(state: State, card: int) -> None:
    """Add a card to the graveyard, where everyone sees it."""
    state.line[(state.head + state.deck_left + state.grave_left) & (RING - 1)] = lowest(card)
    state.grave_left += 1
    state.open_cards |= card


@rule
def turn_up(state: State, player: int, slot: int) -> None:
    """CW-9, CW-17: turn an uncovered face-down card face up in its slot."""
    card = take_down(state, player, slot)
    state.up[player, slot] = card
    state.open_cards |= card


@rule
def take_down(state: State, player: int, slot: int) -> int:
    """Take a face-down card off the field, shown to everyone, and return it."""
    card = state.down[player, slot]
    state.down[player, slot] = 0
    note_seen_in_slot(state, RIVAL, player, slot, card)
    note_seen_in_slot(state, PUBLIC, player, slot, card)
    return card


@rule
def attack(state: State, player: int, slot: int, target: int) -> None:
    """CW-1, CW-10, CW-14, CW-16, CW-17: attack a slot or the life pile."""
    other = 1 - player
    state.stage = BATTLE
    state.attacked |= 1 << slot  # CW-10
    if target == LIFE:
        state.left[other] -= 1  # CW-14
        state.open_cards |= bit(state.life[other, state.left[other]])
        if state.left[other] == 0:
            finish_game(state)
    elif state.up[other, target] != 0:
        bury(state, state.up[other, target])  # CW-16
        state.up[other, target] = 0  # CW-21
    elif power_of(state.down[other, target]) >= power_of(state.up[player, slot]):
        turn_up(state, other, target)  # CW-17
        finish_turn(state)
    else:
        spring_trap(state, player, slot, target)


@rule
def spring_trap(state: State, player: int, slot: int, target: int) -> None:
    """CW-18 to CW-21: destroy a face-down card that was too weak, and apply its trap."""
    other = 1 - player
    card = take_down(state, other, target)
    bury(state, card)
    if card & BLACK == 0:
        bury(state, state.up[player, slot])  # CW-18
        state.up[player, slot] = 0
        return
    side = 0
    for near in range(state.slots):
        side |= state.up[player, near] | state.down[player, near]
    if side != state.up[player, slot]:
        state.attacker = slot
        state.stage = TRAP  # CW-19
        state.actor = other


@called_rule
def destroy(state: State, slot: int, face_up: int) -> None:
    """CW-19, CW-20, CW-22: destroy a card, for a trap on the side of the player in turn, else on the other."""
    player = state.turn
    side = player if state.stage == TRAP else 1 - player
    if face_up:
        bury(state, state.up[side, slot])
        state.up[side, slot] = 0  # CW-21
    else:
        bury(state, take_down(state, side, slot))
    state.stage = BATTLE if state.stage == TRAP else MAIN
    state.actor = player


@rule
def after_discard(state: State) -> None:
    """CW-13, CW-22: continue the turn after a discard."""
    if state.stage == DISCARDS:
        finish_turn(state)
    elif state.straight_next == state.straight_low:
        state.stage = TARGET
    else:
        state.straight_next -= 1


@called_rule
def play_joker(state: State, player: int) -> None:
    """CW-23: play a joker and take the other field. XB goes first, so playing XR proves that XB isn't held."""
    card = state.hand[player] & JOKERS
    card &= -card
    if card == bit(53):
        state.no_black[player] = 1
    leave_hand(state, player, card)
    bury(state, card)
    other = 1 - player
    for slot in range(state.slots):
        card = state.up[other, slot]
        if card != 0:
            state.up[other, slot] = 0
            state.open_cards &= ~card
            state.known[RIVAL, player] |= card
            state.known[PUBLIC, player] |= card
            into_hand(state, player, card)
        card = state.down[other, slot]
        if card != 0:
            state.down[other, slot] = 0
            into_hand(state, player, card)
            note_seen_in_slot(state, RIVAL, other, slot, card)
            state.known[RIVAL, player] |= card
            note_taken_unseen(state, player, slot, card)


@rule
def into_hand(state: State, player: int, card: int) -> None:
    """CW-23: add a card to a hand."""
    state.hand[player] |= card
    state.held[player] += 1


@rule
def finish_turn(state: State) -> None:
    """CW-13, CW-27: end the turn, after discards if the hand is too large."""
    if state.held[state.turn] > state.hand_limit:
        state.stage = DISCARDS  # CW-13
    elif state.turn_limit > 0 and state.turns >= state.turn_limit:
        finish_game(state)  # CW-27
    else:
        begin_turn(state, 1 - state.turn)


@rule
def finish_game(state: State) -> None:
    """CW-14, CW-27: end the game."""
    state.stage = END
    state.actor = OVER


# Scoring


@rule
def score(state: State, scores: IntVector) -> int:
    """CW-25, CW-27: write each player's remaining life cards and return the winners as a set."""
    for player in range(2):
        scores[player] = state.left[player]
    if state.left[0] == state.left[1]:
        return 3
    return 1 if state.left[0] > state.left[1] else 2
