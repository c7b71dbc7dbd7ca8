"""Types of NumPy arrays by their elements, for annotations. Docstrings give the shapes."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Bools: TypeAlias = NDArray[np.bool_]
Int8s: TypeAlias = NDArray[np.int8]
Uint8s: TypeAlias = NDArray[np.uint8]
Int64s: TypeAlias = NDArray[np.int64]
Float32s: TypeAlias = NDArray[np.float32]
Floats: TypeAlias = NDArray[np.float64]

States: TypeAlias = NDArray[np.void]
"""States of one game, as records; an item is an :class:`parlour.engine.typed_state.AnyState`."""
Streams: TypeAlias = NDArray[np.uint64]
"""Random streams (:mod:`parlour.engine.chance`); a function for one game takes an array of one."""
