"""Requests for tables: their setup, seats and play, and the replays of their games."""

from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.responses import JSONResponse, Response

from parlour.engine.matches.records import record_text
from parlour.server.http.access.admission import address_of_client, network_of_client
from parlour.server.http.access.bans import Bans
from parlour.server.http.access.limits import Limits
from parlour.server.http.connection import Connection
from parlour.server.http.requests import Bearer, RematchBody, SeatBody, key_in
from parlour.server.store.lobby_list import ListingOrigin
from parlour.server.table.again import levels_beside
from parlour.server.table.messages import to_text
from parlour.server.table.replays import (
    MOST_SCENES,
    ReplaySlice,
    disclosed_record,
    parse_viewer,
    replayed_scenes,
)
from parlour.server.table.rooms import Rooms
from parlour.server.table.table_setup import NewTable, PlayAgain, PlayOn


def add_tables(app: FastAPI, rooms: Rooms, limits: Limits, bans: Bans) -> None:
    """Add the requests for tables, the connections of clients, and the requests for replays."""
    _add_openings(app, rooms, limits)
    _add_next_games(app, rooms, limits)
    _add_play(app, rooms, limits, bans)
    _add_replays(app, rooms, limits)


def _add_openings(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add new tables, the lobby, and the seats of a table."""

    @app.post("/api/tables")
    async def open_table(request: Request, body: NewTable) -> JSONResponse:
        """201 `{"table": "k3f9…", "seat": 0, "key": "…", "commitment": "…"}`, the same for a repeated request with one
        `key`; 409 if the key belongs to another request, or if it is `listed` and the address already has three tables
        in the lobby.
        """
        limits.take("tables", address_of_client(request.scope))
        listing = ListingOrigin(network_of_client(request.scope), limits.listed) if limits.on else None
        return JSONResponse(await rooms.open_table(body, listing), 201)

    @app.get("/api/tables")
    async def open_tables() -> Response:
        """`{"tables": […]}`: the listed tables of the last day with an open seat, 30 at most, those where a person
        `waits` first, then the newest. Each table also has `bots`, the ids of its bots.
        """
        return _json_response({"tables": await rooms.lobby.tables()})

    @app.post("/api/tables/{table_id}/seats")
    async def take_seat(request: Request, table_id: str, body: SeatBody) -> JSONResponse:
        """201 `{"table", "seat", "key"}` for an open seat; 202 `{"table", "seat", "waiting"}` while players have to
        agree to the request for a bot's seat (below); 409 if the seat is not available.
        """
        limits.take("seats", address_of_client(request.scope))
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            answer = await room.take_seat(body.application())
        return JSONResponse({"table": table_id, "seat": body.seat, **answer}, 201 if "key" in answer else 202)


def _add_next_games(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add the games that follow one: with the seats turned, or with the same seats against bots."""

    @app.post("/api/tables/{table_id}/rematch")
    async def rematch(request: Request, table_id: str, body: RematchBody) -> JSONResponse:
        """201 `{"table", "seat", "by", "commitment"}` for the `{"key"}` of a player: a table like this one with the
        seats turned. Only the first player has the seat there already, so that the seat of this table is in `by`; the
        others accept by taking theirs, or by saying hello there with the key of this table. `seat` is −1 if another
        person has taken it. A table has one rematch: later requests return the same table, after a restart too. 409 for
        other keys, and during the game.
        """
        limits.take("tables", address_of_client(request.scope))
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return JSONResponse(await rooms.rematch(room, body.key), 201)

    @app.get("/api/tables/{table_id}/again")
    async def levels(request: Request, table_id: str, authorization: Bearer = "") -> JSONResponse:
        """`{"level", "lower"}` with the key of the seat as `Authorization: Bearer …`, after a game of one person
        against bots: the level of the strongest bot in a new game one level up and down, null where there is none. 409
        as for POST.
        """
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return JSONResponse(levels_beside(room.state, key_in(authorization) or ""))

    @app.post("/api/tables/{table_id}/again")
    async def play_again(request: Request, table_id: str, body: PlayAgain) -> JSONResponse:
        """201 `{"table", "seat", "key", "commitment"}` for `{"seat_key", "what": "deal" | "level" | "lower"}`, with the
        key of the seat, after a game of one person against bots: a new game in the same seats, with the same deal
        (`"deal"`), or with bots one level up (`"level"`) or down (`"lower"`). The same for a repeated request with one
        `key`. 409 during the game, for other keys, and if other people played; 422 if all bots are of the highest or
        lowest level or have none (`random`, `thumb`).
        """
        limits.take("tables", address_of_client(request.scope))
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return JSONResponse(await rooms.play_again(room, body), 201)


def _add_play(app: FastAPI, rooms: Rooms, limits: Limits, bans: Bans) -> None:
    """Add a table's facts and the connections of its clients."""

    @app.get("/api/tables/{table_id}")
    async def table(request: Request, table_id: str, authorization: Bearer = "") -> Response:
        """The table (below)."""
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return _json_response(room.info(key_in(authorization)))

    @app.websocket("/api/tables/{table_id}/play")
    async def play(socket: WebSocket, table_id: str) -> None:
        await Connection(socket, rooms, table_id, limits, bans).run()


def _add_replays(app: FastAPI, rooms: Rooms, limits: Limits) -> None:
    """Add the record and the replay of a game, and tables that continue from it."""

    @app.get("/api/tables/{table_id}/record")
    async def record(request: Request, table_id: str) -> Response:
        """The game record with the players' `names` and the `deal`; 409 during the game, in a daily deal until its day
        is closed, and in a club night until its round is over.
        """
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            kept = disclosed_record(room.state)
        name = f"{kept['game']}-{table_id}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(record_text(kept), media_type="application/json", headers=headers)

    @app.get("/api/tables/{table_id}/replay")
    async def replay(
        request: Request,
        table_id: str,
        view: str = "spectator",
        first: Annotated[int, Query(ge=0)] = 0,
        number: Annotated[int, Query(ge=1, le=MOST_SCENES)] = MOST_SCENES,
        authorization: Bearer = "",
    ) -> JSONResponse:
        """`{"seen", "scenes": […]}`: a replay of the game (below)."""
        limits.take("replays", address_of_client(request.scope))
        host = network_of_client(request.scope)
        async with rooms.use(table_id, host) as room:
            part = ReplaySlice(parse_viewer(view, room.state.match.players), first, number)
            scenes = await replayed_scenes(room.state, rooms.services, part, key_in(authorization), host)
            return JSONResponse({"seen": len(room.state.match.events), "scenes": scenes})

    @app.post("/api/tables/{table_id}/on")
    async def play_on(request: Request, table_id: str, body: PlayOn) -> JSONResponse:
        """201 `{"table", "seat", "key", "commitment"}`: a new table that begins with the first events of this one
        (below).
        """
        limits.take("tables", address_of_client(request.scope))
        host = network_of_client(request.scope)
        async with rooms.use(table_id, host) as room:
            return JSONResponse(await rooms.play_on(room, body, host), 201)


def _json_response(value: Any) -> Response:
    return Response(to_text(value), media_type="application/json")
