"""Detection of two threads that use one object with compiled code at the same time."""

from collections.abc import Callable
from typing import Any, TypeVar

from parlour.engine.errors import ParlourError

Result = TypeVar("Result")


class OneThread:
    """Base of objects that one thread at a time may use, since compiled code shares their arrays.

    A second thread that calls such an object during a call gets an error, as with generators: it could otherwise end
    the process, because compiled code does not check indices. The thread in a call holds the only item of a list. To
    take it and return it costs a fiftieth of the quickest call; a lock costs more.
    """

    def __init__(self) -> None:
        self._idle = [True]

    def _alone(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Return the result of a function during which no other thread may use this object.

        Raises:
            ParlourError: another thread is using it.
        """
        idle = self._idle
        try:
            idle.pop()
        except IndexError:
            raise thread_error() from None
        try:
            return work(*arguments)
        finally:
            idle.append(True)


def thread_error() -> ParlourError:
    """Return the error for a thread that calls an object during a call of another thread."""
    return ParlourError("another thread is using this game or batch: it serves one at a time; use a copy in each")
