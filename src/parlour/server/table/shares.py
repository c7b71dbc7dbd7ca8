"""Which worker keeps which table: each table lives in exactly one process."""

import re
import zlib
from dataclasses import dataclass

_OF_A_TABLE = re.compile(rb"[A-Z]+ /(?:api/tables|game)/([0-9A-Za-z]{1,40})[/? ]")


@dataclass(frozen=True)
class Share:
    """The tables of worker ``number`` of so many."""

    number: int
    workers: int

    def has(self, table_id: str) -> bool:
        """Whether a table is for this worker."""
        return owner_of(table_id.encode(), self.workers) == self.number


WHOLE = Share(0, 1)


def owner_of(table_id: bytes, workers: int) -> int:
    """The number of the worker that keeps a table."""
    return zlib.crc32(table_id) % workers


def table_asked_for(line: bytes) -> bytes | None:
    """The table of which the first line of a request speaks, if it does."""
    found = _OF_A_TABLE.match(line)
    return found[1] if found else None
