"""Who may come in: asked under which name, by which spelling of a path, from which page, and how often."""

import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from parlour.server.http.bans import Bans
from parlour.server.http.connection_slots import place_of
from parlour.server.http.limits import LimitError, Limits
from parlour.server.http.middleware import App, Message, Receive, Send
from parlour.server.metrics import metrics

_WHY = {400: "framing", 404: "path", 421: "name", 403: "origin", 429: "limit"}
_SAFE_METHODS = ("GET", "HEAD")
_SEGMENT = rb"(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2})+"
_PATH = re.compile(rb"/(?:%b(?:/%b)*/?)?" % (_SEGMENT, _SEGMENT))
_ENCODED = re.compile(rb"%(..)")
_NEVER_ENCODED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


class Names:
    """The names by which the room may be called.

    A page elsewhere can have its own name point to this machine and so read what is answered here (DNS rebinding).
    It cannot do so with a bare address, nor with names that it does not own.
    """

    def __init__(self, given: Iterable[str] = ()) -> None:
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own.partition('.')[0]}.local", *(name.lower() for name in given)}

    def __contains__(self, host: object) -> bool:
        name = host_name(str(host))
        return name in self._names or _is_address(name)


def host_name(host: str) -> str:
    """The name in a ``Host`` header, without the port; empty if there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def is_foreign(origin: str | None, host: str) -> bool:
    """Whether a page from elsewhere asks. Programs send no origin and are no danger to anybody's browser."""
    if origin is None:
        return False
    scheme, _, place = origin.partition("://")
    port = {"http": ":80", "https": ":443"}.get(scheme, "")
    return not port or place.lower() not in {host.lower(), host.lower().removesuffix(port)}


def is_normal(path: bytes) -> bool:
    """Whether a path, as it was sent, is the only spelling of itself (RFC 3986, section 6.2.2).

    A balancer hashes a table's id as it stands in the path. By another spelling of the same id, such as ``%78`` for
    ``x``, the table would be asked for at another server, and go there.
    """
    if not _PATH.fullmatch(path) or not {b".", b".."}.isdisjoint(path.split(b"/")):
        return False
    return not any(int(digits, 16) in _NEVER_ENCODED for digits in _ENCODED.findall(path))


def address_of_client(scope: Message) -> str:
    """The address that a request comes from."""
    client = scope.get("client")
    return str(client[0]) if client else ""


class Gate:
    """Turns away foreign names, banned addresses, odd paths, changes from foreign pages, and what is too much."""

    def __init__(self, app: App, names: Names, limits: Limits, bans: Bans) -> None:
        self._app = app
        self._names = names
        self._limits = limits
        self._bans = bans

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        refusal, why = None, "ban"
        if scope["type"] in ("http", "websocket"):
            refusal = self._banned(scope)
            if refusal is None and (refusal := self._refusal(scope)):
                why = _WHY[refusal.status_code]
        if refusal:
            metrics().turned_away.labels(why).inc()
        await (refusal or self._app)(scope, receive, send)

    def _banned(self, scope: Message) -> JSONResponse | None:
        banned = self._bans.refusal(address_of_client(scope))
        return JSONResponse({"error": banned}, 403) if banned else None

    def _refusal(self, scope: Message) -> JSONResponse | None:
        headers = Headers(scope=scope)
        if "content-length" in headers and "transfer-encoding" in headers:  # where it ends is a matter of opinion
            error = "a request may have a Content-Length or a Transfer-Encoding, not both"
            return JSONResponse({"error": error}, 400, {"Connection": "close"})
        host = headers.get("host", "")
        if host not in self._names:
            return JSONResponse({"error": "the card room is not known by this name (see parlour serve --name)"}, 421)
        path = scope.get("raw_path")  # some servers do not tell it
        if path is not None and not is_normal(path):
            return JSONResponse({"error": "there is no such page: its address is not in the normal form"}, 404)
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS
        if changes and is_foreign(headers.get("origin"), host):
            return JSONResponse({"error": "a page from elsewhere may not do this"}, 403)
        address = address_of_client(scope)
        try:
            if scope["type"] == "websocket":
                self._limits.take("connections", address)
                if (place := place_of(scope)) is not None:
                    place.claim(address)
            else:
                self._limits.take("requests", address)
        except LimitError as error:
            return too_much(error)
        return None


def too_much(error: LimitError) -> JSONResponse:
    """The answer to one who asks too much."""
    return JSONResponse({"error": str(error)}, 429, {"Retry-After": str(error.wait)})
