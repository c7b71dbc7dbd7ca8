"""The language of a request: that of its cookie, or the best of those that the browser accepts."""

from starlette.datastructures import Headers, MutableHeaders

from parlour.languages import LANGUAGES, SOURCE_LANGUAGE, in_language
from parlour.server.http.middleware import App, AsgiMessage, Receive, Send

COOKIE = "language"
"""The cookie in which the page's settings store a language."""
_LONGEST_HEADER = 400
"""Number of characters of ``Accept-Language`` that are read."""
_VARIES = "Accept-Language, Cookie"
_SAME_FOR_ALL = "/page/"
"""Prefix of paths with the same response in all languages."""


class RequestLanguage:
    """A middleware that serves each request and connection in the language of its reader."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Serve a request as an ASGI application."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        code = language_of(Headers(scope=scope))

        async def send_with_language(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start" and not scope["path"].startswith(_SAME_FOR_ALL):
                headers = MutableHeaders(scope=message)
                headers.add_vary_header(_VARIES)
                headers.setdefault("Content-Language", code)
            await send(message)

        with in_language(code):
            await self._app(scope, receive, send_with_language)


def language_of(headers: Headers) -> str:
    """Return the code of the language of a request with these headers; unknown languages are ignored."""
    chosen = _cookie(headers.get("cookie", ""))
    return chosen if chosen in LANGUAGES else _accepted(headers.get("accept-language", ""))


def _cookie(header: str) -> str:
    """Return the value of the page's cookie, empty without it.

    Python's parser takes a second for some headers of 16 KB.
    """
    parts = (part.strip().partition("=") for part in header.split(";"))
    return next((value for name, _, value in parts if name == COOKIE), "")


def _accepted(header: str) -> str:
    """Return the best offered language of an ``Accept-Language`` header (RFC 9110, 12.5.4); English if there is none.

    A regional variant (``de-AT``) has the language's texts.
    """
    weights: dict[str, float] = {}
    for part in header[:_LONGEST_HEADER].split(","):
        tag, _, weight = part.partition(";")
        code = tag.strip().partition("-")[0].lower()
        if code in LANGUAGES:
            weights.setdefault(code, _weight(weight))
    best = max(weights, key=lambda code: weights[code], default=SOURCE_LANGUAGE)
    return best if weights.get(best, 1) > 0 else SOURCE_LANGUAGE


def _weight(text: str) -> float:
    name, _, number = text.strip().partition("=")
    try:
        return float(number) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
