"""Records whose fields are attributes, so that the same rule reads ``state.actor`` interpreted and compiled.

NumPy's own such records look every attribute up in Python, which takes several times as long as to read the field; an
interpreted rule does little else. Here each type of records has a class of its own, whose fields are properties.
"""

import copyreg
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np


class _RecordClass(type):
    """What the classes of records are: made again from their fields by a process that is sent one."""

    fields: tuple[str, ...]


def _setter(field: str) -> Any:
    def set_field(record: Any, value: Any) -> None:
        record[field] = value

    return set_field


@cache
def _record_class(fields: tuple[str, ...]) -> _RecordClass:
    named: dict[str, Any] = {field: property(itemgetter(field), _setter(field)) for field in fields}
    return _RecordClass("Record", (np.void,), {**named, "__slots__": (), "fields": fields})


copyreg.pickle(_RecordClass, lambda made: (_record_class, (made.fields,)))


def with_attributes(dtype: "np.dtype[Any]") -> "np.dtype[Any]":
    """The same type of records, but each record of an array has its fields as attributes.

    Raises:
        ValueError: a field has the name of something that every record has.
    """
    names = dtype.names or ()
    for name in names:
        if hasattr(np.void, name) or name == "fields":
            raise ValueError(f"a field cannot be called {name!r}, since every NumPy record has that attribute")
    return np.dtype((_record_class(names), dtype))
