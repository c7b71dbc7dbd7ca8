"""Progress bar for long commands."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_REFRESH_SECONDS = 0.5

Advance = Callable[..., None]
"""``advance(done)`` or ``advance(done, words)``: adds ``done`` units; ``words()`` returns a status text."""


def print_above(line: str) -> None:
    """Print a line on standard error, above a progress bar that is shown there."""
    print(line, file=sys.stderr)  # click.echo passes by the bar, and would write behind it


@contextmanager
def progress_bar(what: str, total: int | None, before: int = 0) -> Iterator[Advance]:
    """Show a progress bar on standard error, on a terminal only and only after a second.

    ``before`` is the number of units done before the work began.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    is_terminal = console.is_terminal
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[words]}"),
    )
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(what, total=total, completed=before, words="")
    started, shown, refreshed = time.monotonic(), False, 0.0
    try:

        def advance(done: float, words: Callable[[], str] | None = None) -> None:
            nonlocal shown, refreshed
            now = time.monotonic()
            if not shown and is_terminal and now - started > 1:
                bar.start()
                shown = True
            bar.advance(task, done)
            if words and shown and now - refreshed > _REFRESH_SECONDS:
                bar.update(task, words=words())
                refreshed = now

        yield advance
    finally:
        if shown:
            bar.stop()
