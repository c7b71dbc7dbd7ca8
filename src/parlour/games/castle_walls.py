"""Castle Walls: attack with cards on the field until the other player has no life cards left.

Follows the rulebook's clauses CW-1 to CW-27. Deviations: none.

Cards on the field, in hands and in what is known are sets; the deck and the graveyard stand in one ring, the deck
first, since the graveyard is turned over to become the deck (CW-5).

What others can tell about a player's hidden cards is kept twice: as the rival's *eyes* see it, and as the public's. A
card seen once is either ``shown``, certain where it is, or ``maybe``, in the hand or face down (CW-24): then ``could``
says which slots may hold it, and ``room`` how many of the slots filled up to a time may hold a card never seen before,
since the hand from which they were filled held no more of them. The same for the public, with one thing left open:
when a joker takes a face-down card unseen, once-seen cards that may be it are ``adrift``, with one player or the other.
"""

from typing import Any

import numpy as np

from parlour.cards import (
    BLACK,
    FULL_DECK,
    JOKERS,
    RANK_WORDS,
    RANKS,
    bit,
    card_name,
    card_words,
    cards_of,
    count,
    lowest,
    parse_card,
    rank_of,
)
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.game import Game, Line, Option, Options, Refusal, Zone
from parlour.engine.rules import NOBODY, OVER, UNSEEN, known_to, state_type

# Vocabulary

DEAL, FIRST, MAIN, BATTLE, STRAIGHT, TARGET, TRAP, DISCARDS, END = range(9)
"""What comes next: the stages of a game. TARGET is the destroying after a straight, TRAP that after a black trap."""
STAGES = ("deal", "first", "main", "battle", "straight", "target", "trap", "discards", "end")
UP, DOWN, FLIP, ATTACK, JOKER, STRAIGHT_OF, DISCARD, DESTROY, FINISH = range(9)
"""The kinds of actions."""
SLOTS = 3
LIFE = 3  # stands for a slot in an attack on the life pile
FULL_HAND = 6
ALL_CARDS = FULL_DECK | JOKERS
BACK = 1 << 60
"""Stands in a slot for a face-down card that the viewer may not know."""
RIVAL, PUBLIC = range(2)
"""Whose eyes: the other player's, and everyone's."""
ANY_ROOM = 9
RING = 64

# Options

OPTIONS = (
    Option(
        "turn_limit",
        range(0, 1_000_001),
        200,
        "CW-27",
        "after so many turns the player with more life cards wins; 0 for no limit",
        {0: "The game goes on until somebody has no life card left, which need never happen."},
    ),
)

# State

STATE = state_type(
    [
        ("turn_limit", np.int64),
        ("stage", np.int64),
        ("turn", np.int64),  # whose turn it is
        ("turns", np.int64),  # begun, both players' together
        ("placed", np.int64),  # whether a card of this turn's went onto the field, CW-7
        ("covered_now", np.int64),  # the slot of a card put face down this turn, CW-9; NOBODY if there is none
        ("attacked", np.int64),  # slots that have attacked this turn, a bit for each
        ("attacker", np.int64),  # the slot that attacked a black trap, CW-19
        ("straight_low", np.int64),  # the lowest rank of the straight under way
        ("straight_next", np.int64),  # the rank to be discarded next
        ("hand", np.int64, (2,)),
        ("held", np.int64, (2,)),  # how many cards a hand holds
        ("up", np.int64, (2, SLOTS)),
        ("down", np.int64, (2, SLOTS)),
        ("laid", np.int64, (2, SLOTS)),  # the turn in which the face-down card was put down
        ("life", np.int64, (2, 6)),
        ("left", np.int64, (2,)),  # of the life pile; its top is life[…, left - 1], what was taken lies behind
        ("line", np.int64, (RING,)),  # the deck from its top, then the graveyard from its first card
        ("head", np.int64),
        ("deck_left", np.int64),
        ("grave_left", np.int64),
        ("turned", np.int64),  # whether the deck was once the graveyard, CW-6
        ("open_cards", np.int64),  # seen by all where they lie: graveyard, known deck, face up, taken life cards
        ("no_black", np.int64, (2,)),  # the hand cannot hold XB: XR was played instead, and no card drawn unseen since
        ("shown", np.int64, (2, 2)),  # by eyes and player: once seen, and certain where they are
        ("maybe", np.int64, (2, 2)),  # by eyes and player: once seen, now in the hand or face down
        ("could", np.int64, (2, 2, SLOTS)),  # by eyes, player, slot: once-seen cards that it may hold
        ("room", np.int64, (2, 2, SLOTS)),  # at most so many of the slots filled until then hold a never-seen card
        ("adrift", np.int64),  # in the public's eyes: with either player, since a joker took a card unseen
    ]
)


def setup(state: Any, players: int, options: Options) -> None:
    """CW-27."""
    state.turn_limit = options["turn_limit"]
    state.stage = DEAL
    state.covered_now = NOBODY
    state.line[:] = UNSEEN


@rule
def whole_deck(state: Any) -> int:
    """All cards in use."""
    return ALL_CARDS


# Chance


