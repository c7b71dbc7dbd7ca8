"""What a review of a game will need is found out while the game is played, where that tells nobody anything.

That is so where one person plays with bots: only positions of this person are looked at, from what that seat may know,
and nothing of it is given away before the game is over. It is done at a low priority, one position at a time, and not
at all while the machine has other things to do: after a server was killed the others have its tables to load, and would
look at each of them from its beginning.
"""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from parlour.engine.records import Record
from parlour.insight.course import EFFORT
from parlour.insight.review import Key, names_in, tasks_of
from parlour.server.logs import note_failure
from parlour.server.table.readiness import Readiness
from parlour.server.table.services import lower_priority
from parlour.server.table.state import TableState

_TABLES = 200
"""Tables whose reviews are prepared while they play; the others' begin when somebody asks."""
_LEFT_SECONDS = 600.0
"""Seconds without an action after which a table makes room for another."""


def busy() -> bool:
    """Whether more has wanted to run on this machine in the last minute than it has processors (not on Windows)."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > (os.cpu_count() or 1)


@dataclass
class Found:
    """What has been found out of a table's game, which had these events, and when somebody last acted there."""

    events: list[Any] = field(default_factory=list)
    known: dict[Key, Any] = field(default_factory=dict)
    waiting: bool = False
    taken: bool = False
    acted: float = 0.0


class Ahead:
    """What has been found out ahead, by table: first those at which nobody has acted for longest."""

    def __init__(self, readiness: Readiness) -> None:
        self._readiness = readiness
        self._found: dict[str, Found] = {}
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, "ahead", lower_priority)
        self._stopped = False

    def follow(self, table: TableState) -> None:
        """Something has happened at a table: look at it, if one person plays there with bots."""
        people = [number for number, seat in table.seats.items() if seat.bot is None]
        if self._stopped or len(people) != 1 or not table.begun or busy() or not self._readiness.of(table.match.game):
            return
        with self._lock:
            found = self._followed(table.id)
        if found and not found.waiting:
            found.waiting = True
            record = {**table.match.record(), "names": table.names}
            self._worker.submit(self._look, found, record, people[0])

    def _followed(self, table: str) -> Found | None:
        """What is known of a table at which somebody acts now; ``None`` if there are too many such tables."""
        now = time.monotonic()
        found = self._found.pop(table, None)
        if found is None and len(self._found) >= _TABLES:
            oldest, left = next(iter(self._found.items()))
            if now - left.acted < _LEFT_SECONDS:  # to look at ever others from their beginning would never end
                return None
            left.taken = True
            del self._found[oldest]
        found = self._found[table] = found or Found()
        found.acted = now
        return found

    def _look(self, found: Found, record: Record, seat: int) -> None:
        try:
            with self._lock:
                found.waiting = False
                keep_what_holds(found, record["events"])
                since = max((key[2] for key in found.known), default=0)
            names = names_in(record, record["players"])
            for key, task in tasks_of(record, "table", [seat], names, EFFORT, 0, since):
                if self._stopped or found.taken or busy():
                    return
                if key not in found.known:
                    answer = task()
                    with self._lock:
                        if not found.taken:
                            found.known[key] = answer
        except Exception as error:
            note_failure("a review could not be begun ahead", error)

    def take(self, table: str, record: Record) -> dict[Key, Any]:
        """What has been found out of a game that is over."""
        with self._lock:
            found = self._found.pop(table, None)
            if found is None:
                return {}
            found.taken = True
            keep_what_holds(found, record["events"])
            return dict(found.known)

    def stop(self) -> None:
        """Find out nothing more."""
        self._stopped = True
        self._worker.shutdown(wait=False, cancel_futures=True)


def keep_what_holds(found: Found, events: list[Any]) -> None:
    """Forget what was found out of events that have been taken back since."""
    same = 0
    for before, now in zip(found.events, events, strict=False):
        if before != now:
            break
        same += 1
    if same < len(found.events):
        found.known = {key: value for key, value in found.known.items() if key[2] + (key[0] == "decision") <= same}
    found.events = list(events)
