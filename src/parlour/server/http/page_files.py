"""The page's files. Paths with their version never change, so that browsers cache them for ever."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from parlour.server.http.faces import face_files

PAGE = Path(__file__).parents[1] / "page"
FOR_EVER = "public, max-age=31536000, immutable"
"""The ``Cache-Control`` of a path with a version."""
_SHEET = r'<link rel="stylesheet" href="/page/(\S+)">\n'
ONE_SHEET = "css/page.css"
"""The style sheet that the page loads."""
_FACES = "css/faces.css"


@dataclass(frozen=True)
class PageFiles:
    """The page: its text, and its files by their versioned paths."""

    text: str
    files: Mapping[str, bytes]


class _VersionedFiles(StaticFiles):
    """The page's files and the games' faces, served from memory; all style sheets are one file, to save requests."""

    def __init__(self, folder: Path, contents: Mapping[str, bytes]) -> None:
        super().__init__(directory=folder)
        self._contents = contents

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path not in self._contents or scope["method"] != "GET":
            return await super().get_response(path, scope)
        return Response(self._contents[path], media_type=media_type(path), headers={"Cache-Control": FOR_EVER})


def media_type(path: str) -> str:
    """Return the media type of a file."""
    return guess_type(path)[0] or "application/octet-stream"


def mount_page(app: FastAPI) -> PageFiles:
    """Serve the page's files under versioned and plain paths."""
    faces = face_files()
    version, page = _version(faces), (PAGE / "index.html").read_text(encoding="utf-8")
    contents = _contents(faces, re.findall(_SHEET, page))
    app.mount(f"/page/{version}", _VersionedFiles(PAGE, contents), name="versioned")
    app.mount("/page", StaticFiles(directory=PAGE), name="page")
    page = re.sub(f"(?:{_SHEET})+", f'<link rel="stylesheet" href="/page/{ONE_SHEET}">\n', page)
    text = page.replace('"/page/', f'"/page/{version}/')
    return PageFiles(text, {f"/page/{version}/{path}": content for path, content in contents.items()})


def _contents(faces: dict[str, bytes], sheets: list[str]) -> dict[str, bytes]:
    contents = {file.relative_to(PAGE).as_posix(): file.read_bytes() for file in _files_in(PAGE)} | faces
    contents[ONE_SHEET] = b"\n".join(contents[sheet] for sheet in (*sheets, _FACES))
    return contents


def _files_in(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.*"))


def _version(faces: dict[str, bytes]) -> str:
    """Return the version of the files: a hash of their contents."""
    whole = sha256()
    for file in _files_in(PAGE):
        whole.update(f"{file.relative_to(PAGE)}\n".encode() + file.read_bytes())
    for name, content in faces.items():
        whole.update(f"{name}\n".encode() + content)
    return whole.hexdigest()[:12]