@rule
def choices(state: Any) -> int:
    """CW-3: who is first, once the cards are dealt."""
    return 2 if state.stage == FIRST else 0


@rule
def wanted(state: Any) -> int:
    """CW-2: the whole deck."""
    return ALL_CARDS


@rule
def deal(state: Any, deck: Any) -> None:
    """CW-2."""
    for index in range(12):
        state.life[index & 1, index >> 1] = deck[index]
    for index in range(12, 18):
        state.hand[index & 1] |= bit(deck[index])
    for index in range(18, 54):
        state.line[index - 18] = deck[index]
    state.deck_left = 36
    for player in range(2):
        state.left[player] = 6
        state.held[player] = 3
    state.stage = FIRST
    note_known(state)


@rule
def begin_turn(state: Any, player: int) -> None:
    """CW-5, CW-7."""
    state.turn = player
    state.actor = player
    state.turns += 1
    state.placed = 0
    state.covered_now = NOBODY
    state.attacked = 0
    state.stage = MAIN
    draw(state, player)


# Legal


@rule
def code(kind: int, what: int, slot: int) -> int:
    """An action's number: its kind, a card, a rank or another slot, and a slot."""
    return kind << 8 | what << 2 | slot


@rule
def legal(state: Any, actions: Any) -> int:
    """CW-7 to CW-13, CW-19, CW-22; no battle phase in the first turn (CW-11)."""
    stage = state.stage
    if stage == MAIN:
        number = legal_main(state, actions)
        return legal_attacks(state, actions, number) if state.turns > 1 else number
    if stage == BATTLE:
        actions[0] = code(FINISH, 0, 0)
        return legal_attacks(state, actions, 1)
    if stage == TARGET:
        return legal_targets(state, actions)
    if stage == TRAP:
        return legal_victims(state, actions)
    cards = state.hand[state.turn]
    if stage == STRAIGHT:
        cards &= rank_set(state.straight_next)
    number = 0
    while cards != 0:
        actions[number] = code(DISCARD, lowest(cards), 0)
        number += 1
        cards &= cards - 1
    return number


@rule
def legal_main(state: Any, actions: Any) -> int:
    """CW-7 to CW-9, CW-12, CW-22, CW-23."""
    player = state.turn
    actions[0] = code(FINISH, 0, 0)
    number = 1
    for slot in range(SLOTS):
        if state.up[player, slot] != 0:
            continue
        if state.down[player, slot] != 0 and state.covered_now != slot:
            actions[number] = code(FLIP, 0, slot)
            number += 1
        if state.placed == 0:
            cards = state.hand[player] & FULL_DECK
            while cards != 0:
                actions[number] = code(UP, lowest(cards), slot)
                number += 1
                if state.down[player, slot] == 0:
                    actions[number] = code(DOWN, lowest(cards), slot)
                    number += 1
                cards &= cards - 1
    if state.hand[player] & JOKERS != 0 and state.left[player] < state.left[1 - player]:
        actions[number] = code(JOKER, 0, 0)
        number += 1
    return legal_straights(state, actions, number)


@rule
def legal_straights(state: Any, actions: Any, number: int) -> int:
    """CW-22."""
    if not has_field(state, 1 - state.turn):
        return number
    lows = straights_in(state.hand[state.turn])
    while lows != 0:
        actions[number] = code(STRAIGHT_OF, lowest(lows), 0)
        number += 1
        lows &= lows - 1
    return number


@rule
def straights_in(hand: int) -> int:
    """CW-22: the lowest ranks, as a set, of the straights in a hand."""
    ranks = (hand | hand >> 13 | hand >> 26 | (hand & FULL_DECK) >> 39) & 0x1FFF
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3


@rule
def rank_set(rank: int) -> int:
    """The four cards of a rank."""
    return (1 | 1 << 13 | 1 << 26 | 1 << 39) << rank


@rule
def has_field(state: Any, player: int) -> bool:
    """CW-14: whether there is any card on a player's field."""
    field = 0
    for slot in range(SLOTS):
        field |= state.up[player, slot] | state.down[player, slot]
    return field != 0


@rule
def legal_attacks(state: Any, actions: Any, number: int) -> int:
    """CW-1, CW-10, CW-14, CW-15, CW-16, CW-17."""
    player = state.turn
    other = 1 - player
    open_way = not has_field(state, other)
    for slot in range(SLOTS):
        if state.up[player, slot] == 0 or state.attacked >> slot & 1 != 0:
            continue
        if open_way:
            actions[number] = code(ATTACK, LIFE, slot)
            number += 1
            continue
        power = rank_of(lowest(state.up[player, slot]))
        for target in range(SLOTS):
            top = state.up[other, target]
            if rank_of(lowest(top)) <= power if top != 0 else state.down[other, target] != 0:
                actions[number] = code(ATTACK, target, slot)
                number += 1
    return number


@rule
def legal_targets(state: Any, actions: Any) -> int:
    """CW-22: the uncovered cards of the other field."""
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
    """CW-19: every card on the attacker's side but the attacking card."""
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


# Play


