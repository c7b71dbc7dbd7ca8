"""What the fields of a state hold: cards, seats, choices, numbers. An observation's planes follow from it.

Every number in a state is an ``int64``. Beside its name a field says what its numbers stand for, and which of its axes
runs around the table, so that an observation can begin with the own seat (:mod:`parlour.engine.planes`):
``("hand", CARDS, by_seat(2))``. What says nothing (``np.int64``) is a number.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Told = int | Callable[[Any], int]
"""A number, or a function that gives it for a setup's state before the deal."""
LARGEST = 2**15 - 1
"""The largest number of an observation, so that an ``int16`` holds all of them."""


@dataclass(frozen=True)
class Kind:
    """What a number stands for.

    Attributes:
        name: of the kind.
        size: how many there are to choose from, if the kind says so.
        least: the least number that a state can hold, and ``most`` the greatest, for numbers.
        field: another field that the number is read with: see :func:`chair_in` and :func:`number`.
    """

    name: str
    size: int = 0
    least: Told = 0
    most: Told = 0
    field: str = ""


NUMBER = Kind("number", least=-LARGEST, most=LARGEST)
"""A number of which nothing more is said, from −32,767 to 32,767. Say :func:`number` wherever there are limits."""
YES_NO = Kind("yes or no", 1)
"""1 for yes, 0 for no."""
CARDS = Kind("cards")
"""A set of cards, a bit for each."""
CARD = Kind("card")
"""A card; along the last axis cards in their order. What is no card's number stands for none."""
SINGLE = Kind("single")
"""A set of one card or none; along the last axis such sets in their order."""
SINGLE_OR_BACK = Kind("single or a back")
"""The same, or a bit above all cards for one that the viewer may not know."""
SUITS = Kind("suits")
"""A set of cards that holds each suit as a whole or not at all."""
SEAT = Kind("seat")
"""A seat; what is no seat's number stands for none."""
SEATS = Kind("seats")
"""A set of seats, a bit for each."""
SIDE = Kind("side")
"""A side that plays together, numbered from 0 to 7; what is no side's number stands for none.

A field of sides along an axis of seats must say which side each seat is on, so that an observation can count sides from
the observer's own.
"""
CHAIR = Kind("chair")
"""A place at the table, which a seat or a dummy has; what is no such number stands for none."""
UNTOLD = Kind("untold")
"""Of no use in an observation: nobody ever knows it, the setup says it, or it follows from other fields."""


def one_of(size: int) -> Kind:
    """One of so many things, numbered from 0; any other number stands for none of them."""
    return Kind("one of", size)


def flags(size: int) -> Kind:
    """So many things that are or are not: a bit for each."""
    return Kind("flags", size)


def number(most: Told, least: Told = 0, of_side: str = "") -> Kind:
    """A number from ``least`` to ``most``, none of them beyond 32,767.

    Args:
        most: the greatest number, or a function that gives it for a setup's state before the deal.
        least: the least one, likewise.
        of_side: the field of the side that the number speaks for. An observation has its negative for an observer of
            another side: a lead of the one side is what the other lags behind.
    """
    return Kind("number", least=least, most=most, field=of_side)


def chair_in(field: str) -> Kind:
    """An index into another field, of places at the table: it stands for the place there; no index stands for none."""
    return Kind("chair", field=field)


class Axis(int):
    """The length of an axis; ``wheel`` says what its index counts, ``told`` how many items an observation has.

    Of sets of cards along a ``counted`` axis an observation says in how many each card is.
    """

    wheel: str
    told: Told
    counted: bool

    def __new__(cls, length: int, wheel: str = "", told: Told | None = None, counted: bool = False) -> "Axis":
        """An axis of this length."""
        made = super().__new__(cls, length)
        made.wheel = wheel
        made.told = length if told is None else told
        made.counted = counted
        return made


def by_seat(length: int, told: Told | None = None) -> Axis:
    """An axis with one item for each seat, and perhaps room for more."""
    return Axis(length, "seat", told)


def by_chair(length: int, told: Told | None = None) -> Axis:
    """An axis with one item for each place at the table, and perhaps room for more."""
    return Axis(length, "chair", told)


def first_of(length: int, told: Told) -> Axis:
    """An axis of which only the first items are told, since the others hardly ever hold anything."""
    return Axis(length, told=told)


def counted(length: int) -> Axis:
    """An axis of sets of cards that differ little: an observation says of each card in how many of them it is."""
    return Axis(length, counted=True)


@dataclass(frozen=True)
class Field:
    """A field of a state: its name, what its numbers stand for, and its axes."""

    name: str
    kind: Kind
    axes: tuple[Axis, ...] = ()


_declared: dict[tuple[str, ...], tuple[Field, ...]] = {}
"""The fields of each type of states, by their names, which are every game's own."""


def declare_fields(fields: list[tuple[Any, ...]]) -> tuple[Field, ...]:
    """Keep what the fields of a type of states hold.

    Args:
        fields: of each its name, its kind or a type of numbers, and if it holds several its length or its shape.
    """
    declared = tuple(_field(*field) for field in fields)
    _declared[tuple(field.name for field in declared)] = declared
    return declared


def _field(name: str, kind: Any, shape: int | tuple[int, ...] = ()) -> Field:
    axes = shape if isinstance(shape, tuple) else (shape,)
    held = kind if isinstance(kind, Kind) else NUMBER
    return Field(name, held, tuple(axis if isinstance(axis, Axis) else Axis(axis) for axis in axes))


def fields_of(names: tuple[str, ...]) -> tuple[Field, ...]:
    """The fields of the type of states whose fields have these names."""
    return _declared[names]
