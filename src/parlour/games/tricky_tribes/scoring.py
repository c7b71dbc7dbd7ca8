"""Tricky Tribes: the numbers and points of cards, and the result (TT-9, TT-17 to TT-20, TT-27)."""

from parlour.cards import BLACK, COURTS, JOKERS, RED, bit, count
from parlour.engine.compiled import rule
from parlour.engine.typed_state import IntVector
from parlour.games.tricky_tribes.typed_state import State

REDS = RED | JOKERS
"""Set of the cards that count as red (TT-20)."""


@rule
def number_of(state: State, card: int) -> int:
    """TT-9, TT-20: return a card's number: 2–10, J 11, Q 12, K 13, A 14; a joker usually 10."""
    return card % 13 + 2 if card < 52 else state.joker_number


@rule
def points_of(state: State, cards: int) -> int:
    """TT-17, TT-20: return the points of some cards: red minus black."""
    courts = cards & COURTS
    plain = cards & ~COURTS
    points = state.red_points * count(plain & RED) + state.red_court_points * count(courts & RED)
    points -= state.black_points * count(plain & BLACK) + state.black_court_points * count(courts & BLACK)
    return points + state.joker_points * count(cards & JOKERS)


@rule
def points_of_card(state: State, card: int) -> int:
    """TT-17, TT-20: return the points of one card: below 0 for a black one."""
    if bit(card) & JOKERS != 0:
        return state.joker_points
    court = bit(card) & COURTS != 0
    if bit(card) & RED != 0:
        return state.red_court_points if court else state.red_points
    return -(state.black_court_points if court else state.black_points)


@rule
def is_limited(state: State, card: int) -> bool:
    """TT-14: return whether winning with this card limits the loot."""
    return number_of(state, card) >= state.limited_from


@rule
def total(state: State, player: int) -> int:
    """TT-17, TT-19, TT-27: return the points of a player's side, or its lead."""
    own = 0
    other = 0
    for member in range(state.seats):
        if state.side[member] == state.side[player]:
            own += state.points[member]
        else:
            other += state.points[member]
    if state.difference:
        return own - other  # TT-19
    return own * state.weight[player]


@rule
def partners(state: State, seat: int) -> int:
    """TT-27: return the players of a side as a set."""
    together = 0
    for player in range(state.seats):
        if state.side[player] == state.side[seat]:
            together |= 1 << player
    return together


@rule
def score(state: State, scores: IntVector) -> int:
    """TT-17 to TT-19: write the scores and return the winners: sides at the target, or else those with most points."""
    best = total(state, 0)
    for player in range(state.seats):
        scores[player] = total(state, player)
        best = max(best, scores[player])
    needed = min(best, state.target) if state.rounds == 0 else best
    winners = 0
    for player in range(state.seats):
        if scores[player] >= needed:
            winners |= 1 << player
    return winners
