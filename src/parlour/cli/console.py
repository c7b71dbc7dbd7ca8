"""Capabilities and faults of standard input and output."""

import io
import os
import sys
import textwrap
from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console


def open_closed_streams() -> None:
    """Open closed standard streams on the null device.

    Otherwise a file opened later would have the number of a closed stream, and receive what libraries print.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def report_failure(error: OSError | MemoryError) -> None:
    """Print an error of the system as one line."""
    if isinstance(error, MemoryError):
        text = f"not enough memory: {error}"
    else:
        place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        text = f"{place}{error.strerror or error}"
    with suppress(OSError):
        click.echo(f"Error: {text}", err=True)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # Python would try again at its end, and fail
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def replace_unprintable() -> None:
    """Replace characters outside the encoding of standard input and output instead of raising an error."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def is_plain(requested: bool) -> bool:
    """Return whether to print words and notation only: for ``--plain``, or if stdout is not a UTF-8 terminal."""
    return requested or not sys.stdout.isatty() or not (sys.stdout.encoding or "").lower().startswith("utf")


def hanging(text: str, width: int) -> str:
    """Return the text with lines of at most this width; a broken line goes on two columns deeper than it begins."""
    broken = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        broken += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return "\n".join(broken)


def print_hanging(console: "Console", text: str) -> None:
    """Print sentences as lines of the console's width, their rest indented."""
    console.print(hanging(text, console.width), markup=False)
