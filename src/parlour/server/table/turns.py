"""Turns: who may use one of a few places next, fairly between hosts, however much one of them asks for."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Places that hosts take by turns: each in the order in which it asked, and no host more than its part.

    Args:
        places: how many there are.
        each: how many one host has at most.
    """

    def __init__(self, places: int, each: int) -> None:
        self._free, self._each = places, each
        self._held: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By host, the host whose turn is next first."""

    @asynccontextmanager
    async def place(self, host: str) -> AsyncIterator[None]:
        """Wait for a place, and have it meanwhile."""
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(host, deque()).append(ticket)
        self._hand_out()
        try:
            await ticket
            yield
        finally:
            if ticket.done() and not ticket.cancelled():
                self._give_back(host)
            else:
                ticket.cancel()

    def _give_back(self, host: str) -> None:
        self._free += 1
        self._held[host] -= 1
        if not self._held[host]:
            del self._held[host]
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free and (host := self._next_host()) is not None:
            tickets = self._waiting.pop(host)
            ticket = tickets.popleft()
            if tickets:
                self._waiting[host] = tickets  # after all others
            if not ticket.done():  # its caller still waits
                self._free -= 1
                self._held[host] += 1
                ticket.set_result(None)

    def _next_host(self) -> str | None:
        return next((host for host in self._waiting if self._held[host] < self._each), None)
