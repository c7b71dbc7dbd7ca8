"""Files that are there whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str, mode: int = 0o600) -> None:
    """Write a text beside its file, and put it in place when it is whole. Raises ``OSError``, and leaves no rest."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as beside:
        try:
            beside.write(text)
            beside.flush()
            os.chmod(beside.name, mode)
            os.replace(beside.name, path)
        except BaseException:
            os.unlink(beside.name)
            raise
