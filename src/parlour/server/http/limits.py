"""Rate limits, for each connection and for each address."""

import ipaddress
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from parlour.engine.errors import ParlourError
from parlour.server.http.shared_counters import Ledger


@dataclass(frozen=True)
class Rate:
    """``burst`` at once, and ``each_second`` more for every second that passes."""

    each_second: float
    burst: float

    def times(self, factor: float) -> "Rate":
        """This rate multiplied."""
        return Rate(self.each_second * factor, self.burst * factor)

    def draw(self, left: float, seconds: float) -> tuple[float, int]:
        """Take one token from a bucket that held ``left`` tokens ``seconds`` ago.

        Returns its tokens now, and the seconds until there will be one (0 if one was taken).
        """
        left = min(self.burst, left + seconds * self.each_second)
        if left < 1:
            return left, max(1, math.ceil((1 - left) / self.each_second))
        return left - 1, 0

    def use_up(self, number: int, left: float, seconds: float) -> tuple[float, int]:
        """Take so many tokens, or all there are, from a bucket that held ``left`` tokens ``seconds`` ago.

        Returns its tokens now, and 0.
        """
        return max(0.0, min(self.burst, left + seconds * self.each_second) - number), 0


CONNECTION_MESSAGES = Rate(20, 100)
"""What one connection may say."""
ADDRESS_RATES: Mapping[str, Rate] = {
    "arrivals": Rate(60, 1200),
    "messages": Rate(100, 1000),
    "requests": Rate(30, 600),
    "connections": Rate(2, 100),
    "tables": Rate(0.2, 30),
    "seats": Rate(0.5, 30),
    "replays": Rate(2, 60),
    "links": Rate(1, 30),
}
"""What all of one address may do together; behind one address there may be a school."""
LISTED_AT_ONCE = 3
"""Tables with an open seat that one address may have in the lobby."""


class RefusedError(ParlourError):
    """Not now: ``wait`` says after how many whole seconds to come again, ``status`` is that of the HTTP answer."""

    status = 503

    def __init__(self, why: str, wait: int) -> None:
        super().__init__(f"{why}: try again in {wait} {'second' if wait == 1 else 'seconds'}")
        self.wait = wait


class LimitError(RefusedError):
    """Too much from one address."""

    status = 429

    def __init__(self, what: str, wait: int) -> None:
        super().__init__(f"too many {what}", wait)


class Bucket:
    """A token bucket: filled to the brim at first, each use takes one out."""

    __slots__ = ("_left", "_rate", "_when")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left = float(rate.burst)
        self._when = time.monotonic()

    def take(self) -> int:
        """Use it once; 0 if that may be, otherwise after how many seconds it may."""
        now = time.monotonic()
        self._left, wait = self._rate.draw(self._left, now - self._when)
        self._when = now
        return wait


class Counting(Protocol):
    """Whoever is told of each use."""

    def count(self, what: str, household: str) -> None:
        """Something was done."""


class Limits:
    """What each address may do and has used up, which stands in a ledger. ``None`` as rates means no limits.

    Attributes:
        on: whether there are any.
        listed: how many tables with an open seat one address may have in the lobby.
        rates: by their names.
        tally: is told of each use, if it is there.
    """

    def __init__(
        self, rates: Mapping[str, Rate] | None = ADDRESS_RATES, ledger: Ledger | None = None, factor: float = 1
    ) -> None:
        self.on = rates is not None
        self.listed = max(1, round(LISTED_AT_ONCE * factor))
        self.rates = {what: rate.times(factor) for what, rate in (rates or {}).items()}
        self.tally: Counting | None = None
        self._ledger = ledger or Ledger()

    def take(self, what: str, address: str) -> None:
        """Count a use. Raises :class:`LimitError`."""
        rate = self.rates.get(what)
        if rate is None:
            return
        name = household(address)
        if wait := self._ledger.take(f"{what} {name}", rate):
            raise LimitError(what, wait)
        if self.tally is not None:
            self.tally.count(what, name)

    def use_up(self, what: str, household: str, number: int) -> None:
        """Take what was used somewhere else."""
        rate = self.rates.get(what)
        if rate is not None:
            self._ledger.use_up(f"{what} {household}", rate, number)


def household(address: str) -> str:
    """What counts as one address: of an IPv6 address the first 64 bits, for a household has as many as it likes."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        mapped = parsed.ipv4_mapped  # as a socket that listens to both kinds writes an IPv4 address
        return str(mapped or ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
