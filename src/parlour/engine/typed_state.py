"""Static types of states: the engine's fields, and arrays of integers whose items type checkers know as ``int``.

A state is a NumPy record, or a :class:`parlour.engine.rules.PlainState`; both have the fields as attributes, but
type checkers do not see these. ``python -m parlour.authors.typed_states`` generates for each game a protocol ``State``
from the declaration ``STATE``. Only annotations use these protocols: compiled code ignores them, and no object has them
as its class. Interpreted, an item of an array is a ``numpy.int64``; JSON values need ``int(…)``.
"""

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias, overload

import numpy as np


class IntVector(Protocol):
    """An array of integers with one axis."""

    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> "IntVector": ...
    def __setitem__(self, index: int | slice, value: int, /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...
    def __len__(self) -> int: ...
    def tolist(self) -> list[int]:
        """Return the items as Python integers."""


class IntMatrix(Protocol):
    """An array of integers with two axes."""

    @overload
    def __getitem__(self, index: tuple[int, int], /) -> int: ...
    @overload
    def __getitem__(self, index: int | tuple[int, slice], /) -> IntVector: ...
    def __setitem__(self, index: tuple[int, int] | slice, value: int, /) -> None: ...
    def __iter__(self) -> Iterator[IntVector]: ...
    def __len__(self) -> int: ...


class IntCube(Protocol):
    """An array of integers with three axes."""

    @overload
    def __getitem__(self, index: tuple[int, int, int], /) -> int: ...
    @overload
    def __getitem__(self, index: tuple[int, int] | tuple[int, int, slice], /) -> IntVector: ...
    @overload
    def __getitem__(self, index: int, /) -> IntMatrix: ...
    def __setitem__(self, index: tuple[int, int, int] | slice, value: int, /) -> None: ...
    def __iter__(self) -> Iterator[IntMatrix]: ...
    def __len__(self) -> int: ...


class AnyState(Protocol):
    """The fields of every state (:data:`parlour.engine.rules.HEADER`)."""

    actor: int
    seats: int
    result_only: int
    public: int
    private: IntVector

    @property
    def dtype(self) -> "np.dtype[np.void]":
        """The type of the state, with the names of all fields."""


OwnState: TypeAlias = Any
"""A state of the game at hand, whose own fields the engine does not know: a game annotates it with its ``State``."""
