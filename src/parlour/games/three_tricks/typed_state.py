"""Types of the fields of a state. Generated from ``STATE`` by :mod:`parlour.authors.typed_states`."""

from typing import Protocol

from parlour.engine.typed_state import AnyState, IntMatrix, IntVector


class State(AnyState, Protocol):
    """A state of 3 Tricks: the engine's fields and the game's own."""

    replacing_ends_turn: int
    rank_any: int
    stall_turns: int
    tricks: int
    last_cards: int
    hand_cards: int
    swap_limit: int
    stock_end: int
    stage: int
    dealer: int
    turn: int
    to_block: int
    idle: int
    winner: int
    drawer: int
    to_draw: int
    hand: IntVector
    held: IntVector
    laid: IntVector
    rows: IntMatrix
    blocked: IntVector
    second: IntVector
    second_size: IntVector
    stock: IntVector
    left: int
    shuffles: int
    returned: IntVector
    links: IntVector
    older: IntMatrix
    most_put: IntMatrix
    most_had: IntMatrix
