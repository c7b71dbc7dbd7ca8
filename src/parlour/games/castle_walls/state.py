"""Castle Walls: what a state consists of.

Cards on the field, in hands and in what is known are sets; the deck and the graveyard stand in one ring, the deck
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
    UNTOLD,
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
"""What comes next: the stages of a game. TARGET is the destroying after a straight, TRAP that after a black trap."""
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
ONE_OF_EACH = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The twos: a card of each suit."""
RING = 64

# State


def last_turn(state: Any) -> int:
    """CW-7: the number of the last turn that there can be."""
    return int(state.turn_limit) or LARGEST


STATE = state_type(
    [
        ("turn_limit", UNTOLD),
        ("stage", one_of(9)),
        ("turn", SEAT),  # whose turn it is
        ("turns", number(last_turn)),  # begun, both players' together
        ("placed", YES_NO),  # whether a card of this turn's went onto the field, CW-7
        ("covered_now", one_of(SLOTS)),  # the slot of a card put face down this turn, CW-9; NOBODY if there is none
        ("attacked", flags(SLOTS)),  # slots that have attacked this turn, a bit for each
        ("attacker", one_of(SLOTS)),  # the slot that attacked a black trap, CW-19
        ("straight_low", one_of(13)),  # the lowest rank of the straight under way
        ("straight_next", one_of(13)),  # the rank to be discarded next
        ("hand", CARDS, by_seat(2)),
        ("held", number(54), by_seat(2)),  # how many cards a hand holds
        ("up", SINGLE, (by_seat(2), SLOTS)),
        ("down", SINGLE_OR_BACK, (by_seat(2), SLOTS)),
        ("laid", number(last_turn), (by_seat(2), SLOTS)),  # the turn in which the face-down card was put down
        ("life", CARD, (by_seat(2), 6)),
        ("left", number(6), by_seat(2)),  # of the life pile; its top is life[…, left - 1], what was taken lies behind
        ("line", CARD, (RING,)),  # the deck from its top, then the graveyard from its first card
        ("head", number(RING - 1)),
        ("deck_left", number(54)),
        ("grave_left", number(54)),
        ("turned", YES_NO),  # whether the deck was once the graveyard, CW-6
        ("open_cards", UNTOLD),  # seen by all where they lie: graveyard, known deck, face up, taken life cards
        ("no_black", YES_NO, by_seat(2)),  # the hand has no XB: XR was played instead, and no card drawn unseen since
        ("shown", CARDS, (first_of(2, 1), by_seat(2))),  # by eyes and player: once seen, and certain where they are
        ("maybe", CARDS, (first_of(2, 1), by_seat(2))),  # by eyes and player: once seen, now in the hand or face down
        ("could", CARDS, (2, by_seat(2), SLOTS)),  # by eyes, player, slot: once-seen cards that it may hold
        (
            "room",
            number(ANY_ROOM, least=-SLOTS),
            (first_of(2, 1), by_seat(2), SLOTS),
        ),  # at most so many slots filled until then hold a never-seen card
        ("adrift", CARDS),  # in the public's eyes: with either player, since a joker took a card unseen
    ]
)


@rule
def rank_set(rank: int) -> int:
    """The four cards of a rank."""
    return ONE_OF_EACH << rank


@rule
def up_to_rank(rank: int) -> int:
    """The cards of a rank and of those below it."""
    return ((2 << rank) - 1) * ONE_OF_EACH


@rule
def ranks_in(cards: int) -> int:
    """The ranks of some cards as a set, without jokers."""
    return (cards | cards >> 13 | cards >> 26 | (cards & FULL_DECK) >> 39) & 0x1FFF
