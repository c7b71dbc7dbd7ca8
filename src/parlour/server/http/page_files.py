"""The page's files. At an address of their version they never change, so that no browser asks for them twice."""

from hashlib import sha256
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

PAGE = Path(__file__).parents[1] / "page"
_FOR_EVER = "public, max-age=31536000, immutable"


class _Unchanging(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = _FOR_EVER
        return response


def mount_page(app: FastAPI) -> str:
    """Serve the page's files, as they are now and by plain addresses; returns the text of the page itself."""
    version = _version()
    app.mount(f"/page/{version}", _Unchanging(directory=PAGE), name="unchanging")
    app.mount("/page", StaticFiles(directory=PAGE), name="page")
    return (PAGE / "index.html").read_text(encoding="utf-8").replace('"/page/', f'"/page/{version}/')


_TITLES = ("<title>Parlour</title>", 'og:title" content="Parlour"')
_INVITED = "You are invited to a game of cards"


def as_invitation(page: str) -> str:
    """The page's text as a table's link shows it elsewhere: the same for all tables, it tells nothing of any."""
    for title in _TITLES:
        page = page.replace(title, title.replace("Parlour", f"{_INVITED} · Parlour"))
    return page


def _version() -> str:
    """What the files are named after: another one whenever any of them is another."""
    whole = sha256()
    for file in sorted(PAGE.rglob("*.*")):
        whole.update(f"{file.relative_to(PAGE)}\n".encode() + file.read_bytes())
    return whole.hexdigest()[:12]
