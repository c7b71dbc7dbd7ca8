"""The daily deals over HTTP: those of today, the archive, and the table and the result of a player."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse

from parlour.daily import daily_commitment, game_of_day, level_of_day, parse_day
from parlour.games import all_games
from parlour.insight.review_summary import summary_of
from parlour.languages import gettext
from parlour.render.words import with_sign
from parlour.server.http.access.admission import address_of_client, network_of_client
from parlour.server.http.access.limits import Limits
from parlour.server.http.path_games import PathGame
from parlour.server.http.reports.reviews import Progress, Reviews
from parlour.server.http.requests import Bearer, DailyBody, key_in
from parlour.server.store import daily
from parlour.server.store.daily import DailyDeal, Play
from parlour.server.store.store import Store
from parlour.server.table.daily.days import Days, NoDealError
from parlour.server.table.daily.standings import rank_of, standings_of, streak_of
from parlour.server.table.people.keys import key_hash
from parlour.server.table.room import Room
from parlour.server.table.rooms import Rooms

SIGNS = 10
"""Maximum number of signs for the decisions of a game."""


def day_of_path(day: str) -> date:
    """Return the day named by a path. Raises :class:`ParlourError` if it is not a date."""
    return parse_day(day)


PathDay = Annotated[date, Depends(day_of_path)]


def add_daily(app: FastAPI, rooms: Rooms, reviews: Reviews, limits: Limits) -> None:
    """Add the requests of the daily deals."""
    answers = _Answers(rooms, reviews)
    _add_days(app, answers)
    _add_plays(app, rooms, answers, limits)


def _add_days(app: FastAPI, answers: "_Answers") -> None:
    """Add today's deals, the archive and the days."""

    @app.get("/api/daily")
    async def today(authorization: Bearer = "") -> JSONResponse:
        """Today's deals: `{"day", "ends", "open", "game", "bot", "commitment", "coming": [{"day", "commitment"}],
        "deals": [{"game", "title", "players", "played", "mine"}], "closing": {"day", "left", "mine": […]}, "streak",
        "room": ""}` ([below](#daily-deals)); `mine` with the player's key as `Authorization: Bearer …`. If they are
        played in another room, the answer is only `{"room"}` with its address.
        """
        return JSONResponse(await answers.today(key_in(authorization)))

    @app.get("/api/daily/days")
    async def days(before: str = "", authorization: Bearer = "") -> JSONResponse:
        """`{"days": [{"day", "game", "bot", "commitment", "key", "mine": […]}]}`: the days that are over, the latest
        first, 60 at most; those `before` a day.
        """
        return JSONResponse(await answers.archive(before, key_in(authorization)))

    @app.get("/api/daily/{day}")
    async def one_day(day: PathDay, authorization: Bearer = "") -> JSONResponse:
        """A day: `{"day", "closed", "left", "game", "bot", "commitment", "key", "deals": [{"game", "title", "players",
        "rules", "played", "mine", "seat", "par", "standings"}]}`; `key`, and `rules`, `seat`, `par` and `standings` of
        each deal, are null until the day is closed. `left` is null, or between the end of the day and its closing the
        number of seconds in which a begun game still counts. `mine` also has `over`.
        """
        return JSONResponse(await answers.day(day, key_in(authorization)))


def _add_plays(app: FastAPI, rooms: Rooms, answers: "_Answers", limits: Limits) -> None:
    """Add the tables of players in daily deals, and their results."""

    @app.get("/api/tables/{table_id}/daily")
    async def result(request: Request, table_id: str, authorization: Bearer = "") -> JSONResponse:
        """The result of a daily deal ([below](#daily-deals)), for the player whose key is sent; 404 for all others."""
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return JSONResponse(await answers.result(room, key_in(authorization)))

    @app.post("/api/daily/{day}/{game_id}")
    async def play(request: Request, day: PathDay, game: PathGame, body: DailyBody) -> JSONResponse:
        """201 `{"table", "seat", "key", "counts"}` for `{"name", "key"}`, always the same table for one player and
        deal; after the publication of the day's key a new one each time, which does not count, except that the
        player's unfinished game goes on. 404 if the day has no deal (yet), 409 between the end of a day and the
        publication of its key, unless the player has begun before. After the publication of the key a request with
        `"counts": true` is answered with the table of the game that the player finished in time, or with 409.
        """
        limits.take("tables", address_of_client(request.scope))
        return JSONResponse(await rooms.days.begin(day, game, body.name, body.key, body.counts), 201)


