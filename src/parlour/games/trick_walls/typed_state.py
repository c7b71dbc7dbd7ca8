"""Types of the fields of a state. Generated from ``STATE`` by :mod:`parlour.authors.typed_states`."""

from typing import Protocol

from parlour.engine.typed_state import AnyState, IntMatrix, IntVector


class State(AnyState, Protocol):
    """A state of Trick Walls: the engine's fields and the game's own."""

    pure_bonus: int
    massacre: int
    court_points: int
    plain_points: int
    killed_court_points: int
    killed_plain_points: int
    led_ace: int
    half_time: int
    dummy_open: int
    kill_balance: int
    city_keepers: int
    exchange: int
    rounds: int
    cities: int
    dealt: int
    stage: int
    round_number: int
    tricks: int
    dealing_team: int
    red_team: int
    starter: int
    holder: IntVector
    controller: IntVector
    home: IntVector
    team: IntVector
    city: int
    leader: int
    played: int
    trick_suit: int
    best: int
    survivors: int
    trick: IntVector
    last_leader: int
    last_trick: IntVector
    hand: IntVector
    face_up: IntVector
    face_down: IntVector
    pile: IntMatrix
    left: IntVector
    undealt: int
    lacks: IntVector
    gift: IntVector
    lead: int
    kept: IntVector
