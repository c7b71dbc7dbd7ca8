"""The offline bundle of the page in one language: its files, the rules and the lessons, as one response.

The service worker of the page (``page/worker/worker.js``) fetches the bundle once for each version, after the first
page has been shown. It contains nothing of any table.
"""

import gzip
import json
from collections.abc import Iterator
from hashlib import sha256
from threading import Lock
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from parlour.engine.game import Game
from parlour.languages import current_language
from parlour.languages.markdown import translate_markdown
from parlour.render.layouts import find_lesson, guide_of
from parlour.render.lesson import outline
from parlour.render.page_folder import PAGE
from parlour.server.http.catalogue import catalogue, markdown_html, primer, rules_html, shown_games
from parlour.server.http.document.manifest import MANIFEST
from parlour.server.http.document.page_files import FOR_EVER, ONE_SHEET, PageFiles, media_type
from parlour.server.http.middleware import SECURITY_HEADERS, accepts_gzip
from parlour.server.http.showcase import showcase

_WORKER = PAGE / "worker" / "worker.js"
_KEPT_TYPES = ("text/", "image/svg+xml", "application/manifest+json")
_UNUSED = (".d.ts", ".html", f"/{MANIFEST}", f"/{_WORKER.relative_to(PAGE).as_posix()}")
"""The ends of paths that the page does not request."""
_JSON = "application/json"
_JSON_HEADERS = {"Content-Type": _JSON}


class OfflineBundle:
    """The bundles as JSON, ``{"/path": [{"header": "value"}, "text"]}``, each generated at its first request."""

    def __init__(self, page: PageFiles) -> None:
        self._page = page
        self._lock = Lock()
        self._contents: dict[str, tuple[str, bytes]] = {}

    def content(self) -> tuple[str, bytes]:
        """Return the version, a hash of the bundle in the language of the current context, and the bundle in gzip.

        The first call in each language takes a second.
        """
        code = current_language()
        with self._lock:
            if code not in self._contents:
                text = json.dumps(dict(self._responses()), separators=(",", ":"), ensure_ascii=False).encode()
                self._contents[code] = sha256(text).hexdigest()[:12], gzip.compress(text, 9, mtime=0)
            return self._contents[code]

    def find(self, version: str) -> bytes | None:
        """Return the bundle of a version in gzip, in the language of the current context or one generated before.

        ``None`` if there is none: the version is that of another server, before or after an update.
        """
        self.content()
        return next((content for known, content in list(self._contents.values()) if known == version), None)

    def _responses(self) -> Iterator[tuple[str, tuple[dict[str, str], str]]]:
        yield "/", ({**SECURITY_HEADERS, "Content-Type": "text/html; charset=utf-8"}, self._page.text())
        for path, content in self._page.files():
            kind = media_type(path)
            part_of_sheet = path.endswith(".css") and not path.endswith(ONE_SHEET)
            if kind.startswith(_KEPT_TYPES) and not part_of_sheet and not path.endswith(_UNUSED):
                yield path, ({"Content-Type": kind}, content.decode())
        yield "/api/games", (_JSON_HEADERS, json.dumps(catalogue()))
        for game in shown_games():
            for path, text in _texts_of(game):
                yield f"/api/games/{game.id}/{path}", (_JSON_HEADERS, text)


def _texts_of(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the answers about a game that are the same for all readers of a language, by the end of their path."""
    yield "rules", json.dumps({"html": rules_html(game.id)})
    yield "primer", json.dumps(primer(game.id))
    yield "show", f'{{"scenes": {showcase(game)}}}'
    if find_lesson(game.id) is None:
        return
    lesson = outline(guide_of(game.id).lesson)
    yield "lesson", json.dumps({"game": game.title, **lesson})
    for hand, each in enumerate(lesson["hands"]):
        for step in range(each["steps"]):
            yield f"lesson/{hand}/{step}", json.dumps(lesson_step(game, hand, step))


def lesson_step(game: Game, hand: int, step: int) -> dict[str, Any]:
    """Return a step of a game's lesson as JSON: the scenes, the explanation (HTML), and the learner's action."""
    guide = guide_of(game.id)
    taught = guide.step(hand, step)
    scenes = [scene.to_json() for scene in guide.scenes(hand, step)]
    return {"scenes": scenes, "say": markdown_html(translate_markdown(taught.say), game), "do": taught.do}


def add_offline(app: FastAPI, page: PageFiles) -> None:
    """Add the service worker, and the bundle that it fetches."""
    bundle = OfflineBundle(page)
    worker = _WORKER.read_text(encoding="utf-8")

    @app.get("/worker.js", include_in_schema=False)
    def service_worker() -> Response:
        version, _ = bundle.content()
        text = worker.replace('"VERSION"', f'"{version}"')
        return Response(text, media_type="text/javascript")

    @app.get("/offline/{version}.json", include_in_schema=False)
    def offline_bundle(request: Request, version: str) -> Response:
        compressed = bundle.find(version)
        if compressed is None:
            raise HTTPException(404)
        headers = {"Cache-Control": FOR_EVER, "Vary": "Accept-Encoding"}
        if not accepts_gzip(request.headers.get("accept-encoding", "")):
            return Response(gzip.decompress(compressed), media_type=_JSON, headers=headers)
        return Response(compressed, media_type=_JSON, headers={**headers, "Content-Encoding": "gzip"})
