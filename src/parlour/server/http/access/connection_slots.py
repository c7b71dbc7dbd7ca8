"""Slots for open connections, limited for each address and in all; beyond a limit the longest idle one is closed."""

import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Mapping
from http import HTTPStatus
from typing import Any

from parlour.server.http.access.limits import LimitError, Limits, RefusedError, network_of
from parlour.server.http.access.shared_counters import CONNECTIONS, SharedCounters
from parlour.server.metrics import metrics

ADDRESS_CONNECTIONS = 500
"""Maximum number of open connections of one address, in all processes together."""
SLOT = "parlour.slot"
"""The name of the extension of a WebSocket's scope that has its slot."""
LINE_SECONDS = 5.0
"""Time limit for the first line of a connection's first request, in seconds."""
_RETRY_SECONDS = 10
"""Seconds after which a refused client may try again."""


class FullError(RefusedError):
    """All slots belong to active connections."""

    def __init__(self) -> None:
        super().__init__("the room is full", _RETRY_SECONDS)


class ConnectionSlot:
    """The slot of an open connection, which is idle or active.

    Attributes:
        drop: closes the connection to free the slot.
    """

    __slots__ = ("_network", "_number", "_slots", "drop")

    def __init__(self, slots: "ConnectionSlots", number: int, drop: Callable[[], object]) -> None:
        self._slots = slots
        self._number = number
        self._network: str | None = None
        self.drop = drop

    def claim(self, address: str) -> None:
        """Set the address of the connection, unless it has one. Raises :class:`LimitError`.

        Through a proxy only WebSockets get an address, at their handshake.
        """
        if self._network is None:
            name = network_of(address)
            self._slots.make_room_for(name)
            self.count_for(name)

    def count_for(self, name: str) -> None:
        """Count the connection for the network ``name`` of its address, and mark it as idle."""
        self._slots.hold(self, self._number, name)
        self._network = name
        self.set_idle()

    def set_idle(self) -> None:
        """Mark the connection as idle, from now on."""
        self._slots.add_idle(self, self._network)

    def set_active(self) -> None:
        """Mark the connection as active."""
        self._slots.remove_idle(self, self._network)

    def release(self) -> None:
        """Free the slot. Further calls have no effect."""
        self.set_active()
        self._slots.release(self, self._number, self._network)


def slot_of(scope: Mapping[str, Any]) -> ConnectionSlot | None:
    """Return the slot of a WebSocket's connection, if the server has slots."""
    slot: ConnectionSlot | None = scope.get("extensions", {}).get(SLOT, {}).get("slot")
    return slot


