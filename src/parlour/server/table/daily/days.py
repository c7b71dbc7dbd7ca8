"""The days of the daily deals: which is today, which are over, and the tables at which they are played.

A day is that of UTC. Its key stays secret until the day is closed, :data:`GRACE_SECONDS` after its end. The database
stores that a day is closed: no server, even with a wrong clock, opens it again or adds a result to it.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from threading import Event
from typing import Any

from parlour.daily import DailyPlan, daily_commitment, key_of_day, plan_of
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.games import find_game
from parlour.languages import gettext
from parlour.languages.dates import long_date
from parlour.server.logs import note_failure
from parlour.server.pending_tasks import PendingTasks
from parlour.server.store import daily
from parlour.server.store.daily import DailyDeal, Day, Play
from parlour.server.store.database import ConflictError, StoreError
from parlour.server.store.maintenance import DAY_SECONDS
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredDaily, StoredSeat
from parlour.server.store.table_reader import has_table
from parlour.server.table.daily.deal_table import StoppedError, par_of, seat_key_of, table_of
from parlour.server.table.daily.settings import HERE, DailySettings
from parlour.server.table.people.keys import key_hash, new_key
from parlour.server.table.people.seat_score import score_of
from parlour.server.table.replays import ClosedError, stored_match
from parlour.server.table.services import Services, lower_priority
from parlour.server.table.state import TableState, state_of

GRACE_SECONDS = 2 * 3600
"""Seconds after the end of a day in which a game begun before may be finished and counts."""
COMING_DAYS = 7
"""Number of days ahead for which commitments are published."""
PAR_RETRY_SECONDS = 60.0
"""Seconds until the failed computation of the strongest bot's result can be requested again."""


class NoDealError(ParlourError):
    """There is no such daily deal, or this player has none."""


class ElsewhereDealError(ParlourError):
    """This room has no daily deals of its own."""


