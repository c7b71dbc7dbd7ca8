"""The people at a table: the connections of each seat, and the seats for which a bot stands in."""

from dataclasses import dataclass, field

from parlour.engine.rules import SPECTATOR

NEVER = float("-inf")


@dataclass
class _Timeout:
    """The time at which a seat ran out of time, and the number of its connections that may have been alive then."""

    at: float
    alive: int


@dataclass
class Presence:
    """The people of a table. The caller passes in the current time, in seconds from any origin.

    Attributes:
        connections: the number of connections of each seat (``SPECTATOR`` for spectators).
        away: the seats that a bot plays because their people are disconnected.
    """

    connections: dict[int, int] = field(default_factory=dict)
    away: set[int] = field(default_factory=set)
    _timeouts: dict[int, _Timeout] = field(default_factory=dict)
    _left_at: dict[int, float] = field(default_factory=dict)
    _first_at: float = NEVER
    """Time of the last connection to an empty table."""

    @property
    def out(self) -> set[int]:
        """The seats that a bot plays to the end because their people ran out of time."""
        return set(self._timeouts)

    def connect(self, seat: int, now: float) -> None:
        """Add a connection."""
        if not self.people:
            self._first_at = now
        self.connections[seat] = self.connections.get(seat, 0) + 1
        self._left_at.pop(seat, None)

    def disconnect(self, seat: int, now: float, last_message_at: float) -> bool:
        """Remove a connection. Return whether it was the last one of its seat.

        A connection may break long before the server notices. If the last messages of all connections of a seat precede
        its timeout, the player was disconnected at the timeout and may return.
        """
        self.connections[seat] -= 1
        timeout = self._timeouts.get(seat)
        if timeout and last_message_at < timeout.at:
            timeout.alive -= 1
            if not timeout.alive:
                del self._timeouts[seat]
                self.away.add(seat)
        if self.connections[seat]:
            return False
        self._left_at[seat] = now
        return True

    def time_out(self, seat: int, now: float) -> None:
        """Record that a seat has run out of time."""
        self._timeouts[seat] = _Timeout(now, self.connections.get(seat, 0))

    @property
    def people(self) -> set[int]:
        """The seats with a connection."""
        return {seat for seat, many in self.connections.items() if many and seat != SPECTATOR}

    def missed_since(self, seat: int) -> float | None:
        """Return the time since which connected people have waited for a disconnected seat; ``None`` if none wait."""
        if self.connections.get(seat) or not self.people - {seat}:
            return None
        return max(self._left_at.get(seat, NEVER), self._first_at)