class ConnectionSlots:
    """The connection slots of one process.

    Args:
        each: maximum for one address, in all processes together; ``None`` is no limit.
        in_all: maximum for this process.
        counters: the counters of all processes.
        process: the number of this process there.

    Attributes:
        count_elsewhere: returns the number of an address's connections at other servers.
    """

    def __init__(
        self,
        each: int | None = None,
        in_all: int = CONNECTIONS,
        counters: SharedCounters | None = None,
        process: int = 0,
    ) -> None:
        self._each = each
        self._counters = counters or SharedCounters()
        self._process = process
        self._counters.clear(process)
        self._free = list(range(min(in_all, CONNECTIONS)))
        self._used: set[ConnectionSlot] = set()
        self._idle: OrderedDict[ConnectionSlot, None] = OrderedDict()
        self._idle_of: dict[str, OrderedDict[ConnectionSlot, None]] = {}
        self._held: Counter[str] = Counter()
        self.count_elsewhere: Callable[[str], int] = lambda name: 0

    def __len__(self) -> int:
        return len(self._used)

    def enter(self, address: str | None, drop: Callable[[], object]) -> ConnectionSlot:
        """Return a slot for a connection; its ``address`` is ``None`` while it is not known.

        Raises:
            LimitError: the address has its maximum number of connections, and all of them here are active.
            FullError: all slots belong to active connections.
        """
        name = None if address is None else network_of(address)
        if name is not None:
            self.make_room_for(name)  # before another address loses a connection
        if not self._free and not _drop_first(self._idle):
            raise FullError
        slot = ConnectionSlot(self, self._free.pop(), drop)
        self._used.add(slot)
        if name is None:
            slot.set_idle()
        else:
            slot.count_for(name)
        return slot

    def hold(self, slot: ConnectionSlot, number: int, name: str) -> None:
        """Count a slot for a network."""
        self.remove_idle(slot, None)
        self._counters.hold(self._process, number, name)
        self._held[name] += 1

    def make_room_for(self, name: str) -> None:
        """Close an idle connection of a network that has its maximum. Raises :class:`LimitError` if it has none."""
        full = self._each is not None and self._counters.held(name) + self.count_elsewhere(name) >= self._each
        if full and not _drop_first(self._idle_of.get(name, OrderedDict())):
            raise LimitError("connections", _RETRY_SECONDS)

    def add_idle(self, slot: ConnectionSlot, name: str | None) -> None:
        """Make a slot the last of the idle ones."""
        if slot in self._used:
            self.remove_idle(slot, name)
            self._idle[slot] = None
            if name is not None:
                self._idle_of.setdefault(name, OrderedDict())[slot] = None

    def remove_idle(self, slot: ConnectionSlot, name: str | None) -> None:
        """Remove a slot from the idle ones."""
        self._idle.pop(slot, None)
        if name is not None and (own := self._idle_of.get(name)) is not None:
            own.pop(slot, None)
            if not own:
                del self._idle_of[name]

    def release(self, slot: ConnectionSlot, number: int, name: str | None) -> None:
        """Make a slot free."""
        if slot in self._used:
            self._used.remove(slot)
            self._counters.release(self._process, number)
            self._free.append(number)
            if name is not None:
                self._held[name] -= 1
                if not self._held[name]:
                    del self._held[name]

    def largest_holders(self, divisor: float, most: int) -> list[tuple[str, int]]:
        """Return the addresses with at least 1/``divisor`` of the maximum number of connections, with their numbers of
        connections in this process.

        The largest numbers come first; at most ``most`` addresses are returned.
        """
        if self._each is None:
            return []
        return [(name, held) for name, held in self._held.most_common(most) if held >= self._each / divisor]


def _drop_first(idle: OrderedDict[ConnectionSlot, None]) -> bool:
    """Close the connection that has been idle for the longest time. Return whether there was one."""
    if not idle:
        return False
    slot = next(iter(idle))
    slot.release()
    slot.drop()
    metrics().turned_away.labels("idle").inc()
    return True


class Entrance:
    """The entrance of new connections: it checks the limits and assigns the slots.

    Args:
        slots: the slots.
        limits: the limits of addresses, among them that to new connections.
        proxies: the addresses of trusted proxies.
    """

    def __init__(self, slots: ConnectionSlots, limits: Limits, proxies: Collection[str] = ()) -> None:
        self._slots = slots
        self._limits = limits
        self._proxies = proxies

    def admit(self, peer: str, drop: Callable[[], object], counted: bool = False) -> ConnectionSlot:
        """Return a slot for a new connection from the address ``peer``; ``drop`` closes the connection.

        ``counted``: whether the arrival has been counted already.

        Raises:
            RefusedError: a limit is reached.
        """
        try:
            if peer in self._proxies:
                return self._slots.enter(None, drop)
            if not counted:
                self._limits.take("arrivals", peer)
            return self._slots.enter(peer, drop)
        except RefusedError as error:
            metrics().turned_away.labels(_REASONS[error.status]).inc()
            raise


_REASONS = {429: "limit", 503: "full"}


def refusal(error: RefusedError) -> bytes:
    """Return the HTTP response to a connection that gets no slot."""
    text = json.dumps({"error": str(error)})
    lines = (
        f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}",
        "Content-Type: application/json",
        f"Content-Length: {len(text)}",
        f"Retry-After: {error.wait}",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
    )
    return ("\r\n".join((*lines, "", text))).encode()
