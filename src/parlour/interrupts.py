"""Ctrl-C that is never lost, and never comes in the middle of what belongs together."""

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_AGAIN_SECONDS = 0.05
"""By then the finalizer has ended."""


@contextmanager
def no_interrupt_lost() -> Iterator[None]:
    """Raise a ``KeyboardInterrupt`` again that Python dropped because it came in a finalizer.

    While code is compiled many objects are thrown away, and an exception in a finalizer goes no further: without this
    a Ctrl-C now and then would do nothing.
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
def undisturbed() -> Iterator[None]:
    """Ctrl-C is heard when this is over. Processes that are started in it never hear of one."""
    if threading.current_thread() is not threading.main_thread():
        yield  # a Ctrl-C is the main thread's
        return
    # The mask is what processes inherit; here it is not enough, for threads of libraries (NumPy has some) take the
    # signal, and Python would have the main thread hear of it all the same.
    mask = _mask(signal.SIGINT)
    heard: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        yield
    finally:
        _unmask(mask)
        signal.signal(signal.SIGINT, handler)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _interrupt_main() -> None:
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:  # it is Windows
        _thread.interrupt_main()


def _mask(number: signal.Signals) -> set[int] | None:
    """Hold a signal back; the mask as it was before, or nothing where there are no masks (on Windows)."""
    if not hasattr(signal, "pthread_sigmask"):
        return None
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, {number}))


def _unmask(before: set[int] | None) -> None:
    if before is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
