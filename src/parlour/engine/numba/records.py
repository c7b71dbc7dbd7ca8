"""Record types for rules: fields as attributes for the interpreter, names independent of the process for Numba.

A rule reads ``state.actor``, interpreted and compiled alike. NumPy's ``recarray`` records look up each attribute in
Python, which takes several times as long as reading the field. Here each record type has a class of its own whose
properties are the fields.
"""

import copyreg
import hashlib
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np

import numba
from numba.core import types


class _RecordClass(type):
    """The metaclass of record classes. A class is pickled as its field names, for other processes to rebuild it."""

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


def with_attributes(dtype: "np.dtype[np.void]") -> "np.dtype[np.void]":
    """Return the same record type with the fields of each record as attributes.

    Raises:
        ValueError: a field has the name of an attribute that every NumPy record has.
    """
    names = dtype.names or ()
    for name in names:
        if hasattr(np.void, name) or name == "fields":
            raise ValueError(f"a field cannot be called {name!r}, since every NumPy record has that attribute")
    return np.dtype((_record_class(names), dtype))


_numbered: list[types.Record] = []
"""The renumbered record types, kept alive here, since Numba holds types weakly and would number a new instance anew."""


def number_by_content(dtype: "np.dtype[np.void]") -> None:
    """Derive the number of Numba's type for these records from its fields, so that it is the same in every process.

    Numba names a compiled function after its argument types, and a record type after a number from a counter of the
    process. Code that two processes cached for two games could then have the same name, and a third process that loaded
    both would run one in place of the other. The derived numbers are larger than any that Numba's counter reaches.
    """
    record = numba.from_dtype(dtype)
    record._code = 1 << 30 | int.from_bytes(hashlib.sha256(record.name.encode()).digest()[:4]) >> 2
    _numbered.append(record)
