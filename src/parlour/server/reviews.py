"""Reviews of finished games: worked out once, one after the other, beside the loop; kept on disk."""

import asyncio
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path

from parlour.engine.compiled import cache_folder
from parlour.engine.files import write_whole
from parlour.engine.records import Record
from parlour.games import find_game
from parlour.insight.page import graph_file, review_page
from parlour.insight.review import review_game
from parlour.insight.told import listed
from parlour.server.logs import note_failure
from parlour.server.viewers import to_text
from parlour.server.warming import Readiness

CORES = max(1, (os.cpu_count() or 2) - 1)
"""One is left for those who play."""
STYLED = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'; form-action 'none'"
"""What a review's page and graph may do (Content-Security-Policy): they have their style in them, and run nothing."""
AGAIN_SECONDS = 60
"""After so long what failed (a full disk) may be tried again."""
SECONDS = 2
"""So often a page that waits for its review looks again."""


class _Stopped(Exception):
    """The server is being closed."""


@dataclass
class Work:
    """How far a review is: so many of so many parts; ``total`` is 0 while it waits for others."""

    done: int = 0
    total: int = 0
    failed: bool = False


@dataclass(frozen=True)
class Kept:
    """A finished review as it is sent: JSON, a page, and its graph as SVG."""

    json: str
    page: str
    graph: str


class Reviews:
    """The reviews of a server, by table; they wait for the ``readiness`` of their games."""

    def __init__(self, readiness: Readiness, folder: Path | None = None) -> None:
        self._readiness = readiness
        self._folder = folder or cache_folder() / "reviews"  # other rules or bots, other reviews
        self._worker = ThreadPoolExecutor(1, "reviews")
        self._at_work: dict[str, Work] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False

    async def look(self, table: str, record: Record) -> Kept | Work:
        """The review of a table's finished game, or how far it is; the first who asks has it begun."""
        loop = asyncio.get_running_loop()
        if table not in self._at_work:
            kept = await loop.run_in_executor(None, self._read, table)
            if kept:
                return kept
        if table not in self._at_work:
            self._at_work[table] = work = Work()
            self._tasks.add(task := loop.create_task(self._begin(table, record, work)))
            task.add_done_callback(self._tasks.discard)
        return self._at_work[table]

    async def _begin(self, table: str, record: Record, work: Work) -> None:
        loop = asyncio.get_running_loop()
        await self._readiness.wait(find_game(record["game"]))
        await loop.run_in_executor(self._worker, self._work_out, table, record, work)
        if work.failed:
            await asyncio.sleep(AGAIN_SECONDS)
        del self._at_work[table]

    def stop(self) -> None:
        """Give up what is being worked out; it is begun again when somebody asks."""
        self._stopped = True
        for task in self._tasks:
            task.cancel()
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _work_out(self, table: str, record: Record, work: Work) -> None:
        def progress(done: int, total: int) -> None:
            work.done, work.total = done, total
            if self._stopped:
                raise _Stopped

        try:
            found = review_game(record, cores=CORES, progress=progress)
            self._keep(table, Kept(to_text(found.to_json()), review_page(found), graph_file(found)))
        except _Stopped:
            return
        except Exception as error:
            work.failed = True
            note_failure("a review could not be worked out", error)

    def _file(self, table: str) -> Path:
        return self._folder / f"{table}.json"

    def _read(self, table: str) -> Kept | None:
        try:
            return Kept(**json.loads(self._file(table).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def _keep(self, table: str, kept: Kept) -> None:
        file = self._file(table)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(asdict(kept)))


def waiting_page(work: Work, names: Sequence[str]) -> str:
    """A page that says how far a review is, and looks again by itself."""
    share = 100 * work.done // work.total if work.total else None
    told = "The review is being worked out" + (" …" if share is None else f": {share} %.")
    how_far = "" if share is None else f' max="100" value="{share}"'
    bar = f'<progress aria-label="The review"{how_far}></progress>'
    if work.failed:
        told, bar = "The review could not be worked out.", ""
    again = "" if work.failed else f'<meta http-equiv="refresh" content="{SECONDS}">'
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>A review</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{again}<style>{_WAITING}</style></head>'
        f"<body><main><h1>{escape(listed(names))}</h1><p>{told}</p>{bar}</main></body></html>\n"
    )


_WAITING = (
    ":root { color-scheme: light dark; } progress { width: 100%; } h1 { font-size: 1.5rem; } "
    "body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }"
)
