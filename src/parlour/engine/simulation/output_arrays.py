"""Arrays that receive the observations of a batch."""

from math import prod
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import Bools, Cells
from parlour.engine.errors import ParlourError
from parlour.engine.validation import shown

Cell = TypeVar("Cell", bound=np.generic)

_LINE = 64
"""Length of a cache line, in bytes."""


class Observations(NamedTuple):
    """The observations of one seat in each of *n* games, one row for each game; the fields are as in ``Observation``.

    ``tensor`` is n × the setup's ``observation_shape``, ``legal_mask`` n × its ``num_actions``.
    """

    tensor: Cells
    legal_mask: Bools


def aligned(shape: tuple[int, int], kind: "np.dtype[Cell]") -> NDArray[Cell]:
    """Return an array of zeros that begins with a cache line: it is written faster, and JAX reads it in place."""
    room = np.zeros(prod(shape) * kind.itemsize + _LINE, np.uint8)
    first = -room.ctypes.data % _LINE
    return room[first : first + prod(shape) * kind.itemsize].view(kind).reshape(shape)


def check_fit(name: str, array: Any, shape: tuple[int, ...], kinds: "tuple[np.dtype[Any], ...]") -> None:
    """Raise ``ParlourError`` if an output array is read-only, or has the wrong shape, type or memory order."""
    if not isinstance(array, np.ndarray) or not array.flags.writeable:
        raise ParlourError(f"{name} must be a writable array, not {shown(array)}")
    if array.shape != shape or array.dtype not in kinds or not array.flags.c_contiguous:
        named = " or ".join(map(str, kinds))
        raise ParlourError(f"{name} must be {named} of shape {shape}, row by row, not {array.dtype} of {array.shape}")
