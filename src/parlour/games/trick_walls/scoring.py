"""Trick Walls: the points of cards and cities (TW-17, TW-18, TW-20, TW-21)."""

from parlour.cards import BLACK, COURTS, RED, count
from parlour.engine.compiled import rule
from parlour.games.trick_walls.typed_state import State


@rule
def points(state: State, cards: int) -> int:
    """TW-17: return the points of some cards that lie face up."""
    return state.plain_points * count(cards & ~COURTS) + state.court_points * count(cards & COURTS)


@rule
def points_if_killed(state: State, cards: int) -> int:
    """TW-21: return the points of some cards that lie face down."""
    return state.killed_plain_points * count(cards & ~COURTS) + state.killed_court_points * count(cards & COURTS)


@rule
def open_points(state: State, city: int) -> int:
    """TW-17, TW-18: return the points of a city's face-up cards, red minus black."""
    return points(state, state.face_up[city] & RED) - points(state, state.face_up[city] & BLACK)


@rule
def killed_points(state: State, city: int) -> int:
    """TW-21: return the points of a city's face-down cards, each against its own side, red minus black."""
    down = state.face_down[city]
    return points_if_killed(state, down & BLACK) - points_if_killed(state, down & RED)


@rule
def purity(cards: int) -> int:
    """TW-20: return 1 if all cards are red, −1 if all are black, 0 if mixed or none."""
    if cards == 0:
        return 0
    if cards & BLACK == 0:
        return 1  # TW-20
    if cards & RED == 0:
        return -1  # TW-20
    return 0


@rule
def city_points(state: State, city: int) -> int:
    """TW-18, TW-20, TW-21: return a city's points, red minus black."""
    result = open_points(state, city)
    if state.pure_bonus | state.massacre != 0:
        result += state.pure_bonus * purity(state.face_up[city]) - state.massacre * purity(state.face_down[city])
    if state.kill_balance:
        result += killed_points(state, city)  # TW-21
    return result


@rule
def sign_of(state: State, player: int) -> int:
    """TW-4: return 1 for a player of the red side, −1 for one of the black side."""
    return 1 if state.team[player] == state.red_team else -1
