"""Bans of addresses by the operator, each until a time."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from parlour.languages import gettext
from parlour.server.http.access.limits import network_of


class Bans:
    """The banned addresses, and the open connections by address."""

    def __init__(self) -> None:
        self._until: Mapping[str, int] = {}
        self._connections: dict[str, set[Callable[[str], object]]] = {}

    def set(self, until: Mapping[str, int]) -> None:
        """Replace the bans, and close the connections of banned addresses.

        Args:
            until: the ends of the bans, in seconds since 1970, by network (:func:`.network_of`).
        """
        self._until = until
        for name in until.keys() & self._connections.keys():
            why = self._refusal(name)
            for end in list(self._connections[name]) if why else ():
                end(why)

    def refusal(self, address: str) -> str:
        """Return the reason why an address is refused now; empty if it is not."""
        return self._refusal(network_of(address)) if self._until else ""

    def _refusal(self, name: str) -> str:
        until = self._until.get(name, 0)
        if until <= time.time():
            return ""
        end = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(until))
        return gettext("the operator of this room has banned this address until {time}", time=end)

    @contextmanager
    def register(self, address: str, end: Callable[[str], object]) -> Iterator[None]:
        """Call ``end`` with the reason if the address is banned, now or within the context."""
        name = network_of(address)
        self._connections.setdefault(name, set()).add(end)
        try:
            if reason := self._refusal(name):  # banned since the connection was admitted
                end(reason)
            yield
        finally:
            self._connections[name].discard(end)
            if not self._connections[name]:
                del self._connections[name]
