"""The page's files. The content of a path with a version never changes, so that browsers cache it for ever."""

import asyncio
import gzip
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from mimetypes import guess_type
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.types import Scope

from parlour.languages import LANGUAGES, SOURCE_LANGUAGE, current_language, gettext
from parlour.languages.messages import FOLDER
from parlour.render.page_folder import PAGE
from parlour.server.http.document.compact import compact
from parlour.server.http.document.language_script import language_script, more_messages_module
from parlour.server.http.document.manifest import MANIFEST, manifest, manifest_path
from parlour.server.http.document.recovery import insert_recovery
from parlour.server.http.faces import face_files
from parlour.server.http.middleware import accepts_gzip

FOR_EVER = "public, max-age=31536000, immutable"
"""The ``Cache-Control`` of a path with a version."""
_SHEET = r'<link rel="stylesheet" href="/page/(\S+)">\n'
ONE_SHEET = "css/page.css"
"""The style sheet that the page loads."""
_FACES = "css/faces.css"


_LANGUAGE = re.compile(r"language/(?:more-)?(\w+)\.js|app\.(\w+)\.webmanifest")
"""The path of a file that differs by language: of the script, of the rest of its messages, or of the manifest."""
_MESSAGE = re.compile(r"\{\{(.+?)\}\}")
"""A message in the page's HTML."""
_MODULES = '<script type="module"'


@dataclass(frozen=True)
class PageFiles:
    """The page: its texts by language, and the contents of its files by path, under the folder of their version."""

    folder: str
    texts: Mapping[str, str]
    contents: Mapping[str, bytes]

    def text(self) -> str:
        """Return the page in the language of the current context."""
        return _MESSAGE.sub(lambda message: escape(gettext(message[1])), self.texts[current_language()])

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files with their paths, and the catalogue and the manifest in the current language."""
        for path, content in self.contents.items():
            yield f"{self.folder}/{path}", content
        code = current_language()
        yield f"{self.folder}/{_script_path(code)}", language_script(code)
        if code != SOURCE_LANGUAGE:
            yield f"{self.folder}/{_more_path(code)}", more_messages_module(code)
        yield f"{self.folder}/{manifest_path(code)}", manifest(self.contents[MANIFEST], code)


def _script_path(code: str) -> str:
    return f"language/{code}.js"


def _more_path(code: str) -> str:
    return f"language/more-{code}.js"


class _VersionedFiles(StaticFiles):
    """The page's files and the games' faces, served from memory; all style sheets are one file, to save requests.

    Each file is compressed once: compression takes up to 3 ms, the rest of a response 0.4 ms.
    """

    def __init__(self, folder: Path, contents: Mapping[str, bytes]) -> None:
        super().__init__(directory=folder)
        self._contents = contents
        self._forms: dict[str, tuple[bytes, bytes | None]] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        if scope["method"] != "GET" or not (path in self._contents or _code_in(path)):
            return await super().get_response(path, scope)
        if path not in self._forms:
            self._forms[path] = await asyncio.to_thread(self._make_forms, path)
        content, compressed = self._forms[path]
        headers = {"Cache-Control": FOR_EVER}
        if compressed and accepts_gzip(Headers(scope=scope).get("accept-encoding", "")):
            content, headers = compressed, {**headers, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(content, media_type=media_type(path), headers=headers)

    def _make_forms(self, path: str) -> tuple[bytes, bytes | None]:
        """Return a file as it is, and in gzip if that is smaller."""
        code = _code_in(path)
        content = self._in_language(path, code) if code else self._contents[path]
        compressed = gzip.compress(content, 9, mtime=0)
        return content, compressed if len(compressed) < len(content) else None

    def _in_language(self, path: str, code: str) -> bytes:
        if path == manifest_path(code):
            return manifest(self._contents[MANIFEST], code)
        return more_messages_module(code) if path == _more_path(code) else language_script(code)


def _code_in(path: str) -> str:
    """Return the language of the path of a file that differs by language; empty for other files."""
    found = _LANGUAGE.fullmatch(path)
    code = found[1] or found[2] if found else ""
    return code if code in LANGUAGES else ""


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
    text = insert_recovery(page).replace('"/page/', f'"/page/{version}/')
    folder = f"/page/{version}"
    return PageFiles(folder, {code: _in_language(text, folder, code) for code in LANGUAGES}, contents)


def _in_language(text: str, folder: str, code: str) -> str:
    """Return the page with the attribute, the manifest and the script of a language; its messages stay as they are."""
    text = text.replace(f'<html lang="{SOURCE_LANGUAGE}">', f'<html lang="{code}">')
    text = text.replace(f"{folder}/{MANIFEST}", f"{folder}/{manifest_path(code)}")
    return text.replace(_MODULES, f'<script src="{folder}/{_script_path(code)}"></script>\n{_MODULES}')


def _contents(faces: dict[str, bytes], sheets: list[str]) -> dict[str, bytes]:
    contents = {file.relative_to(PAGE).as_posix(): file.read_bytes() for file in _page_files()} | faces
    contents[ONE_SHEET] = b"\n".join(contents[sheet] for sheet in (*sheets, _FACES))
    return {path: compact(path, content) for path, content in contents.items()}


def _page_files() -> list[Path]:
    return sorted(PAGE.rglob("*.*"))


def _version(faces: dict[str, bytes]) -> str:
    """Return the version of the files: a hash of their contents."""
    whole = sha256()
    for file in _page_files():
        whole.update(f"{file.relative_to(PAGE)}\n".encode() + file.read_bytes())
    for file in sorted(FOLDER.glob("*.po")):
        whole.update(file.read_bytes())
    for name, content in faces.items():
        whole.update(f"{name}\n".encode() + content)
    return whole.hexdigest()[:12]
