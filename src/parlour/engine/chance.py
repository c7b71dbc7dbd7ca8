"""A reproducible random generator for simulations: SplitMix64, with the same results compiled and interpreted.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. A stream is a ``uint64``
array of one element. :func:`start_stream` sets it for game *n* of a run, so that results do not depend on how games are
spread over threads. Matches between people use other sources of chance (:mod:`parlour.engine.matches`).
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

import numpy as np
from numba.extending import overload

from parlour.cards import cards_at, count, lowest
from parlour.engine.arrays import Stream
from parlour.engine.compiled import rule
from parlour.engine.typed_state import IntVector
from parlour.engine.validation import whole

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB


def _mix(number: int) -> int:
    number = ((number ^ (number >> 30)) * _MIX_1) & _MASK
    number = ((number ^ (number >> 27)) * _MIX_2) & _MASK
    return number ^ (number >> 31)


def random_bits(random: Stream) -> int:
    """Return the next 32 bits of the stream."""
    number = (int(random[0]) + _GAMMA) & _MASK
    random[0] = number
    return _mix(number) >> 32


@overload(random_bits, inline="always")
def _compiled_random_bits(random: Stream) -> Callable[[Stream], np.int64]:  # Numba requires the same annotations below
    gamma, mix_1, mix_2 = np.uint64(_GAMMA), np.uint64(_MIX_1), np.uint64(_MIX_2)

    def bits(random: Stream) -> np.int64:
        number = random[0] + gamma
        random[0] = number
        number = (number ^ (number >> np.uint64(30))) * mix_1
        number = (number ^ (number >> np.uint64(27))) * mix_2
        number = number ^ (number >> np.uint64(31))
        return np.int64(number >> np.uint64(32))

    return bits


def random_bits_after(random: Stream, others: int) -> int:
    """Peek at the 32 bits that follow the next ``others`` draws, without advancing the stream."""
    return _mix((int(random[0]) + (int(others) + 1) * _GAMMA) & _MASK) >> 32


@overload(random_bits_after, inline="always")
def _compiled_random_bits_after(random: Stream, others: int) -> Callable[[Stream, int], np.int64]:
    gamma, mix_1, mix_2 = np.uint64(_GAMMA), np.uint64(_MIX_1), np.uint64(_MIX_2)

    def bits(random: Stream, others: int) -> np.int64:
        number = random[0] + np.uint64(others + 1) * gamma
        number = (number ^ (number >> np.uint64(30))) * mix_1
        number = (number ^ (number >> np.uint64(27))) * mix_2
        number = number ^ (number >> np.uint64(31))
        return np.int64(number >> np.uint64(32))

    return bits


def pass_over(random: Stream, number: int) -> None:
    """Advance the stream by ``number`` draws of 32 bits."""
    random[0] = (int(random[0]) + int(number) * _GAMMA) & _MASK


@overload(pass_over, inline="always")
def _compiled_pass_over(random: Stream, number: int) -> Callable[[Stream, int], None]:
    gamma = np.uint64(_GAMMA)

    def advance(random: Stream, number: int) -> None:
        random[0] = random[0] + np.uint64(number) * gamma

    return advance


def start_stream(random: Stream, seed: int, number: int) -> None:
    """Set the stream to the beginning of game ``number`` of a run with this seed."""
    random[0] = _mix((_mix((int(seed) + _GAMMA) & _MASK) + int(number) * _GAMMA) & _MASK)


@overload(start_stream)
def _compiled_start_stream(random: Stream, seed: int, number: int) -> Callable[[Stream, int, int], None]:
    gamma, mix_1, mix_2 = np.uint64(_GAMMA), np.uint64(_MIX_1), np.uint64(_MIX_2)

    def start(random: Stream, seed: int, number: int) -> None:
        value = np.uint64(seed) + gamma
        for step in range(2):
            value = (value ^ (value >> np.uint64(30))) * mix_1
            value = (value ^ (value >> np.uint64(27))) * mix_2
            value = value ^ (value >> np.uint64(31))
            if step == 0:
                value = value + np.uint64(number) * gamma
        random[0] = value

    return start


@rule
def random_below(random: Stream, limit: int) -> int:
    """Return an integer from 0 to ``limit - 1``, uniform to within ``limit`` / 2**32."""
    return (random_bits(random) * limit) >> 32


@rule
def shuffle(random: Stream, cards: IntVector | list[int], start: int, stop: int) -> None:
    """Shuffle ``cards[start:stop]`` in place; every order is equally likely."""
    for last in range(stop - 1, start, -1):
        other = start + random_below(random, last - start + 1)
        cards[last], cards[other] = cards[other], cards[last]


@rule
def keeps(random: Stream, part: int, whole: int) -> bool:
    """Return True with probability ``part / whole``."""
    return random_bits(random) * whole < part << 32


@rule
def random_card(random: Stream, cards: int) -> int:
    """Return a card of a non-empty set, chosen uniformly at random."""
    return card_at(cards, random_below(random, count(cards)))


@rule
def card_at(cards: int, place: int) -> int:
    """Return the card at index ``place`` of a set, in the order of :func:`spread`."""
    return lowest(cards_at(cards, 1 << place))


@rule
def spread(cards: IntVector, chosen: int) -> int:
    """Write the cards of a set into an array in ascending order; return their number."""
    number = 0
    while chosen != 0:
        cards[number] = lowest(chosen)
        number += 1
        chosen &= chosen - 1
    return number


def as_seed(value: Any) -> int:
    """Return an integer reduced to a signed 64-bit seed for compiled loops. Raises :class:`ParlourError`."""
    return (whole("a seed", value) + (1 << 63)) % (1 << 64) - (1 << 63)


def is_seed_list(value: Any) -> TypeGuard[Sequence[Any]]:
    """Return whether a value has a seed for each game; an array without dimensions is one seed."""
    listed = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)
    return listed and getattr(value, "ndim", 1) > 0


def new_stream(seed: int, number: int = 0) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    """Return the stream of game ``number`` of a run, for Python or compiled loops. Raises :class:`ParlourError`."""
    random = np.zeros(1, np.uint64)
    start_stream(random, as_seed(seed), number)
    return random
