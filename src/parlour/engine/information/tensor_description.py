"""Descriptions of tensors: for each plane its meaning in plain words, unit, range and position."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parlour.engine.fields import Axis, Field, FieldWords
from parlour.engine.information.planes import Plane

_HEADER = {
    "actor": FieldWords("the seat to act"),
    "public": FieldWords("the cards whose places every seat may know"),
    "private": FieldWords("the cards whose places a seat may know besides; they may have become public since"),
}
"""The words of the engine's own fields."""
_UNIT = "yes or no"
_ROWS = {
    "by": "who acted; all 0 in a row that continues the previous one",
    "form": "the form of the action: its notation without cards",
    "hidden": "the cards of the action that the viewer did not see",
    "cards": "the cards of the action that the viewer saw",
    "place": "a place where the event showed the viewer cards that it did not know before",
    "shown": "these cards",
}
"""The meanings of the slices of a history's rows."""


@dataclass(frozen=True)
class PlaneDescription:
    """A plane of a tensor in plain words.

    Attributes:
        name: the plane's name: the field of the state, with an index if the field has several planes.
        meaning: its subject, as a noun phrase.
        values: the meaning of the numbers in its cells.
        unit: the unit of the numbers: ``"yes or no"``, ``"place in the order"``, ``"cards"``, ``"points"``, …
        range: the least and the greatest number.
        slice: the plane's position in the tensor.
        shape: the number of cells.
        cells: the names of the cells.
    """

    name: str
    meaning: str
    values: str
    unit: str
    range: tuple[float, float]
    slice: slice
    shape: tuple[int]
    cells: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return JSON values; the slice is its first cell and the cell after its last one."""
        at = [self.slice.start, self.slice.stop]
        return vars(self) | {"range": list(self.range), "slice": at, "shape": list(self.shape), "cells": [*self.cells]}


def describe_planes(setup: Any, planes: Sequence[Plane]) -> tuple[PlaneDescription, ...]:
    """Return the descriptions of a setup's planes, in order."""
    return tuple(_described(plane, words_of(setup, plane)) for plane in planes)


def describe_rows(planes: Sequence[Plane]) -> tuple[PlaneDescription, ...]:
    """Return the descriptions of the slices of a history's rows, in order."""
    return tuple(
        PlaneDescription(
            plane.name,
            _ROWS[plane.name],
            plane.meaning,
            "place in the order" if plane.name == "shown" else _UNIT,
            plane.limits,
            plane.slice,
            (len(plane.cells),),
            plane.cells,
        )
        for plane in planes
    )


def words_of(setup: Any, plane: Plane) -> FieldWords:
    """Return the words of a plane's field; the field's name if the game does not describe the field."""
    assert plane.field is not None
    name = plane.field.name
    words = setup.game.field_words.get(name) or _HEADER.get(name) or FieldWords(name.replace("_", " "))
    return replace(words, text=f"{words.text}: an unknown card") if plane.name.endswith(" back") else words


def _described(plane: Plane, words: FieldWords) -> PlaneDescription:
    assert plane.field is not None
    index = ", ".join(_index(plane.field, words, plane.steps))
    meaning = f"{words.text}: {index}" if index else words.text
    shape = (len(plane.cells),)
    unit = unit_of(plane, words)
    return PlaneDescription(plane.name, meaning, plane.meaning, unit, plane.limits, plane.slice, shape, plane.cells)


def unit_of(plane: Plane, words: FieldWords) -> str:
    """Return the unit of a plane's numbers."""
    if plane.cells == ("number",):
        return words.unit or "number"
    units = {"1 ": _UNIT, "for each card in": "sets"}
    return next((unit for start, unit in units.items() if plane.meaning.startswith(start)), "place in the order")


def _index(field: Field, words: FieldWords, steps: tuple[int, ...]) -> Iterator[str]:
    """Yield the item of each axis outside the plane: ``"of the observer"``, ``"slot 2"``."""
    names = iter(words.axes)
    for axis, step in zip(field.axes, steps, strict=False):
        if axis.wheel:
            yield _around(axis, step)
        else:
            named = next(names, "item")
            yield named[step] if isinstance(named, tuple) else f"{named} {step + 1}"


def _around(axis: Axis, step: int) -> str:
    """Return a seat or chair counted clockwise from the observer's."""
    whose = "the observer" if axis.wheel == "seat" else "the observer's place"
    if step == 0:
        return f"of {whose}"
    return f"{step} {'seat' if axis.wheel == 'seat' else 'place'}{'s' * (step > 1)} clockwise from {whose}"
