"""The rules of Lay Away: deal, legal, play, score."""

from typing import Any

import numpy as np

from parlour.cards import bit, lowest, rank_of, suit_of
from parlour.engine.chance import spread
from parlour.engine.compiled import rule
from parlour.engine.fields import CARD, CARDS, SEAT, SEATS, UNOBSERVED, by_seat, one_of
from parlour.engine.game import Options
from parlour.engine.rules import CHANCE, NOBODY, OVER, state_type

GO = 52
"""The action "go", which plays no card."""
PAIR = 53
"""Offset of actions that lay two cards away: PAIR + 52 * lower + higher."""
UNDEALT, LAYING, PLAYING, SHOWN = range(4)
HEART = 2

STATE = state_type(
    [
        ("away_deals", UNOBSERVED),  # the options
        ("away_bonus", UNOBSERVED),
        ("away_dealt", np.int64),  # deals so far
        ("away_dealer", SEAT),
        ("away_stage", one_of(4)),
        ("away_hand", CARDS, by_seat(2)),
        ("away_played", CARDS, by_seat(2)),
        ("away_laid", np.int64, by_seat(2)),  # 1 for a seat that has laid two cards away
        ("away_aside", CARDS),
        ("away_next", UNOBSERVED),  # the set of the card that is turned up next
        ("away_up", CARD),
        ("away_stock", UNOBSERVED),
        ("away_pile", CARD, (6,)),
        ("away_piled", np.int64),
        ("away_go", SEATS),
        ("away_last", SEAT),
        ("away_lacks", CARDS, by_seat(2)),  # cards that a hand cannot hold
        ("away_points", np.int64, by_seat(2)),
        ("away_made", np.int64, (by_seat(2), 2)),  # in this deal: by the card turned up, by piles
    ]
)


def setup(state: Any, players: int, options: Options) -> None:
    """AW-1."""
    state.away_deals = options["deals"]
    state.away_bonus = options["bonus"]
    state.away_dealer = NOBODY
    state.away_up = NOBODY
    state.away_last = NOBODY


@rule
def choices(state: Any) -> int:
    """AW-1: a dealer first, then cards."""
    return 2 if state.away_dealer == NOBODY else 0


@rule
def deal(state: Any, deck: Any) -> None:
    """AW-2: five cards each; the next lies upon the stock."""
    if state.away_dealt > 0:
        state.away_dealer = 1 - state.away_dealer
    clear(state)
    for index in range(10):
        state.away_hand[index % 2] |= bit(deck[index])
        state.private[index % 2] |= bit(deck[index])
    state.away_next = bit(deck[10])
    for index in range(11, 52):
        state.away_stock |= bit(deck[index])
    state.away_dealt += 1
    state.away_stage = LAYING
    state.actor = 1 - state.away_dealer


@rule
def clear(state: Any) -> None:
    """AW-2: all cards go back into the deck."""
    state.public = 0
    state.away_aside = 0
    state.away_stock = 0
    state.away_up = NOBODY
    state.away_last = NOBODY
    state.away_piled = 0
    state.away_go = 0
    for seat in range(2):
        state.private[seat] = 0
        state.away_hand[seat] = 0
        state.away_played[seat] = 0
        state.away_laid[seat] = 0
        state.away_lacks[seat] = 0
        state.away_made[seat, 0] = 0
        state.away_made[seat, 1] = 0


@rule
def higher(state: Any) -> int:
    """AW-4: the cards that may lie upon the pile."""
    found = 0
    for card in range(52):
        if state.away_piled == 0 or rank_of(card) > rank_of(state.away_pile[state.away_piled - 1]):
            found |= bit(card)
    return found


@rule
def legal(state: Any, actions: Any) -> int:
    """AW-3, AW-4."""
    hand = state.away_hand[state.actor]
    if state.away_stage == LAYING:
        return list_pairs(hand, actions)
    number = spread(actions, hand & higher(state))
    if number == 0:
        actions[0] = GO
        number = 1
    return number


@rule
def list_pairs(hand: int, actions: Any) -> int:
    """AW-3: any two cards."""
    number = 0
    while hand != 0:
        first = lowest(hand)
        hand &= hand - 1
        others = hand
        while others != 0:
            actions[number] = PAIR + 52 * first + lowest(others)
            others &= others - 1
            number += 1
    return number


@rule
def pair_of(action: int) -> int:
    """AW-3: the two cards of an action, as a set."""
    return bit((action - PAIR) // 52) | bit((action - PAIR) % 52)


@rule
def play(state: Any, action: int) -> None:
    """AW-1, AW-3, AW-4."""
    if state.actor == CHANCE:
        state.away_dealer = action
    elif action >= PAIR:
        lay(state, pair_of(action))
    elif action == GO:
        say_go(state)
    else:
        play_card(state, action)


@rule
def lay(state: Any, cards: int) -> None:
    """AW-3: two cards face down; after the dealer's the next card is turned up."""
    seat = state.actor
    state.away_hand[seat] &= ~cards
    state.away_aside |= cards
    state.away_laid[seat] = 1
    state.actor = 1 - seat
    if seat == state.away_dealer:
        turn_up(state)


@rule
def turn_up(state: Any) -> None:
    """AW-3: a heart brings the dealer a point."""
    state.away_up = lowest(state.away_next)
    state.away_next = 0
    state.public |= bit(state.away_up)
    state.away_stage = PLAYING
    if state.away_bonus == 1 and suit_of(state.away_up) == HEART:
        gain(state, state.away_dealer, 0)


@rule
def gain(state: Any, seat: int, what: int) -> None:
    """AW-3, AW-5: a point."""
    state.away_points[seat] += 1
    state.away_made[seat, what] += 1


@rule
def play_card(state: Any, card: int) -> None:
    """AW-4."""
    seat = state.actor
    state.away_hand[seat] &= ~bit(card)
    state.away_played[seat] |= bit(card)
    state.public |= bit(card)
    state.away_pile[state.away_piled] = card
    state.away_piled += 1
    state.away_last = seat
    state.actor = 1 - seat
    go_on(state)


@rule
def say_go(state: Any) -> None:
    """AW-4: everyone sees that no card fits."""
    state.away_go |= 1 << state.actor
    state.away_lacks[state.actor] |= higher(state)
    go_on(state)


@rule
def go_on(state: Any) -> None:
    """AW-4: the other seat is next if it has cards and has not said go; else this seat, if a card fits; else none."""
    last = state.away_last
    other = 1 - last
    if state.away_hand[other] != 0 and state.away_go >> other & 1 == 0:
        state.actor = other
    elif state.away_hand[last] & higher(state) != 0:
        state.actor = last
    else:
        state.away_lacks[last] |= higher(state)
        end_pile(state)


@rule
def end_pile(state: Any) -> None:
    """AW-5: a point for the last card."""
    gain(state, state.away_last, 1)
    state.away_piled = 0
    state.away_go = 0
    if state.away_hand[0] | state.away_hand[1] == 0:
        show(state)
        return
    other = 1 - state.away_last
    state.actor = other if state.away_hand[other] != 0 else state.away_last


@rule
def show(state: Any) -> None:
    """AW-5: what was laid away is shown; then the next deal, or the end."""
    state.public |= state.away_aside
    state.away_stage = SHOWN
    state.actor = OVER if state.away_dealt == state.away_deals else CHANCE


@rule
def score(state: Any, scores: Any) -> int:
    """AW-5: most points win."""
    for seat in range(2):
        scores[seat] = state.away_points[seat]
    if scores[0] == scores[1]:
        return 3
    return 1 if scores[0] > scores[1] else 2
