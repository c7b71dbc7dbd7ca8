"""The web application: the HTTP requests, the WebSockets, and the page's files."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response

from parlour.daily import game_of_day
from parlour.engine.matches.records import record_text
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.languages.markdown import translate_markdown
from parlour.render.layouts import guide_of
from parlour.render.lesson import outline
from parlour.server.http.access.admission import Admission, HostNames, address_of_client, network_of_client
from parlour.server.http.access.bans import Bans
from parlour.server.http.access.limit_gossip import LimitGossip
from parlour.server.http.access.limits import Limits
from parlour.server.http.addresses import reachable_addresses
from parlour.server.http.catalogue import catalogue, load_games, markdown_html, primer, rules_html
from parlour.server.http.clubs import add_clubs
from parlour.server.http.connection import Connection
from parlour.server.http.daily import PathDay, add_daily
from parlour.server.http.document import previews
from parlour.server.http.document.offline import add_offline, lesson_step
from parlour.server.http.document.page_files import PAGE, PageFiles, mount_page
from parlour.server.http.document.previews import Preview, PreviewPage, add_previews
from parlour.server.http.error_responses import add_errors
from parlour.server.http.language import RequestLanguage
from parlour.server.http.middleware import BodyLimit, CompressPublic, HeadRequests, SecurityHeaders
from parlour.server.http.orders import Orders
from parlour.server.http.path_games import PathGame
from parlour.server.http.players import add_players
from parlour.server.http.push import add_push
from parlour.server.http.puzzles import add_puzzles
from parlour.server.http.reports.review_requests import add_reviews
from parlour.server.http.reports.reviews import Reviews
from parlour.server.http.reports.studies import add_studies
from parlour.server.http.requests import Bearer, LessonBody, LinkBody, RematchBody, SeatBody, key_in
from parlour.server.http.showcase import showcase
from parlour.server.logs import note_outcome, note_unhandled
from parlour.server.metrics import metrics
from parlour.server.store.database import StoreError
from parlour.server.store.lobby_list import ListingOrigin
from parlour.server.store.maintenance import DAY_SECONDS
from parlour.server.store.ownership import NAMELESS, Instance
from parlour.server.store.store import Store
from parlour.server.table.bots.answer_timing import AnswerTiming
from parlour.server.table.daily.settings import HERE, DailySettings
from parlour.server.table.messages import to_text
from parlour.server.table.push.settings import NO_PUSH, PushSettings
from parlour.server.table.replays import (
    MOST_SCENES,
    ReplaySlice,
    disclosed_record,
    parse_viewer,
    replayed_scenes,
)
from parlour.server.table.retention import tidy
from parlour.server.table.rooms import Rooms
from parlour.server.table.shares import WHOLE, Share
from parlour.server.table.table_setup import NewTable, PlayAgain, PlayOn, TablePlan


def create_app(
    store: Store,
    *,
    names: Iterable[str] = (),
    limits: Limits | None = None,
    share: Share = WHOLE,
    paced: bool = True,
    listens: str = "127.0.0.1",
    keep_days: int | None = None,
    instance: Instance = NAMELESS,
    gossip: LimitGossip | None = None,
    daily: DailySettings = HERE,
    push: PushSettings = NO_PUSH,
) -> FastAPI:
    """Return the application of a card room. The caller closes the store after its end.

    Args:
        store: the store.
        names: the host names of the room besides those of this machine.
        limits: the limits of addresses.
        share: the tables of this process.
        paced: whether bots answer at times that disclose nothing; otherwise at once.
        listens: the address at which the server listens.
        keep_days: the days after which finished games are removed; ``None``: never.
        instance: the identity of this process for other servers on the same database.
        gossip: the exchange of notices on limits with these servers.
        daily: the daily deals of the room.
        push: the notices to closed pages.
    """
    rooms = Rooms(store, share, daily, push)
    rooms.services.timing = AnswerTiming(paced)
    reviews = Reviews(store, rooms.services.readiness)
    rooms.services.person_acted = reviews.prefetch.update
    limits, bans = limits or Limits(), Bans()
    orders = Orders(store, rooms, reviews, bans, share.number == 0)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(note_unhandled)
        await rooms.ownership.begin(instance)
        app.state.loaded = asyncio.create_task(asyncio.to_thread(_preload))
        background = [asyncio.create_task(_tidy_regularly(store, keep_days))] if share.number == 0 else []
        background.append(asyncio.create_task(rooms.ownership.watch(rooms.close_all)))
        await orders.poll()
        background.append(asyncio.create_task(orders.run()))
        if gossip is not None:
            rooms.ownership.other_notice = gossip.receive
            background.append(asyncio.create_task(gossip.run(store)))
        for task in background:
            task.add_done_callback(note_outcome)  # none of them ends while the room is open
        yield
        for task in background:
            task.cancel()
        reviews.stop()
        await rooms.stop()

    app = FastAPI(
        title="Parlour", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False
    )
    app.state.rooms, app.state.reviews = rooms, reviews
    app.add_middleware(HeadRequests)
    app.add_middleware(CompressPublic)
    app.add_middleware(BodyLimit)
    app.add_middleware(Admission, names=HostNames(names), limits=limits, bans=bans)
    app.add_middleware(RequestLanguage)
    app.add_middleware(SecurityHeaders, keep_alive=share.workers == 1)
    add_errors(app)
    _add_games(app)
    _add_lessons(app)
    _add_tables(app, rooms, limits, bans)
    _add_replays(app, rooms, limits)
    add_reviews(app, rooms, reviews)
    add_daily(app, rooms, reviews, limits)
    add_players(app, rooms, limits)
    add_puzzles(app, limits)
    add_clubs(app, rooms, limits)
    add_push(app, rooms, limits)
    add_studies(app)
    _add_health(app, store, rooms)
    add_offline(app, _add_page(app, rooms, listens, limits))
    return app


def _preload() -> None:
    """Load the data that the first clients need."""
    metrics()
    load_games()


async def _tidy_regularly(store: Store, keep_days: int | None) -> None:
    """Tidy the database at the start, and then once a day."""
    while True:
        await tidy(store, keep_days)
        await asyncio.sleep(DAY_SECONDS)


def _json_response(value: Any) -> Response:
    return Response(to_text(value), media_type="application/json")


def _add_health(app: FastAPI, store: Store, rooms: Rooms) -> None:
    @app.get("/healthz")
    async def alive() -> JSONResponse:
        """`{"status": "ok"}` while the server runs, independent of the database."""
        return JSONResponse({"status": "ok"})

    @app.get("/readyz")
    async def ready() -> JSONResponse:
        """`{"status": "ok"}`, or 503 with the reason while the database cannot be written or the server is closing. The
        first answer comes when everything is loaded.
        """
        if rooms.closing:
            raise StoreError("the server is being closed")
        await asyncio.shield(app.state.loaded)
        rooms.ownership.check()
        await store.ready()
        return JSONResponse({"status": "ok"})


def _add_games(app: FastAPI) -> None:
    @app.get("/api/games")
    def games() -> JSONResponse:
        """`{"games": […], "bots": [{"id", "title", "description", "study"}], "usual_bot": "casual"}`: the games with
        their options, and the bots (`study`: for study rather than play). An option has a `title`, `titles` of values,
        and `limits` if the range of a number depends on the number of players.
        """
        return JSONResponse(catalogue())

    @app.get("/api/games/{game_id}/rules")
    def rules(game: PathGame) -> JSONResponse:
        """`{"html": "…"}`; each clause in it is a `<span data-clause="…">`."""
        return JSONResponse({"html": rules_html(game.id)})

    @app.get("/api/games/{game_id}/primer")
    def game_primer(game: PathGame) -> JSONResponse:
        """`{"title", "short", "lesson", "terms": [{"word", "means", "clause"}]}`: the game in short (HTML), how many
        minutes its lesson takes (or null), and its terms.
        """
        return JSONResponse(primer(game.id), headers={"Cache-Control": "max-age=3600"})

    @app.get("/api/games/{game_id}/show")
    def show(game: PathGame) -> Response:
        """`{"scenes": […]}`: some scenes of a game between bots, as a spectator sees them, with the keys that a picture
        needs (`areas`, `legal`, `choices`, `seat`, `rest`).
        """
        text = f'{{"scenes": {showcase(game)}}}'
        return Response(text, media_type="application/json", headers={"Cache-Control": "max-age=3600"})

    @app.post("/api/check")
    def check(plan: TablePlan) -> JSONResponse:
        """`{"options": {…all…}, "advice": ["…"]}`, or 422 if the options are not valid."""
        game = find_game(plan.game)
        options = dict(Setup(game, plan.players, dict(plan.options)).options)
        return JSONResponse({"options": options, "advice": game.advice(plan.players, options)})


def _add_lessons(app: FastAPI) -> None:
    @app.get("/api/games/{game_id}/lesson")
    def lesson(game: PathGame) -> JSONResponse:
        """`{"game", "title", "minutes", "hands": [{"title", "steps": 14}]}`; 404 if the game has no lesson."""
        return JSONResponse({"game": game.title, **outline(guide_of(game.id).lesson)})

    @app.get("/api/games/{game_id}/lesson/{hand}/{step}")
    def step(game: PathGame, hand: int, step: int) -> JSONResponse:
        """`{"scenes", "say", "do"}`: the scenes, the explanation (HTML), and the learner's action (empty: none)."""
        return JSONResponse(lesson_step(game, hand, step))

    @app.post("/api/games/{game_id}/lesson/{hand}/{step}")
    def answer(game: PathGame, hand: int, step: int, tried: LessonBody) -> JSONResponse:
        """With `{"do": "7H"}`: `{"kind": "done"}`, `{"kind": "refused", "reason", "clause"}`, or for another legal
        action `{"kind": "other", "scene", "say"}`.
        """
        guide = guide_of(game.id)
        result = guide.answer(hand, step, tried.do)
        if result.refusal:
            return JSONResponse({"kind": "refused", **asdict(result.refusal)})
        if result.scene is None:
            return JSONResponse({"kind": "done"})
        say = markdown_html(translate_markdown(guide.step(hand, step).other), game)
        return JSONResponse({"kind": "other", "scene": result.scene.to_json(), "say": say})


