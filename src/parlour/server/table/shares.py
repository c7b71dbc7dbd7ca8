"""The assignment of tables to workers: each table belongs to exactly one process."""

import re
import zlib
from dataclasses import dataclass

_OF_A_TABLE = re.compile(rb"[A-Z]+ /(?:api/tables|game)/([0-9A-Za-z]{1,40})[/? ]")


@dataclass(frozen=True)
class Share:
    """The share of one worker: its number, and the number of workers."""

    number: int
    workers: int

    def has(self, table_id: str) -> bool:
        """Return whether a table belongs to this worker."""
        return owner_of(table_id.encode(), self.workers) == self.number


WHOLE = Share(0, 1)


def owner_of(table_id: bytes, workers: int) -> int:
    """Return the number of a table's worker."""
    return zlib.crc32(table_id) % workers


def table_in(line: bytes) -> bytes | None:
    """Return the table named by the first line of a request, if any."""
    found = _OF_A_TABLE.match(line)
    return found[1] if found else None