class _Answers:
    """The answers to requests about daily deals."""

    def __init__(self, rooms: Rooms, reviews: Reviews) -> None:
        self._rooms = rooms
        self._reviews = reviews

    @property
    def _days(self) -> Days:
        return self._rooms.days

    @property
    def _store(self) -> Store:
        return self._days.store

    async def today(self, key: str | None) -> dict[str, Any]:
        """Return today's deals, or only the address of the room where they are played, if not here."""
        days = self._days
        if days.settings.room:
            return {"room": days.settings.room}
        await days.close_past()
        commitments = await days.commitments()
        day, *coming_days = commitments  # today by one reading of the clock: midnight may pass during this request
        played = await self._store.run(self._store.read, daily.count_plays, day)
        own = await self._own_plays(key, [day])
        deals = [
            {
                "game": game.id,
                "title": game.title,
                "players": game.usual_players,
                "played": played.get(game.id, 0),
                "mine": _play_json(own[day, game.id]) if (day, game.id) in own else None,
            }
            for game in all_games()
        ]
        coming = [{"day": str(each), "commitment": commitments[each]} for each in coming_days]
        return {
            **_day_json(day),
            "ends": days.seconds_left(),
            "open": not await days.is_closed(day),
            "commitment": commitments[day],
            "coming": coming,
            "deals": deals,
            "closing": await self._closing(key),
            "streak": await self._streak(key),
            "room": "",
        }

    async def _closing(self, key: str | None) -> dict[str, Any] | None:
        """Return the day that is over and not closed yet, with the games of a player, if there is one."""
        if (day := await self._days.closing_day()) is None:
            return None
        own = await self._own_plays(key, [day])
        return {"day": str(day), "left": self._days.seconds_to_close(day), "mine": _games_json(own, day)}

    async def archive(self, before: str, key: str | None) -> dict[str, Any]:
        """Return the latest closed days, those ``before`` a day (empty: all)."""
        days = self._days
        found = await days.closed_days(parse_day(before) if before else date.max)
        own = await self._own_plays(key, [each.day for each in found])
        return {
            "days": [
                {
                    **_day_json(each.day),
                    "commitment": daily_commitment(each.key),
                    "key": each.key,
                    "mine": _games_json(own, each.day),
                }
                for each in found
            ]
        }

    async def day(self, day: date, key: str | None) -> dict[str, Any]:
        """Return a day with its deals; the key and the results only if the day is closed."""
        days = self._days
        await days.check(day)
        closed, day_key = await days.is_closed(day), await days.key_of(day)
        left = None if closed else days.seconds_to_close(day)
        ended = closed or left is not None
        deals, own = await days.deals(day), await self._own_plays(key, [day])
        plays = await self._store.run(self._store.read, daily.plays_of, day)
        return {
            **_day_json(day),
            "closed": closed,
            "left": left,
            "commitment": daily_commitment(day_key),
            "key": day_key if closed else None,
            "deals": [
                {
                    "game": game.id,
                    "title": game.title,
                    "players": game.usual_players,
                    "played": len(of_game := [play for play in plays if play.game == game.id]),
                    "mine": await self._own_json(mine := own.get((day, game.id)), ended),
                    **(_result_json(deals.get(game.id), of_game, mine) if closed else _SEALED),
                }
                for game in all_games()
            ],
        }

    async def _own_json(self, play: Play | None, ended: bool) -> dict[str, Any] | None:
        """Return the game of a player, if any, and whether it is over: after the day it may be without a result."""
        if play is None:
            return None
        over = await self._days.is_over(play) if ended else play.score is not None
        return {**_play_json(play), "over": over}

    async def result(self, room: Room, key: str | None) -> dict[str, Any]:
        """Return the result of the player at a table, during the game without rank, par, standings and review.

        Raises:
            NoDealError: the table plays no deal of a day, or the key is not that of its player.
        """
        days, kept, game = self._days, room.state.opened.daily, room.state.match.game.id
        play = await days.play_of(kept.day, game, key or "") if kept else None
        if kept is None or play is None or play.table != room.id:
            raise NoDealError(gettext("at this table no deal of the day is played with this key"))
        closed, deal = await days.is_closed(kept.day), (await days.deals(kept.day))[game]
        answer = {
            **_day_json(kept.day),
            **_play_json(play),
            "over": room.state.over,
            "game": game,
            "closed": closed,
            "streak": await self._streak(key),
        }
        if play.score is None:
            return answer
        days.begin_par(kept.day, deal)
        plays = await self._store.run(self._store.read, daily.plays_of, kept.day, game)
        review, review_failed = (play.review, False) if play.review else await self._review(room)
        failures = {"par": deal.par is None and days.par_failed(kept.day, game), "review": review_failed}
        return {
            **answer,
            "rank": rank_of(play, plays),
            "played": len(plays),
            "par": asdict(deal.par) if deal.par else None,
            "standings": standings_of(plays, play),
            "review": review,
            "failed": [part for part, failed in failures.items() if failed],
        }

    async def _review(self, room: Room) -> tuple[Mapping[str, Any] | None, bool]:
        """Return the summary of the review of a finished game, and whether its computation has failed.

        The summary is stored. If there is no review yet, it is begun, and the summary is ``None``.
        """
        record = room.state.record()
        seat = next(number for number, each in room.state.seats.items() if each.bot is None)
        found = None if record is None else await self._reviews.find(room.id, record, [seat], room.state.host)
        if found is None:
            return None, False
        if isinstance(found, Progress):
            return None, found.failed
        review = await self._rooms.services.compute(room.state.host, sums_and_signs_of, found, seat)
        await self._store.run(self._store.write, daily.keep_review, room.id, review)
        return review, False

    async def _own_plays(self, key: str | None, days: Sequence[date]) -> dict[tuple[date, str], Play]:
        """Return the games of a player by day and game."""
        if key is None:
            return {}
        plays = await self._store.run(self._store.read, daily.plays_by, key_hash(key), days)
        return {(play.day, play.game): play for play in plays}

    async def _streak(self, key: str | None) -> int:
        if key is None:
            return 0
        played = await self._store.run(self._store.read, daily.days_played, key_hash(key))
        return streak_of(played, self._days.today())


