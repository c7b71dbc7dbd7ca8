"""Handling of Ctrl-C: no interrupt is lost, and critical sections defer it."""

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_AGAIN_SECONDS = 0.05
"""Delay before the interrupt is raised again; the finalizer has then ended."""


@contextmanager
def keep_interrupts() -> Iterator[None]:
    """Raise a ``KeyboardInterrupt`` again if Python discarded it because it was raised in a finalizer.

    Compilation runs many finalizers, and Python discards exceptions in them: without this context some presses of
    Ctrl-C would have no effect.
    """
    before = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            again = threading.Timer(_AGAIN_SECONDS, _interrupt_main)
            again.daemon = True
            again.start()
        else:
            before(unraisable)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer Ctrl-C until the context ends. Processes started in the context never receive it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets Ctrl-C
        return
    # Child processes inherit the mask. In this process it is not enough: threads of libraries (such as NumPy's) receive
    # the signal, and Python then runs the handler in the main thread. So a handler records the signal.
    mask = _mask(signal.SIGINT)
    received: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: received.append(number))
    try:
        yield
    finally:
        _unmask(mask)
        signal.signal(signal.SIGINT, handler)
        if received:
            signal.raise_signal(signal.SIGINT)


def _interrupt_main() -> None:
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:  # on Windows
        _thread.interrupt_main()


def _mask(number: signal.Signals) -> set[int] | None:
    """Block a signal; return the previous mask, or ``None`` on Windows, which has no signal masks."""
    if not hasattr(signal, "pthread_sigmask"):
        return None
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, {number}))


def _unmask(before: set[int] | None) -> None:
    if before is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
