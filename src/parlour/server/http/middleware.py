"""Middleware for all requests: security headers, HEAD, compression of public responses, limits to bodies."""

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse

from parlour.languages import gettext
from parlour.server.http.document.recovery import recovery_source

AsgiMessage = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]
App = Callable[[AsgiMessage, Receive, Send], Awaitable[None]]

PUBLIC = ("/page/", "/api/games")
"""Prefixes of paths with the same response for all readers of a language."""
BODY_BYTES = 64 << 10
"""Maximum size of a request's body, in bytes."""
BODY_SECONDS = 10.0
"""Time limit for the arrival of a request's body, in seconds."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'self'; script-src 'self' {recovery_source()}; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}


class SecurityHeaders:
    """A middleware that adds :data:`SECURITY_HEADERS` to the responses to HTTP requests.

    A header that the response has already stays as it is. Without ``keep_alive`` each connection serves one request:
    the next one might belong to another process.
    """

    def __init__(self, app: App, keep_alive: bool = True) -> None:
        self._app = app
        self._headers = SECURITY_HEADERS if keep_alive else {**SECURITY_HEADERS, "Connection": "close"}

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Serve a request as an ASGI application."""

        async def send_with_headers(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class HeadRequests:
    """A middleware that responds to HEAD as to GET, without the body."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Serve a request as an ASGI application."""

        async def send_head(message: AsgiMessage) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        if scope["type"] == "http" and scope["method"] == "HEAD":
            await self._app({**scope, "method": "GET"}, receive, send_head)
        else:
            await self._app(scope, receive, send)


class CompressPublic:
    """A middleware that compresses public responses: the page's files, and the games.

    It compresses no others: the length of a compressed response would disclose something of its content. Starlette's
    middleware looks for the word in ``Accept-Encoding`` only, so this one removes a header that refuses gzip.
    """

    def __init__(self, app: App) -> None:
        self._app, self._compressed = app, GZipMiddleware(app, minimum_size=1000, compresslevel=6)

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Serve a request as an ASGI application."""
        public = scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith(PUBLIC)
        if public and not accepts_gzip(Headers(scope=scope).get("accept-encoding", "")):
            scope = {**scope, "headers": [each for each in scope["headers"] if each[0] != b"accept-encoding"]}
        await (self._compressed if public else self._app)(scope, receive, send)


def accepts_gzip(header: str) -> bool:
    """Return whether ``Accept-Encoding`` names gzip with a weight above 0 (RFC 9110, section 12.5.3)."""
    weights = dict(part.lower().replace(" ", "").partition(";")[::2] for part in header.split(","))
    return not re.fullmatch(r"q=0(\.0*)?", weights.get("gzip", "q=0"))


class _BodyError(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class BodyLimit:
    """A middleware that reads the body of a request before it passes the request on, within limits of size and time."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Serve a request as an ASGI application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read_body(scope, receive)
        except TimeoutError:
            await _refuse(408, gettext("the request took too long to arrive"), scope, receive, send)
        except _BodyError as error:
            await _refuse(error.status, str(error), scope, receive, send)
        else:
            await self._app(scope, _receiver_of(body, receive), send)


async def _read_body(scope: AsgiMessage, receive: Receive) -> bytes:
    too_big = _BodyError(413, gettext("a request may not have more than {number} bytes", number=BODY_BYTES))
    claimed = dict(scope["headers"]).get(b"content-length", b"0")
    if not claimed.isdigit() or len(claimed) > 12 or int(claimed) > BODY_BYTES:
        raise too_big
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise _BodyError(400, gettext("the request was cut short"))
        body += message.get("body", b"")
        if len(body) > BODY_BYTES:
            raise too_big
        if not message.get("more_body", False):
            return bytes(body)


def _receiver_of(body: bytes, receive: Receive) -> Receive:
    """Return a function that receives the body, and then further messages."""
    waiting: list[AsgiMessage] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> AsgiMessage:
        return waiting.pop() if waiting else await receive()

    return receive_again


async def _refuse(status: int, text: str, scope: AsgiMessage, receive: Receive, send: Send) -> None:
    response = JSONResponse({"error": text}, status, {"Connection": "close"})
    await response(scope, receive, send)
