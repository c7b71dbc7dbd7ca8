"""The clocks of a table: the milliseconds left to each seat. The caller passes in the current time, in seconds."""

from collections.abc import Mapping

from parlour.server.table.messages import ClocksInfo

SECOND = 1000
RETURN_SECONDS = 30
"""Minimum time, in seconds, of a player who returns to a seat that a stand-in has played."""


class Clocks:
    """One clock for each seat.

    Attributes:
        left: milliseconds left to each seat at the beginning of the current turn.
        running: the seat whose clock runs, or ``None``.
    """

    def __init__(self, seats: int, seconds: int, increment: int, charges: Mapping[int, list[int]]) -> None:
        """Give each seat ``seconds``, and ``increment`` seconds more for each action.

        ``charges`` are the milliseconds charged for the stored events of each seat.
        """
        self._increment = increment * SECOND
        self._return = min(RETURN_SECONDS, seconds) * SECOND
        self.left = [
            seconds * SECOND + sum(self._increment - charge for charge in charges.get(seat, []))
            for seat in range(seats)
        ]
        self.running: int | None = None
        self._turn: int | None = None
        self._elapsed = 0  # milliseconds of this turn until the clock last stopped
        self._since = 0.0

    def start(self, seat: int, now: float) -> None:
        """Let a seat's clock run from ``now`` on, in seconds, unless it runs already.

        The clock goes on from where it stopped in the same turn.
        """
        if self.running == seat:
            return
        if self._turn != seat:
            self._turn, self._elapsed = seat, 0
        self.running, self._since = seat, now

    def stop(self, now: float) -> None:
        """Stop the clock within a turn. The time that the turn has taken so far is kept."""
        if self.running is not None:
            self._elapsed = self._turn_milliseconds(self.running, now)
            self.running = None

    def action_charge(self, seat: int, now: float) -> int:
        """Return the charge for an action of a seat now: the milliseconds of the current turn, or all that are left."""
        return min(self.left[seat], self._turn_milliseconds(seat, now))

    def undo_charge(self) -> int:
        """Return the charge for an undo: the increments of the action and of the undo."""
        return 2 * self._increment

    def timeout_charge(self, seat: int) -> int:
        """Return the charge for an event of a seat whose time is up: all that is left, and the increment."""
        return self.left[seat] + self._increment

    def stand_in_charge(self, seat: int, now: float) -> int | None:
        """Return the charge for an event that a bot decides for a disconnected player; ``None`` for no change.

        The player is charged until the clock stopped, gets no increment, and keeps at least ``RETURN_SECONDS``, or the
        initial time if that is less. So the charge may be negative.
        """
        charge = self.left[seat] - max(self.left[seat] - self.action_charge(seat, now), self._return)
        return charge + self._increment if charge else None

    def charge(self, seat: int, charge: int | None) -> None:
        """End the turn: charge a seat for a stored event, and add the increment; ``None``: the time stays as it is."""
        if charge is not None:
            self.left[seat] += self._increment - charge
        self.running = self._turn = None

    def seconds_left(self, seat: int, now: float) -> float:
        """Return the seconds left to a seat."""
        return (self.left[seat] - self._turn_milliseconds(seat, now)) / SECOND

    def info(self, now: float) -> ClocksInfo:
        """Return the milliseconds left to every seat now, and the seat whose clock runs."""
        left = [max(0, round(self.seconds_left(seat, now) * SECOND)) for seat in range(len(self.left))]
        return ClocksInfo(left, self.running)

    def _turn_milliseconds(self, seat: int, now: float) -> int:
        """Return the milliseconds that the current turn has taken of a seat's time."""
        if seat != self._turn:
            return 0
        return self._elapsed + (max(0, round((now - self._since) * SECOND)) if self.running == seat else 0)
