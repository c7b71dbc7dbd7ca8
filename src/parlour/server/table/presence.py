"""Who is at a table: whose connections are there, and for whom a stand-in bot plays."""

from dataclasses import dataclass, field

from parlour.engine.views import SPECTATOR

NEVER = float("-inf")


@dataclass
class _RanOut:
    """The time at which a seat ran out of time, and how many of its connections of then may have been alive."""

    at: float
    alive: int


@dataclass
class Presence:
    """The people of a table. The caller passes in the current time (in seconds, from any beginning).

    Attributes:
        there: how many connections each seat has (``SPECTATOR`` for spectators).
        away: the seats that a bot plays because their people had gone.
    """

    there: dict[int, int] = field(default_factory=dict)
    away: set[int] = field(default_factory=set)
    _ran_out: dict[int, _RanOut] = field(default_factory=dict)
    _gone: dict[int, float] = field(default_factory=dict)
    _alone: float = NEVER

    @property
    def out(self) -> set[int]:
        """The seats that a bot plays to the end because their people ran out of time."""
        return set(self._ran_out)

    def came(self, seat: int, now: float) -> None:
        """A connection is there."""
        if not self.people:
            self._alone = now
        self.there[seat] = self.there.get(seat, 0) + 1
        self._gone.pop(seat, None)

    def went(self, seat: int, now: float, heard: float) -> bool:
        """A connection has gone, which was last ``heard`` at a time. Whether it was the last one of its seat.

        A connection may have broken long before that is noticed. If all connections that a seat had when it ran out
        of time had fallen silent before, its people had gone by then, so they may return.
        """
        self.there[seat] -= 1
        ran_out = self._ran_out.get(seat)
        if ran_out and heard < ran_out.at:
            ran_out.alive -= 1
            if not ran_out.alive:
                del self._ran_out[seat]
                self.away.add(seat)
        if self.there[seat]:
            return False
        self._gone[seat] = now
        return True

    def run_out(self, seat: int, now: float) -> None:
        """A seat has run out of time."""
        self._ran_out[seat] = _RanOut(now, self.there.get(seat, 0))

    @property
    def people(self) -> set[int]:
        """The seats whose people are there."""
        return {seat for seat, many in self.there.items() if many and seat != SPECTATOR}

    def missed_since(self, seat: int) -> float | None:
        """The time since when people who are there have missed a seat's people; ``None`` if that is not so."""
        if self.there.get(seat) or not self.people - {seat}:
            return None
        return max(self._gone.get(seat, NEVER), self._alone)
