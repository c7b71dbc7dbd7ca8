"""The tables of docs/protocol.md, made from the routes, the types of the messages and the codes of closing.

``python -m parlour.server.http.protocol_tables docs/protocol.md`` puts them into the page, between their marks.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import fields
from inspect import cleandoc
from pathlib import Path
from tempfile import TemporaryDirectory
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from fastapi.routing import APIRoute
from pydantic import BaseModel

from parlour.server.http.app import create_app
from parlour.server.http.requests import Spoken
from parlour.server.store.store import Store
from parlour.server.table.close_codes import Closing
from parlour.server.table.messages import MESSAGES, SceneText

_WORDS = {str: "text", int: "number", float: "number", bool: "true or false", NoneType: "null", SceneText: "scene"}
_MARK = "<!-- made from the code: {} -->"
_END = "<!-- end of what is made -->"


def client_table() -> str:
    """What a client may say, one message a row."""
    return _table("the client says", "which means", [(_spoken_text(kind), kind) for kind in get_args(Spoken)])


def server_table() -> str:
    """What the server says, one message a row."""
    return _table("the server says", "when", [(_keys_text(kind), kind) for kind in MESSAGES])


def requests_table() -> str:
    """What can be asked by HTTP, one request a row, but for the page and its files."""
    with TemporaryDirectory() as folder, closing(Store(Path(folder) / "none.db")) as store:
        routes = [route for route in create_app(store).routes if isinstance(route, APIRoute)]
    rows = [
        (f"{method} {route.path.replace('_id}', '}')}", route.endpoint)
        for route in routes
        if route.include_in_schema
        for method in sorted(route.methods or ())
    ]
    return _table("request", "answer", rows)


def codes_table() -> str:
    """With which codes the server closes a WebSocket."""
    rows = "".join(f"| {code.value} | {_escaped(code.meaning)} |\n" for code in Closing)
    return f"| code | meaning |\n|---|---|\n{rows}"


TABLES = {"requests": requests_table, "client": client_table, "server": server_table, "codes": codes_table}


def with_tables(page: str) -> str:
    """The page with all tables as they are now. Raises ``ValueError`` if a mark is missing."""
    for name, make in TABLES.items():
        table = make()
        start = _MARK.format(name)
        place = re.compile(f"(?<={re.escape(start)}\n).*?(?={re.escape(_END)})", re.DOTALL)
        if not place.search(page):
            raise ValueError(f"the page has no place for the table: {start}")
        page = place.sub(lambda _, table=table: f"\n{table}\n", page, count=1)  # type: ignore[misc]
    return page


def _table(left: str, right: str, rows: Sequence[tuple[str, Any]]) -> str:
    """A row for each thing with a docstring: what it is called, and that."""
    lines = [f"| {left} | {right} |", "|---|---|"]
    for called, documented in rows:
        words = " ".join(cleandoc(documented.__doc__ or "").split())
        lines.append(f"| `{_escaped(called)}` | {_escaped(words)} |")
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """A text as it stands in a cell of a table in Markdown."""
    return text.replace("|", r"\|")


def _spoken_text(kind: type[BaseModel]) -> str:
    """A message of the client's; a key that may be left out has a question mark."""
    hints = get_type_hints(kind)
    keys = (f'"{key}"{"" if each.is_required() else "?"}' for key, each in kind.model_fields.items())
    return _braced(zip(keys, (_type_text(hints[key]) for key in kind.model_fields), strict=True))


def _keys_text(kind: type[Any]) -> str:
    """A message of the server's, or a part of one."""
    hints = get_type_hints(kind)
    return _braced((f'"{each.name}"', _type_text(hints[each.name])) for each in fields(kind))


def _braced(pairs: Any) -> str:
    return "{" + ", ".join(f"{key}: {text}" for key, text in pairs) + "}"


def _type_text(kind: Any) -> str:
    """A type in a few words, as JSON has it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _type_text(inner[0])
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in inner if value)
    if origin in (Union, UnionType):
        return " | ".join(_type_text(each) for each in inner)
    if origin in (list, Sequence):
        return f"[{_type_text(inner[0])}, …]"
    if origin is Mapping:
        return "{…}"
    return _WORDS[kind] if kind in _WORDS else _keys_text(kind)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
