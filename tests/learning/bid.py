"""A game that is learned in seconds: two hidden cards each, one is laid, the higher rank wins; the heuristic errs."""

import sys
from typing import Any

import numpy as np

from parlour.cards import CARD_NAMES, FULL_DECK, bit, card_name, lowest, rank_of
from parlour.engine.compiled import rule
from parlour.engine.fields import CARD, CARDS, by_seat
from parlour.engine.game import Game
from parlour.engine.rules import OVER, hides_nothing, state_type

STATE = state_type([("bid_hand", CARDS, by_seat(2)), ("bid_laid", CARD, by_seat(2)), ("bid_dealt", np.int64)])


@rule
def deal(state: Any, deck: Any) -> None:
    for seat in range(2):
        state.bid_hand[seat] = bit(deck[2 * seat]) | bit(deck[2 * seat + 1])
        state.private[seat] = state.bid_hand[seat]
        state.bid_laid[seat] = -1
    state.bid_dealt = 1
    state.actor = 0


@rule
def legal(state: Any, actions: Any) -> int:
    hand = state.bid_hand[state.actor]
    actions[0] = lowest(hand)
    actions[1] = lowest(hand & hand - 1)
    return 2


@rule
def play(state: Any, action: int) -> None:
    state.bid_laid[state.actor] = action
    state.bid_hand[state.actor] &= ~bit(action)
    state.private[state.actor] &= ~bit(action)
    state.public |= bit(action)
    state.actor = 1 if state.actor == 0 else OVER


@rule
def score(state: Any, scores: Any) -> int:
    for seat in range(2):
        scores[seat] = rank_of(state.bid_laid[seat]) if state.bid_laid[seat] >= 0 else 0
    if scores[0] == scores[1]:
        return 3
    return 1 if scores[0] > scores[1] else 2


@rule
def hidden_slots(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    for other in range(2):
        known = other == seat or state.bid_dealt == 0
        sizes[other] = 0 if known else 1 + (1 if state.bid_laid[other] < 0 else 0)
        allowed[other] = FULL_DECK & ~state.public
    return 2


@rule
def assign(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    if index != seat:
        state.bid_hand[index] = 0
        for which in range(number):
            state.bid_hand[index] |= bit(cards[which])


@rule
def action_value(state: Any, action: int) -> int:
    return -rank_of(action)


def name(state: Any, action: int) -> str:
    return card_name(action)


def actions(players: int, options: Any) -> tuple[str, ...]:
    return CARD_NAMES[:52]


hides = hides_nothing
GAME = Game.made_of(sys.modules[__name__], id="bid", players=range(2, 3))