@rule
def play(state: Any, action: int) -> None:
    """A chance outcome, or a player's action; then what all may know is brought up to date."""
    if state.stage == FIRST:
        begin_turn(state, action)
    else:
        act(state, action >> 8, action >> 2 & 63, action & 3)
    note_known(state)


@rule
def act(state: Any, kind: int, what: int, slot: int) -> None:
    """CW-7 to CW-13, CW-19, CW-22, CW-23."""
    player = state.turn
    if kind == ATTACK:
        attack(state, player, slot, what)
    elif kind == FINISH:
        finish_turn(state)
    elif kind == UP or kind == DOWN:
        put(state, player, what, slot, kind == UP)
    elif kind == FLIP:
        turn_up(state, player, slot)
    elif kind == DISCARD:
        leave_hand(state, player, bit(what))
        bury(state, bit(what))
        after_discard(state)
    elif kind == DESTROY:
        destroy(state, slot, what)
    elif kind == JOKER:
        play_joker(state, player)
    else:
        state.straight_low = what
        state.straight_next = what + 3
        state.stage = STRAIGHT


@rule
def put(state: Any, player: int, card: int, slot: int, face_up: bool) -> None:
    """CW-4, CW-7, CW-8."""
    state.placed = 1
    if face_up:
        leave_hand(state, player, bit(card))
        state.up[player, slot] = bit(card)
        state.open_cards |= bit(card)
    else:
        put_down(state, player, bit(card), slot)
        state.covered_now = slot


@rule
def draw(state: Any, player: int) -> None:
    """CW-5, CW-6."""
    if state.deck_left == 0:
        state.deck_left = state.grave_left
        state.grave_left = 0
        state.turned = 1
    card = bit(state.line[state.head])
    state.line[state.head] = UNSEEN
    state.head = (state.head + 1) & (RING - 1)
    state.deck_left -= 1
    state.hand[player] |= card
    state.held[player] += 1
    if state.turned:
        state.open_cards &= ~card
        state.shown[RIVAL, player] |= card
        state.shown[PUBLIC, player] |= card
    else:
        state.no_black[player] = 0


@rule
def bury(state: Any, card: int) -> None:
    """To the graveyard, where all see it."""
    state.line[(state.head + state.deck_left + state.grave_left) & (RING - 1)] = lowest(card)
    state.grave_left += 1
    state.open_cards |= card


@rule
def turn_up(state: Any, player: int, slot: int) -> None:
    """CW-9, CW-17: an uncovered face-down card is turned face up where it lies."""
    card = take_down(state, player, slot)
    state.up[player, slot] = card
    state.open_cards |= card


@rule
def take_down(state: Any, player: int, slot: int) -> int:
    """Take a face-down card off the field for all to see."""
    card = state.down[player, slot]
    state.down[player, slot] = 0
    seen_in_slot(state, RIVAL, player, slot, card)
    seen_in_slot(state, PUBLIC, player, slot, card)
    return card


@rule
def attack(state: Any, player: int, slot: int, target: int) -> None:
    """CW-1, CW-10, CW-14, CW-16, CW-17."""
    other = 1 - player
    state.stage = BATTLE
    state.attacked |= 1 << slot
    if target == LIFE:
        state.left[other] -= 1
        state.open_cards |= bit(state.life[other, state.left[other]])
        if state.left[other] == 0:
            finish_game(state)
    elif state.up[other, target] != 0:
        bury(state, state.up[other, target])
        state.up[other, target] = 0
    elif rank_of(lowest(state.down[other, target])) >= rank_of(lowest(state.up[player, slot])):
        turn_up(state, other, target)
        finish_turn(state)
    else:
        spring_trap(state, player, slot, target)


@rule
def spring_trap(state: Any, player: int, slot: int, target: int) -> None:
    """CW-18 to CW-21."""
    other = 1 - player
    card = take_down(state, other, target)
    bury(state, card)
    if card & BLACK == 0:
        bury(state, state.up[player, slot])
        state.up[player, slot] = 0
        return
    side = 0
    for near in range(SLOTS):
        side |= state.up[player, near] | state.down[player, near]
    if side != state.up[player, slot]:
        state.attacker = slot
        state.stage = TRAP
        state.actor = other


@rule
def destroy(state: Any, slot: int, face_up: int) -> None:
    """CW-19, CW-20, CW-22: by the trap's owner on the side of the turn's player, or by that player on the other."""
    player = state.turn
    side = player if state.stage == TRAP else 1 - player
    if face_up:
        bury(state, state.up[side, slot])
        state.up[side, slot] = 0
    else:
        bury(state, take_down(state, side, slot))
    state.stage = BATTLE if state.stage == TRAP else MAIN
    state.actor = player


@rule
def after_discard(state: Any) -> None:
    """CW-13, CW-22."""
    if state.stage == DISCARDS:
        finish_turn(state)
    elif state.straight_next == state.straight_low:
        state.stage = TARGET
    else:
        state.straight_next -= 1


