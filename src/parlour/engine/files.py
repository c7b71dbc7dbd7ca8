"""Atomic file writes."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """Write a text in UTF-8, or bytes, to a temporary file in the same folder, then rename it to ``path``.

    After any error the temporary file is removed, and ``path`` is unchanged.

    Args:
        path: the file to create or replace.
        content: the whole content.
        mode: the permissions of the file.

    Raises:
        OSError: the file cannot be written.
        UnicodeEncodeError: the text has half of a surrogate pair, which UTF-8 cannot encode.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as beside:
        try:
            beside.write(content.encode() if isinstance(content, str) else content)
            beside.flush()
            os.chmod(beside.name, mode)
            os.replace(beside.name, path)
        except BaseException:
            os.unlink(beside.name)
            raise
