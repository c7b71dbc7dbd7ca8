"""Capabilities and faults of standard input and output."""

import codecs
import io
import os
import re
import shlex
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console
    from rich.text import Text

_WORD = re.compile(r"(?:\S|(?<=[0-9]) (?=%))+")
"""A part of a line that :func:`hanging` does not break; a number and its percent sign are one."""
_REPLACEMENT = "parlour-ascii"
"""Name of the error handler that writes signs of ASCII for characters outside the encoding of standard output."""
_IN_ASCII = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{NO-BREAK SPACE}": " ",
    "\N{NARROW NO-BREAK SPACE}": " ",
}
"""Signs whose replacement by a question mark would change the meaning of a text, such as that of a score."""
_UNBROKEN = "\ue000"
"""Private character in place of a space at which :func:`hanging` breaks no line."""


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
    codecs.register_error(_REPLACEMENT, _replacement)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, _REPLACEMENT)):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _replacement(error: UnicodeError) -> tuple[str, int]:
    """Return signs of ASCII for characters that cannot be written, and the place after them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_IN_ASCII.get(character, "?") for character in missing), error.end


def is_plain(requested: bool) -> bool:
    """Return whether to print words and notation only: for ``--plain``, or if stdout is not a UTF-8 terminal."""
    return requested or not sys.stdout.isatty() or not (sys.stdout.encoding or "").lower().startswith("utf")


def unbroken(text: str) -> str:
    """Return a part of a text for :func:`hanging` whose words stay on one line."""
    return text.replace(" ", _UNBROKEN)


def hanging(text: "Text", width: int) -> "Text":
    """Return the text with lines of at most this width; a broken line goes on two columns deeper than it begins.

    Spaces inside a line stay, and a longer word has a line of its own.
    """
    broken = []
    for line in text.split("\n", allow_blank=True):
        indent = len(line.plain) - len(line.plain.lstrip()) + 2
        begin, room, breaks = 0, width, []
        for word in _WORD.finditer(line.plain):
            if word.end() - begin > room and word.start() > indent - 2:
                begin, room = word.start(), width - indent
                breaks.append(begin)
        first, *others = line.divide(breaks)
        for other in others:
            other.pad_left(indent)
        broken += [first, *others]
    for line in broken:
        line.rstrip()
    return text.blank_copy("\n").join(broken)


def key_lines(keys: "Mapping[str, str]") -> str:
    """Return the help on keys: one a line, with its meaning."""
    return "\n".join(f"  {key}  {meaning}" for key, meaning in keys.items())


def print_hanging(console: "Console", text: "str | Text") -> None:
    """Print sentences or a table as lines of the console's width, the rest of broken lines indented."""
    if isinstance(text, str):
        from rich.text import Text

        text = Text(hanging(Text(text), console.width).plain.replace(_UNBROKEN, " "))
    else:
        text = hanging(text, console.width)
    console.print(text)


def typed_line(prompt: str) -> str:
    """Return the line that the user types after a prompt: cards with suit signs in notation, no spaces around it.

    On a terminal the line can be edited, and the arrow keys bring earlier lines back. Pasted lines are answers to
    several prompts.

    Raises:
        EOFError: the input has ended.
    """
    from parlour.render.words import in_notation

    typed = _edited_line(prompt) if sys.stdin.isatty() and sys.stdout.isatty() else input(prompt)
    return in_notation(typed).strip()


class _Continued(Exception):
    """Raised when the stopped process runs again (``fg`` after Ctrl-Z)."""


def _edited_line(prompt: str) -> str:
    """Return a line that is typed on a terminal; show the prompt again after Ctrl-Z and ``fg``."""
    if sys.platform == "win32":
        return input(prompt)
    with suppress(ImportError):  # elsewhere than on a terminal, readline would print escape characters
        import readline

        readline.parse_and_bind("set enable-bracketed-paste off")

    def show_again(number: int, frame: object) -> None:
        raise _Continued

    before = signal.signal(signal.SIGCONT, show_again)
    try:
        while True:
            with suppress(_Continued):
                return input(prompt)
    finally:
        signal.signal(signal.SIGCONT, before)


def print_command(console: "Console", sentence: str, words: "Sequence[str]") -> None:
    """Print a sentence and, on a line of its own that can be copied, the command that it introduces."""
    console.print()
    print_hanging(console, sentence)
    console.print(f"  {shlex.join(words)}", soft_wrap=True, markup=False)
