"""How an error is answered: as JSON, or to a browser that asks for a page as the page, which says the sentence."""

from collections.abc import Mapping
from html import escape

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

_NO_PAGES = ("/api/", "/page/")


def error_answer(request: Request, text: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """An error, to a program or to a person.

    Args:
        request: what was asked.
        text: what is wrong, in a sentence.
        status: HTTP's number for it.
        headers: to be sent along.
    """
    page: str | None = getattr(request.app.state, "page", None)
    if page is None or not _asked_by_a_person(request):
        return JSONResponse({"error": text}, status, headers)
    told = f'<meta name="parlour-error" content="{escape(text)}">\n</head>'
    return HTMLResponse(page.replace("</head>", told), status, headers)


def _asked_by_a_person(request: Request) -> bool:
    """Browsers ask for a page by name; programs are content with anything."""
    asked = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    return asked and not request.url.path.startswith(_NO_PAGES)
