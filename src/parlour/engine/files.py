"""Atomic file writes."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str, mode: int = 0o600) -> None:
    """Write a text to a temporary file in the same folder, then rename it to ``path``.

    Raises ``OSError``; in that case the temporary file is removed.
    """
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as beside:
        try:
            beside.write(text)
            beside.flush()
            os.chmod(beside.name, mode)
            os.replace(beside.name, path)
        except BaseException:
            os.unlink(beside.name)
            raise
