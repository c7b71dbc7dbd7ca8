"""How much may be asked of the server: so much a second, for each connection and for each address."""

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from parlour.engine.errors import ParlourError

ADDRESSES_KEPT = 20_000
"""So many times it is remembered what an address has used up of something; beyond it the oldest is forgotten."""


@dataclass(frozen=True)
class Rate:
    """``burst`` at once, and ``each_second`` more for every second that passes."""

    each_second: float
    burst: int


CONNECTION_MESSAGES = Rate(20, 100)
"""What one connection may say."""
ADDRESS_RATES: Mapping[str, Rate] = {
    "messages": Rate(100, 1000),
    "requests": Rate(30, 600),
    "connections": Rate(2, 100),
    "tables": Rate(0.2, 30),
    "seats": Rate(0.5, 30),
    "replays": Rate(2, 60),
}
"""What all of one address may do together; behind one address there may be a school."""


class LimitError(ParlourError):
    """Too much in too short a time; ``wait`` says after how many whole seconds to come again."""

    def __init__(self, what: str, wait: int) -> None:
        super().__init__(f"too many {what}: try again in {wait} {'second' if wait == 1 else 'seconds'}")
        self.wait = wait


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
        self._left = min(self._rate.burst, self._left + (now - self._when) * self._rate.each_second)
        self._when = now
        if self._left < 1:
            return max(1, math.ceil((1 - self._left) / self._rate.each_second))
        self._left -= 1
        return 0


class Limits:
    """What each address has used up. ``workers`` share what an address may do; ``None`` as rates means no limits."""

    def __init__(self, rates: Mapping[str, Rate] | None = ADDRESS_RATES, workers: int = 1) -> None:
        self.on = rates is not None
        self._rates = {what: Rate(rate.each_second / workers, rate.burst) for what, rate in (rates or {}).items()}
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()

    def take(self, what: str, address: str) -> None:
        """Count a use. Raises :class:`LimitError`."""
        if what not in self._rates:
            return
        key = what, household(address)
        bucket = self._buckets.pop(key, None) or Bucket(self._rates[what])
        self._buckets[key] = bucket  # the last used stands last
        if len(self._buckets) > ADDRESSES_KEPT:
            self._buckets.popitem(last=False)
        if wait := bucket.take():
            raise LimitError(what, wait)


def household(address: str) -> str:
    """What counts as one address: of an IPv6 address the first 64 bits, for a household has as many as it likes."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(parsed) if parsed.version == 4 else str(ipaddress.ip_network((parsed, 64), strict=False))
