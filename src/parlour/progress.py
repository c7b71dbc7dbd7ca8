"""How far a long command is."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_TELL_SECONDS = 0.5

Advance = Callable[..., None]
"""``advance(done)`` or ``advance(done, words)``: so much more is done, and ``words()`` says how it stands."""


@contextmanager
def progress_bar(what: str, total: int | None, before: int = 0) -> Iterator[Advance]:
    """A progress bar on standard error, which shows only where a person looks on and only after a second.

    ``before`` is what was done already when the work began.
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
