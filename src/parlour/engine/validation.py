"""Argument validation: coerce integers, and format values for error messages."""

import math
from operator import index
from typing import Any

import numpy as np

from parlour.engine.arrays import Int64s
from parlour.engine.errors import ParlourError
from parlour.engine.moves import Move

_SHOWN_AT_MOST = 60
MOST_WHOLE = 2**63 - 1
"""The greatest ``int64``."""
MOST_GAMES = 10**12
"""Maximum number of games at once; NumPy has no error of memory for arrays of impossible size."""
MOST_CORES = 10_000
"""Maximum number of threads or processes of a run; more are a slip of the keyboard, and the system refuses them."""


def shown(value: object) -> str:
    """Return the ``repr`` of any value, shortened for a message; never fails."""
    try:
        return shortened(repr(value))
    except Exception:  # an integer with too many digits, or a foreign class
        return f"a value of type {type(value).__name__}"


def shortened(text: str) -> str:
    """Return a text, truncated to the maximum length for a message."""
    return text if len(text) <= _SHOWN_AT_MOST else text[: _SHOWN_AT_MOST - 3] + "…"


def counted(number: int, noun: str) -> str:
    """Return a number and a noun: ``"1 card"``, ``"2 cards"``, ``"1,000 cards"``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def as_whole(value: Any) -> int | None:
    """Return an integer of Python, NumPy or another package as ``int``, or ``None`` for any other value.

    ``True``, ``1.0`` and a :class:`Move` count as other values, since they are probably mistakes.
    """
    try:
        return None if isinstance(value, bool | Move) else index(value)
    except TypeError:
        return None


def whole(what: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Return a value that must be an integer, from ``least`` to ``most``, as ``int``. Raises :class:`ParlourError`."""
    number = as_whole(value)
    if number is None:
        raise ParlourError(f"{what} must be a whole number, not {shown(value)}")
    if least is not None and number < least:
        raise ParlourError(f"{what} must be {least} at least, not {shown(number)}")
    if most is not None and number > most:
        raise ParlourError(f"{what} must be {most} at most, not {shown(number)}")
    return number


def positive(what: str, value: Any) -> float:
    """Return a value that must be a finite number above 0 as ``float``. Raises :class:`ParlourError`."""
    try:
        number = float(value) if not isinstance(value, str | bytes) else math.nan
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 < number < math.inf:
        raise ParlourError(f"{what} must be a number above 0, not {shown(value)}")
    return number


def wholes(what: str, value: Any) -> Int64s:
    """Return integers as an array of ``int64``. Raises :class:`ParlourError` for other types and greater numbers."""
    if _has_moves(value):
        raise ParlourError(f"{what} must be whole numbers, not moves of the rules")
    numbers = as_array(what, value)
    if numbers.dtype.kind not in "iu":
        if not numbers.size:  # NumPy takes an empty list for floats
            raise ParlourError(f"{what} must be whole numbers, not an empty list")
        raise ParlourError(f"{what} must be whole numbers, not {numbers.dtype}")
    if numbers.dtype.kind == "u" and numbers.size and numbers.max() > MOST_WHOLE:
        raise ParlourError(f"{what} must be {MOST_WHOLE} at most, not {numbers.max()}")
    whole_numbers: Int64s = numbers.astype(np.int64, copy=False)
    return whole_numbers


def _has_moves(value: Any) -> bool:
    return isinstance(value, Move) or (isinstance(value, list | tuple) and any(map(_has_moves, value)))


def as_array(what: str, value: Any) -> Any:
    """Return a value as an array. Raises :class:`ParlourError` for rows of different lengths."""
    try:
        return np.asarray(value)
    except ValueError:
        raise ParlourError(f"{what} must be an array, not {shown(value)}") from None