@rule
def play_joker(state: Any, player: int) -> None:
    """CW-23: XB where both are held, so that one who plays XR has no XB."""
    card = state.hand[player] & JOKERS
    card &= -card
    if card == bit(53):
        state.no_black[player] = 1
    leave_hand(state, player, card)
    bury(state, card)
    other = 1 - player
    for slot in range(SLOTS):
        card = state.up[other, slot]
        if card != 0:
            state.up[other, slot] = 0
            state.open_cards &= ~card
            state.shown[RIVAL, player] |= card
            state.shown[PUBLIC, player] |= card
            into_hand(state, player, card)
        card = state.down[other, slot]
        if card != 0:
            state.down[other, slot] = 0
            into_hand(state, player, card)
            seen_in_slot(state, RIVAL, other, slot, card)
            state.shown[RIVAL, player] |= card
            taken_unseen(state, player, slot, card)


@rule
def into_hand(state: Any, player: int, card: int) -> None:
    """CW-23."""
    state.hand[player] |= card
    state.held[player] += 1


@rule
def finish_turn(state: Any) -> None:
    """CW-13, CW-27."""
    if state.held[state.turn] > FULL_HAND:
        state.stage = DISCARDS
    elif state.turn_limit > 0 and state.turns >= state.turn_limit:
        finish_game(state)
    else:
        begin_turn(state, 1 - state.turn)


@rule
def finish_game(state: Any) -> None:
    """CW-14, CW-27."""
    state.stage = END
    state.actor = OVER


# Scoring


@rule
def score(state: Any, scores: Any) -> int:
    """CW-25, CW-27."""
    for player in range(2):
        scores[player] = state.left[player]
    if state.left[0] == state.left[1]:
        return 3
    return 1 if state.left[0] > state.left[1] else 2


# What others remember of a player's hidden cards


@rule
def note_known(state: Any) -> None:
    """CW-6, CW-24, CW-26."""
    state.public = state.open_cards | state.shown[PUBLIC, 0] | state.shown[PUBLIC, 1]
    for player in range(2):
        down = state.down[player, 0] | state.down[player, 1] | state.down[player, 2]
        state.private[player] = state.hand[player] | down | state.shown[RIVAL, 1 - player]


@rule
def never_seen(state: Any, eyes: int, player: int) -> int:
    """How many of a player's hidden cards these eyes have never seen; more than there are if that is uncertain."""
    if eyes == PUBLIC and state.adrift != 0:
        return ANY_ROOM
    number = state.held[player] - count(state.shown[eyes, player]) - count(state.maybe[eyes, player])
    for slot in range(SLOTS):
        if state.down[player, slot] != 0:
            number += 1
    return number


@rule
def leave_hand(state: Any, player: int, card: int) -> None:
    """A card leaves the hand for all to see."""
    state.hand[player] &= ~card
    state.held[player] -= 1
    for eyes in range(2):
        if not struck(state, eyes, player, card) and state.maybe[eyes, player] != 0:
            unseen = never_seen(state, eyes, player)
            for slot in range(SLOTS):
                state.room[eyes, player, slot] = min(state.room[eyes, player, slot], unseen)
        settle(state, eyes, player)


@rule
def struck(state: Any, eyes: int, player: int, card: int) -> bool:
    """Whether a card that comes to light had been seen before; it is no longer looked for anywhere."""
    if state.shown[eyes, player] & card != 0:
        state.shown[eyes, player] &= ~card
        return True
    if state.maybe[eyes, player] & card != 0:
        state.maybe[eyes, player] &= ~card
        for slot in range(SLOTS):
            state.could[eyes, player, slot] &= ~card
        return True
    if eyes == PUBLIC and state.adrift & card != 0:
        state.adrift &= ~card
        for slot in range(SLOTS):
            state.could[PUBLIC, 0, slot] &= ~card
            state.could[PUBLIC, 1, slot] &= ~card
        return True
    return False


@rule
def seen_in_slot(state: Any, eyes: int, player: int, slot: int, card: int) -> None:
    """These eyes see which card lay face down in a slot, when it is already off it."""
    if not struck(state, eyes, player, card):
        never_seen_in_slot(state, eyes, player, slot)
    state.could[eyes, player, slot] = 0
    settle(state, eyes, player)


@rule
def never_seen_in_slot(state: Any, eyes: int, player: int, slot: int) -> None:
    """A slot held a never-seen card, which the slots filled before or since cannot have held."""
    room = state.room[eyes, player, slot] - 1
    for near in range(SLOTS):
        if state.laid[player, near] > state.laid[player, slot]:
            state.room[eyes, player, near] -= 1
        else:
            state.room[eyes, player, near] = min(state.room[eyes, player, near], room)


@rule
def put_down(state: Any, player: int, card: int, slot: int) -> None:
    """CW-8, CW-24: it may be any card of the hand but a joker."""
    state.laid[player, slot] = state.turns
    state.down[player, slot] = card
    for eyes in range(2):
        cards = (state.shown[eyes, player] & state.hand[player] | state.maybe[eyes, player]) & FULL_DECK
        state.shown[eyes, player] &= ~cards
        state.maybe[eyes, player] |= cards
        if eyes == PUBLIC:
            cards |= state.adrift & FULL_DECK
        state.could[eyes, player, slot] = cards
    state.hand[player] &= ~card
    state.held[player] -= 1
    for eyes in range(2):
        state.room[eyes, player, slot] = never_seen(state, eyes, player)
        settle(state, eyes, player)


