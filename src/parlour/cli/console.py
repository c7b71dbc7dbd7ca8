"""What the terminal, a pipe or a file can show."""

import io
import sys


def print_what_can_be_printed() -> None:
    """Have a question mark stand for what an encoding other than UTF-8 lacks, in place of an error."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def is_plain(wanted: bool) -> bool:
    """Whether words and notation are all that is to be shown: it is wanted so, or nobody would see anything else."""
    return wanted or not sys.stdout.isatty() or not (sys.stdout.encoding or "").lower().startswith("utf")
