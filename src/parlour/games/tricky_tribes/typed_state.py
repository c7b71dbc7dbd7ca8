"""Types of the fields of a state. Generated from ``STATE`` by :mod:`parlour.authors.typed_states`."""

from typing import Protocol

from parlour.engine.typed_state import AnyState, IntVector


class State(AnyState, Protocol):
    """A state of Tricky Tribes: the engine's fields and the game's own."""

    in_use: int
    dealt: int
    extra: int
    deck_size: int
    dummy: int
    exchange: int
    loot_limit: int
    limited_from: int
    red_points: int
    red_court_points: int
    black_points: int
    black_court_points: int
    joker_points: int
    joker_number: int
    single_weight: int
    round_limit: int
    tribes: int
    side: IntVector
    weight: IntVector
    target: int
    rounds: int
    difference: int
    stage: int
    round_number: int
    dealer: int
    ring: IntVector
    turn: int
    gone: int
    tricks: int
    leader: int
    must_open: int
    is_open: int
    above: int
    played: int
    trick: IntVector
    last_leader: int
    last_open: int
    last_taker: int
    last_loot: int
    last_trick: IntVector
    leaders: IntVector
    opened: IntVector
    course: IntVector
    hand: IntVector
    away: IntVector
    collected: IntVector
    discarded: int
    deck: IntVector
    drawn: int
    points: IntVector
