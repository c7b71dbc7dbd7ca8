"""The admission of requests: checks of bans, the length, the host name, the path, the origin and rate limits."""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from parlour.languages import gettext
from parlour.server.http.access.bans import Bans
from parlour.server.http.access.connection_slots import slot_of
from parlour.server.http.access.limits import LimitError, Limits, network_of
from parlour.server.http.middleware import App, AsgiMessage, Receive, Send
from parlour.server.metrics import metrics

_REASONS = {400: "framing", 404: "path", 421: "name", 403: "origin", 429: "limit"}
"""The reasons in the metrics by the status of a refusal; that of a ban has the status 403, too."""
_SAFE_METHODS = ("GET", "HEAD")
_FOR_READERS = (404, 429)
"""Statuses of refusals that a browser shows as the page with the sentence; the others refuse the page's files, too."""
_FILE = re.compile(r"/page/[0-9a-f]{12}/")
"""The beginning of the path of a file of the page with its version."""
_HOST = re.compile(r"([\w.-]+|\[[\w:.%-]+\])(:\d*)?")
_SEGMENT = rb"(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2})+"
_PATH = re.compile(rb"/(?:%b(?:/%b)*/?)?" % (_SEGMENT, _SEGMENT))
_ENCODED = re.compile(rb"%(..)")
_NEVER_ENCODED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


class HostNames:
    """The host names of the room.

    A foreign page can let its own name point to this machine and then read responses (DNS rebinding). It cannot do so
    with a bare address, nor with names that it does not own.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own.partition('.')[0]}.local", *(name.lower() for name in names)}

    def __contains__(self, host: object) -> bool:
        name = host_name(str(host))
        return name in self._names or _is_address(name)


def host_name(host: str) -> str:
    """Return the name in a ``Host`` header without the port; empty if it has none, or anything else beside it."""
    found = _HOST.fullmatch(host)
    return found[1].strip("[]").lower().rstrip(".") if found else ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def is_foreign(origin: str | None, host: str) -> bool:
    """Return whether a request comes from a page of another site. Programs send no origin."""
    if origin is None:
        return False
    scheme, _, authority = origin.partition("://")
    port = {"http": ":80", "https": ":443"}.get(scheme, "")
    return not port or authority.lower() not in {host.lower(), host.lower().removesuffix(port)}


def is_normal(path: bytes) -> bool:
    """Return whether a path is in its normal form (RFC 3986, section 6.2.2).

    A load balancer hashes the table's id in the path. Another spelling of the same id, such as ``%78`` for ``x``, would
    move the table to another server.
    """
    if not _PATH.fullmatch(path) or not {b".", b".."}.isdisjoint(path.split(b"/")):
        return False
    return not any(int(digits, 16) in _NEVER_ENCODED for digits in _ENCODED.findall(path))


def address_of_client(scope: AsgiMessage) -> str:
    """Return the address of a request's client."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def network_of_client(scope: AsgiMessage) -> str:
    """Return the unit that limits count of the address of a request's client."""
    return network_of(address_of_client(scope))


@dataclass(frozen=True)
class _Refusal:
    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


class Admission:
    """A middleware that refuses banned addresses, ambiguous lengths, foreign names and origins, and excessive use.

    It also refuses paths that are not in their normal form.

    Args:
        app: the application behind it.
        names: the host names of the room.
        limits: the limits of addresses.
        bans: the banned addresses.
        respond: returns the response to an error for a program or a person, from a request, the sentence, the status
            and headers.
    """

    def __init__(
        self, app: App, names: HostNames, limits: Limits, bans: Bans, respond: Callable[..., Response]
    ) -> None:
        self._app = app
        self._names = names
        self._limits = limits
        self._bans = bans
        self._respond = respond

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Serve a request as an ASGI application."""
        refusal, why = None, "ban"
        if scope["type"] in ("http", "websocket"):
            refusal = self._ban(scope)
            if refusal is None and (refusal := self._refusal(scope)):
                why = _REASONS[refusal.status]
        if refusal is None:
            await self._app(scope, receive, send)
            return
        metrics().turned_away.labels(why).inc()
        await self._response(refusal, scope)(scope, receive, send)

    def _response(self, refusal: _Refusal, scope: AsgiMessage) -> Response:
        if scope["type"] == "http" and refusal.status in _FOR_READERS:
            return self._respond(Request(scope), refusal.text, refusal.status, refusal.headers)
        return JSONResponse({"error": refusal.text}, refusal.status, refusal.headers)

    def _ban(self, scope: AsgiMessage) -> _Refusal | None:
        banned = self._bans.refusal(address_of_client(scope))
        return _Refusal(403, banned) if banned else None

    def _refusal(self, scope: AsgiMessage) -> _Refusal | None:
        headers = Headers(scope=scope)
        if "content-length" in headers and "transfer-encoding" in headers:  # ambiguous length: request smuggling
            error = gettext("a request may have a Content-Length or a Transfer-Encoding, not both")
            return _Refusal(400, error, {"Connection": "close"})
        host = headers.get("host", "")
        if host not in self._names:
            return _Refusal(421, gettext("the card room is not known by this name (see parlour serve --name)"))
        path = scope.get("raw_path")  # some servers do not set it
        if path is not None and not is_normal(path):
            return _Refusal(404, gettext("there is no such page: its address is not in the normal form"))
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS
        if changes and is_foreign(headers.get("origin"), host):
            return _Refusal(403, gettext("a page from elsewhere may not do this"))
        try:
            self._count(scope, address_of_client(scope), changes)
        except LimitError as error:
            return _Refusal(error.status, str(error), {"Retry-After": str(error.wait)})
        return None

    def _count(self, scope: AsgiMessage, address: str, changes: bool) -> None:
        """Count a request. Raises :class:`LimitError`."""
        if scope["type"] == "websocket":
            self._limits.take("connections", address)
            if (slot := slot_of(scope)) is not None:
                slot.claim(address)
        else:
            self._limits.take("files" if not changes and _FILE.match(scope["path"]) else "requests", address)