def _add_tables(app: FastAPI, rooms: Rooms, limits: Limits, bans: Bans) -> None:
    @app.post("/api/tables")
    async def open_table(request: Request, body: NewTable) -> JSONResponse:
        """201 `{"table": "k3f9…", "seat": 0, "key": "…", "commitment": "…"}`, the same for a repeated request with one
        `key`; 409 if the key belongs to another request; 429 if it is `listed` and the address already has three tables
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

    @app.post("/api/tables/{table_id}/rematch")
    async def rematch(request: Request, table_id: str, body: RematchBody) -> JSONResponse:
        """201 `{"table", "seat", "by", "commitment"}` for the `{"key"}` of a player: a table like this one with the
        seats turned. Only the first player has the seat there already, so that the seat of this table is in `by`; the
        others accept by taking theirs, or by saying hello there with the key of this table. A table has one rematch:
        later requests return the same table, after a restart too. 409 for other keys, and during the game.
        """
        limits.take("tables", address_of_client(request.scope))
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return JSONResponse(await rooms.rematch(room, body.key), 201)

    @app.post("/api/tables/{table_id}/again")
    async def play_again(request: Request, table_id: str, body: PlayAgain) -> JSONResponse:
        """201 `{"table", "seat", "key", "commitment"}` after a game of one person against bots: a new game in the same
        seats, with the same deal (`{"seat_key", "what": "deal"}`) or with bots one level up (`"what": "level"`). The
        same for a repeated request with one `key`. 409 during the game, for other keys, and if other people played;
        422 if no bot is stronger.
        """
        limits.take("tables", address_of_client(request.scope))
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return JSONResponse(await rooms.play_again(room, body), 201)

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
        is over, and in a club night until its round is over.
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
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            part = ReplaySlice(parse_viewer(view, room.state.match.players), first, number)
            scenes = await replayed_scenes(room.state, rooms.services, part, key_in(authorization))
            return JSONResponse({"seen": len(room.state.match.events), "scenes": scenes})

    @app.post("/api/tables/{table_id}/on")
    async def play_on(request: Request, table_id: str, body: PlayOn) -> JSONResponse:
        """201 `{"table", "seat", "key", "commitment"}`: a new table that begins with the first events of this one
        (below).
        """
        limits.take("tables", address_of_client(request.scope))
        async with rooms.use(table_id, network_of_client(request.scope)) as room:
            return JSONResponse(await rooms.play_on(room, body), 201)


def _add_page(app: FastAPI, rooms: Rooms, listens: str, limits: Limits) -> PageFiles:
    files = mount_page(app)
    app.state.page = files
    pages = PreviewPage(files)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> FileResponse:
        return FileResponse(PAGE / "img" / "icon.svg")

    @app.get("/api/addresses")
    def addresses(request: Request) -> JSONResponse:
        """`{"here": true, "addresses": ["http://192.168.1.7:8080"]}`: the room's addresses in the network (none if it
        listens to this machine only), for a page on this machine under `localhost` or a loopback address without a
        proxy; `{"here": false, "addresses": []}` for all others.
        """
        return JSONResponse(reachable_addresses(request.scope, listens))

    @app.post("/api/link")
    async def link(request: Request, body: LinkBody) -> JSONResponse:
        """`{"svg": "…"}`: an `{"address"}` (http or https, 300 characters at most) as a QR code."""
        limits.take("links", address_of_client(request.scope))  # drawing it in Python delays other requests
        return JSONResponse({"svg": await asyncio.to_thread(_qr_code, body.address)})

    add_previews(app, pages)
    _add_addresses(app, rooms, pages)
    return files


def _qr_code(address: str) -> str:
    """Return the QR code of an address as SVG."""
    import segno  # only invitations need it

    code = segno.make(address, micro=False)
    return code.svg_inline(border=3, omitsize=True, dark="#000", light="#fff")


def _add_addresses(app: FastAPI, rooms: Rooms, pages: PreviewPage) -> None:
    """Add the addresses of the page, each with the preview of its link."""

    def show(request: Request, preview: Preview | None = None) -> HTMLResponse:
        return HTMLResponse(pages.text(request, preview))

    @app.get("/", include_in_schema=False)
    async def landing(request: Request) -> HTMLResponse:
        return show(request)

    @app.get("/mine", include_in_schema=False)
    @app.get("/club", include_in_schema=False)
    @app.get("/club/{club_id}", include_in_schema=False)
    async def plain_page(request: Request) -> HTMLResponse:
        return show(request)

    @app.get("/puzzles", include_in_schema=False)
    async def puzzle_games(request: Request) -> HTMLResponse:
        return show(request, previews.preview_of_all_puzzles())

    @app.get("/puzzles/{game_id}", include_in_schema=False)
    async def puzzle_page(request: Request, game: PathGame) -> HTMLResponse:
        return show(request, previews.preview_of_puzzles(game))

    @app.get("/daily", include_in_schema=False)
    async def daily_archive(request: Request) -> HTMLResponse:
        return show(request, previews.preview_of_daily())

    @app.get("/daily/{day}", include_in_schema=False)
    async def daily_day(request: Request, day: PathDay) -> HTMLResponse:
        return show(request, previews.preview_of_day(day, game_of_day(day, all_games())))

    @app.get("/games/{game_id}", include_in_schema=False)
    async def setup_page(request: Request, game: PathGame) -> HTMLResponse:
        return show(request, previews.preview_of_game(game))

    @app.get("/learn/{game_id}", include_in_schema=False)
    def lesson_page(request: Request, game: PathGame) -> HTMLResponse:
        return show(request, previews.preview_of_lesson(game, guide_of(game.id).lesson.minutes))

    @app.get("/table/{table_id}", include_in_schema=False)
    async def invitation_page(request: Request, table_id: str) -> HTMLResponse:
        return show(request, previews.invitation(await rooms.game_of(table_id)))

    @app.get("/game/{table_id}", include_in_schema=False)
    async def replay_page(request: Request, table_id: str) -> HTMLResponse:
        return show(request, previews.replay(await rooms.game_of(table_id)))

    @app.get("/game/{table_id}/review", include_in_schema=False)
    async def review_page(request: Request, table_id: str) -> HTMLResponse:
        return show(request, previews.review(await rooms.game_of(table_id)))
