"""Reviews of finished games: worked out once beside the loop, kept in the database; begun while a game is played.

A review holds the names of its players. It is kept only while the seats of its table have these names, so removing a
name or a table removes the review, whichever process works on it.
"""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Event
from typing import Any

from parlour.engine.compiled import source_hash
from parlour.engine.records import Record
from parlour.games import find_game
from parlour.insight.explanation import to_plain
from parlour.insight.review import Review, Work, remaining_seconds, reruns_of, review_game
from parlour.insight.review_text import rerun_texts, review_texts
from parlour.server.http.review_prefetch import Ahead
from parlour.server.logs import note_failure
from parlour.server.store.reviews import keep_review, kept_review
from parlour.server.store.store import Store
from parlour.server.table.messages import to_text
from parlour.server.table.readiness import Readiness
from parlour.server.table.services import lower_priority

AGAIN_SECONDS = 60
"""Seconds until a failed review (full disk) may be tried again."""
SECONDS = 1
"""Seconds between a waiting page's requests for its review."""


class _Stopped(Exception):
    """The server is being closed."""


@dataclass
class Progress:
    """How far a review is.

    Attributes:
        share: the share of its work that is done, ``None`` before it begins.
        begun: when it was begun, by the monotonic clock.
        waits: whether it begins only after another review.
        so_far: returns the review of the people's seats as far as it is known.
        failed: whether it could not be worked out.
    """

    share: float | None = None
    begun: float = 0.0
    waits: bool = False
    so_far: Callable[[], Review] | None = None
    failed: bool = False

    def to_json(self) -> dict[str, Any]:
        """As JSON values; numbers that only programs need are left out, for this is sent once a second."""
        seconds = None if self.share is None else remaining_seconds(self.share, time.monotonic() - self.begun)
        return {
            "share": self.share,
            "seconds": None if seconds is None else round(seconds),
            "waits": self.waits,
            "review": None if self.so_far is None else page_json(self.so_far()),
        }


def page_json(review: Review) -> dict[str, Any]:
    """A review with its sentences, without the record's events."""
    return {**review.to_json(), "texts": review_texts(review), "events": []}


class Reviews:
    """The reviews of a store's games, by table, as JSON texts; they wait for the ``readiness`` of their games.

    First come everybody's courses. The same deal played by the strongest bot takes longer than all the rest, so it is
    worked out after that, and one of them at a time.
    """

    def __init__(self, store: Store, readiness: Readiness) -> None:
        self._store = store
        self._readiness = readiness
        self._worker, self._rerunner = ThreadPoolExecutor(1, "reviews"), ThreadPoolExecutor(1, "reruns", lower_priority)
        self._at_work: dict[str, Progress] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = Event()
        self.ahead = Ahead(readiness)

    async def look(self, table: str, record: Record, people: Sequence[int]) -> str | Progress:
        """The review of a table's finished game, or how far it is; the first who asks has it begun.

        ``people`` are the seats that are looked at with the whole effort, and for which the strongest bot is to play
        the deal again; without any, all.
        """
        if (working := self._at_work.get(table)) and working.share != 1:
            return working
        kept = await self._store.run(self._read, table, record)
        # one that was at work has perhaps ended since this was read: whoever asks again reads the whole
        if not working and table not in self._at_work and not (kept and _whole(kept)):
            self._at_work[table] = progress = Progress(1 if kept else None)
            others = [other for name, other in self._at_work.items() if name != table and not other.failed]
            progress.waits = any(other.share is None or other.share < 1 for other in others)
            self._tasks.add(task := asyncio.create_task(self._begin(table, record, people, progress)))
            task.add_done_callback(self._tasks.discard)
        return kept or self._at_work.get(table) or Progress()

    async def _begin(self, table: str, record: Record, people: Sequence[int], progress: Progress) -> None:
        loop = asyncio.get_running_loop()
        await self._readiness.wait(find_game(record["game"]))
        if progress.share is None:
            await loop.run_in_executor(self._worker, self._work_out, table, record, people, progress)
        if not progress.failed:
            await loop.run_in_executor(self._rerunner, self._work_out_reruns, table, record, people, progress)
        if progress.failed:
            await asyncio.sleep(AGAIN_SECONDS)
        del self._at_work[table]

    def forget(self, table: str) -> None:
        """Drop what has been found out ahead of a table's game, which may hold a name that was removed."""
        self.ahead.take(table, {"events": []})

    def stop(self) -> None:
        """Give up what is being worked out; it is begun again when somebody asks."""
        self._stopped.set()
        for task in self._tasks:
            task.cancel()
        for threads in (self._worker, self._rerunner):
            threads.shutdown(wait=False, cancel_futures=True)
        self.ahead.stop()

    def _work_out(self, table: str, record: Record, people: Sequence[int], progress: Progress) -> None:
        def tell(share: float, so_far: Callable[[], Review]) -> None:
            progress.share = min(share, 0.999)  # it is there when it has been kept
            progress.so_far = lambda: _of_seats(so_far(), people)
            if self._stopped.is_set():
                raise _Stopped

        try:
            work = Work(known=self.ahead.take(table, record), begin_thread=lower_priority)
            progress.share, progress.begun = 0.0, time.monotonic()
            bots = sorted({*range(record["players"])} - {*people}) if people else []
            found = review_game(record, work=work, progress=tell, brief=bots)
            self._keep(table, record, {**found.to_json(), "texts": review_texts(found)})
            progress.share, progress.so_far = 1, None
        except _Stopped:
            return
        except Exception as error:
            progress.failed = True
            note_failure("a review could not be worked out", error)

    def _work_out_reruns(self, table: str, record: Record, people: Sequence[int], progress: Progress) -> None:
        if self._stopped.is_set():
            return
        try:
            work = Work(cores=1, begin_thread=lower_priority, stopped=self._stopped.is_set)
            if not (text := self._read(table, record)):  # removed meanwhile
                return
            kept = json.loads(text)
            found = reruns_of(record, table, people or None, kept["seed"], work)
            kept["reruns"] = to_plain(found)
            kept["texts"]["reruns"] = rerun_texts(kept["names"], kept["winners"], found)
            self._keep(table, record, kept)
        except Exception as error:
            if not self._stopped.is_set():
                progress.failed = True
                note_failure("the deal of a review could not be played again", error)

    def _read(self, table: str, record: Record) -> str:
        return self._store.read(kept_review, table, _source_of(record))

    def _keep(self, table: str, record: Record, review: dict[str, Any]) -> None:
        self._store.write(keep_review, table, _source_of(record), review["names"], to_text(review))


def _source_of(record: Record) -> str:
    """The hash of the program that reviews a game: other rules or bots, other reviews."""
    return source_hash(find_game(record["game"]).dtype)


def _of_seats(review: Review, seats: Sequence[int]) -> Review:
    """The review with the courses of these seats; without any, of all."""
    return replace(review, courses=[course for course in review.courses if not seats or course.seat in seats])


def _whole(kept: str) -> bool:
    return json.loads(kept)["reruns"] is not None
