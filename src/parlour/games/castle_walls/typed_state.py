"""Types of the fields of a state. Generated from ``STATE`` by :mod:`parlour.authors.typed_states`."""

from typing import Protocol

from parlour.engine.typed_state import AnyState, IntCube, IntMatrix, IntVector


class State(AnyState, Protocol):
    """A state of Castle Walls: the engine's fields and the game's own."""

    turn_limit: int
    life_cards: int
    hand_limit: int
    slots: int
    hand_cards: int
    draws: int
    placings: int
    quiet_turns: int
    straight_cards: int
    jokers: int
    stage: int
    turn: int
    turns: int
    placed: int
    covered_now: int
    attacked: int
    attacker: int
    straight_low: int
    straight_next: int
    hand: IntVector
    held: IntVector
    up: IntMatrix
    down: IntMatrix
    laid: IntMatrix
    life: IntMatrix
    left: IntVector
    line: IntVector
    head: int
    deck_left: int
    grave_left: int
    turned: int
    open_cards: int
    no_black: IntVector
    known: IntMatrix
    possible: IntMatrix
    may_hold: IntCube
    capacity: IntCube
    displaced: int
