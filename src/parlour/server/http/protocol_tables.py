"""The tables of docs/protocol.md, generated from the routes, the classes of messages and scenes, and the close codes.

``python -m parlour.server.http.protocol_tables docs/protocol.md`` writes them into the page, between their marks.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import is_dataclass
from inspect import cleandoc
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from fastapi.routing import APIRoute

from parlour.render.scene import Scene
from parlour.server.http.app import create_app
from parlour.server.http.protocol_types import CLIENT_MESSAGES, keys_of
from parlour.server.store.store import Store
from parlour.server.table.close_codes import Closing
from parlour.server.table.messages import MESSAGES, SceneText

_WORDS = {str: "text", int: "number", float: "number", bool: "true or false", NoneType: "null", SceneText: "scene"}
_MARK = "<!-- made from the code: {} -->"
_END = "<!-- end of what is made -->"


def client_table() -> str:
    """Return the table of a client's messages."""
    return _table("client", "meaning", [(_object_text(kind), kind) for kind in CLIENT_MESSAGES])


def server_table() -> str:
    """Return the table of the server's messages."""
    return _table("server", "sent", [(_object_text(kind), kind) for kind in MESSAGES])


def requests_table() -> str:
    """Return the table of HTTP requests, without the page and its files."""
    with TemporaryDirectory() as folder, closing(Store(Path(folder) / "none.db")) as store:
        routes = [route for route in create_app(store).routes if isinstance(route, APIRoute)]
    rows = [
        (f"{method} {route.path.replace('_id}', '}')}", route.endpoint)
        for route in routes
        if route.include_in_schema
        for method in sorted(route.methods or ())
    ]
    return _table("request", "answer", rows)


def scene_table() -> str:
    """Return the table of the keys of a scene, each with its path, the type of its value, and its meaning."""
    rows = "".join(f"| `{path}` | {_cell_text(kind)} | {_cell_text(words)} |\n" for path, kind, words in _scene_rows())
    return f"| scene | value | meaning |\n|---|---|---|\n{rows}"


def codes_table() -> str:
    """Return the table of the codes with which the server closes a WebSocket."""
    rows = "".join(f"| {code.value} | {_cell_text(code.meaning)} | {code.again} |\n" for code in Closing)
    return f"| code | meaning | connect again |\n|---|---|---|\n{rows}"


TABLES = {
    "requests": requests_table,
    "client": client_table,
    "server": server_table,
    "scene": scene_table,
    "codes": codes_table,
}


def update_tables(page: str) -> str:
    """Return the page with current tables. Raises ``ValueError`` if a mark is missing."""
    for name, make in TABLES.items():
        table = make()
        start = _MARK.format(name)
        between = re.compile(f"(?<={re.escape(start)}\n).*?(?={re.escape(_END)})", re.DOTALL)
        found = between.search(page)
        if not found:
            raise ValueError(f"the page has no place for the table: {start}")
        page = f"{page[: found.start()]}\n{table}\n{page[found.end() :]}"
    return page


def _table(left: str, right: str, rows: Sequence[tuple[str, Any]]) -> str:
    """Return a table in Markdown; a row is a text, and an object whose docstring becomes the second cell."""
    lines = [f"| {left} | {right} |", "|---|---|"]
    for text, documented in rows:
        words = " ".join(cleandoc(documented.__doc__ or "").split())
        lines.append(f"| `{_cell_text(text)}` | {_cell_text(words)} |")
    return "\n".join(lines) + "\n"


def _cell_text(text: str) -> str:
    """Return a text for a cell of a table in Markdown."""
    return text.replace("|", r"\|")


def _scene_rows(kind: Any = Scene, parent: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield the path, the type and the meaning of each key of a scene, or of a part of it below ``parent``."""
    meanings = _meanings_of(kind)
    for key in keys_of(kind):
        path, inner = f"{parent}{key.name}", get_args(key.type)
        if inner and is_dataclass(inner[0]):
            yield path, "[{…}, …]", meanings[key.name]
            yield from _scene_rows(inner[0], f"{path}[].")
        else:
            yield path, _type_text(key.type), meanings[key.name]


def _meanings_of(kind: type[Any]) -> dict[str, str]:
    """Return the descriptions of a class's attributes in its docstring by their names, as Markdown about JSON."""
    _, _, text = cleandoc(kind.__doc__ or "").partition("Attributes:\n")
    text = text.replace("``None``", "null").replace("``", "`")
    found = re.findall(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", text, re.MULTILINE)
    return {name: " ".join(words.split()) for name, words in found}


def _object_text(kind: type[Any]) -> str:
    """Return the keys of a class with their types; ``?`` marks the keys that a client may omit."""
    keys = (f'"{key.name}"{"?" if key.optional else ""}: {_type_text(key.type)}' for key in keys_of(kind))
    return "{" + ", ".join(keys) + "}"


def _type_text(kind: Any) -> str:
    """Return a Python type in a few words, as JSON holds its values."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _type_text(inner[0])
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in inner)
    if origin in (Union, UnionType):
        return " | ".join(_type_text(each) for each in inner)
    if origin in (list, Sequence):
        return f"[{_type_text(inner[0])}, …]"
    if origin is Mapping:
        return "{…}"
    return _WORDS[kind] if kind in _WORDS else _object_text(kind)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(update_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
