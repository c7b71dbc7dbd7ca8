"""Fair turns: hosts share a limited number of slots in turn, however many requests each of them has."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial


class Turns:
    """Slots that hosts use in turns; the requests of one host are served in their order.

    Args:
        slots: the number of slots.
        each: the maximum number of slots for one host.
    """

    def __init__(self, slots: int, each: int) -> None:
        self._free, self._each = slots, each
        self._used: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # requests by host, the next host first

    @property
    def used(self) -> int:
        """The number of slots in use."""
        return self._used.total()

    def others_wait(self, host: str) -> bool:
        """Return whether requests of other hosts wait for a slot. Any thread may ask."""
        return any(other != host for other in list(self._waiting))

    async def take(self, host: str, first: bool = False) -> Callable[[], None]:
        """Wait for a slot, ``first`` before the other requests of the host; return the function that releases it."""
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        tickets = self._waiting.setdefault(host, deque())
        if first:
            tickets.appendleft(ticket)
        else:
            tickets.append(ticket)
        self._assign()
        try:
            await ticket
        except asyncio.CancelledError:
            if not ticket.cancelled():  # the slot came in the same turn of the event loop
                self._release(host)
            raise
        return partial(self._release, host)

    @asynccontextmanager
    async def slot(self, host: str, first: bool = False) -> AsyncIterator[None]:
        """Wait for a slot, and use it within the context; the arguments are those of :meth:`take`."""
        release = await self.take(host, first)
        try:
            yield
        finally:
            release()

    def _release(self, host: str) -> None:
        self._free += 1
        self._used[host] -= 1
        if not self._used[host]:
            del self._used[host]
        if host in self._waiting:
            self._waiting[host] = self._waiting.pop(host)  # behind all other hosts
        self._assign()

    def _assign(self) -> None:
        while self._free and (host := self._next_host()) is not None:
            tickets = self._waiting.pop(host)
            ticket = tickets.popleft()
            if tickets:
                self._waiting[host] = tickets  # behind all other hosts
            if not ticket.done():  # its caller still waits
                self._free -= 1
                self._used[host] += 1
                ticket.set_result(None)

    def _next_host(self) -> str | None:
        return next((host for host in self._waiting if self._used[host] < self._each), None)
