"""Types of the fields of a state. Generated from ``STATE`` by :mod:`parlour.authors.typed_states`."""

from typing import Protocol

from parlour.engine.typed_state import AnyState, IntMatrix, IntVector


class State(AnyState, Protocol):
    """A state of Trime Kicker: the engine's fields and the game's own."""

    ace: int
    judge: int
    main_cards: int
    backup_cards: int
    reach: int
    pile_points: int
    bonus_points: int
    everywhere: int
    goes_on: IntVector
    stage: int
    top: IntVector
    controller: IntVector
    pile: IntVector
    fits: IntVector
    hand: IntVector
    first: IntVector
    first_size: IntVector
    backup: IntMatrix
    drawn: IntVector
    left: IntVector
    laid: IntVector
    laid_before: IntVector
    may: IntMatrix
    declines: int
    drew: int
    order: int
    favoured: int
