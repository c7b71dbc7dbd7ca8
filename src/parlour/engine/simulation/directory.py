"""Arrays by their addresses, for compiled functions that one game calls at each step.

Numba reads address, shape and strides of each array argument anew at each call, about a tenth of a microsecond for each
array: longer than a step of most games for some twenty arrays. Arrays that stay the same from call to call are passed
as a *directory* instead: one array with their addresses and shapes.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import carray, types
from numba.extending import intrinsic, overload

from parlour.engine.arrays import Int64s
from parlour.engine.compiled import rule_with_arrays

Array = np.ndarray[Any, np.dtype[Any]]


def directory_of(arrays: Sequence[Array]) -> Int64s:
    """Return address, rows and columns of each array; a vector has one column.

    The caller keeps the arrays alive as long as compiled code reads the directory. Raises ``ValueError`` for an array
    that is not contiguous or has more than two dimensions.
    """
    for array in arrays:
        if not array.flags.c_contiguous or not 1 <= array.ndim <= 2:
            raise ValueError(f"a directory has contiguous vectors and matrices only, not {array.shape}")
    return np.array([(array.ctypes.data, *array.shape, 1)[:3] for array in arrays], np.int64)


def pointer(address: int) -> Any:
    """Return the pointer to an address."""
    return ctypes.c_void_p(int(address))


@intrinsic
def _pointer(typing_context: Any, address: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return types.voidptr(types.int64), codegen


@overload(pointer, inline="always")
def _compiled_pointer(address: int) -> Callable[[int], Any]:
    def implementation(address: int) -> Any:  # Numba compares annotated parameters
        return _pointer(address)

    return implementation


@rule_with_arrays
def vector(directory: Int64s, which: int, dtype: Any) -> Any:
    """Return one of the vectors of a directory; ``dtype`` is the type of its items, such as ``np.int64``."""
    return carray(pointer(directory[which, 0]), (directory[which, 1],), dtype)


@rule_with_arrays
def matrix(directory: Int64s, which: int, dtype: Any) -> Any:
    """Return one of the matrices of a directory."""
    return carray(pointer(directory[which, 0]), (directory[which, 1], directory[which, 2]), dtype)
