"""Arrays by their addresses: compiled and interpreted functions read and write the arrays themselves."""

import numba
import numpy as np
import pytest

from parlour.engine.simulation.directory import directory_of, matrix, vector


def swap(directory):
    """Swap the first item of a vector and the last one of a matrix; return the shapes."""
    numbers, table = vector(directory, 0, np.int64), matrix(directory, 1, np.int32)
    numbers[0], table[-1, -1] = table[-1, -1], numbers[0]
    return numbers.shape[0], table.shape[0], table.shape[1]


@pytest.mark.parametrize("function", [swap, numba.njit(swap)], ids=["interpreted", "compiled"])
def test_functions_read_and_write_the_arrays(function):
    numbers, table = np.array([7, 8]), np.arange(6, dtype=np.int32).reshape(2, 3)
    assert function(directory_of([numbers, table])) == (2, 2, 3)
    assert (numbers.tolist(), table.tolist()) == ([5, 8], [[0, 1, 2], [3, 4, 7]])


@pytest.mark.parametrize(
    "array", [np.zeros((2, 4))[:, ::2], np.zeros((2, 2, 2)), np.float64(1)], ids=["gaps", "3", "0"]
)
def test_other_arrays_are_refused(array):
    with pytest.raises(ValueError, match="contiguous vectors and matrices"):
        directory_of([np.asarray(array)])
