"""Run studies with a progress bar and Ctrl-C, and print results as text or JSON."""

import json
import sys
from collections.abc import Callable
from typing import Any, Protocol

import click

from parlour.cli.progress import progress_bar
from parlour.engine.errors import ParlourError


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

    If fewer samples were found than requested (the error ``short``), print the partial result, then raise.
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
    """Print a result. ``stopped`` is a message that Ctrl-C ended the study; the exit status is then 130.

    Raises:
        ParlourError: there is nothing to report.
    """
    _print_result(result, as_json, settings or {})
    if stopped:
        click.echo(stopped, err=True)
        sys.exit(130)
    if not result.has_results:
        raise ParlourError("these games contain nothing to measure: increase their number")


def _print_result(result: StudyResult, as_json: bool, settings: dict[str, Any]) -> None:
    """Print a result unless it is empty."""
    if result.has_results:
        click.echo(json.dumps({**settings, **result.to_json()}) if as_json else result.text())