class Days:
    """The daily deals of a room.

    Attributes:
        store: the database.
        settings: the settings.
        clock: returns the seconds since 1970.
    """

    def __init__(self, store: Store, services: Services, settings: DailySettings = HERE) -> None:
        self.settings = settings
        self.clock: Callable[[], float] = time.time
        self.store = store
        self._services = services
        self._room_key = settings.key
        self._closed: set[date] = set()
        self._closing = asyncio.Lock()
        self._computing: set[tuple[date, str]] = set()
        self._failed: dict[tuple[date, str], float] = {}  # the times of failures by the monotonic clock
        self._worker = ThreadPoolExecutor(1, "par of the day", lower_priority)
        self._stopped = Event()
        self._tasks = PendingTasks()

    # Days

    def today(self) -> date:
        """Return the day by the clock."""
        return datetime.fromtimestamp(self.clock(), UTC).date()

    def seconds_left(self) -> int:
        """Return the seconds to the end of today."""
        return round(_end_of(self.today()) - self.clock())

    async def key_of(self, day: date) -> str:
        """Return the key of a day, which is published only when the day is closed."""
        found = await self.store.run(self.store.read, daily.find_day, day)
        return found.key if found else key_of_day(await self._own_key(), day)

    async def _own_key(self) -> str:
        if not self._room_key:
            self._room_key = await self.store.write_or_retry(daily.room_key)
        return self._room_key

    async def commitments(self) -> dict[date, str]:
        """Return the commitments to today and to the coming days."""
        today, own = self.today(), await self._own_key()
        opened = await self.store.run(self.store.read, daily.keys_from, today)
        days = [today + timedelta(days) for days in range(COMING_DAYS + 1)]
        return {day: daily_commitment(opened.get(day) or key_of_day(own, day)) for day in days}

    async def is_closed(self, day: date) -> bool:
        """Return whether a day is closed; close it if it is due. Raises :class:`StoreError`."""
        if day in self._closed:
            return True
        found = await self.store.run(self.store.read, daily.find_day, day)
        if found and not found.closed and self._is_due(day):
            await self.close(day)
        elif not found or not found.closed:
            return False
        self._closed.add(day)
        return True

    def _is_due(self, day: date) -> bool:
        return not _is_in_time(self.clock(), day)

    async def close_past(self) -> None:
        """Close all days that are due."""
        for day in await self.store.run(self.store.read, daily.open_days_before, self.today()):
            await self.is_closed(day)

    async def close(self, day: date) -> None:
        """Close a day, after the results of its finished games are stored: once for simultaneous requests."""
        async with self._closing:
            if day in self._closed:
                return
            for table_id in await self.store.run(self.store.read, daily.unscored_tables, day):
                await self._settle(table_id)
            await self.store.run(self.store.write, daily.close_day, day)
            self._closed.add(day)

    async def closing_day(self) -> date | None:
        """Return the day that is over and not closed yet, if it has deals: games begun on it still count."""
        await self.close_past()
        days = await self.store.run(self.store.read, daily.open_days_before, self.today())
        return days[-1] if days else None

    def seconds_to_close(self, day: date) -> int | None:
        """Return the seconds in which a game begun on a past day still counts; ``None`` before the end of the day."""
        if day >= self.today():
            return None
        return max(0, round(_end_of(day) + GRACE_SECONDS - self.clock()))

    async def closed_days(self, before: date) -> list[Day]:
        """Return the latest closed days before a day."""
        await self.close_past()
        return await self.store.run(self.store.read, daily.closed_days, before)

    # Deals

    async def deals(self, day: date) -> dict[str, DailyDeal]:
        """Return the deals of a day that have been played."""
        return await self.store.run(self.store.read, daily.find_deals, day)

    async def deal(self, day: date, game: Game) -> DailyDeal:
        """Return a deal of a day, as it has been played or would be played first now."""
        return (await self.deals(day)).get(game.id) or DailyDeal(plan_of(game, day, await self.key_of(day)), None)

    async def begin(
        self, day: date, game: Game, name: str, player_key: str, must_count: bool = False
    ) -> dict[str, Any]:
        """Return the table at which a player plays a deal, with the seat and its key: always the same for one deal.

        A deal of a closed day is played at a new table each time, and does not count; only an unfinished game of the
        player goes on at its table. If the result ``must_count``, only the player's finished game is returned then.

        Raises:
            NoDealError: the day has no deal.
            ClosedError: the day is over but not closed yet, and the player has not begun; or it is closed, the result
                ``must_count``, and the player has no finished game.
            ElsewhereDealError: the deals of this room are played in another one.
        """
        await self.check(day)
        closed, seat_key = await self.is_closed(day), seat_key_of(player_key, day, game.id)
        play = await self.play_of(day, game.id, player_key)
        if play and (not closed or await self._leads_back(play, must_count)):
            counts = play.counts and (must_count or not closed)
            return self._seat(play.table, (await self.deal(day, game)).plan, seat_key, counts)
        if closed and not must_count:
            return await self._open(day, game, name, "", new_key())
        if closed or day != self.today():
            raise _over(day, closed)
        try:
            return await self._open(day, game, name, key_hash(player_key), seat_key)
        except ConflictError:  # the same request came twice at the same time
            return await self.begin(day, game, name, player_key, must_count)

    async def check(self, day: date) -> None:
        """Check that a day has deals here.

        Raises:
            NoDealError: it has none (yet).
            ElsewhereDealError: the deals of this room are played in another one.
        """
        if self.settings.room:
            raise ElsewhereDealError(
                gettext("the daily deals of this room are played at {room}", room=self.settings.room)
            )
        if day > self.today():
            raise NoDealError(gettext("the deal of {day} has not begun", day=long_date(day)))
        if day < self.today() and await self.store.run(self.store.read, daily.find_day, day) is None:
            raise NoDealError(gettext("this room had no deal on {day}", day=long_date(day)))

    async def _open(self, day: date, game: Game, name: str, player: str, seat_key: str) -> dict[str, Any]:
        """Open a table; without a ``player`` its result does not count."""
        opened = await self.store.write_or_retry(daily.open_day, day, await self.key_of(day))
        deal = await self.store.write_or_retry(daily.keep_deal, day, plan_of(game, day, opened.key))
        kept = StoredDaily(day, deal.plan.rules, bool(player), opened.key)
        table = table_of(deal.plan, kept, name, seat_key)
        play = Play(day, game.id, player or table.id, table.id, name, bool(player))
        await self.store.run(self.store.write, daily.add_play, play, table)
        self.begin_par(day, deal)
        return self._seat(table.id, deal.plan, seat_key, play.counts)

    async def _leads_back(self, play: Play, must_count: bool) -> bool:
        """Return whether a player's game of a closed day is the one for a request: if it ``must_count``, the game with
        a result, else the game that is not over.
        """
        if not await self._has(play.table):
            return False
        return play.score is not None if must_count else not await self.is_over(play)

    @staticmethod
    def _seat(table_id: str, plan: DailyPlan, key: str, counts: bool) -> dict[str, Any]:
        return {"table": table_id, "seat": plan.seat, "key": key, "counts": counts}

    async def _has(self, table_id: str) -> bool:
        return await self.store.run(self.store.read, has_table, table_id)

    # Results

    async def play_of(self, day: date, game: str, player_key: str) -> Play | None:
        """Return the game of a player on a day; the result is stored first if the game is over."""
        player = key_hash(player_key)
        play = await self.store.run(self.store.read, daily.find_play, day, game, player)
        if play and play.score is None and await self._settle(play.table):
            play = await self.store.run(self.store.read, daily.find_play, day, game, player)
        return play

    async def is_over(self, play: Play) -> bool:
        """Return whether a player's game is over: with a result, or too late to count."""
        if play.score is not None:
            return True
        found = await stored_match(self.store, self._services, play.table)
        return found is not None and state_of(*found).over

    def note_over(self, state: TableState) -> None:
        """Store the result of a game that has just ended, if it is that of a daily deal and in time."""
        kept = state.opened.daily
        if kept and kept.counts and not self._is_due(kept.day):
            self._tasks.start(self._keep(state.id, state.match, _person_in(state.seats)))

    async def _keep(self, table_id: str, match: Match, seat: int) -> None:
        try:
            await self._store_score(table_id, match, seat)
        except StoreError as error:  # it is stored when the player asks, or the day is closed
            note_failure("a daily result could not be stored yet", error)

    async def _settle(self, table_id: str) -> bool:
        """Store the result of a game that was over in time; return whether it is stored now."""
        found = await stored_match(self.store, self._services, table_id)
        if found is None:
            return False
        table, match = found
        in_time = table.daily is not None and _is_in_time(table.last_event_at, table.daily.day)
        return match.over and in_time and await self._store_score(table_id, match, _person_in(table.seats))

    async def _store_score(self, table_id: str, match: Match, seat: int) -> bool:
        score = await self._services.compute(table_id, score_of, match, seat)
        return await self.store.run(self.store.write, daily.keep_score, table_id, score)

    # Par: the result of the strongest bot

    def begin_par(self, day: date, deal: DailyDeal) -> None:
        """Begin to compute the result of the strongest bot in a deal, unless it is known, in work or failed."""
        task = day, deal.plan.game
        in_work = task in self._computing or self.par_failed(*task)
        if deal.par is None and not in_work and not self._stopped.is_set():
            self._computing.add(task)
            self._tasks.start(self._compute_par(day, deal.plan))

    def par_failed(self, day: date, game: str) -> bool:
        """Return whether the computation of the strongest bot's result has failed within PAR_RETRY_SECONDS."""
        failed_at = self._failed.get((day, game))
        return failed_at is not None and time.monotonic() - failed_at < PAR_RETRY_SECONDS

    async def _compute_par(self, day: date, plan: DailyPlan) -> None:
        try:
            await self._services.readiness.wait(find_game(plan.game))
            key = await self.key_of(day)
            loop = asyncio.get_running_loop()
            par = await loop.run_in_executor(self._worker, par_of, plan, key, self._stopped.is_set)
            await self.store.run(self.store.write, daily.keep_par, day, plan.game, par)
        except StoppedError:
            return
        except Exception as error:
            self._failed[day, plan.game] = time.monotonic()
            note_failure("the strongest bot's result could not be computed", error)
        finally:
            self._computing.discard((day, plan.game))

    async def stop(self) -> None:
        """Finish the pending writes, and end the computations; the next request begins them again."""
        self._stopped.set()
        self._worker.shutdown(wait=False, cancel_futures=True)
        await self._tasks.finish()


def _over(day: date, closed: bool) -> ClosedError:
    """Return the error of a deal whose day is over, of a closed day for a game that would have to count."""
    words = long_date(day)
    if closed:
        return ClosedError(gettext("the deal of {day} is over, and its games no longer count: play today's", day=words))
    return ClosedError(
        gettext("the deal of {day} is over, and only games begun before can be finished: play today's", day=words)
    )


def _person_in(seats: Mapping[int, StoredSeat]) -> int:
    """Return the seat of the person, the only one at a table of a daily deal."""
    return next(number for number, seat in seats.items() if seat.bot is None)


def _is_in_time(seconds: float, day: date) -> bool:
    """Return whether a game that was over at a time, in seconds since 1970, counts for a day."""
    return seconds < _end_of(day) + GRACE_SECONDS


def _end_of(day: date) -> float:
    """Return the end of a day in seconds since 1970."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + DAY_SECONDS
