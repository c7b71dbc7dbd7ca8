"""Castle Walls: the fields of a state, and sets of ranks.

Cards on the field, in hands and in players' memory are sets; the deck and the graveyard share one ring buffer, the deck
first, since the graveyard is turned over to become the deck (CW-5).
"""

from typing import Any

from parlour.cards import FULL_DECK, JOKERS
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

# Vocabulary

DEAL, FIRST, MAIN, BATTLE, STRAIGHT, TARGET, TRAP, DISCARDS, END = range(9)
"""Stages of a game. In TARGET a card is destroyed after a straight, in TRAP after a black trap."""
UP, DOWN, FLIP, ATTACK, JOKER, STRAIGHT_OF, DISCARD, DESTROY, FINISH = range(9)
"""Kinds of actions."""
SLOTS = 3
LIFE = 3  # target of an attack on the life pile, instead of a slot
FULL_HAND = 6
ALL_CARDS = FULL_DECK | JOKERS
BACK = 1 << 60
"""A face-down card in a slot that the viewer may not know."""
RIVAL, PUBLIC = range(2)
"""Observers of a player's hidden cards: the other player, and the public."""
ANY_ROOM = 9
ONE_OF_EACH = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""Set of the twos; shifted by a rank, the four cards of that rank."""
RING = 64

# State


def last_turn(state: Any) -> int:
    """CW-7: return the largest possible turn number."""
    return int(state.turn_limit) or LARGEST


STATE = state_type(
    [
        ("turn_limit", UNOBSERVED),
        ("stage", one_of(9)),
        ("turn", SEAT),  # the player whose turn it is
        ("turns", number(last_turn)),  # turns begun by both players
        ("placed", YES_NO),  # whether a card was put onto the field this turn, CW-7
        ("covered_now", one_of(SLOTS)),  # the slot of a card put face down this turn, CW-9; NOBODY if there is none
        ("attacked", flags(SLOTS)),  # bit set of slots that have attacked this turn
        ("attacker", one_of(SLOTS)),  # the slot that attacked a black trap, CW-19
        ("straight_low", one_of(13)),  # the lowest rank of the straight under way
        ("straight_next", one_of(13)),  # the rank to be discarded next
        ("hand", CARDS, by_seat(2)),
        ("held", number(54), by_seat(2)),  # the number of cards in a hand
        ("up", SINGLE, (by_seat(2), SLOTS)),
        ("down", SINGLE_OR_BACK, (by_seat(2), SLOTS)),
        ("laid", number(last_turn), (by_seat(2), SLOTS)),  # the turn in which the face-down card was put down
        ("life", CARD, (by_seat(2), 6)),
        ("left", number(6), by_seat(2)),  # cards in the life pile; the top is life[…, left - 1], taken cards follow
        ("line", CARD, (RING,)),  # the deck from its top, then the graveyard from its first card
        ("head", number(RING - 1)),
        ("deck_left", number(54)),
        ("grave_left", number(54)),
        ("turned", YES_NO),  # whether the graveyard has become the deck, CW-6
        ("open_cards", UNOBSERVED),  # public by position: graveyard, known deck, face up, taken life cards
        ("no_black", YES_NO, by_seat(2)),  # the hand has no XB: XR was played instead, and no card drawn unseen since
        ("shown", CARDS, (first_of(2, 1), by_seat(2))),  # by observer and player: seen once, position certain
        ("maybe", CARDS, (first_of(2, 1), by_seat(2))),  # by observer and player: seen once, in the hand or face down
        ("could", CARDS, (2, by_seat(2), SLOTS)),  # by observer, player, slot: cards seen once that it may hold
        (
            "room",
            number(ANY_ROOM, least=-SLOTS),
            (first_of(2, 1), by_seat(2), SLOTS),
        ),  # maximum of never-seen cards in the slots filled up to this one
        ("adrift", CARDS),  # to the public: with either player, since a joker took a card unseen
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
