"""The reports of studies, for whoever runs the room: a browser on this machine, with nobody in between."""

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from parlour.server.http.addresses import asked_from_here
from parlour.studies.report_shelf import report_on_shelf, shelf_page

STUDIES = "/studies"
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}
"""A report has its style in it, and neither scripts nor anything from elsewhere."""


def add_studies(app: FastAPI) -> None:
    """The list of the reports, and each of them. To everybody else there is no such page."""

    @app.get(STUDIES, include_in_schema=False)
    def shelf(request: Request) -> HTMLResponse:
        _only_here(request)
        return HTMLResponse(shelf_page(STUDIES), headers=_HEADERS)

    @app.get(f"{STUDIES}/{{name}}", include_in_schema=False)
    def report(request: Request, name: str) -> HTMLResponse:
        _only_here(request)
        page = report_on_shelf(name)
        if page is None:
            raise HTTPException(404)
        return HTMLResponse(page, headers=_HEADERS)


def _only_here(request: Request) -> None:
    if not asked_from_here(request.scope):
        raise HTTPException(404)
