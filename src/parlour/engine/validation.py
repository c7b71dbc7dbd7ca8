"""What somebody hands in: taken for the number that it must be, and shown in the message that says what is wrong."""

from operator import index
from typing import Any

import numpy as np

from parlour.engine.errors import ParlourError

_SHOWN_AT_MOST = 60


def shown(given: object) -> str:
    """It as Python writes it, for a message: not too long, and whatever it is."""
    try:
        return shortened(repr(given))
    except Exception:  # a number of too many digits, or somebody's own class
        return f"a thing of the type {type(given).__name__}"


def shortened(text: str) -> str:
    """A text that is not too long for a message."""
    return text if len(text) <= _SHOWN_AT_MOST else text[: _SHOWN_AT_MOST - 3] + "…"


def counted(number: int, noun: str) -> str:
    """``counted(1, "card")`` is ``"1 card"``, ``counted(2, "card")`` is ``"2 cards"``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_whole(given: Any) -> int | None:
    """Python's own number for a whole number of Python, NumPy or another package; ``None`` if it is none.

    ``True`` is none, and neither is ``1.0``: whoever hands in one of them has meant something else.
    """
    try:
        return None if isinstance(given, bool) else index(given)
    except TypeError:
        return None


def whole(what: str, given: Any, least: int | None = None) -> int:
    """The whole number that something must be, and at least so much. Raises :class:`ParlourError`."""
    number = as_whole(given)
    if number is None:
        raise ParlourError(f"{what} must be a whole number, not {shown(given)}")
    if least is not None and number < least:
        raise ParlourError(f"{what} must be {least} at least, not {shown(number)}")
    return number


def wholes(what: str, given: Any) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """The whole numbers that the elements of something must be. Raises :class:`ParlourError`."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu":
        raise ParlourError(f"{what} must be whole numbers, not {numbers.dtype}")
    return numbers.astype(np.int64, copy=False)
