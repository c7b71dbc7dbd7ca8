"""Requests for a bot's seat in a running game: all players have to agree; one request is open at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from parlour.engine.errors import ParlourError
from parlour.languages import deferred, gettext
from parlour.server.store.stored_table import StoredSeat
from parlour.server.table.people.presence import NEVER
from parlour.server.table.table_setup import Manners

ASKED_SECONDS = 60.0
"""Seconds until a request lapses, and until the next one is possible."""
BOTS_STAY = deferred("Bots keep their seats at this table.")
ALONE = deferred("A bot keeps its seat while fewer than two people play: nobody could vouch for whoever asks.")
NOBODY_TO_ASK = deferred(
    "A bot's seat may be taken only while at least two players are present to agree. Try again later."
)
NO_KEY = deferred("A bot's seat must be asked for more than once: send a key of your own with the request.")
DENIED = deferred("Somebody who plays here would rather have the bot keep its seat.")
ASKED_ALREADY = deferred("Somebody has just asked for a seat here: try again in a minute.")


class SeatError(ParlourError):
    """The seat is not available."""


def gives_bots_seats(manners: Manners, seats: Mapping[int, StoredSeat]) -> bool:
    """Return whether bots' seats can be requested: the table allows it, and two people or more play."""
    return manners.take_over and sum(seat.bot is None for seat in seats.values()) > 1


@dataclass(frozen=True)
class SeatApplication:
    """A person's application for a seat.

    Attributes:
        seat: the number of the seat.
        name: the person's name.
        key: the key that opens the seat afterwards.
        own_key: whether the client made the key, so that it can repeat the application.
        request: the id under which the players are asked, if they have to agree.
    """

    seat: int
    name: str
    key: str = field(repr=False)
    own_key: bool
    request: str


@dataclass(frozen=True)
class SeatRequest:
    """A pending request for a bot's seat; it lapses at the time ``until``, in seconds."""

    id: str
    seat: int
    name: str
    key_hash: str
    until: float
    agreed: frozenset[int] = frozenset()


@dataclass
class SeatRequests:
    """The requests at a table. The caller passes in the current time, in seconds from any origin.

    Attributes:
        open: the pending request, if any.
    """

    open: SeatRequest | None = None
    _quiet_until: float = NEVER
    _denied: set[str] = field(default_factory=set)

    def refusal(self, seat: int, key_hash: str, now: float) -> str:
        """Return the reason why the holder of a key may not request a seat now; empty if there is none."""
        if key_hash in self._denied:
            return gettext(DENIED)
        request = self.current(now)
        same = request is not None and (request.key_hash, request.seat) == (key_hash, seat)
        return gettext(ASKED_ALREADY) if not same and now < self._quiet_until else ""

    def current(self, now: float) -> SeatRequest | None:
        """Return the pending request, unless it has lapsed."""
        return self.open if self.open and now < self.open.until else None

    def ask(self, request: SeatRequest) -> None:
        """Make a request the pending one."""
        self.open = request
        self._quiet_until = request.until

    def agree(self, seat: int) -> None:
        """Record the agreement of a seat."""
        if self.open:
            self.open = replace(self.open, agreed=self.open.agreed | {seat})

    def deny(self) -> None:
        """Close the pending request, and refuse further ones with its key."""
        if self.open:
            self._denied.add(self.open.key_hash)
        self.open = None
