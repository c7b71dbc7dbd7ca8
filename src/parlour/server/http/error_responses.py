"""Responses to errors: JSON, or for a browser that requests a page, the page with the sentence."""

from collections.abc import Mapping
from html import escape

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match

from parlour.engine.errors import ParlourError
from parlour.languages import deferred, gettext, in_language
from parlour.render.lesson import LessonError
from parlour.server.http.access.limits import LimitError
from parlour.server.http.document.page_files import PageFiles
from parlour.server.http.language import language_of
from parlour.server.http.middleware import SECURITY_HEADERS
from parlour.server.http.path_games import NoGameError
from parlour.server.http.puzzles import NoPuzzleError
from parlour.server.http.requests import error_sentence
from parlour.server.logs import note_failure
from parlour.server.metrics import metrics
from parlour.server.store.database import StoreError
from parlour.server.store.lobby_list import TooManyListedError
from parlour.server.store.ownership import ElsewhereError
from parlour.server.store.people.clubs import ClubError, NoClubError
from parlour.server.table.daily.days import ElsewhereDealError, NoDealError
from parlour.server.table.people.seat_requests import SeatError
from parlour.server.table.players import NoPlayerError
from parlour.server.table.push.push_notices import NoPushError
from parlour.server.table.replays import BrokenTableError, ClosedError
from parlour.server.table.rooms import KeyUsedError, MisdirectedError, UnknownTableError

_NO_PAGES = ("/api/", "/page/")
"""Prefixes of paths at which browsers request no page."""


def error_response(request: Request, text: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response to an error, for a program or a person.

    Args:
        request: the request.
        text: the error as a sentence.
        status: the HTTP status.
        headers: further headers.
    """
    page: PageFiles | None = getattr(request.app.state, "page", None)
    if page is None or not _wants_page(request):
        return JSONResponse({"error": text}, status, headers)
    facts = {"parlour-error": escape(text), "parlour-status": status}
    meta = "".join(f'<meta name="{name}" content="{value}">\n' for name, value in facts.items())
    return HTMLResponse(page.text().replace("</head>", f"{meta}</head>"), status, headers)


def _wants_page(request: Request) -> bool:
    """Return whether a browser requests a page: browsers name its type, programs accept any."""
    html = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    return html and not request.url.path.startswith(_NO_PAGES)


def add_errors(app: FastAPI) -> None:
    """Add the responses to errors: ``{"error": "a sentence"}``, or for a person the page with the sentence."""

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        status, text = _FRAMEWORK_ERRORS.get(error.status_code, (error.status_code, str(error.detail)))
        headers = {"Allow": _methods_of_path(request)} if status == 405 else error.headers
        return error_response(request, gettext(text), status, headers)

    @app.exception_handler(RequestValidationError)
    async def not_valid(request: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"error": error_sentence(error.errors())}, 422)

    @app.exception_handler(LimitError)
    async def limit_reached(request: Request, error: LimitError) -> Response:
        metrics().turned_away.labels("limit").inc()
        return error_response(request, str(error), error.status, {"Retry-After": str(error.wait)})

    @app.exception_handler(ElsewhereError)
    async def elsewhere(request: Request, error: ElsewhereError) -> Response:
        if error.address and "sec-fetch-mode" not in request.headers:  # a browser keeps its address
            path = request.url.replace(scheme="", netloc="")
            return error_response(request, gettext(str(error)), 307, {"Location": f"{error.address.rstrip('/')}{path}"})
        return error_response(request, gettext(str(error)), 421, {"Retry-After": "1"})

    @app.exception_handler(ParlourError)
    async def parlour_error(request: Request, error: ParlourError) -> Response:
        return error_response(request, gettext(str(error)), _status_of(error))

    @app.exception_handler(Exception)
    async def failure(request: Request, error: Exception) -> Response:
        note_failure("a request failed", error)
        with in_language(language_of(request.headers)):  # this handler is outside all middleware
            text = gettext("something went wrong in the server")
            return error_response(request, text, 500, SECURITY_HEADERS)


_FRAMEWORK_ERRORS = {
    400: (422, deferred("that is not JSON")),  # a body that FastAPI cannot read, such as one nested too deep
    404: (404, deferred("there is no such page")),
    405: (405, deferred("this address does not allow this method")),
}
"""Statuses and sentences instead of those of Starlette and FastAPI."""


def _methods_of_path(request: Request) -> str:
    """Return the methods that all routes of a path allow; Starlette names those of the first route only."""
    scope = {"type": "http", "method": request.method, "path": request.scope["path"]}
    routes = [route for route in request.app.routes if route.matches(scope)[0] is not Match.NONE]
    methods = {method for route in routes for method in getattr(route, "methods", ("GET",))}  # a folder of files
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods))


def add_unknown_sockets(app: FastAPI) -> None:
    """Add the answer to WebSockets at unknown addresses, after all others; Starlette would answer 403."""

    @app.websocket("/{path:path}")
    async def unknown_socket(socket: WebSocket) -> None:
        status, text = _FRAMEWORK_ERRORS[404]
        await socket.send_denial_response(JSONResponse({"error": gettext(text)}, status))


def _status_of(error: ParlourError) -> int:
    statuses = {
        UnknownTableError: 404,
        NoGameError: 404,
        LessonError: 404,
        MisdirectedError: 421,
        NoDealError: 404,
        NoPlayerError: 404,
        NoPuzzleError: 404,
        NoClubError: 404,
        NoPushError: 404,
        ClubError: 409,
        SeatError: 409,
        KeyUsedError: 409,
        ClosedError: 409,
        ElsewhereDealError: 409,
        TooManyListedError: 409,
        BrokenTableError: 500,
        StoreError: 503,
    }
    return next((status for kind, status in statuses.items() if isinstance(error, kind)), 422)