_SEALED = {"rules": None, "seat": None, "par": None, "standings": None}
"""The values of :func:`_result_json` before the end of the day, and for a deal without players."""


def _day_json(day: date) -> dict[str, Any]:
    """Return the public facts of a day before its end."""
    return {"day": str(day), "game": game_of_day(day, all_games()).id, "bot": level_of_day(day)}


def _play_json(play: Play) -> dict[str, Any]:
    """Return the game of a player as JSON values."""
    return {"table": play.table, "counts": play.counts, "score": asdict(play.score) if play.score else None}


def _games_json(own: Mapping[tuple[date, str], Play], day: date) -> list[dict[str, Any]]:
    """Return a player's games of a day as JSON values."""
    return [{"game": game, **_play_json(play)} for (each, game), play in own.items() if each == day]


def _result_json(deal: DailyDeal | None, plays: Sequence[Play], own: Play | None) -> dict[str, Any]:
    """Return the facts of a deal that are published after its day."""
    if deal is None:
        return _SEALED
    return {
        "rules": deal.plan.rules,
        "seat": deal.plan.seat,
        "par": asdict(deal.par) if deal.par else None,
        "standings": standings_of(plays, own),
    }


def sums_and_signs_of(review: str, seat: int) -> dict[str, Any]:
    """Return the sums of a review for a seat in whole points, as text, and at most :data:`SIGNS` of its marks."""
    summary = summary_of(review, seat)
    parts = {"luck": summary.luck, "others": summary.others, "own": summary.own}
    return {**{part: with_sign(points) for part, points in parts.items()}, "signs": summary.telling_marks(SIGNS)}
