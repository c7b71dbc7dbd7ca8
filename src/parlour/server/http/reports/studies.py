"""The reports of studies, for a local browser of the operator."""

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from parlour.server.http.addresses import is_local
from parlour.studies.report.report_store import stored_report, stored_reports_page

STUDIES = "/studies"
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}
"""A report contains its style, and no scripts or external files."""


def add_studies(app: FastAPI) -> None:
    """Add the list of the reports, and the reports, for local clients; for others the pages do not exist."""

    @app.get(STUDIES, include_in_schema=False)
    def list_reports(request: Request) -> HTMLResponse:
        _require_local(request)
        return HTMLResponse(stored_reports_page(STUDIES), headers=_HEADERS)

    @app.get(f"{STUDIES}/{{name}}", include_in_schema=False)
    def report(request: Request, name: str) -> HTMLResponse:
        _require_local(request)
        page = stored_report(name)
        if page is None:
            raise HTTPException(404)
        return HTMLResponse(page, headers=_HEADERS)


def _require_local(request: Request) -> None:
    if not is_local(request.scope):
        raise HTTPException(404)
