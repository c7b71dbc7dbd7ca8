"""Atomic file writes."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: str | bytes, mode: int = 0o600) -> None:
    """Write a text in UTF-8, or bytes, to a temporary file in the same folder, then rename it to ``path``.

    Raises ``OSError``; in that case the temporary file is removed.
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
