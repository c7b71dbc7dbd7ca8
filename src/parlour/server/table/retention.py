"""Retention of games: a finished game becomes one record, and is removed at the age that the operator has set."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from parlour.engine.match import Match
from parlour.server.logs import note
from parlour.server.store.archive import (
    StoredEvents,
    finish,
    finish_candidates,
    finished_before,
    mark_unfinished,
    remove,
    unfinished_before,
)
from parlour.server.store.database import ConflictError, DamagedError, StoreError
from parlour.server.store.maintenance import DAY_SECONDS, day_of, remove_never_begun, remove_old, trusted_day
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredTable
from parlour.server.table.people.resignation import has_ended
from parlour.server.table.players import keep_results, results_of
from parlour.server.table.replays import BrokenTableError, MissingGameError, replay_match

FINISHED_AFTER_SECONDS = DAY_SECONDS
"""Seconds from the last event of a finished game until it becomes one record."""
_AT_ONCE = 10
_REMOVED_AT_ONCE = 100
_REST = 4
"""Ratio of the pause after a replay to the replay's duration; the pause leaves the processor to running tables."""


def archive(store: Store, before: float, write: bool = True) -> Iterator[tuple[str, bool]]:
    """Store finished games as records, one after another.

    Args:
        store: the database.
        before: a time in seconds since 1970; tables with later events are skipped.
        write: whether to write; otherwise the function only yields.

    Yields:
        Each table's id, and whether its game is over; a game that cannot be replayed counts as unfinished. Tables that
        cannot be read, or have just been changed or removed, or whose game is not installed, are skipped.

    Raises:
        StoreError: the database cannot be read or written.
    """
    after = ""
    while ids := store.read(finish_candidates, int(before), _AT_ONCE, after):
        for table_id in ids:
            if (over := _archive(store, table_id, write)) is not None:
                yield table_id, over
        after = ids[-1]


def _archive(store: Store, table_id: str, write: bool) -> bool | None:
    """Store and return whether a table's game is over.

    ``None`` if the table is removed, damaged or changed, or its game is missing.
    """
    try:
        table = store.load(table_id)
    except DamagedError:
        return None
    if table is None:
        return None
    try:
        match = _match_of(table)
    except MissingGameError:  # its package may be installed again
        return None
    over = match is not None and has_ended(table, match)
    if write:
        try:
            if match is not None and over:
                if table.links or table.ratings:
                    results = results_of(match, table.seats, table.resigned, table.rated)
                    store.write(keep_results, table_id, results)
                store.write(finish, table_id, StoredEvents(table.events, table.spent, table.stood_in))
            else:
                store.write(mark_unfinished, table_id, len(table.events))
        except ConflictError:
            return None
    return over


def is_over(store: Store, table_id: str) -> bool | None:
    """Return whether a table's game is over: not if it is damaged; ``None`` if there is no such table.

    Raises:
        StoreError: the database cannot be read.
    """
    try:
        table = store.load(table_id)
    except DamagedError:
        return False
    return None if table is None else _over(table)


def _over(table: StoredTable) -> bool:
    with suppress(MissingGameError):
        match = _match_of(table)
        return match is not None and has_ended(table, match)
    return False


def _match_of(table: StoredTable) -> Match | None:
    """Return the match of a table, ``None`` if it is damaged. Raises :class:`MissingGameError`."""
    try:
        return replay_match(table)
    except MissingGameError:
        raise
    except BrokenTableError:
        return None


def prune(
    store: Store, before: float, over: bool, write: bool = True, advance: Callable[[], object] = lambda: None
) -> int:
    """Remove tables with finished games, or those with unfinished games. Return their number.

    Args:
        store: the database.
        before: a time in seconds since 1970; tables with later events are kept.
        over: whether to remove finished or unfinished games.
        write: whether to write; otherwise the tables are only counted.
        advance: called after each step.

    Raises:
        StoreError: the database cannot be read or written.
    """
    new = 0
    for _, ended in archive(store, before, write):
        new += ended is over
        advance()
    query = finished_before if over else unfinished_before
    if not write:
        return new + len(store.read(query, int(before)))
    removed = 0
    while ids := store.read(query, int(before), _REMOVED_AT_ONCE):
        removed += store.write(remove, ids)
        advance()
    return removed


async def tidy(store: Store, keep_days: int | None = None) -> None:
    """Do the daily maintenance once.

    It removes tables without a game and finished games older than ``keep_days``, and stores games as records a day
    after their end.
    """
    with suppress(StoreError):
        removed = await store.run_long(store.write, remove_old, day_of())
        while removed:
            removed = await store.run_long(store.write, remove_never_begun, day_of())
        games = archive(store, time.time() - FINISHED_AFTER_SECONDS)
        while (seconds := await store.run_long(_seconds_of_next, games)) is not None:
            await asyncio.sleep(seconds * _REST)
        if keep_days is not None:
            await _remove_finished(store, keep_days)


def _seconds_of_next(games: Iterator[object]) -> float | None:
    """Archive the next game. Return the seconds it took; ``None`` if there is no game left."""
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
