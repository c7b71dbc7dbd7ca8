"""Capabilities of standard input and output."""

import io
import sys


def replace_unprintable() -> None:
    """Replace characters outside the encoding of standard input and output instead of raising an error."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def is_plain(requested: bool) -> bool:
    """Return whether to print words and notation only: for ``--plain``, or if stdout is not a UTF-8 terminal."""
    return requested or not sys.stdout.isatty() or not (sys.stdout.encoding or "").lower().startswith("utf")
