"""Castle Walls: the fields of a state, and sets of ranks.

Cards on the field, in hands and in players' memory are sets; the deck and the graveyard share one ring buffer, the deck
first, since the graveyard is turned over to become the deck (CW-5).
"""

from parlour.cards import FULL_DECK, JOKERS, lowest, rank_of
from parlour.engine.compiled import rule
from parlour.engine.fields import (
    CARD,
    CARDS,
    LARGEST,
    SEAT,
    SINGLE,
    SINGLE_OR_BACK,
    UNOBSERVED,
    YES_NO,
    by_seat,
    first_of,
    flags,
    number,
    one_of,
)
from parlour.engine.rules import state_type
from parlour.games.castle_walls.options import MOST_LIFE, MOST_SLOTS, OPTIONS
from parlour.games.castle_walls.typed_state import State

# Vocabulary

DEAL, FIRST, MAIN, BATTLE, STRAIGHT, TARGET, TRAP, DISCARDS, END = range(9)
"""Stages of a game. In TARGET a card is destroyed after a straight, in TRAP after a black trap."""
UP, DOWN, FLIP, ATTACK, JOKER, STRAIGHT_OF, DISCARD, DESTROY, FINISH = range(9)
"""Kinds of actions."""
USUAL_SLOTS = 3
"""Number of slots of the published game: loops of this constant length, unlike others, are unrolled by the compiler."""
LIFE = 7  # target of an attack on the life pile, instead of a slot
ALL_CARDS = FULL_DECK | JOKERS
BACK = 1 << 60
"""A face-down card in a slot that the viewer may not know."""
RIVAL, PUBLIC = range(2)
"""Observers of a player's hidden cards: the other player, and the public."""
UNLIMITED = 60
"""Capacity that limits nothing: more than all cards."""
ONE_OF_EACH = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""Set of the twos; shifted by a rank, the four cards of that rank."""
RING = 64

# State


def last_turn(state: State) -> int:
    """CW-27: return the largest possible turn number."""
    return int(state.turn_limit) or LARGEST


def last_put(state: State) -> int:
    """CW-7: return the largest possible number of a card put onto the field."""
    return last_turn(state) * int(state.placings)


def life_cards(state: State) -> int:
    """CW-2: return the size of a life pile."""
    return int(state.life_cards)


def slots(state: State) -> int:
    """CW-4: return the number of slots of a field."""
    return int(state.slots)


def placings(state: State) -> int:
    """CW-7: return the number of cards that may be put onto the field in a turn."""
    return int(state.placings)


def most_never_seen(state: State) -> int:
    """CW-4, CW-5, CW-13: return the maximum number of cards in a hand and face down after the last slot is filled."""
    return int(max(state.hand_limit, state.hand_cards) + state.draws + state.slots - 1)


def fewest_left(state: State) -> int:
    """CW-24: return the minimum capacity, reached if each slot has shown a card never seen before."""
    return -int(state.slots)


EACH_SLOT = first_of(MOST_SLOTS, slots)

STATE = state_type(
    [
        *((option.name, UNOBSERVED) for option in OPTIONS),
        ("stage", one_of(9)),
        ("turn", SEAT),  # the player whose turn it is
        ("turns", number(last_turn)),  # turns begun by both players
        ("placed", flags(placings)),  # a bit, from the lowest, for each card put onto the field this turn, CW-7
        ("covered_now", one_of(slots)),  # the slot of the last card put face down this turn; NOBODY if there is none
        ("attacked", flags(slots)),  # bit set of slots that have attacked this turn
        ("attacker", one_of(slots)),  # the slot that attacked a black trap, CW-19
        ("straight_low", one_of(13)),  # the lowest rank of the straight under way
        ("straight_next", one_of(13)),  # the rank to be discarded next
        ("hand", CARDS, by_seat(2)),
        ("held", number(54), by_seat(2)),  # the number of cards in a hand
        ("up", SINGLE, (by_seat(2), EACH_SLOT)),
        ("down", SINGLE_OR_BACK, (by_seat(2), EACH_SLOT)),
        # number of the placing of the face-down card, counted over all turns, ``placings`` for each, CW-7
        ("laid", number(last_put), (by_seat(2), EACH_SLOT)),
        ("life", CARD, (by_seat(2), first_of(MOST_LIFE, life_cards))),
        # cards in the life pile; the top is life[…, left - 1], taken cards follow
        ("left", number(life_cards), by_seat(2)),
        ("line", CARD, (RING,)),  # the deck from its top, then the graveyard from its first card
        ("head", number(RING - 1)),
        ("deck_left", number(54)),
        ("grave_left", number(54)),
        ("turned", YES_NO),  # whether the graveyard has become the deck, CW-6
        ("open_cards", UNOBSERVED),  # public by position: graveyard, known deck, face up, taken life cards
        ("no_black", YES_NO, by_seat(2)),  # the hand has no XB: XR was played instead, and no card drawn unseen since
        ("known", CARDS, (first_of(2, 1), by_seat(2))),  # by observer and player: seen once, position certain
        # by observer and player: seen once, in the hand or face down
        ("possible", CARDS, (first_of(2, 1), by_seat(2))),
        ("may_hold", CARDS, (2, by_seat(2), EACH_SLOT)),  # by observer, player, slot: cards seen once that it may hold
        # by observer, player, slot: maximum of never-seen cards in the slots filled up to this one
        ("capacity", number(most_never_seen, least=fewest_left), (first_of(2, 1), by_seat(2), EACH_SLOT)),
        ("displaced", CARDS),  # to the public: with either player, since a joker took a card unseen
    ]
)


@rule
def rank_set(rank: int) -> int:
    """Return the four cards of a rank."""
    return ONE_OF_EACH << rank


@rule
def up_to_rank(rank: int) -> int:
    """Return the cards of a rank and of all lower ranks."""
    return ((2 << rank) - 1) * ONE_OF_EACH


@rule
def ranks_in(cards: int) -> int:
    """Return the ranks of some cards as a set; jokers have none."""
    return (cards | cards >> 13 | cards >> 26 | (cards & FULL_DECK) >> 39) & 0x1FFF


@rule
def power_of(card: int) -> int:
    """CW-1: return the power of a card on the field, given as a set: its rank."""
    return rank_of(lowest(card))
