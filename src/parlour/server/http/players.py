"""Players over HTTP: the links of seats with players, a player's games, ratings and records, and their removal."""

import re
from dataclasses import asdict
from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse

from parlour.engine.errors import ParlourError
from parlour.insight.review_summary import summary_of
from parlour.languages import gettext
from parlour.server.http.access.admission import address_of_client, network_of_client
from parlour.server.http.access.limits import Limits
from parlour.server.http.path_games import title_of
from parlour.server.http.requests import Bearer, PlayerBody, key_in
from parlour.server.store.people.players import ListPlace, PlayedDaily, PlayedGame, Selection
from parlour.server.store.people.ratings import PlayedRating
from parlour.server.table.players import NoPlayerError
from parlour.server.table.rooms import Rooms
from parlour.server.table.table_info import club_info, rating_info

MOST_GAMES = 100
"""Maximum number of games in one part of a list."""
MOST_RECORDS = 20
"""Maximum number of records in one answer."""
RECORDS_IN_A_REPLAY = 10
"""Number of records that count as one replay, which takes as long: scenes are laid out, records are not."""
MOST_WORST = 3
"""Maximum number of decisions that are stored with the findings of a review."""
_CURSOR = re.compile(r"([01])-(\d{1,12})-([a-z0-9]{1,40})")
GameId = Annotated[str, Query(max_length=60)]
Cursor = Annotated[str, Query(max_length=60)]
_THOUSANDTHS_IN_A_POINT = 10


