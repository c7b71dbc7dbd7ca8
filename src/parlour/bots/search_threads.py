"""Threads for one decision: they share a search's playouts, and its results are the same with any number of threads.

Each determinization has a random stream of its own (:func:`parlour.bots.lookahead.look_ahead`), so threads can try
actions in different determinizations at once. Trees of information sets and exact solving use one thread.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from parlour.engine.information.belief import in_one_piece
from parlour.engine.simulation.playouts import cores_for

PIECES_A_THREAD = 4
"""Number of pieces of work for each thread, so that other threads take over from one that is slower."""

_in_use: ContextVar["SearchThreads | None"] = ContextVar("threads for searches", default=None)


class SearchThreads:
    """A pool of threads for the searches of one or several decisions.

    Attributes:
        number: the number of threads, the caller's included.

    Args:
        number: the number of threads, the caller's included; by default one for each core.
        begin_thread: a function that each new thread calls.
    """

    def __init__(self, number: int | None = None, begin_thread: Callable[[], object] | None = None) -> None:
        """Raises :class:`ParlourError` if ``number`` is not a positive integer."""
        self.number = cores_for(number)
        self._helpers = ThreadPoolExecutor(max(1, self.number - 1), "search", begin_thread)  # threads begin on demand

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let searches use these threads within the context."""
        token = _in_use.set(self)
        try:
            yield
        finally:
            _in_use.reset(token)

    def close(self) -> None:
        """End the threads; a search that still uses them goes on in its own thread."""
        self._helpers.shutdown(wait=False, cancel_futures=True)

    def share(self, rows: int, work: Callable[[slice], int]) -> list[int]:
        """Call ``work`` for slices that cover a number of rows; return its results. Exceptions are raised here."""
        size = max(1, -(-rows // (PIECES_A_THREAD * self.number)))
        pieces = [slice(first, min(rows, first + size)) for first in range(0, rows, size)]
        others: list[Future[int]] = []
        if self.number > 1:
            with suppress(RuntimeError):  # closed, or the system starts no further thread
                for piece in pieces:
                    others.append(self._helpers.submit(work, piece))
        results = []
        try:
            for index in reversed(range(len(pieces))):
                if index >= len(others) or others[index].cancel():  # no other thread has begun this piece
                    results.append(work(pieces[index]))
        finally:
            begun = [other for other in others if not other.cancel()]
            wait(begun)  # they write into arrays of this search
        return results + [other.result() for other in begun]


@contextmanager
def search_threads(number: int | None = None) -> Iterator[None]:
    """Let the searches of bots within this context use a number of threads, by default one for each core.

    A bot chooses the same actions with any number of threads. Use it for single decisions that take long: games that
    are played at once by ``parlour.match`` and the like use all cores already.

    Raises:
        ParlourError: the number is not a positive integer.
    """
    threads = SearchThreads(number)
    try:
        with threads.in_use():
            yield
    finally:
        threads.close()


def in_pieces(rows: int, work: Callable[[slice], int]) -> list[int]:
    """Call ``work`` for slices that cover a number of rows, in the threads in use here; return its results."""
    threads = _in_use.get()
    return in_one_piece(rows, work) if threads is None else threads.share(rows, work)
