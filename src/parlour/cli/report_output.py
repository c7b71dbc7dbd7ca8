"""Studies with a progress bar that Ctrl-C can stop, and the output of their results as text or JSON."""

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, Protocol

import click

from parlour.cli.progress import progress_bar
from parlour.engine.errors import ParlourError
from parlour.interrupts import STOPPED


class StudyResult(Protocol):
    """Results of a study so far."""

    @property
    def has_results(self) -> bool:
        """Whether there are results to report."""

    def text(self) -> str:
        """Return the results as text."""

    def to_json(self) -> dict[str, Any]:
        """Return the results as JSON values."""


def run_study(
    what: str,
    total: int,
    work: Callable[[Callable[[int], None]], None],
    result: StudyResult,
    as_json: bool,
    settings: dict[str, Any],
    short: type[ParlourError] | tuple[()] = (),
) -> None:
    """Run a study to its end or until Ctrl-C, then print the result; its JSON includes the settings.

    Args:
        what: the name of the units that the progress bar counts.
        total: the number of units.
        work: computes the result; its argument is to be called with the number of finished units.
        result: the result, which ``work`` changes.
        as_json: whether to print JSON instead of text.
        settings: the settings of the study.
        short: the error that ``work`` raises after it has found fewer samples than requested. The partial result is
            printed then, and the error raised again.
    """
    stopped = ""
    with progress_bar(what, total) as advance:
        try:
            work(advance)
        except KeyboardInterrupt:
            stopped = "Stopped before the end."
        except short:
            _print_result(result, as_json, settings)
            raise
    report(result, as_json, stopped, settings)


def report(result: StudyResult, as_json: bool, stopped: str, settings: dict[str, Any] | None = None) -> None:
    """Print a result. ``stopped`` is the message that Ctrl-C ended the study, and sets the exit status; or empty.

    Raises:
        ParlourError: there is nothing to report.
    """
    _print_result(result, as_json, settings or {})
    if stopped:
        click.echo(stopped, err=True)
        sys.exit(STOPPED)
    if not result.has_results:
        raise ParlourError("these games contain nothing to measure: increase their number")


def report_before_error(result: StudyResult, as_json: bool, error: ParlourError) -> NoReturn:
    """Print the results so far, then raise the error that ended their command."""
    _print_result(result, as_json, {})
    raise error


def stopped_text(reached: str, kind: str, out: str | None) -> str:
    """Return the message that Ctrl-C ended a command whose results may be kept and continued.

    Args:
        reached: the words for the work done, such as ``"after 3 of 10 deals"``.
        kind: what ``--out`` names, ``"FILE"`` or ``"FOLDER"``.
        out: the file or folder, if the results are kept.
    """
    continuation = (
        "The same command continues from there." if out else f"With --out {kind} it could have been continued."
    )
    return f"Stopped {reached}. {continuation}"


def _print_result(result: StudyResult, as_json: bool, settings: dict[str, Any]) -> None:
    """Print a result unless it is empty."""
    if result.has_results:
        click.echo(json.dumps({**settings, **result.to_json()}) if as_json else _for_reader(result.text()))


def _for_reader(text: str) -> str:
    """Break the sentences of a report between words on a terminal; tables, and commands to be copied, stay whole."""
    if not sys.stdout.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(textwrap.fill(line, width) if _is_prose(line) else line for line in text.split("\n"))


def _is_prose(line: str) -> bool:
    return line.endswith(".") and not line.startswith(" ") and "parlour " not in line


def report_stored(number: int, noun: str, title: str, place: object) -> None:
    """Report on standard error what a file has now: ``1 game of Whist is in games.jsonl.``"""
    from parlour.engine.validation import counted

    click.echo(f"{counted(number, noun)} of {title} {'is' if number == 1 else 'are'} in {place}.", err=True)


def check_writable(file: str, what: str) -> None:
    """Check that a file can be created or replaced, before minutes of work.

    Args:
        file: the file's name.
        what: the words for its content, such as ``"the page"``.

    Raises:
        ParlourError: it is a folder, or its folder is not writable.
    """
    path = Path(file)
    folder = path.resolve().parent
    if path.is_dir():
        raise ParlourError(f"{file}: {what} cannot be written: this is a folder")
    is_device = path.exists() and not path.is_file()
    if not is_device and not os.access(folder, os.W_OK | os.X_OK):
        raise ParlourError(f"{file}: {what} cannot be written: {folder} is no folder that you can write in")
