"""Rate limits of each connection and each address, and the unit of an address that limits count."""

import ipaddress
import logging
import time
from collections.abc import Mapping
from typing import Protocol

from parlour.engine.errors import ParlourError
from parlour.languages import deferred, gettext, ngettext
from parlour.server.http.access.rate import Rate
from parlour.server.http.access.shared_counters import SharedCounters
from parlour.server.logs import note

CONNECTION_MESSAGES = Rate(20, 100)
"""Rate limit of one connection's messages."""
ADDRESS_RATES: Mapping[str, Rate] = {
    "arrivals": Rate(60, 1200),
    "messages": Rate(100, 1000),
    "requests": Rate(30, 600),
    "files": Rate(200, 6000),
    "connections": Rate(2, 100),
    "tables": Rate(0.2, 30),
    "seats": Rate(0.5, 30),
    "joins": Rate(2, 100),
    "replays": Rate(2, 60),
    "links": Rate(1, 30),
}
"""Rate limits of one address. There may be a school class behind an address.

``files`` counts requests for the page's files, all others are ``requests``: a first visit with a game needs some 130
files, which the server has in memory.
"""
_TOO_MANY = {
    "arrivals": deferred("too many arrivals"),
    "messages": deferred("too many messages"),
    "requests": deferred("too many requests"),
    "files": deferred("too many requests"),
    "connections": deferred("too many connections"),
    "tables": deferred("too many tables"),
    "seats": deferred("too many seats"),
    "joins": deferred("too many players are joining at once"),
    "replays": deferred("too many replays"),
    "links": deferred("too many links"),
}
LISTED_AT_ONCE = 3
"""Maximum number of tables in the lobby for one address."""
LOG_SECONDS = 60.0
"""Seconds between two log lines about refusals by the same limit."""
SPECTATORS_AT_ONCE = 20
"""Maximum number of connections of one address to one table without a seat; each receives every scene."""


class RefusedError(ParlourError):
    """A refusal for now: ``wait`` is the seconds until the next attempt, ``status`` that of the HTTP response."""

    status = 503

    def __init__(self, why: str, wait: int) -> None:
        again = ngettext("try again in {number} second", "try again in {number} seconds", wait)
        super().__init__(f"{why}: {again}")
        self.wait = wait


class LimitError(RefusedError):
    """An address has reached a rate limit, or its maximum number of connections."""

    status = 429

    def __init__(self, what: str, wait: int) -> None:
        super().__init__(gettext(_TOO_MANY[what]), wait)


class Bucket:
    """A token bucket, full at first; each use takes one token."""

    __slots__ = ("_left", "_rate", "_when")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left = float(rate.burst)
        self._when = time.monotonic()

    def take(self) -> int:
        """Take a token. Return 0, or the seconds until there is one."""
        now = time.monotonic()
        self._left, wait = self._rate.draw(1, self._left, now - self._when)
        self._when = now
        return wait


class UseCounter(Protocol):
    """A counter of uses."""

    def count(self, what: str, network: str, number: int) -> None:
        """Count uses of a limit by an address."""


class Limits:
    """The rate limits of addresses, with their shared counters. ``None`` as rates means no limits.

    Attributes:
        on: whether there are limits.
        listed: the maximum number of tables in the lobby for one address.
        spectators: the maximum number of connections of one address to one table without a seat; ``None`` is no limit.
        rates: the rates by name.
        tally: a counter of all uses, if any.
    """

    def __init__(
        self,
        rates: Mapping[str, Rate] | None = ADDRESS_RATES,
        counters: SharedCounters | None = None,
        factor: float = 1,
    ) -> None:
        self.on = rates is not None
        self.listed = max(1, round(LISTED_AT_ONCE * factor))
        self.spectators = max(1, round(SPECTATORS_AT_ONCE * factor)) if self.on else None
        self.rates = {what: rate.times(factor) for what, rate in (rates or {}).items()}
        self.tally: UseCounter | None = None
        self._counters = counters or SharedCounters()
        self._logged: dict[str, float] = {}  # the time of the latest log line by limit

    def take(self, what: str, address: str, number: int = 1) -> None:
        """Count a use as ``number`` uses (:meth:`Rate.bounded`). Raises :class:`LimitError`."""
        rate = self.rates.get(what)
        if rate is None:
            return
        name, number = network_of(address), rate.bounded(number)
        if wait := self._counters.take(f"{what} {name}", rate, number):
            raise self._refusal(what, wait)
        if self.tally is not None:
            self.tally.count(what, name, number)

    def check(self, what: str, address: str) -> None:
        """Raise :class:`LimitError` if no use is left, and count none."""
        rate = self.rates.get(what)
        if rate is not None and (wait := self._counters.look(f"{what} {network_of(address)}", rate)):
            raise self._refusal(what, wait)

    def _refusal(self, what: str, wait: int) -> LimitError:
        """Return the refusal by a limit, and log it, once a minute for each limit: the log has no addresses."""
        now = time.monotonic()
        if now - self._logged.get(what, -LOG_SECONDS) >= LOG_SECONDS:
            self._logged[what] = now
            note("an address is over a limit: if it is a school, see --limits-factor", logging.WARNING, limit=what)
        return LimitError(what, wait)

    def use_up(self, what: str, network: str, number: int) -> None:
        """Count uses at another server."""
        rate = self.rates.get(what)
        if rate is not None:
            self._counters.use_up(f"{what} {network}", rate, number)


def network_of(address: str) -> str:
    """Return the unit that limits count: an IPv4 address, or the first 64 bits of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        mapped = parsed.ipv4_mapped  # an IPv4 address on a socket for both kinds
        return str(mapped or ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
