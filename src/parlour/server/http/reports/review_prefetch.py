"""Computation of reviews during games of one person against bots, where no other person could profit from it.

It evaluates only the person's positions, from the observations of that seat, and keeps the results until the game is
over. It runs at a low priority, on one position at a time, and pauses while the machine is busy: after the failure of a
server the other servers load its tables, and would evaluate each game from its beginning.
"""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from parlour.engine.matches.records import Record
from parlour.insight.course import EFFORT
from parlour.insight.review import Key, names_in, tasks_of
from parlour.server.logs import note_failure
from parlour.server.table.bots.readiness import Readiness
from parlour.server.table.replays import MOST_REVIEWED
from parlour.server.table.services import lower_priority
from parlour.server.table.state import TableState

_TABLES = 200
"""Maximum number of tables whose reviews are computed during the game."""
_INACTIVE_SECONDS = 600.0
"""Seconds without an action after which another table may replace a table."""


def busy() -> bool:
    """Return whether the machine's load of the last minute exceeds its processors (never on Windows)."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > (os.cpu_count() or 1)


@dataclass
class PartialReview:
    """The results so far for a table's game.

    Attributes:
        events: the events of the game when it was last evaluated.
        results: the results of the finished tasks, by the keys of the tasks.
        waiting: whether an evaluation is scheduled.
        taken: whether the results were removed; a running evaluation then ends.
        last_action: the time of the last action, by the monotonic clock.
    """

    events: list[Any] = field(default_factory=list)
    results: dict[Key, Any] = field(default_factory=dict)
    waiting: bool = False
    taken: bool = False
    last_action: float = 0.0


class ReviewPrefetch:
    """The partial reviews by table, the one with the oldest last action first."""

    def __init__(self, readiness: Readiness) -> None:
        self._readiness = readiness
        self._partial: dict[str, PartialReview] = {}
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, "review prefetch", lower_priority)
        self._stopped = False

    def update(self, table: TableState) -> None:
        """Schedule the evaluation of a table's new positions, if one person plays there with bots."""
        people = [number for number, seat in table.seats.items() if seat.bot is None]
        if self._stopped or len(people) != 1 or not table.begun or busy():
            return
        if not self._readiness.is_ready(table.match.game) or len(table.match.events) > MOST_REVIEWED:
            return
        with self._lock:
            partial = self._partial_of(table.id)
        if partial and not partial.waiting:
            partial.waiting = True
            record = {**table.match.record(), "names": table.names}
            self._worker.submit(self._evaluate, partial, record, people[0])

    def _partial_of(self, table: str) -> PartialReview | None:
        """Return the partial review of an active table; ``None`` if there are too many such tables."""
        now = time.monotonic()
        partial = self._partial.pop(table, None)
        if partial is None and len(self._partial) >= _TABLES:
            oldest, left = next(iter(self._partial.items()))
            if now - left.last_action < _INACTIVE_SECONDS:  # otherwise tables would replace each other for ever
                return None
            left.taken = True
            del self._partial[oldest]
        partial = self._partial[table] = partial or PartialReview()
        partial.last_action = now
        return partial

    def _evaluate(self, partial: PartialReview, record: Record, seat: int) -> None:
        try:
            with self._lock:
                partial.waiting = False
                discard_undone(partial, record["events"])
                since = max((key[2] for key in partial.results), default=0)
            names = names_in(record, record["players"])
            for key, task in tasks_of(record, "table", [seat], names, EFFORT, 0, since):
                if self._stopped or partial.taken or busy():
                    return
                if key not in partial.results:
                    answer = task()
                    with self._lock:
                        if not partial.taken:
                            partial.results[key] = answer
        except Exception as error:
            note_failure("a review could not be computed during the game", error)

    def take(self, table: str, record: Record) -> dict[Key, Any]:
        """Remove and return the results for a finished game."""
        with self._lock:
            partial = self._partial.pop(table, None)
            if partial is None:
                return {}
            partial.taken = True
            discard_undone(partial, record["events"])
            return dict(partial.results)

    def stop(self) -> None:
        """Stop all evaluations."""
        self._stopped = True
        self._worker.shutdown(wait=False, cancel_futures=True)


def discard_undone(partial: PartialReview, events: list[Any]) -> None:
    """Discard the results for events that have been undone."""
    same = 0
    for before, now in zip(partial.events, events, strict=False):
        if before != now:
            break
        same += 1
    if same < len(partial.events):
        partial.results = {
            key: value for key, value in partial.results.items() if key[2] + (key[0] == "decision") <= same
        }
    partial.events = list(events)
