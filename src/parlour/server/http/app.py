"""The web application: its parts in their order, its background tasks, and the requests for its health."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.responses import JSONResponse

from parlour.server.http.access.admission import Admission, HostNames
from parlour.server.http.access.bans import Bans
from parlour.server.http.access.limit_gossip import LimitGossip
from parlour.server.http.access.limits import Limits
from parlour.server.http.catalogue import load_games
from parlour.server.http.clubs import add_clubs
from parlour.server.http.daily import add_daily
from parlour.server.http.document.offline import add_offline
from parlour.server.http.document.page_addresses import add_page
from parlour.server.http.error_responses import add_errors, add_unknown_sockets, error_response
from parlour.server.http.games import add_games
from parlour.server.http.language import RequestLanguage
from parlour.server.http.middleware import BodyLimit, CompressPublic, HeadRequests, SecurityHeaders
from parlour.server.http.orders import Orders
from parlour.server.http.players import add_players
from parlour.server.http.push import add_push
from parlour.server.http.puzzles import add_puzzles
from parlour.server.http.reports.review_requests import add_reviews
from parlour.server.http.reports.reviews import Reviews
from parlour.server.http.reports.studies import add_studies
from parlour.server.http.tables import add_tables
from parlour.server.logs import note_outcome, note_unhandled
from parlour.server.metrics import metrics
from parlour.server.pulse import Pulse
from parlour.server.store.database import StoreError
from parlour.server.store.maintenance import DAY_SECONDS
from parlour.server.store.ownership import NAMELESS, Instance
from parlour.server.store.store import Store
from parlour.server.table.bots.answer_timing import AnswerTiming
from parlour.server.table.daily.settings import HERE, DailySettings
from parlour.server.table.push.settings import NO_PUSH, PushSettings
from parlour.server.table.retention import tidy
from parlour.server.table.rooms import Rooms
from parlour.server.table.shares import WHOLE, Share


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
    limits, bans, pulse = limits or Limits(), Bans(), Pulse()
    orders = Orders(store, rooms, reviews, bans, share.number == 0)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(note_unhandled)
        pulse.start()
        await rooms.ownership.begin(instance, pulse)
        app.state.loaded = asyncio.create_task(asyncio.to_thread(_preload))
        background = [asyncio.create_task(_tidy_regularly(store, keep_days))] if share.number == 0 else []
        background.append(asyncio.create_task(rooms.ownership.watch(rooms.close_all)))
        await orders.poll()
        background.append(asyncio.create_task(orders.run()))
        if gossip is not None:
            rooms.ownership.other_notice = gossip.receive
            background.append(asyncio.create_task(gossip.run(store)))
        for task in background:
            task.add_done_callback(note_outcome)  # a failure ends a task for as long as the room is open
        yield
        for task in background:
            task.cancel()
        reviews.stop()
        await rooms.stop()

    app = FastAPI(
        title="Parlour", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False
    )
    app.state.rooms, app.state.reviews, app.state.pulse = rooms, reviews, pulse
    app.add_middleware(HeadRequests)
    app.add_middleware(CompressPublic)
    app.add_middleware(BodyLimit)
    app.add_middleware(Admission, names=HostNames(names), limits=limits, bans=bans, respond=error_response)
    app.add_middleware(RequestLanguage)
    app.add_middleware(SecurityHeaders, keep_alive=share.workers == 1)
    _add_requests(app, store, rooms, reviews, limits, bans)
    add_offline(app, add_page(app, rooms, listens, limits))
    return app


def _add_requests(app: FastAPI, store: Store, rooms: Rooms, reviews: Reviews, limits: Limits, bans: Bans) -> None:
    """Add the answers to errors, all requests except those for the page, and all WebSockets."""
    add_errors(app)
    add_games(app)
    add_tables(app, rooms, limits, bans)
    add_reviews(app, rooms, reviews)
    add_daily(app, rooms, reviews, limits)
    add_players(app, rooms, limits)
    add_puzzles(app, limits)
    add_clubs(app, rooms, limits)
    add_push(app, rooms, limits)
    add_studies(app)
    _add_health(app, store, rooms)
    add_unknown_sockets(app)


def _preload() -> None:
    """Load the data that the first clients need."""
    metrics()
    load_games()


async def _tidy_regularly(store: Store, keep_days: int | None) -> None:
    """Tidy the database at the start, and then once a day."""
    while True:
        await tidy(store, keep_days)
        await asyncio.sleep(DAY_SECONDS)


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
