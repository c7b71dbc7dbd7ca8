"""The static type of the scratch space for hiding and sampling cards (``determinization.TABLE``)."""

from typing import Protocol

from parlour.engine.arrays import Floats
from parlour.engine.typed_state import IntMatrix, IntVector


class SamplingTable(Protocol):
    """The hidden slots of a state, and the layout that is being sampled.

    Vectors have an item for each slot or group, except ``cards`` and ``ways``.

    :mod:`parlour.engine.information.determinization` and :mod:`parlour.engine.information.unknown_origin` describe the
    fields where they declare them.
    """

    sizes: IntVector
    allowed: IntVector
    most: IntVector
    order: IntVector
    cards: IntVector
    layout: IntMatrix
    number: int
    narrow: int
    pool: int

    room: IntVector
    settled: IntVector
    group: IntVector
    groups: int
    group_room: IntVector
    group_cards: IntVector
    group_ambiguous: IntVector
    block: IntVector
    block_end: IntVector
    block_room: IntVector
    block_cards: IntVector
    block_ambiguous: IntVector
    block_ways: IntVector
    block_fills: IntVector
    stride: IntVector
    most_ambiguous: IntVector
    held: IntVector
    cards_of_group: IntMatrix
    ways: Floats