def add_players(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add the requests of players."""
    _add_links(app, rooms, limits)
    _add_games(app, rooms)
    _add_results(app, rooms, limits)
    _add_removals(app, rooms, limits)


def _add_links(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add the links of seats with players."""

    @app.post("/api/tables/{table_id}/player")
    async def link(request: Request, table_id: str, body: PlayerBody) -> JSONResponse:
        """`{"table", "seat"}` for `{"key", "player"}`: the seat with this `key` is linked with the player whose key is
        `player` ([below](#ones-own-games)); the same for a repeated request. 409 if the key opens no seat, if the seat
        has six players, or if the player has another seat of the table.
        """
        limits.take("replays", address_of_client(request.scope))
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return JSONResponse(
                {"table": table_id, "seat": await rooms.players.link(room.state, body.key, body.player)}
            )


def _add_games(app: FastAPI, rooms: Rooms) -> None:
    """Add the list of a player's games."""

    @app.get("/api/player")
    async def games(
        before: Cursor = "",
        game: GameId = "",
        number: Annotated[int, Query(ge=1, le=MOST_GAMES)] = 30,
        authorization: Bearer = "",
    ) -> JSONResponse:
        """`{"name", "games": [{"table", "seat", "game", "title", "players", "options", "others": [{"name", "bot"}],
        "at", "score", "review", "kept", "daily", "club"}], "next"}` with the player's key as `Authorization: Bearer
        …`: the player's games, the unfinished ones before the finished ones, of both the newest first; on request only
        those of a `game`, and those `before` the `next` of an earlier answer (null: no more). `name` is null if there
        is no such player.
        """
        key = _player_key(authorization)
        name = await rooms.players.name(key)
        found = await rooms.players.games(key, Selection(number + 1, _parse_cursor(before), game))
        sealed = await rooms.players.sealed_days(found)
        games = [_game_json(each, sealed) for each in found[:number]]
        return JSONResponse({"name": name, "games": games, "next": _next_cursor(found, number)})


def _add_results(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add a player's ratings and the records of the finished games."""

    @app.get("/api/player/ratings")
    async def ratings(authorization: Bearer = "") -> JSONResponse:
        """`{"ratings": [{"game", "title", "value", "provisional", "games", "history": [{"at", "value"}]}]}` with the
        player's key: the ratings by game, that with the most rated games first, and the ratings after each of the last
        200 of them, the oldest first.
        """
        return JSONResponse(
            {"ratings": [_rating_json(each) for each in await rooms.players.ratings(_player_key(authorization))]}
        )

    @app.get("/api/player/records")
    async def records(request: Request, before: Cursor = "", authorization: Bearer = "") -> JSONResponse:
        """`{"records": […], "next"}` with the player's key: the game records of the finished games whose tables exist,
        20 at most, and those `before` the `next` of an earlier answer. The record of a daily deal is among them when
        its day is closed, that of a club night when its round is over.
        """
        address, host = address_of_client(request.scope), network_of_client(request.scope)
        part = Selection(MOST_RECORDS + 1, _parse_cursor(before), over=True)
        limits.take("replays", address)
        found = await rooms.players.games(_player_key(authorization), part)
        tables = [each for each in found[:MOST_RECORDS] if each.kept]
        if (more := len(tables) // RECORDS_IN_A_REPLAY - 1) > 0:
            limits.take("replays", address, more)
        kept = [await rooms.players.record(each, host) for each in tables]
        return JSONResponse({"records": [each for each in kept if each], "next": _next_cursor(found, MOST_RECORDS)})


def _add_removals(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add the removal of a player, and of a game from the list."""

    @app.delete("/api/player")
    async def forget(request: Request, authorization: Bearer = "") -> JSONResponse:
        """`{"games": 12}` with the player's key: the name, the list and all links are removed; the key opens nothing
        more. The tables stay. A repeated request returns `{"games": 0}`.
        """
        limits.take("seats", address_of_client(request.scope))
        return JSONResponse({"games": await rooms.players.forget(_player_key(authorization))})

    @app.delete("/api/player/games/{table_id}")
    async def forget_game(request: Request, table_id: str, authorization: Bearer = "") -> JSONResponse:
        """`{"table"}` with the player's key: this game is removed from the list. An unfinished game of a club night
        stays in it (409): the player's key is the only one to its seat.
        """
        limits.take("replays", address_of_client(request.scope))
        await rooms.players.forget_game(_player_key(authorization), table_id)
        return JSONResponse({"table": table_id})


def finding_of(review: str, seat: int) -> dict[str, Any]:
    """Return the sums of a review for a seat, the number of its decisions, and the costliest of them.

    Sums and costs are thousandths of a win, rounded to whole points (tens) as in the review.
    """
    summary = summary_of(review, seat)
    return {
        "luck": summary.luck * _THOUSANDTHS_IN_A_POINT,
        "others": summary.others * _THOUSANDTHS_IN_A_POINT,
        "own": summary.own * _THOUSANDTHS_IN_A_POINT,
        "lost": summary.lost * _THOUSANDTHS_IN_A_POINT,
        "decisions": len(summary.decisions),
        "worst": [
            {"seen": each["seen"], "lost": each["cost"] * _THOUSANDTHS_IN_A_POINT, "mark": each["mark"]}
            for each in summary.costliest(MOST_WORST)
        ],
    }


def _player_key(authorization: str) -> str:
    """Return the player's key of a request. Raises :class:`NoPlayerError`."""
    key = key_in(authorization)
    if key is None:
        raise NoPlayerError(gettext("the list of a player's games needs the player's key"))
    return key


def _parse_cursor(text: str) -> ListPlace | None:
    """Return the place in a list that a cursor names. Raises :class:`ParlourError`."""
    if not text:
        return None
    if (found := _CURSOR.fullmatch(text)) is None:
        raise ParlourError("before: must be the `next` of an earlier answer")
    return ListPlace(found[1] == "1", int(found[2]), found[3])


def _next_cursor(found: list[PlayedGame], number: int) -> str | None:
    """Return the cursor after a number of games, if there are more."""
    if len(found) <= number:
        return None
    last = found[number - 1]
    return f"{int(last.score is not None)}-{last.at}-{last.table}"


def _game_json(game: PlayedGame, sealed: set[date]) -> dict[str, Any]:
    """Return a game as JSON values; its daily deal is sealed if the day is among the ``sealed`` ones."""
    daily = _daily_json(game.daily, game.daily.day in sealed) if game.daily else None
    club = club_info(game.club, game.club.open) if game.club else None
    shown = {"title": title_of(game.game), "at": _time_of(game.at), "daily": daily, "club": club and asdict(club)}
    return {**asdict(game), **shown}


def _daily_json(played: PlayedDaily, sealed: bool) -> dict[str, Any]:
    """Return the daily deal of a game as JSON values; until the day is closed, the player's try counts."""
    return {"day": str(played.day), "counts": played.own and (played.scored or sealed), "sealed": sealed}


def _rating_json(played: PlayedRating) -> dict[str, Any]:
    """Return a rating as JSON values."""
    history = [{"at": _time_of(at), "value": round(value)} for at, value in played.history]
    shown = asdict(rating_info(played.rating))
    return {"game": played.game, "title": title_of(played.game), **shown, "games": played.games, "history": history}


def _time_of(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
