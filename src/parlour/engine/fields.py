"""The fields of a state and their kinds: cards, seats, choices, numbers. They determine an observation's planes.

Every number in a state is an ``int64``. A field's declaration has its name, the kind of its numbers, and its axes:
``("hand", CARDS, by_seat(2))``. The declaration marks the axis that runs around the table, so that an observation can
begin with the observer's seat (:mod:`parlour.engine.information.planes`). A field declared as ``np.int64`` is of the
kind :data:`NUMBER`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from parlour.engine.typed_state import OwnState

SetupNumber = int | Callable[[OwnState], int]
"""A number, or a function that returns it for a setup's state before the deal."""
LARGEST = 2**15 - 1
"""The largest number in an observation: the maximum of an ``int16``."""


@dataclass(frozen=True)
class Kind:
    """The meaning of a field's numbers.

    Attributes:
        name: the name of the kind.
        size: for kinds with choices or flags, their number, or a function that returns it for a setup's state before
            the deal; the same holds for ``least`` and ``most``.
        least: the least value in a state, for numbers.
        most: the greatest value in a state, for numbers.
        field: the name of another field needed to interpret the number; see :func:`chair_in` and :func:`number`.
        observed: whether observations include the field. The tensor of the full state includes it in any case, unless
            the kind is :data:`UNOBSERVED`.
    """

    name: str
    size: SetupNumber = 0
    least: SetupNumber = 0
    most: SetupNumber = 0
    field: str = ""
    observed: bool = True


NUMBER = Kind("number", least=-LARGEST, most=LARGEST)
"""A number from −32,767 to 32,767. Use :func:`number` where narrower limits are known."""
YES_NO = Kind("yes or no", 1)
"""1 for yes, 0 for no."""
CARDS = Kind("cards")
"""A set of cards, a bit for each."""
CARD = Kind("card")
"""A card, or an ordered list of cards along the last axis. Any number that is not a card's stands for no card."""
SINGLE = Kind("single")
"""A set of at most one card, or an ordered list of such sets along the last axis."""
SINGLE_OR_BACK = Kind("single or a back")
"""A set as in :data:`SINGLE`, or a bit above all cards for a card that the viewer may not know."""
SUITS = Kind("suits")
"""A set of cards made of complete suits."""
SEAT = Kind("seat")
"""A seat; any number that is not a seat's stands for no seat."""
SEATS = Kind("seats")
"""A set of seats, a bit for each."""
SIDE = Kind("side")
"""A side, the seats that play together, numbered from 0 to 7; any number that is not a side's stands for no side.

A field of sides along an axis of seats must hold the side of each seat, so that an observation can count sides from
the observer's side.
"""
CHAIR = Kind("chair")
"""A place at the table, of a seat or a dummy; any number that is not a place's stands for no place."""
UNOBSERVED = Kind("untold", observed=False)
"""A field left out of all tensors: it is fixed by the setup, follows from other fields, or records past actions, which
are in the tensors of histories.
"""


def hidden(kind: Kind) -> Kind:
    """Return the kind for a field that no observation includes, since no seat knows it, such as the order of a stock.

    The tensor of the full state (:meth:`parlour.engine.simulation.batch.Batch.state_tensor`) includes it.
    """
    return replace(kind, observed=False)


def one_of(size: SetupNumber) -> Kind:
    """Return the kind for one of ``size`` items, numbered from 0; any other number stands for none of them."""
    return Kind("one of", size)


def flags(size: SetupNumber) -> Kind:
    """Return the kind for ``size`` yes-or-no values, a bit for each."""
    return Kind("flags", size)


def number(most: SetupNumber, least: SetupNumber = 0, of_side: str = "") -> Kind:
    """Return the kind for a number from ``least`` to ``most``, both within ±32,767.

    Args:
        most: the greatest number, or a function that returns it for a setup's state before the deal.
        least: the least number, or such a function.
        of_side: the name of the field with the side from whose point of view the number is counted, for example a lead.
            Observations negate it for observers of another side.
    """
    return Kind("number", least=least, most=most, field=of_side)


