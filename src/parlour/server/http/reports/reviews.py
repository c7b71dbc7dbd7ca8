"""Reviews of finished games: computed once in threads, stored in the database, and begun during the game.

A review has the names of its players. It is stored only while the seats of its table have these names, so the removal
of a name or a table removes the review, whichever process computes it.
"""

import asyncio
import json
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event, Lock
from typing import Any

from parlour.engine.compiled import source_hash
from parlour.engine.matches.records import Record
from parlour.games import find_game
from parlour.insight.explanation import to_plain
from parlour.insight.review import Key, Review, ReviewSettings, remaining_seconds, reruns_of, review_game, reworded
from parlour.insight.review_text import rerun_texts, review_texts
from parlour.languages import current_language
from parlour.server.http.reports.review_prefetch import ReviewPrefetch
from parlour.server.logs import note_failure
from parlour.server.store.reviews import load_review, store_review
from parlour.server.store.store import Store
from parlour.server.table.bots.readiness import Readiness
from parlour.server.table.messages import to_text
from parlour.server.table.services import lower_priority
from parlour.server.turns import Turns

RETRY_SECONDS = 60
"""Seconds until a failed review (full disk) can be requested again."""
POLL_SECONDS = 1
"""Seconds between the requests of a page that waits for its review."""
PIECE_SECONDS = 30.0
"""Seconds after which a review makes way for those of other addresses, however long its game is."""


class _ReviewStopped(Exception):
    """The server is closing."""


class _PieceOver(Exception):
    """A review makes way for another address, and its results so far are kept."""


@dataclass
class Progress:
    """The progress of a review.

    Attributes:
        share: the finished share of the work, ``None`` before the beginning.
        begun: the time of the beginning, by the monotonic clock.
        waits: whether another review was in work when this one was requested.
        host: the address that takes turns with other addresses.
        so_far: returns the partial review of the seats of people; ``None`` if there is none.
        failed: whether the computation has failed.
        results: the results of the finished tasks, by the keys of the tasks.
    """

    share: float | None = None
    begun: float = 0.0
    waits: bool = False
    host: str = ""
    so_far: Callable[[], Review] | None = None
    failed: bool = False
    results: dict[Key, Any] = field(default_factory=dict)
    _texts: dict[str, tuple[float, str]] = field(default_factory=dict)  # with their times, by language
    _lock: Lock = field(default_factory=Lock, compare=False)

    def to_text(self) -> str:
        """Return the JSON values as text; requests within :data:`POLL_SECONDS` in one language share it."""
        with self._lock:
            made, text = self._texts.get(current_language(), (-math.inf, ""))
            if time.monotonic() >= made + POLL_SECONDS:
                text = to_text(self.to_json())
                self._texts[current_language()] = time.monotonic(), text
            return text

    def to_json(self) -> dict[str, Any]:
        """Return JSON values, with the partial review without its events: this is sent once a second."""
        seconds = None if self.share is None else remaining_seconds(self.share, time.monotonic() - self.begun)
        return {
            "share": self.share,
            "seconds": None if seconds is None else round(seconds),
            "waits": self.waits,
            "review": None if self.so_far is None else page_json(self.so_far()),
        }


def page_json(review: Review) -> dict[str, Any]:
    """Return a review with its texts in the reader's language, without the events of the record."""
    review = reworded(review)
    return {**review.to_json(), "texts": review_texts(review), "events": []}


