"""Limits to open connections, of one address and in all; beyond them the oldest idle one is closed."""

import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Mapping
from http import HTTPStatus
from typing import Any

from parlour.server.http.limits import LimitError, Limits, RefusedError, household
from parlour.server.http.shared_counters import CONNECTIONS, Ledger
from parlour.server.metrics import metrics

ADDRESS_CONNECTIONS = 500
"""Maximum number of open connections of one address, in all processes together."""
PLACE = "parlour.place"
"""The extension by which a WebSocket's scope tells its place."""
LINE_SECONDS = 5.0
"""Seconds until the first line of a connection's first request must be there."""
_AGAIN_SECONDS = 10


class FullError(RefusedError):
    """All places are taken by connections that are in use."""

    def __init__(self) -> None:
        super().__init__("the room is full", _AGAIN_SECONDS)


class Place:
    """An open connection's: idle until it is said to be in use.

    Attributes:
        drop: ends the connection, for somebody else's sake.
    """

    __slots__ = ("_household", "_places", "_slot", "drop")

    def __init__(self, places: "Places", slot: int, drop: Callable[[], object]) -> None:
        self._places = places
        self._slot = slot
        self._household: str | None = None
        self.drop = drop

    def claim(self, address: str) -> None:
        """Say for whom it is, of one that came through a proxy. Raises :class:`LimitError`."""
        if self._household is None:
            self._places.claim(self, self._slot, address)
            self._household = household(address)
            self.rest()

    def rest(self) -> None:
        """It is idle from now on: of the idle ones it will be the last to go."""
        self._places.shelve(self, self._household)

    def work(self) -> None:
        """It is in use."""
        self._places.unshelve(self, self._household)

    def leave(self) -> None:
        """Give it back, once or more often."""
        self.work()
        self._places.give_back(self, self._slot, self._household)


def place_of(scope: Mapping[str, Any]) -> Place | None:
    """The place of a WebSocket's connection, if the server that speaks for it gives places."""
    place: Place | None = scope.get("extensions", {}).get(PLACE, {}).get("place")
    return place


class Places:
    """The places of one process.

    Args:
        each: maximum for one address, in all processes together; ``None`` is no limit.
        in_all: maximum for this process.
        ledger: where those of all processes are counted.
        process: this one's number there.

    Attributes:
        elsewhere: tells how many an address has at other servers.
    """

    def __init__(
        self, each: int | None = None, in_all: int = CONNECTIONS, ledger: Ledger | None = None, process: int = 0
    ) -> None:
        self._each = each
        self._ledger = ledger or Ledger()
        self._process = process
        self._ledger.clear(process)
        self._free = list(range(min(in_all, CONNECTIONS)))
        self._taken: set[Place] = set()
        self._idle: OrderedDict[Place, None] = OrderedDict()
        self._idle_of: dict[str, OrderedDict[Place, None]] = {}
        self._held: Counter[str] = Counter()
        self.elsewhere: Callable[[str], int] = lambda name: 0

    def __len__(self) -> int:
        return len(self._taken)

    def enter(self, address: str | None, drop: Callable[[], object]) -> Place:
        """A place for a connection; ``None`` as address if it is not known yet for whom it is.

        Raises:
            LimitError: the address has as many as it may, and all of them here are in use.
            FullError: all places are in use.
        """
        if address is not None:
            self._make_room_of(address)  # before anybody else's connection is ended
        if not self._free and not _drop_first(self._idle):
            raise FullError
        place = Place(self, self._free.pop(), drop)
        self._taken.add(place)
        place.rest()
        if address is not None:
            place.claim(address)
        return place

    def claim(self, place: Place, slot: int, address: str) -> None:
        """Count a place as an address's. Raises :class:`LimitError`."""
        self._make_room_of(address)
        self.unshelve(place, None)
        name = household(address)
        self._ledger.hold(self._process, slot, name)
        self._held[name] += 1

    def _make_room_of(self, address: str) -> None:
        name = household(address)
        full = self._each is not None and self._ledger.held(name) + self.elsewhere(name) >= self._each
        if full and not _drop_first(self._idle_of.get(name, OrderedDict())):
            raise LimitError("connections", _AGAIN_SECONDS)

    def shelve(self, place: Place, name: str | None) -> None:
        """Put a place last among those that are idle."""
        if place in self._taken:
            self.unshelve(place, name)
            self._idle[place] = None
            if name is not None:
                self._idle_of.setdefault(name, OrderedDict())[place] = None

    def unshelve(self, place: Place, name: str | None) -> None:
        """Take a place from those that are idle."""
        self._idle.pop(place, None)
        if name is not None and (own := self._idle_of.get(name)) is not None:
            own.pop(place, None)
            if not own:
                del self._idle_of[name]

    def give_back(self, place: Place, slot: int, name: str | None) -> None:
        """Count a place as free."""
        if place in self._taken:
            self._taken.remove(place)
            self._ledger.let_go(self._process, slot)
            self._free.append(slot)
            if name is not None:
                self._held[name] -= 1
                if not self._held[name]:
                    del self._held[name]

    def most_held(self, part: float, most: int) -> list[tuple[str, int]]:
        """The addresses that have a part of the places that one may have, those with the most first, and how many."""
        if self._each is None:
            return []
        return [(name, held) for name, held in self._held.most_common(most) if held >= self._each / part]


def _drop_first(idle: OrderedDict[Place, None]) -> bool:
    """End the connection that has been idle longest."""
    if not idle:
        return False
    place = next(iter(idle))
    place.leave()
    place.drop()
    metrics().turned_away.labels("idle").inc()
    return True


class Entrance:
    """Lets connections in, or not.

    Args:
        places: where they stay.
        limits: to how many may come.
        proxies: addresses from which others are spoken for.
    """

    def __init__(self, places: Places, limits: Limits, proxies: Collection[str] = ()) -> None:
        self._places = places
        self._limits = limits
        self._proxies = proxies

    def let_in(self, peer: str, drop: Callable[[], object], counted: bool = False) -> Place:
        """A place for a new connection, which ``drop`` would end. It may be ``counted`` as having come already.

        Raises:
            RefusedError: it is one too many.
        """
        try:
            if peer in self._proxies:
                return self._places.enter(None, drop)
            if not counted:
                self._limits.take("arrivals", peer)
            return self._places.enter(peer, drop)
        except RefusedError as error:
            metrics().turned_away.labels(_WHY[error.status]).inc()
            raise


_WHY = {429: "limit", 503: "full"}


def refusal(error: RefusedError) -> bytes:
    """What a connection is answered that is not let in, whatever it would have asked."""
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
