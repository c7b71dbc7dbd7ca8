"""Sealed: a card each, and a bid in secret; the higher card earns its player's bid. Two deals."""

import sys
from typing import Any

from parlour.cards import FULL_DECK, bit, cards_of, count
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.fields import CARDS, UNOBSERVED, by_seat, number
from parlour.engine.game import Game, Options, Zone
from parlour.engine.rules import CHANCE, NOBODY, OVER, WHOLE, known_to, state_type

UNKNOWN = 3
"""A bid that the viewer does not know, or none."""

STATE = state_type(
    [
        ("sealed_deals", number(2)),
        ("sealed_hand", CARDS, by_seat(2)),
        ("sealed_rest", UNOBSERVED),
        ("sealed_bid", number(UNKNOWN), by_seat(2)),
        ("sealed_bids", number(2)),
        ("sealed_points", number(4), by_seat(2)),
    ]
)


@rule
def deal(state: Any, deck: Any) -> None:
    """A card each."""
    state.public = 0
    state.sealed_rest = FULL_DECK
    for seat in range(2):
        state.sealed_hand[seat] = bit(deck[seat])
        state.private[seat] = bit(deck[seat])
        state.sealed_rest &= ~bit(deck[seat])
        state.sealed_bid[seat] = UNKNOWN
    state.sealed_deals += 1
    state.sealed_bids = 0
    state.actor = 0


@rule
def legal(state: Any, actions: Any) -> int:
    """A bid of 0, 1 or 2."""
    for bid in range(UNKNOWN):
        actions[bid] = bid
    return UNKNOWN


@rule
def play(state: Any, action: int) -> None:
    """The second bid opens both, and the cards."""
    state.sealed_bid[state.actor] = action
    state.sealed_bids += 1
    state.actor = 1
    if state.sealed_bids == 2:
        best = 0 if state.sealed_hand[0] > state.sealed_hand[1] else 1
        state.sealed_points[best] += state.sealed_bid[best]
        state.public = state.sealed_hand[0] | state.sealed_hand[1]
        state.actor = OVER if state.sealed_deals == 2 else CHANCE


@rule
def score(state: Any, scores: Any) -> int:
    """Most points win."""
    for seat in range(2):
        scores[seat] = state.sealed_points[seat]
    if scores[0] == scores[1]:
        return 3
    return 1 if scores[0] > scores[1] else 2


@rule
def hidden_slots(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """The hands, and the rest of the deck."""
    if state.sealed_deals == 0:
        return 0
    for player in range(2):
        sizes[player] = 1 - count(state.sealed_hand[player] & known_to(state, seat))
    sizes[2] = 50
    for index in range(3):
        allowed[index] = FULL_DECK
    return 3


@rule
def assign(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """Put cards into a slot."""
    unknown = 0
    for which in range(number):
        unknown |= bit(cards[which])
    if index == 2:
        state.sealed_rest = unknown
    else:
        state.sealed_hand[index] = state.sealed_hand[index] & known_to(state, seat) | unknown


@rule
def hide_rest(state: Any, seat: int) -> None:
    """The first bid is secret until the second."""
    if state.sealed_bids == 1 and seat != 0:
        state.sealed_bid[0] = UNKNOWN


@rule
def sample_rest(state: Any, seat: int, random: Any) -> None:
    """The other's knowledge, and the secret bid."""
    state.private[1 - seat] |= state.sealed_hand[1 - seat]
    if state.sealed_bids == 1 and seat != 0:
        state.sealed_bid[0] = random_below(random, UNKNOWN)


@rule
def hides(state: Any, action: int, viewer: int) -> int:
    """Others see only that a seat has bid."""
    return WHOLE if viewer != state.actor else 0


def name(state: Any, action: int) -> str:
    """``bid 2``."""
    return f"bid {action}"


def actions(players: int, options: Options) -> list[str]:
    """Return all possible actions."""
    return [f"bid {number}" for number in range(UNKNOWN)]


def zones(state: Any) -> list[Zone]:
    """The hands, and the rest of the deck."""
    if state.sealed_deals == 0:
        return []
    hands = [list(cards_of(hand)) for hand in state.sealed_hand]
    rest = list(cards_of(state.sealed_rest))
    return [
        *(Zone("hand", player, hand, 1 - len(hand)) for player, hand in enumerate(hands)),
        Zone("rest", NOBODY, rest, 50 - len(rest)),
    ]


def facts(state: Any) -> dict[str, Any]:
    """The open bids and the points."""
    bids = [int(bid) if state.sealed_bids == 2 else None for bid in state.sealed_bid]
    return {"bids": bids, "points": [int(points) for points in state.sealed_points]}


GAME = Game.made_of(sys.modules[__name__], id="sealed", players=range(2, 3))
