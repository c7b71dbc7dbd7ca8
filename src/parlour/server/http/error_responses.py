"""Responses to errors: JSON, or for a browser that requests a page, the page with the sentence."""

from collections.abc import Mapping
from html import escape

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from parlour.server.http.page_files import PageFiles

_NO_PAGES = ("/api/", "/page/")


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
