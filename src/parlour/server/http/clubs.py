"""Club nights over HTTP: the requests to open, join, begin and read a club night, and to close a round of it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from parlour.server.http.access.admission import address_of_client, network_of_client
from parlour.server.http.access.limits import Limits
from parlour.server.http.path_games import title_of
from parlour.server.http.requests import Bearer, NamedPlayerBody, key_in
from parlour.server.store.people.clubs import BOT, ClubGame, ClubNight
from parlour.server.table.clubs.club_nights import NewClub
from parlour.server.table.clubs.scores import by_deal, scores_of, standings
from parlour.server.table.fields import Key, StrictModel, Word
from parlour.server.table.people.keys import key_hash
from parlour.server.table.rooms import Rooms


class HostBody(StrictModel):
    """The key of the host."""

    key: Key


class RemoveBody(HostBody):
    """The key of the host, and the number and name of the player whom the host removes."""

    number: int = Field(ge=0, le=1_000_000)
    name: Word


class CloseBody(HostBody):
    """The key of the host, and the round that the host closes."""

    round: int = Field(ge=1, le=1000)


def add_clubs(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add the requests of club nights."""
    _add_nights(app, rooms, limits)
    _add_rounds(app, rooms, limits)


def _add_nights(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add new club nights, their state and their players."""

    @app.post("/api/club")
    async def open_club(request: Request, body: NewClub) -> JSONResponse:
        """201 `{"club"}` for `{"game", "options", "system": "all" | "swiss", "rounds", "bot", "key"}`
        ([below](#club-nights)); the same for a repeated request. `key` is a new secret, and becomes the host's key.
        """
        limits.take("tables", address_of_client(request.scope))
        return JSONResponse({"club": await rooms.club_nights.open(body)}, 201)

    @app.get("/api/club/{club_id}")
    async def club_night(
        request: Request, club_id: str, known: Annotated[int, Query(ge=0)] = 0, authorization: Bearer = ""
    ) -> JSONResponse:
        """`{"club", "game", "title", "options", "system", "rounds", "bot", "begun", "closed", "you", "players",
        "standings", "games"}` ([below](#club-nights)). `you`, and in an open round the `table` of the player's games,
        need the player's key as `Authorization: Bearer …`; `games` leaves the first `known` rounds out.
        """
        found, host = await rooms.club_nights.read(club_id), network_of_client(request.scope)
        # the answer about a large club night takes some milliseconds, and its pages ask every few seconds
        return JSONResponse(await rooms.services.compute(host, club_night_json, found, key_in(authorization), known))

    @app.post("/api/club/{club_id}/players")
    async def join(request: Request, club_id: str, body: NamedPlayerBody) -> JSONResponse:
        """201 `{"club", "number"}` for `{"name", "key"}`: the player with this key joins, or has another name. 409 if
        another player has this name, and for a new player if the club night has begun or is full.
        """
        limits.take("joins", address_of_client(request.scope))
        number = await rooms.club_nights.join(club_id, body.key, body.name)
        return JSONResponse({"club": club_id, "number": number}, 201)

    @app.post("/api/club/{club_id}/remove")
    async def remove(club_id: str, body: RemoveBody) -> JSONResponse:
        """`{"club"}` for the host's `{"key", "number", "name"}`: the player with this number and name leaves, if any.
        409 if the club night has begun. A removed player can join again.
        """
        await rooms.club_nights.remove(club_id, body.key, body.number, body.name)
        return JSONResponse({"club": club_id})


def _add_rounds(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add the host's requests that begin a round."""

    async def take_round(request: Request, club_id: str) -> None:
        """Count the boards of a round as tables, all at once: a refused attempt counts none. Without any table left
        the night is not read. Raises :class:`LimitError`.
        """
        address = address_of_client(request.scope)
        limits.check("tables", address)
        night = await rooms.club_nights.read(club_id)
        limits.take("tables", address, (len(night.players) + 1) // 2)

    @app.post("/api/club/{club_id}/begin")
    async def begin(request: Request, club_id: str, body: HostBody) -> JSONResponse:
        """`{"club"}` for the host's `{"key"}`: the first round begins, unless it has begun."""
        await take_round(request, club_id)
        await rooms.club_nights.begin(club_id, body.key)
        return JSONResponse({"club": club_id})

    @app.post("/api/club/{club_id}/close")
    async def close(request: Request, club_id: str, body: CloseBody) -> JSONResponse:
        """`{"club"}` for the host's `{"key", "round"}`: unfinished games of this round count for no player, and the
        next round begins. Without effect if this round is over.
        """
        await take_round(request, club_id)
        await rooms.club_nights.close_round(club_id, body.key, body.round)
        return JSONResponse({"club": club_id})


def club_night_json(night: ClubNight, key: str | None, known: int) -> dict[str, Any]:
    """Return a club night as JSON values for the player with a key. The open round has no results."""
    club, player = night.club, key_hash(key) if key else ""
    own = next((each.number for each in night.players if player and each.player == player), None)
    same = by_deal(game for game in night.games if game.round > known)
    games = [game for each in same.values() for game in _games_json(each, night, own)]
    return {
        "club": club.id,
        "game": club.game,
        "title": title_of(club.game),
        "options": dict(club.options),
        "system": club.system,
        "rounds": club.rounds,
        "bot": club.bot,
        "begun": club.begun,
        "closed": club.closed,
        "you": own,
        "players": [{"number": each.number, "name": each.name} for each in night.players],
        "standings": [{**asdict(each), "score": round(each.score, 3)} for each in standings(night, club.closed)],
        "games": games,
    }


def _games_json(same: Sequence[ClubGame], night: ClubNight, own: int | None) -> list[dict[str, Any]]:
    """Return the games with one deal as JSON values for a player.

    The table of a game is known to its players, and to all when the round is over, as are the results.
    """
    closed = same[0].round <= night.club.closed
    scores = [scores_of(same, seat) if closed else {} for seat in range(2)]
    return [
        {
            "round": game.round,
            "board": game.board,
            "deal": game.deal,
            "table": game.table if closed or (own is not None and own in game.seats) else None,
            "seats": [None if number == BOT else number for number in game.seats],
            "over": game.result is not None,
            "won": list(game.result.won) if closed and game.result else None,
            "points": list(game.result.points) if closed and game.result and game.result.points else None,
            "scores": [round(each[game.table], 3) if game.table in each else None for each in scores],
        }
        for game in same
    ]