def chair_in(field: str) -> Kind:
    """Return the kind for an index into ``field``, a list of places at the table; the index stands for the place there.

    Any number that is not an index stands for no place.
    """
    return Kind("chair", field=field)


class Axis(int):
    """The length of an axis, with its treatment in observations.

    Attributes:
        wheel: what its index counts, ``"seat"`` or ``"chair"``, or an empty string.
        observed: the number of items in an observation.
        counted: for sets of cards: whether an observation holds only the number of sets that contain each card.
    """

    wheel: str
    observed: SetupNumber
    counted: bool

    def __new__(
        cls, length: int, wheel: str = "", observed: SetupNumber | None = None, counted: bool = False
    ) -> "Axis":
        """Return an axis of this length; ``observed`` is ``length`` by default."""
        made = super().__new__(cls, length)
        made.wheel = wheel
        made.observed = length if observed is None else observed
        made.counted = counted
        return made


def by_seat(length: int, observed: SetupNumber | None = None) -> Axis:
    """Return an axis with one item for each seat; ``length`` may exceed the number of seats."""
    return Axis(length, "seat", observed)


def by_chair(length: int, observed: SetupNumber | None = None) -> Axis:
    """Return an axis with one item for each place at the table; ``length`` may exceed their number."""
    return Axis(length, "chair", observed)


def first_of(length: int, observed: SetupNumber) -> Axis:
    """Return an axis truncated to ``observed`` items in observations; later items are almost always empty."""
    return Axis(length, observed=observed)


def counted(length: int, observed: SetupNumber | None = None) -> Axis:
    """Return an axis of similar sets of cards: an observation holds the number of sets that contain each card."""
    return Axis(length, observed=observed, counted=True)


@dataclass(frozen=True)
class Field:
    """A field of a state: its name, the kind of its numbers, and its axes."""

    name: str
    kind: Kind
    axes: tuple[Axis, ...] = ()


@dataclass(frozen=True)
class FieldWords:
    """The meaning of a field of a state in plain words, for the descriptions of tensors.

    Attributes:
        text: the meaning, as a noun phrase.
        unit: the unit of a number, such as ``"cards"`` or ``"points"``.
        axes: for each axis whose items have planes of their own, except the axis around the table: the names of its
            items, or one noun for all of them.
        values: the names of the items of :func:`one_of` or :func:`flags`.
        place: for a field of cards, whether the cards lie there; False if the field only records something about
            them. A history shows a card where it lies (:mod:`parlour.engine.information.history`).
    """

    text: str
    unit: str = ""
    axes: tuple[str | tuple[str, ...], ...] = ()
    values: tuple[str, ...] = ()
    place: bool = True


_declared: dict[tuple[str, ...], tuple[Field, ...]] = {}
"""The fields of each state type, by the tuple of their names; no two games have the same names."""


FieldDeclaration = tuple[str, Kind | type[np.int64]] | tuple[str, Kind | type[np.int64], int | tuple[int, ...]]
"""A field's name, its kind or ``np.int64``, and for an array its length or shape."""


def declare_fields(fields: Sequence[FieldDeclaration]) -> tuple[Field, ...]:
    """Register and return the fields of a state type.

    Args:
        fields: a tuple for each field: its name, its kind or ``np.int64``, and for an array its length or shape.
    """
    declared = tuple(_field(*field) for field in fields)
    _declared[tuple(field.name for field in declared)] = declared
    return declared


def _field(name: str, kind: "Kind | type[np.int64]", shape: int | tuple[int, ...] = ()) -> Field:
    axes = shape if isinstance(shape, tuple) else (shape,)
    held = kind if isinstance(kind, Kind) else NUMBER
    return Field(name, held, tuple(axis if isinstance(axis, Axis) else Axis(axis) for axis in axes))


def fields_of(names: tuple[str, ...] | None) -> tuple[Field, ...]:
    """Return the registered fields of the state type with these field names."""
    return _declared[names or ()]
