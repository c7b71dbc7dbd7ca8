"""Random tie-breaking between actions of equal value, for heuristics that compare values one by one.

A value is scaled by :data:`LUCK`, and a random number below it is added, so that the highest result wins.
"""

from parlour.engine.arrays import Stream
from parlour.engine.chance import random_bits_after
from parlour.engine.compiled import rule

LEAST = -(1 << 40)
"""A number below the value of any action."""
LUCK = 16
"""Tie-breaking factor: values are multiplied by it, and a random number below it is added."""


@rule
def can_be_best(value: int, best: int) -> bool:
    """Return whether an action of at most this value can reach ``best``, a result of :func:`with_luck`."""
    return value * LUCK + LUCK > best


@rule
def just_below(value: int) -> int:
    """Return a ``best`` that every action of this value beats, for callers that know of such an action."""
    return value * LUCK - 1


@rule
def with_luck(value: int, best: int, random: Stream, index: int) -> int:
    """Return ``value`` scaled by ``LUCK``, plus a random number below ``LUCK``; ``LEAST`` if it cannot reach ``best``.

    The random number comes from the draw after the next ``index`` draws of the stream, which does not advance.
    """
    if not can_be_best(value, best):
        return LEAST
    return value * LUCK + (random_bits_after(random, index) * LUCK >> 32)
