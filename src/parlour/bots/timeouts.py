"""Time limits and cancellation of the decisions of external bots."""

import ctypes
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from parlour.bots.protocol import CancelCheck, Failure, Stopped, foreign_text, quoted

THREAD = "outside bot"
"""Name of a Python bot's thread."""
_TICK_SECONDS = 0.1
"""Interval between checks for cancellation, in seconds."""


def check_time(seconds: float | None, stopped: CancelCheck, end: float | None) -> None:
    """Check a decision against its time limit, which expires at the monotonic time ``end``.

    Raises:
        Failure: the limit has expired.
        Stopped: the caller has cancelled the game.
    """
    if stopped():
        raise Stopped
    if end is not None and time.monotonic() >= end:
        raise Failure(f"took longer than {seconds:g} s")


def wait_for(answers: "queue.Queue[Any]", seconds: float | None, stopped: CancelCheck, end: float | None = None) -> Any:
    """Return the next answer.

    Args:
        answers: the queue of answers.
        seconds: the time limit; ``None`` for none.
        stopped: returns whether the caller has cancelled the game.
        end: the monotonic time at which the limit expires, if it began before this call.

    Raises:
        Failure: the answer did not come in time.
        Stopped: the caller has cancelled the game.
    """
    if end is None and seconds is not None:
        end = time.monotonic() + seconds
    while True:
        check_time(seconds, stopped, end)
        left = _TICK_SECONDS if end is None else max(0.0, end - time.monotonic())
        try:
            return answers.get(timeout=min(_TICK_SECONDS, left))
        except queue.Empty:
            continue


def crash(error: BaseException) -> Failure:
    """Return the failure for an exception of a Python bot."""
    text = foreign_text(error, str)
    return Failure(f"crashed with {type(error).__name__}{text and ': ' + quoted(text, 200)}")


class GivenUp(SystemExit):
    """Exception that :meth:`Worker.close` raises in the thread of an abandoned bot, to end it at any point."""


class Worker:
    """Thread that runs a Python bot, so that a bot that never answers can be abandoned.

    A bot that loops in Python is ended; a bot blocked elsewhere stays blocked, but delays no caller.
    """

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._answers: queue.Queue[tuple[Any, BaseException | None]] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name=THREAD, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            while ask := self._asked.get():
                answer: tuple[Any, BaseException | None]
                try:
                    answer = ask(), None
                except GivenUp:
                    raise
                except BaseException as error:  # also the bot's SystemExit
                    answer = None, error
                self._answers.put(answer)
        except GivenUp:
            return

    def ask(self, ask: Callable[[], Any], seconds: float, stopped: CancelCheck) -> Any:
        """Run a call in the thread; return its result.

        Raises :class:`Failure` if the call raises an exception, and the exceptions of :func:`wait_for`.
        """
        self._asked.put(ask)
        answer, error = wait_for(self._answers, seconds, stopped)
        if error is not None:
            raise crash(error) from error
        return answer

    def close(self, at_once: bool) -> None:
        """Let the thread end; with ``at_once``, interrupt a bot that may still be running in it."""
        self._asked.put(None)
        if at_once and self._thread.is_alive() and self._thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), ctypes.py_object(GivenUp))
