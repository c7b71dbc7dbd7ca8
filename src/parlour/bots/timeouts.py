"""Waiting for a bot from outside: not beyond its time, and not after the game is no longer wanted."""

import ctypes
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from parlour.bots.protocol import Asking, Failure, Stopped, quoted, said_of

THREAD = "outside bot"
"""What the thread of a bot in Python is called."""
_TICK_SECONDS = 0.1
"""So often it is asked whether the game is still wanted."""


def wait_for(answers: "queue.Queue[Any]", seconds: float | None, stopped: Asking, end: float | None = None) -> Any:
    """The next answer.

    Args:
        answers: where it comes.
        seconds: how long to wait for it; ``None`` is without an end.
        stopped: whether nobody wants it any more.
        end: when the seconds are over, if they began before.

    Raises:
        Failure: it did not come in time.
        Stopped: nobody wants it any more.
    """
    if end is None and seconds is not None:
        end = time.monotonic() + seconds
    while True:
        if stopped():
            raise Stopped
        left = _TICK_SECONDS if end is None else end - time.monotonic()
        if left <= 0:
            raise Failure(f"took longer than {seconds:g} s")
        try:
            return answers.get(timeout=min(_TICK_SECONDS, left))
        except queue.Empty:
            continue


def crash(error: BaseException) -> Failure:
    """What a bot in Python raised, as a failure."""
    told = said_of(error, str)
    return Failure(f"crashed with {type(error).__name__}{told and ': ' + quoted(told, 200)}")


class GivenUp(SystemExit):
    """Thrown into the thread of a bot for which nobody waits any more; a thread may end with it anywhere."""


class Worker:
    """A thread in which a bot in Python thinks, so that one that never answers can be given up.

    One that loops in Python is ended; one that waits for something else goes on waiting, and keeps nobody.
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
                except BaseException as error:  # also SystemExit: it is the bot's, not ours
                    answer = None, error
                self._answers.put(answer)
        except GivenUp:
            return

    def ask(self, ask: Callable[[], Any], seconds: float, stopped: Asking) -> Any:
        """What the call gives. Raises :class:`Failure` if it raises anything, or as :func:`wait_for` does."""
        self._asked.put(ask)
        answer, error = wait_for(self._answers, seconds, stopped)
        if error is not None:
            raise crash(error) from error
        return answer

    def close(self, at_once: bool) -> None:
        """Let the thread end; ``at_once`` if somebody may still think in it."""
        self._asked.put(None)
        if at_once and self._thread.is_alive() and self._thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), ctypes.py_object(GivenUp))
