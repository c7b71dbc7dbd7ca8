"""Arguments of the benchmarks, and the end of one by a signal or by an error of its user: one line, and a status."""

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path

import parlour
from parlour.interrupts import STOPPED, interrupt_on_termination


def game_id(text: str) -> str:
    """Return a game's id. Raises ``argparse.ArgumentTypeError``."""
    if text not in parlour.games():
        raise argparse.ArgumentTypeError(f"there is no game {text!r}; there are {', '.join(parlour.games())}")
    return text


def positive(text: str) -> float:
    """Return a positive number. Raises ``argparse.ArgumentTypeError``."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not number > 0:
        raise argparse.ArgumentTypeError(f"a positive number is required, not {text!r}")
    return number


def count(text: str) -> int:
    """Return a positive whole number. Raises ``argparse.ArgumentTypeError``."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"a positive whole number is required, not {text!r}")
    return int(text)


def pattern(text: str) -> str:
    """Return a regular expression. Raises ``argparse.ArgumentTypeError``."""
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"not a regular expression: {error}") from None
    return text


def folder(text: str) -> Path:
    """Return a folder, which is made if it is missing. Raises ``argparse.ArgumentTypeError``."""
    try:
        Path(text).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text}: not a folder: {error.strerror}") from None
    return Path(text)


def games_of(description: str) -> list[str]:
    """Return the games that the command line names, by default all."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", type=game_id, default=parlour.games(), metavar="GAME")
    found: list[str] = parser.parse_args().games
    return found


def run(main: Callable[[], None]) -> None:
    """Run a benchmark.

    Ctrl-C ends it with status 130, SIGTERM with 143, an error of Parlour with its message and status 1.
    """
    with interrupt_on_termination():
        try:
            main()
        except KeyboardInterrupt:
            print("\nStopped.", file=sys.stderr)
            raise SystemExit(STOPPED) from None
        except parlour.ParlourError as error:
            raise SystemExit(f"Error: {error}") from None
