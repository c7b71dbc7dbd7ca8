"""Handling of Ctrl-C and SIGTERM: no interrupt is lost, and critical sections defer it."""

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

STOPPED = 128 + signal.SIGINT
"""Exit status after Ctrl-C."""
TERMINATED = 128 + signal.SIGTERM
"""Exit status after SIGTERM."""
_AGAIN_SECONDS = 0.05
"""Delay before the interrupt is raised again; the finalizer has then ended."""


class Termination(KeyboardInterrupt):
    """Interrupt by SIGTERM."""


@contextmanager
def interrupt_on_termination() -> Iterator[None]:
    """Let SIGTERM interrupt the block as Ctrl-C does: results are kept, and processes and programs ended.

    If the block then exits with the status of Ctrl-C, the status becomes that of SIGTERM. A handler that an
    application has set stays in effect.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    received: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        received.append(number)
        raise Termination

    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except SystemExit as end:
        if received and end.code == STOPPED:
            raise SystemExit(TERMINATED) from None
        raise
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def keep_interrupts() -> Iterator[None]:
    """Raise a ``KeyboardInterrupt`` again if Python discarded it because it was raised in a finalizer.

    Compilation runs many finalizers, and Python discards exceptions in them: without this context some presses of
    Ctrl-C would have no effect.
    """
    before = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            number = signal.SIGTERM if issubclass(unraisable.exc_type, Termination) else signal.SIGINT
            again = threading.Timer(_AGAIN_SECONDS, _interrupt_main, [number])
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
    """Defer Ctrl-C, and SIGTERM if it interrupts, until the context ends.

    Processes started in the context never receive Ctrl-C.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    # Child processes inherit the mask, so it does not contain SIGTERM, which ends them. In this process the mask is not
    # enough: threads of libraries (such as NumPy's) receive the signal, and Python then runs the handler in the main
    # thread. So a handler records the signals.
    mask = _mask(signal.SIGINT)
    received: list[int] = []
    deferred = [signal.SIGINT, *([signal.SIGTERM] if callable(signal.getsignal(signal.SIGTERM)) else [])]
    handlers = {
        number: signal.signal(number, lambda received_number, frame: received.append(received_number))
        for number in deferred
    }
    try:
        yield
    finally:
        _unmask(mask)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if received:
            signal.raise_signal(received[0])


def _interrupt_main(number: signal.Signals) -> None:
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, number)
    else:  # on Windows
        _thread.interrupt_main(number)


def _mask(number: signal.Signals) -> set[int] | None:
    """Block a signal; return the previous mask, or ``None`` on Windows, which has no signal masks."""
    if not hasattr(signal, "pthread_sigmask"):
        return None
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, {number}))


def _unmask(before: set[int] | None) -> None:
    if before is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
