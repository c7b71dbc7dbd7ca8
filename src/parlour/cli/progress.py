"""A progress bar for long commands."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_TELL_SECONDS = 0.5

Advance = Callable[..., None]
"""``advance(done)`` or ``advance(done, words)``: adds ``done`` units; ``words()`` gives the state of things."""


@contextmanager
def progress_bar(what: str, total: int | None, before: int = 0) -> Iterator[Advance]:
    """A progress bar on standard error, shown on a terminal only and only after a second.

    ``before`` is the number of units done before the work began.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    watched = console.is_terminal
    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[words]}"),
    )
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(what, total=total, completed=before, words="")
    started, shown, told = time.monotonic(), False, 0.0
    try:

        def advance(done: float, words: Callable[[], str] | None = None) -> None:
            nonlocal shown, told
            now = time.monotonic()
            if not shown and watched and now - started > 1:
                bar.start()
                shown = True
            bar.advance(task, done)
            if words and shown and now - told > _TELL_SECONDS:
                bar.update(task, words=words())
                told = now

        yield advance
    finally:
        if shown:
            bar.stop()
