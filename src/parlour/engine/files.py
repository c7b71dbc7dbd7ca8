"""Atomic file writes, and reads of JSON files of limited size."""

import json
import os
import tempfile
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from parlour.engine.errors import ParlourError


def write_whole(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """Write a text in UTF-8, or bytes, to a temporary file in the same folder, then rename it to ``path``.

    After any error the temporary file is removed, and ``path`` is unchanged. A device or pipe receives the content
    instead: the superuser would otherwise replace ``/dev/null`` by a file.

    Args:
        path: the file to create or replace, or a link to it, which stays.
        content: the whole content.
        mode: the permissions of the file.

    Raises:
        OSError: the file cannot be written.
        UnicodeEncodeError: the text has half of a surrogate pair, which UTF-8 cannot encode.
    """
    whole = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(whole)
        return
    path = path.resolve()
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as beside:
        try:
            beside.write(whole)
            beside.flush()
            os.chmod(beside.name, mode)
            os.replace(beside.name, path)
        except BaseException:
            os.unlink(beside.name)
            raise


def read_json(file: Path | Traversable, name: str, kind: str, largest: int) -> Any:
    """Return the values of a JSON file of at most ``largest`` bytes.

    Raises :class:`ParlourError` with a sentence that names the file ``name`` and calls it a file of ``kind``.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(largest + 1)
    except OSError as error:
        raise ParlourError(f"{name} cannot be read: {error.strerror or error}") from None
    if len(content) > largest:
        raise ParlourError(f"{name} is no file of {kind}: it has more than {largest:,} bytes")
    try:
        return json.loads(content.decode())
    except (ValueError, RecursionError):  # errors of JSON and of the encoding are ValueErrors
        raise ParlourError(f"{name} is damaged, or no file of {kind}") from None