@rule
def taken_unseen(state: Any, taker: int, slot: int, card: int) -> None:
    """CW-24: the public does not see a face-down card that a joker takes; it may be any that it thought there."""
    other = 1 - taker
    if state.shown[PUBLIC, other] & card != 0:
        state.shown[PUBLIC, other] &= ~card
        state.shown[PUBLIC, taker] |= card
    elif state.could[PUBLIC, other, slot] == 0:
        never_seen_in_slot(state, PUBLIC, other, slot)
    else:
        state.adrift |= state.could[PUBLIC, other, slot]
        state.maybe[PUBLIC, other] &= ~state.adrift
        for near in range(SLOTS):
            state.room[PUBLIC, 0, near] = ANY_ROOM
            state.room[PUBLIC, 1, near] = ANY_ROOM
    state.could[PUBLIC, other, slot] = 0
    settle(state, PUBLIC, other)


@rule
def settle(state: Any, eyes: int, player: int) -> None:
    """CW-24: which of the cards that were seen once are certain again.

    A card that can be in no slot is in the hand. Slots filled early may be known to hold so many once-seen cards that
    all that could be there are; one that fits only the last of these slots lies in it.
    """
    if state.maybe[eyes, player] == 0:
        return
    again = True
    while again:
        again = False
        before = 0
        needed = 0
        passed = 0
        turn = 0
        slot = next_slot(state, eyes, player, turn)
        while slot < SLOTS:
            turn = state.laid[player, slot]
            passed += 1
            needed = max(needed, passed - state.room[eyes, player, slot])
            could = state.could[eyes, player, slot]
            only = could & ~before
            if only != 0 and needed == count(could):
                make_certain(state, eyes, player, only)
                again = True
                break
            before = could
            slot = next_slot(state, eyes, player, turn)
    could = state.could[eyes, player, 0] | state.could[eyes, player, 1] | state.could[eyes, player, 2]
    make_certain(state, eyes, player, state.maybe[eyes, player] & ~could)


@rule
def make_certain(state: Any, eyes: int, player: int, cards: int) -> None:
    """These eyes know again where these cards are."""
    state.maybe[eyes, player] &= ~cards
    state.shown[eyes, player] |= cards
    for slot in range(SLOTS):
        state.could[eyes, player, slot] &= ~cards


@rule
def next_slot(state: Any, eyes: int, player: int, turn: int) -> int:
    """Of the slots whose face-down card these eyes do not know, the first filled after that turn; SLOTS if none was."""
    found = SLOTS
    for slot in range(SLOTS):
        card = state.down[player, slot]
        if card != 0 and card & state.shown[eyes, player] == 0 and state.laid[player, slot] > turn:
            if found == SLOTS or state.laid[player, slot] < state.laid[player, found]:
                found = slot
    return found


# Who knows what

LIVES, DECK, PLAYERS = 0, 2, 3
"""The places: two life piles, the deck, then for each player the hand and the slots, then the ranks of a straight."""