class Reviews:
    """The reviews of a store's games, by table, as JSON texts. A review waits for the ``readiness`` of its game.

    A review computes the courses of all seats first. The games of the same deal with the strongest bot take longer than
    the courses, and follow. Each of the two parts is computed for one review at a time. Addresses take
    turns after pieces of :data:`PIECE_SECONDS` or a single task; the reviews of one address follow each other.
    """

    def __init__(self, store: Store, readiness: Readiness) -> None:
        self._store = store
        self._readiness = readiness
        self._worker, self._rerunner = ThreadPoolExecutor(1, "reviews"), ThreadPoolExecutor(1, "reruns", lower_priority)
        self._turns, self._rerun_turns = Turns(1, 1), Turns(1, 1)
        self._running: dict[str, Progress] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = Event()
        self.prefetch = ReviewPrefetch(readiness)

    async def find(self, table: str, record: Record, people: Sequence[int], host: str) -> str | Progress:
        """Return the review of a table's finished game, or its progress; the first call begins it.

        Args:
            table: the table.
            record: its game.
            people: the seats that are evaluated with full effort, and for which the strongest bot plays the deal again;
                if empty, all seats.
            host: the address that loaded the table (:attr:`TableState.host`), which takes turns with other addresses.
        """
        if (working := self._running.get(table)) and working.share != 1:
            return working
        kept, whole = await self._store.run(self._read, table, record)
        # a running one may have ended after this read: the next request reads the whole
        if not working and table not in self._running and not whole:
            self._running[table] = progress = Progress(1 if kept else None, host=host)
            others = [other for name, other in self._running.items() if name != table and not other.failed]
            progress.waits = any(other.share is None or other.share < 1 for other in others)
            self._tasks.add(task := asyncio.create_task(self._begin(table, record, people, progress)))
            task.add_done_callback(self._tasks.discard)
        return kept or self._running.get(table) or Progress()

    async def _begin(self, table: str, record: Record, people: Sequence[int], progress: Progress) -> None:
        review = (table, record, people, progress)
        try:
            await self._readiness.wait(find_game(record["game"]))
            if progress.share is None:
                await _in_turns(self._turns, progress.host, self._worker, partial(self._compute, *review))
            if not progress.failed:
                reruns = partial(self._compute_reruns, *review)
                await _in_turns(self._rerun_turns, progress.host, self._rerunner, reruns)
            if progress.failed:
                await asyncio.sleep(RETRY_SECONDS)
        finally:
            del self._running[table]

    def discard(self, table: str) -> None:
        """Discard the prefetched results for a table, which may contain a removed name."""
        self.prefetch.take(table, {"events": []})

    def stop(self) -> None:
        """Stop all computations; the next request begins them again."""
        self._stopped.set()
        for task in self._tasks:
            task.cancel()
        for threads in (self._worker, self._rerunner):
            threads.shutdown(wait=False, cancel_futures=True)
        self.prefetch.stop()

    def _compute(self, table: str, record: Record, people: Sequence[int], progress: Progress) -> bool:
        """Compute a piece of the courses. Return whether there are more pieces."""

        def report(share: float, so_far: Callable[[], Review]) -> None:
            progress.share = min(share, 0.999)  # complete only when it is stored
            progress.so_far = lambda: _of_seats(so_far(), people)
            if self._stopped.is_set():
                raise _ReviewStopped

        try:
            if progress.share is None:
                progress.results.update(self.prefetch.take(table, record))
                progress.share, progress.begun = 0.0, time.monotonic()
            keep = _piece(progress, self._turns)
            work = ReviewSettings(known=progress.results, keep=keep, begin_thread=lower_priority)
            bots = sorted({*range(record["players"])} - {*people}) if people else []
            found = review_game(record, work=work, progress=report, brief=bots)
            self._keep(table, record, {**found.to_json(), "texts": review_texts(found)})
            progress.share, progress.so_far = 1, None
        except _PieceOver:
            return True
        except _ReviewStopped:
            return False
        except Exception as error:
            progress.failed = True
            note_failure("a review could not be computed", error)
        return False

    def _compute_reruns(self, table: str, record: Record, people: Sequence[int], progress: Progress) -> bool:
        """Compute a piece of the games of the same deal. Return whether there are more pieces."""
        if self._stopped.is_set():
            return False
        try:
            keep = _piece(progress, self._rerun_turns)
            work = ReviewSettings(1, progress.results, keep, lower_priority, stopped=self._stopped.is_set)
            text, _ = self._read(table, record)
            if not text:  # removed meanwhile
                return False
            kept = json.loads(text)
            found = reruns_of(record, table, people or None, kept["seed"], work)
            kept["reruns"] = to_plain(found)
            kept["texts"]["reruns"] = rerun_texts(kept["names"], kept["winners"], found)
            self._keep(table, record, kept)
        except _PieceOver:
            return True
        except Exception as error:
            if not self._stopped.is_set():
                progress.failed = True
                note_failure("the deal of a review could not be played again", error)
        return False

    def _read(self, table: str, record: Record) -> tuple[str, bool]:
        """Return the stored review, empty if there is none, and whether it has all its parts."""
        kept = self._store.read(load_review, table, _source_of(record))
        return kept, bool(kept) and json.loads(kept)["reruns"] is not None

    def _keep(self, table: str, record: Record, review: dict[str, Any]) -> None:
        self._store.write(store_review, table, _source_of(record), review["names"], to_text(review))


async def _in_turns(turns: Turns, host: str, threads: Executor, compute: Callable[[], bool]) -> None:
    """Compute a piece in each turn of a host, until there are no more; the other requests of the host follow."""
    more, first = True, False
    while more:
        async with turns.slot(host, first):
            more = await asyncio.get_running_loop().run_in_executor(threads, compute)
        first = True


def _piece(progress: Progress, turns: Turns) -> Callable[[Key, Any], None]:
    """Return a function that keeps each result of a piece that begins now.

    After its time it ends the piece as soon as another address waits for its turn.
    """
    ends = time.monotonic() + PIECE_SECONDS

    def keep(key: Key, result: Any) -> None:
        progress.results[key] = result
        if time.monotonic() >= ends and turns.others_wait(progress.host):
            raise _PieceOver

    return keep


def _source_of(record: Record) -> str:
    """Return the hash of the program that reviews a game: other rules or bots give other reviews."""
    return source_hash(find_game(record["game"]).dtype)


def _of_seats(review: Review, seats: Sequence[int]) -> Review:
    """Return the review with the courses of these seats; of all if empty."""
    return replace(review, courses=[course for course in review.courses if not seats or course.seat in seats])
