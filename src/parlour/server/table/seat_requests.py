"""Asking for a bot's seat while the game runs: those who play have to agree, one request at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from parlour.engine.errors import ParlourError
from parlour.server.store.store import StoredSeat
from parlour.server.table.presence import NEVER
from parlour.server.table.table_setup import Manners

ASKED_SECONDS = 60.0
"""Seconds those who play are asked whether somebody may have a bot's seat, and at least until the next one asks."""
BOTS_STAY = "At this table bots keep their seats: so it was opened."
ALONE = "A bot keeps its seat while fewer than two people play: nobody could vouch for whoever asks."
NOBODY_TO_ASK = (
    "A bot's seat may be taken only while two of those who play, or more, are there to agree. Try again later."
)
NO_KEY = "A bot's seat must be asked for more than once: send a key of your own with the request."
DENIED = "Somebody who plays here would rather have the bot keep its seat."
ASKED_ALREADY = "Somebody has just asked for a seat here: try again in a minute."


class SeatError(ParlourError):
    """The seat cannot be had."""


def gives_bots_seats(manners: Manners, seats: Mapping[int, StoredSeat]) -> bool:
    """Whether a bot's seat may be asked for: so the table was opened, and two people or more play."""
    return manners.take_over and sum(seat.bot is None for seat in seats.values()) > 1


@dataclass(frozen=True)
class SeatRequest:
    """Somebody would like to have a bot's seat; until a time (in seconds) those who play may agree."""

    id: str
    seat: int
    name: str
    key_hash: str
    until: float
    agreed: frozenset[int] = frozenset()


@dataclass
class SeatRequests:
    """The requests at a table. It is told the time (in seconds, from any beginning), and never asks for it.

    Attributes:
        open: the one to be answered, if any.
    """

    open: SeatRequest | None = None
    _quiet_until: float = NEVER
    _denied: set[str] = field(default_factory=set)

    def refusal(self, seat: int, key_hash: str, now: float) -> str:
        """Why whoever has this key may not ask for this seat now, or nothing."""
        if key_hash in self._denied:
            return DENIED
        request = self.current(now)
        same = request is not None and (request.key_hash, request.seat) == (key_hash, seat)
        return ASKED_ALREADY if not same and now < self._quiet_until else ""

    def current(self, now: float) -> SeatRequest | None:
        """The request to be answered, unless it was made too long ago."""
        return self.open if self.open and now < self.open.until else None

    def ask(self, request: SeatRequest) -> None:
        """Ask those who play."""
        self.open = request
        self._quiet_until = request.until

    def agree(self, seat: int) -> None:
        """A seat agrees."""
        if self.open:
            self.open = replace(self.open, agreed=self.open.agreed | {seat})

    def deny(self) -> None:
        """Somebody does not agree; whoever asked need not ask again."""
        if self.open:
            self._denied.add(self.open.key_hash)
        self.open = None