@rule
def places(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """CW-26: the life piles, the deck, then other players' hands and slots."""
    if state.stage == DEAL:
        return 0
    eyes = PUBLIC if seat == NOBODY else RIVAL
    fresh = ALL_CARDS
    if eyes == PUBLIC:
        fresh &= ~(state.maybe[PUBLIC, 0] | state.maybe[PUBLIC, 1] | state.adrift)
    else:
        fresh &= ~state.maybe[RIVAL, 1 - seat]
    for player in range(2):
        sizes[LIVES + player] = state.left[player]
        allowed[LIVES + player] = fresh
    sizes[DECK] = 0 if state.turned else state.deck_left
    allowed[DECK] = fresh
    number = PLAYERS
    for player in range(2):
        if player != seat:
            add_player(state, seat, player, fresh, sizes, allowed, number)
            number += 1 + SLOTS
    if state.stage == STRAIGHT and state.turn != seat:
        number = add_straight(state, seat, sizes, allowed, number)
    return number


@rule
def add_player(state: Any, seat: int, player: int, fresh: int, sizes: Any, allowed: Any, first: int) -> None:
    """CW-8, CW-24: a hand and three slots."""
    eyes = PUBLIC if seat == NOBODY else RIVAL
    known = known_to(state, seat)
    sizes[first] = state.held[player] - count(state.hand[player] & known)
    allowed[first] = fresh | state.maybe[eyes, player]
    if eyes == PUBLIC:
        allowed[first] |= state.adrift
    if state.no_black[player]:
        allowed[first] &= ~bit(52)
    for slot in range(SLOTS):
        sizes[first + 1 + slot] = 1 if is_hidden(state, player, slot, known) else 0
        cards = state.could[eyes, player, slot]
        if cards == 0 or state.room[eyes, player, slot] > 0:
            cards |= fresh & FULL_DECK
        allowed[first + 1 + slot] = cards


@rule
def is_hidden(state: Any, player: int, slot: int, known: int) -> bool:
    """Whether a slot holds a face-down card that is not among the known ones."""
    return state.down[player, slot] != 0 and state.down[player, slot] & known == 0


@rule
def add_straight(state: Any, seat: int, sizes: Any, allowed: Any, number: int) -> int:
    """CW-22: of every announced rank still to come there is a card in the hand; each is a place of its own."""
    hand = PLAYERS if seat != NOBODY or state.turn == 0 else PLAYERS + 1 + SLOTS
    for rank in range(state.straight_low, state.straight_next + 1):
        if not rank_known(state, seat, rank):
            sizes[hand] -= 1
            sizes[number] = 1
            allowed[number] = allowed[hand] & rank_set(rank)
            number += 1
    return number


@rule
def rank_known(state: Any, seat: int, rank: int) -> bool:
    """Whether a card of this rank is known to be in the hand that a straight comes from."""
    return state.hand[state.turn] & known_to(state, seat) & rank_set(rank) != 0


@rule
def place(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """The places as :func:`places` counts them; a hand comes before the ranks of a straight, which go into it."""
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
    player = (index - PLAYERS) // (1 + SLOTS) if seat == NOBODY else 1 - seat
    part = index - PLAYERS if seat != NOBODY else index - PLAYERS - player * (1 + SLOTS)
    if player > 1 or part > SLOTS:
        state.hand[state.turn] |= unknown
    elif part == 0:
        state.hand[player] = state.hand[player] & known_to(state, seat) | unknown
    elif is_hidden(state, player, part - 1, known_to(state, seat)):
        state.down[player, part - 1] = unknown if number > 0 else BACK


@rule
def fits(state: Any, seat: int, random: Any) -> bool:
    """CW-22, CW-24: what several places must fulfil together.

    A straight's rank of which the hand holds several cards came about in as many ways, so it is kept once in so many.
    """
    eyes = PUBLIC if seat == NOBODY else RIVAL
    for player in range(2):
        if player != seat and state.maybe[eyes, player] != 0 and not slots_fit(state, seat, eyes, player):
            return False
    if state.stage == STRAIGHT and state.turn != seat:
        for rank in range(state.straight_low, state.straight_next + 1):
            if not rank_known(state, seat, rank):
                ways = count(state.hand[state.turn] & rank_set(rank))
                if ways > 1 and random_below(random, ways) != 0:
                    return False
    return True


@rule
def slots_fit(state: Any, seat: int, eyes: int, player: int) -> bool:
    """CW-24: the slots filled up to some time hold no more never-seen cards than there were to put there."""
    known = known_to(state, seat)
    for slot in range(SLOTS):
        if not is_hidden(state, player, slot, known):
            continue
        fresh = 0
        for near in range(SLOTS):
            if is_hidden(state, player, near, known) and state.laid[player, near] <= state.laid[player, slot]:
                fresh += 1 if state.down[player, near] & state.maybe[eyes, player] == 0 else 0
        if fresh > state.room[eyes, player, slot] and state.could[eyes, player, slot] != 0:
            return False
    return True


@rule
def forget(state: Any, seat: int) -> None:
    """CW-24: the public does not know what players remember beyond it; each knows what the other can tell of theirs."""
    if seat == NOBODY:
        for player in range(2):
            state.shown[RIVAL, player] = 0
            state.maybe[RIVAL, player] = 0
            for slot in range(SLOTS):
                state.could[RIVAL, player, slot] = 0
                state.room[RIVAL, player, slot] = 0


@rule
def remember(state: Any, seat: int, random: Any) -> None:
    """CW-24: players remember what the public does."""
    if seat == NOBODY:
        for player in range(2):
            state.shown[RIVAL, player] = state.shown[PUBLIC, player]
            state.maybe[RIVAL, player] = state.maybe[PUBLIC, player]
            for slot in range(SLOTS):
                state.could[RIVAL, player, slot] = state.could[PUBLIC, player, slot] & state.maybe[PUBLIC, player]
                state.room[RIVAL, player, slot] = state.room[PUBLIC, player, slot]
    note_known(state)


# Notation, and what people are told


def name(state: Any, action: int) -> str:
    """``up 7H 2``, ``flip 2``, ``attack 1 life``, ``straight 5``, ``destroy 2u``, ``end``, …"""
    kind, what, slot = action >> 8, action >> 2 & 63, (action & 3) + 1
    if kind in (UP, DOWN):
        return f"{'up' if kind == UP else 'down'} {card_name(what)} {slot}"
    if kind == ATTACK:
        return f"attack {slot} {'life' if what == LIFE else what + 1}"
    if kind == DESTROY:
        return f"destroy {slot}{'u' if what else 'd'}"
    if kind == DISCARD:
        return f"discard {card_name(what)}"
    return {FLIP: f"flip {slot}", JOKER: "joker", STRAIGHT_OF: f"straight {RANKS[what % 13]}", FINISH: "end"}[kind]


def chance_name(state: Any, outcome: int) -> str:
    """``first 0``."""
    return f"first {outcome}"


def zones(state: Any, seat: int) -> list[Zone]:
    """For each player the hand, the life pile, the life cards lost and the slots; then the deck and the graveyard."""
    if state.stage == DEAL:
        return []
    found = []
    for player in range(2):
        hand = list(cards_of(state.hand[player]))
        found.append(Zone("hand", player, hand, int(state.held[player]) - len(hand)))
        left = int(state.left[player])
        found.append(_pile("life", player, state.life[player, :left][::-1]))
        found.append(
            Zone("lost", player, [int(card) for card in state.life[player, left:]], face_up=True, ordered=True)
        )
        for slot in range(SLOTS):
            at = player * SLOTS + slot
            down = int(state.down[player, slot])
            found.append(Zone("face up", at, list(cards_of(state.up[player, slot])), face_up=True))
            found.append(Zone("face down", at, list(cards_of(down & ALL_CARDS)), int(down == BACK)))
    line, deck = np.roll(state.line, -int(state.head)), int(state.deck_left)
    found.append(_pile("deck", NOBODY, line[:deck]))
    grave = [int(card) for card in line[deck : deck + int(state.grave_left)]]
    found.append(Zone("graveyard", NOBODY, grave, face_up=True, ordered=True))
    return found


def _pile(what: str, at: int, cards: Any) -> Zone:
    """A pile from its top: all of it known, or nothing."""
    known = [int(card) for card in cards if card != UNSEEN]
    return Zone(what, at, known, len(cards) - len(known), ordered=True)


def facts(state: Any) -> dict[str, Any]:
    """Everything public that is not a card's place; ``perhaps`` are the once-seen cards that a slot may hold."""
    stage = int(state.stage)
    begun = stage > FIRST
    pending = range(int(state.straight_low), int(state.straight_next) + 1) if stage == STRAIGHT else []
    return {
        "stage": STAGES[stage],
        "turn": int(state.turn) if begun else None,
        "turn_number": int(state.turns),
        "turn_limit": int(state.turn_limit),
        "placed": bool(state.placed),
        "covered_now": int(state.covered_now) + 1 if begun and state.covered_now != NOBODY else None,
        "attacked": [slot + 1 for slot in range(SLOTS) if state.attacked >> slot & 1],
        "attacker": int(state.attacker) + 1 if stage == TRAP else None,
        "straight": RANKS[state.straight_low] if stage in (STRAIGHT, TARGET) else None,
        "to_come": [RANKS[rank] for rank in reversed(pending)],
        "left": [int(left) for left in state.left],
        "held": [int(held) for held in state.held],
        "deck_known": bool(state.turned),
        "perhaps": [[_perhaps(state, player, slot) for slot in range(SLOTS)] for player in range(2)],
    }


def _perhaps(state: Any, player: int, slot: int) -> list[str]:
    cards = int(state.could[RIVAL, player, slot] | state.could[PUBLIC, player, slot])
    return [card_name(card) for card in cards_of(cards)]


def lines(state: Any) -> list[Line]:
    """CW-25: the life cards left."""
    if state.stage == DEAL:
        return []
    first, second = (int(left) for left in state.left)
    return [Line("life cards left", [first, 0], "CW-25", 0), Line("life cards left", [0, second], "CW-25", 1)]


def refusal(state: Any, text: str) -> Refusal:
    """Why an action is not legal now."""
    word, _, rest = text.partition(" ")
    reasons = {
        "up": _why_not_put,
        "down": _why_not_put,
        "flip": _why_not_flip,
        "attack": _why_not_attack,
        "joker": _why_not_joker,
        "straight": _why_no_straight,
        "discard": _why_not_discard,
        "destroy": _why_not_destroy,
        "end": lambda state, word, rest: _not_now(state),
    }
    if word not in reasons:
        raise ValueError(f"{text!r} is no action")
    return reasons[word](state, word, rest)


def _not_now(state: Any) -> Refusal:
    """What has to be done first."""
    if state.stage == STRAIGHT:
        rank = RANK_WORDS[int(state.straight_next)]
        return Refusal("CW-22", f"The straight is carried through: discard a card of its next rank, {rank}.")
    if state.stage == TARGET:
        return Refusal("CW-22", "The straight destroys a card of the other field: choose it.")
    if state.stage == TRAP:
        return Refusal("CW-19", "Your black trap was sprung: choose a card of the attacker's side.")
    if state.stage == DISCARDS:
        return Refusal("CW-13", "You hold more than six cards: discard one.")
    return Refusal("CW-10", "After the first attack there are only attacks, until you end the turn.")


def _slot(text: str) -> int:
    """A slot from 0. Raises ``ValueError``."""
    if text not in ("1", "2", "3"):
        raise ValueError(f"{text!r} is no slot")
    return int(text) - 1


def _why_not_put(state: Any, word: str, rest: str) -> Refusal:
    card_text, _, slot_text = rest.partition(" ")
    card, slot = parse_card(card_text), _slot(slot_text)
    player = int(state.turn)
    if state.stage != MAIN:
        return _not_now(state)
    if state.placed:
        return Refusal("CW-7", "You have put a card onto the field this turn; one is all.")
    if not state.hand[player] & bit(card):
        return Refusal("CW-7", f"You do not hold the {card_words(card)}.")
    if card >= 52:
        return Refusal("CW-8", "Jokers never go onto the field.")
    if state.up[player, slot]:
        return Refusal("CW-8", f"A face-up card lies in slot {slot + 1}.")
    return Refusal("CW-8", f"Slot {slot + 1} is not empty: a card there can only be put face up upon the other.")


def _why_not_flip(state: Any, word: str, rest: str) -> Refusal:
    slot, player = _slot(rest), int(state.turn)
    if state.stage != MAIN:
        return _not_now(state)
    if not state.down[player, slot]:
        return Refusal("CW-9", f"There is no face-down card of yours in slot {slot + 1}.")
    if state.up[player, slot]:
        return Refusal("CW-9", f"The face-down card in slot {slot + 1} is covered.")
    return Refusal("CW-9", "That card was put down this turn; it can be flipped in your next.")


def _why_not_attack(state: Any, word: str, rest: str) -> Refusal:
    own, _, aim = rest.partition(" ")
    slot, target = _slot(own), LIFE if aim == "life" else _slot(aim)
    player, other = int(state.turn), 1 - int(state.turn)
    if state.stage not in (MAIN, BATTLE):
        return _not_now(state)
    if state.turns == 1:
        return Refusal("CW-11", "In the first turn of the game nobody attacks.")
    if not state.up[player, slot]:
        return Refusal("CW-10", f"You have no face-up card in slot {slot + 1}.")
    if state.attacked >> slot & 1:
        return Refusal("CW-10", f"The card in slot {slot + 1} has attacked this turn.")
    if target == LIFE:
        return Refusal("CW-14", "The other field must be empty before a life card can be taken.")
    if not has_field(state, other):
        return Refusal("CW-14", "The other field is empty: attack the life pile.")
    if not state.up[other, target]:
        return Refusal("CW-15", f"There is nothing to attack in their slot {target + 1}.")
    higher = card_words(lowest(state.up[other, target]))
    return Refusal("CW-16", f"The {higher} has more power than your {card_words(lowest(state.up[player, slot]))}.")


def _why_not_joker(state: Any, word: str, rest: str) -> Refusal:
    if state.stage != MAIN:
        return _not_now(state)
    if not state.hand[state.turn] & JOKERS:
        return Refusal("CW-23", "You hold no joker.")
    return Refusal("CW-23", "Only a player who has lost more life cards than the other may use a joker.")


def _why_no_straight(state: Any, word: str, rest: str) -> Refusal:
    if len(rest) != 1 or rest not in RANKS:
        raise ValueError(f"{rest!r} is no rank")
    rank = RANKS.index(rest)
    if state.stage != MAIN:
        return _not_now(state)
    if rank > 9:
        return Refusal("CW-22", "A straight ends at the ace: the highest begins with the jack.")
    for step in range(rank, rank + 4):
        if not state.hand[state.turn] & rank_set(step):
            return Refusal("CW-22", f"A straight from the {RANK_WORDS[rank]} needs a card of rank {RANK_WORDS[step]}.")
    return Refusal("CW-22", "A straight needs a card on the other field to destroy.")


def _why_not_discard(state: Any, word: str, rest: str) -> Refusal:
    card = parse_card(rest)
    if state.stage not in (STRAIGHT, DISCARDS):
        return Refusal("CW-13", "You discard only at the end of a turn, with more than six cards, or for a straight.")
    if not state.hand[state.turn] & bit(card):
        return Refusal("CW-22" if state.stage == STRAIGHT else "CW-13", f"You do not hold the {card_words(card)}.")
    return _not_now(state)


def _why_not_destroy(state: Any, word: str, rest: str) -> Refusal:
    slot = _slot(rest[:1])
    if rest[1:] not in ("u", "d"):
        raise ValueError(f"{rest!r} is no card of a slot: 2u is the face-up, 2d the face-down card of slot 2")
    if state.stage not in (TARGET, TRAP):
        return Refusal("CW-22", "You destroy a card only after a straight, or when your black trap was sprung.")
    clause, side = ("CW-19", int(state.turn)) if state.stage == TRAP else ("CW-22", 1 - int(state.turn))
    card = state.up[side, slot] if rest[1:] == "u" else state.down[side, slot]
    if not card:
        return Refusal(clause, f"There is no such card in slot {slot + 1}.")
    if state.stage == TRAP:
        return Refusal(clause, "The attacking card itself is spared.")
    return Refusal(clause, "A covered card cannot be chosen.")


GAME = Game(
    id="castle-walls",
    title="Castle Walls",
    prefix="CW",
    summary="A duel: attack with cards on the field until the other player has no life cards left.",
    credit="Castle Walls, by Hindbodes.",
    players=range(2, 3),
    options=OPTIONS,
    dtype=STATE,
    setup=setup,
    whole_deck=whole_deck,
    choices=choices,
    wanted=wanted,
    deal=deal,
    legal=legal,
    play=play,
    score=score,
    places=places,
    place=place,
    fits=fits,
    forget=forget,
    remember=remember,
    zones=zones,
    facts=facts,
    lines=lines,
    name=name,
    chance_name=chance_name,
    refusal=refusal,
)
