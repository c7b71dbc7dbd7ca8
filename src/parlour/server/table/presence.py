"""Who is at a table: whose connections are there, and for whom a bot plays since they are not."""

from dataclasses import dataclass, field

from parlour.engine.views import SPECTATOR

NEVER = float("-inf")


@dataclass
class Presence:
    """The people of a table. It is told the time (in seconds, from any beginning), and never asks for it.

    Attributes:
        there: how many connections each seat has (``SPECTATOR`` for those who look on).
        away: the seats a bot plays for because nobody was there.
        out: the seats a bot plays for because their time ran out.
    """

    there: dict[int, int] = field(default_factory=dict)
    away: set[int] = field(default_factory=set)
    out: set[int] = field(default_factory=set)
    _gone: dict[int, float] = field(default_factory=dict)
    _alone: float = NEVER

    def came(self, seat: int, now: float) -> None:
        """A connection is there; whoever has the seat plays it again."""
        if not self.people:
            self._alone = now
        self.there[seat] = self.there.get(seat, 0) + 1
        self._gone.pop(seat, None)
        self.away.discard(seat)

    def went(self, seat: int, now: float) -> bool:
        """A connection has gone. Whether it was the last one of its seat."""
        self.there[seat] -= 1
        if self.there[seat]:
            return False
        self._gone[seat] = now
        return True

    @property
    def people(self) -> set[int]:
        """The seats whose people are there."""
        return {seat for seat, many in self.there.items() if many and seat != SPECTATOR}

    def missed_since(self, seat: int) -> float | None:
        """Since when somebody who is there has missed a seat's people; ``None`` if nobody does."""
        if self.there.get(seat) or not self.people - {seat}:
            return None
        return max(self._gone.get(seat, NEVER), self._alone)
