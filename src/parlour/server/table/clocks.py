"""The clocks of a table: how long each seat has left, in milliseconds. They are told the time and never ask for it."""

from collections.abc import Mapping

from parlour.server.table.messages import ClocksTold

SECOND = 1000


class Clocks:
    """One clock for each seat.

    Attributes:
        left: milliseconds left to each seat, as they were when its clock last stopped.
        running: the seat whose clock runs, or ``None``.
    """

    def __init__(self, seats: int, seconds: int, increment: int, spent: Mapping[int, list[int]]) -> None:
        """Every seat begins with ``seconds`` and gets ``increment`` more for each action; ``spent`` is what it took."""
        self._increment = increment * SECOND
        self.left = [
            seconds * SECOND + sum(self._increment - took for took in spent.get(seat, [])) for seat in range(seats)
        ]
        self.running: int | None = None
        self._since = 0.0

    def start(self, seat: int, now: float) -> None:
        """Let a seat's clock run from ``now`` on (in seconds), unless it runs already."""
        if self.running != seat:
            self.stop()
            self.running, self._since = seat, now

    def stop(self) -> None:
        """Stop the clock without charging anything: it was not that seat that acted."""
        self.running = None

    def took(self, seat: int, now: float) -> int:
        """The milliseconds that an action of a seat takes if it is done now."""
        return min(self.left[seat], self._taken(now)) if self.running == seat else 0

    def of_taking_back(self) -> int:
        """What taking an action back is charged as: twice the increment, which is given for it and was given before."""
        return 2 * self._increment

    def of_running_out(self, seat: int) -> int:
        """What an event of a seat whose time is up is charged as: all that is left, so that nothing is."""
        return self.left[seat] + self._increment

    def charge(self, seat: int, took: int | None) -> None:
        """Charge a seat for an event that was stored, and give it the increment; ``None``: it has no clock."""
        if took is not None:
            self.left[seat] += self._increment - took
            self.stop()

    def seconds_left(self, seat: int, now: float) -> float:
        """How long the seat has left."""
        return (self.left[seat] - (self._taken(now) if self.running == seat else 0)) / SECOND

    def told(self, now: float) -> ClocksTold:
        """Milliseconds left to every seat now, and the seat whose clock runs."""
        left = [max(0, round(self.seconds_left(seat, now) * SECOND)) for seat in range(len(self.left))]
        return ClocksTold(left, self.running)

    def _taken(self, now: float) -> int:
        return max(0, round((now - self._since) * SECOND))
