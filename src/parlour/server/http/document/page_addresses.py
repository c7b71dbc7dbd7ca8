"""Addresses of the page, each with the preview of its link, and the page's own requests."""

import asyncio

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse

from parlour.daily import game_of_day
from parlour.games import all_games
from parlour.render.layouts import guide_of
from parlour.render.page_folder import PAGE
from parlour.server.http.access.admission import address_of_client
from parlour.server.http.access.limits import Limits
from parlour.server.http.addresses import reachable_addresses
from parlour.server.http.daily import PathDay
from parlour.server.http.document import previews
from parlour.server.http.document.page_files import PageFiles, mount_page
from parlour.server.http.document.previews import Preview, PreviewPage, add_previews
from parlour.server.http.path_games import PathGame
from parlour.server.http.requests import LinkBody
from parlour.server.table.rooms import Rooms


def add_page(app: FastAPI, rooms: Rooms, listens: str, limits: Limits) -> PageFiles:
    """Add the page: its files, its addresses and its own requests.

    ``listens`` is the address at which the server listens.
    """
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
    _add_addresses(app, pages)
    _add_table_addresses(app, rooms, pages)
    return files


def _qr_code(address: str) -> str:
    """Return the QR code of an address as SVG."""
    import segno  # only invitations need it

    code = segno.make(address, micro=False)
    return code.svg_inline(border=3, omitsize=True, dark="#000", light="#fff")


def _add_addresses(app: FastAPI, pages: PreviewPage) -> None:
    """Add the addresses of the page without a table, each with the preview of its link."""

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


def _add_table_addresses(app: FastAPI, rooms: Rooms, pages: PreviewPage) -> None:
    """Add the addresses of a table, its replay and its review, with the previews of their links."""

    def show(request: Request, preview: Preview) -> HTMLResponse:
        return HTMLResponse(pages.text(request, preview))

    @app.get("/table/{table_id}", include_in_schema=False)
    async def invitation_page(request: Request, table_id: str) -> HTMLResponse:
        return show(request, previews.invitation(await rooms.game_of(table_id)))

    @app.get("/game/{table_id}", include_in_schema=False)
    async def replay_page(request: Request, table_id: str) -> HTMLResponse:
        return show(request, previews.replay(await rooms.game_of(table_id)))

    @app.get("/game/{table_id}/review", include_in_schema=False)
    async def review_page(request: Request, table_id: str) -> HTMLResponse:
        return show(request, previews.review(await rooms.game_of(table_id)))
