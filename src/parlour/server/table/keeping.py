"""What becomes of games that are over: each is kept as one record, and removed when it is older than it may be."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from parlour.server.logs import note
from parlour.server.store.database import ConflictError, DamagedError, StoreError
from parlour.server.store.finished import (
    Course,
    finish,
    finished_before,
    leave_unfinished,
    perhaps_over,
    remove,
    unfinished_before,
)
from parlour.server.store.store import Store, StoredTable
from parlour.server.store.upkeep import DAY_SECONDS, day_of, remove_old, trusted_day
from parlour.server.table.replays import BrokenTableError, replayed

FINISHED_AFTER_SECONDS = DAY_SECONDS
"""Seconds after its last event until a finished game is kept as one record: by then hardly anybody looks at it."""
_AT_ONCE = 10
_REMOVED_AT_ONCE = 100
_REST = 4
"""So many times as long as it takes to play a game again, which shows whether it is over, is left to those who play."""


def put_away(store: Store, before: float, write: bool = True) -> Iterator[tuple[str, bool]]:
    """Keep games that are over as records, one after another.

    Args:
        store: the database.
        before: a time in seconds since 1970; tables at which something happened later are passed over.
        write: whether to do so, or only to say of which.

    Yields:
        Each table's id, and whether its game is over. A game that cannot be played again is not.

    Raises:
        StoreError: the database cannot be read or written.
    """
    after = ""
    while ids := store.read(perhaps_over, int(before), _AT_ONCE, after):
        for table_id in ids:
            if (over := _put_away(store, table_id, write)) is not None:
                yield table_id, over
        after = ids[-1]


def _put_away(store: Store, table_id: str, write: bool) -> bool | None:
    """Whether a table's game is over, which is written down; ``None`` if there is nothing to say about it.

    Somebody else has just done the same or removed it, or it is damaged.
    """
    try:
        table = store.load(table_id)
    except DamagedError:
        return None
    if table is None:
        return None
    over = _over(table)
    if write:
        try:
            if over:
                store.write(finish, table_id, Course(table.events, table.spent, table.stood_in))
            else:
                store.write(leave_unfinished, table_id, len(table.events))
        except ConflictError:
            return None
    return over


def is_over(store: Store, table_id: str) -> bool | None:
    """Whether a table's game is over, ``None`` if there is no such table. Raises :class:`StoreError`."""
    try:
        table = store.load(table_id)
    except DamagedError:
        return False
    return None if table is None else _over(table)


def _over(table: StoredTable) -> bool:
    try:
        return replayed(table).over
    except BrokenTableError:
        return False


def prune(
    store: Store, before: float, over: bool, write: bool = True, advance: Callable[[], object] = lambda: None
) -> int:
    """Remove tables whose games are over, or those whose games are not. Returns how many.

    Args:
        store: the database.
        before: a time in seconds since 1970; tables at which something happened later are kept.
        over: which of the two.
        write: whether to do so, or only to count them.
        advance: called after each step.

    Raises:
        StoreError: the database cannot be read or written.
    """
    new = 0
    for _, ended in put_away(store, before, write):
        new += ended is over
        advance()
    asked = finished_before if over else unfinished_before
    if not write:
        return new + len(store.read(asked, int(before)))
    removed = 0
    while ids := store.read(asked, int(before), _REMOVED_AT_ONCE):
        removed += store.write(remove, ids)
        advance()
    return removed


async def tidy(store: Store, keep_days: int | None = None) -> None:
    """Do once what is to be done every day.

    Tables at which no game began are removed, and those whose games were over so many days ago; games that were over
    yesterday are put away.
    """
    with suppress(StoreError):
        while await store.run_long(store.write, remove_old, day_of()):
            pass
        games = put_away(store, time.time() - FINISHED_AFTER_SECONDS)
        while (seconds := await store.run_long(_seconds_of_next, games)) is not None:
            await asyncio.sleep(seconds * _REST)
        if keep_days is not None:
            await _remove_finished(store, keep_days)


def _seconds_of_next(games: Iterator[object]) -> float | None:
    """How long the next game takes; ``None`` if there is none."""
    began = time.monotonic()
    return None if next(games, None) is None else time.monotonic() - began


async def _remove_finished(store: Store, keep_days: int) -> None:
    today = await store.run_long(store.read, trusted_day)
    removed = 0
    while today is not None:
        before = (today - keep_days) * DAY_SECONDS
        ids = await store.run_long(store.read, finished_before, before, _REMOVED_AT_ONCE)
        if not ids:
            break
        removed += await store.run_long(store.write, remove, ids)
    if removed:
        note("removed", tables=removed, finished_days_ago=keep_days)
