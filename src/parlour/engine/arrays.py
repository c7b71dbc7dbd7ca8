"""Types of NumPy arrays by their elements, for annotations. Docstrings give the shapes."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Bools: TypeAlias = NDArray[np.bool_]
Int8s: TypeAlias = NDArray[np.int8]
Uint8s: TypeAlias = NDArray[np.uint8]
Int16s: TypeAlias = NDArray[np.int16]
Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Float32s: TypeAlias = NDArray[np.float32]
Floats: TypeAlias = NDArray[np.float64]
Cells: TypeAlias = NDArray[np.float32 | np.int16]
"""Cells of tensors, as ``float32`` or ``int16``."""

States: TypeAlias = NDArray[np.void]
"""States of one game, as records; an item is an :class:`parlour.engine.typed_state.AnyState`."""
Records: TypeAlias = NDArray[np.void]
"""Records of another type, such as the nodes of a search tree."""
Stream: TypeAlias = NDArray[np.uint64]
"""A random stream (:mod:`parlour.engine.chance`), an array of one element."""
Streams: TypeAlias = NDArray[np.uint64]
"""Random streams, one for each game or seat."""
