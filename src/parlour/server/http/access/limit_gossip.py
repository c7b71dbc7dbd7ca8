"""Gossip about limits: the use of a limit at one server counts at the other servers, a moment later.

Servers on one database exchange notices of PostgreSQL about addresses with much use. Addresses are personal data: no
database table has them except that of bans, a notice disappears when it is delivered, and small counts are deleted
after a minute.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from parlour.server.http.access.connection_slots import ConnectionSlots
from parlour.server.http.access.limits import Limits
from parlour.server.http.access.rate import Rate
from parlour.server.store.database import StoreError
from parlour.server.store.store import Store
from parlour.server.table.shares import WHOLE, Share

USED, HELD = "used", "held"
"""First words of the notices on uses since the last notice, and on open connections."""
GOSSIP_SECONDS = 1.0
"""Seconds between two notices."""
_PART = 10
"""Divisor of a limit: a count is sent when it is at least a tenth of the burst or of the maximum of connections."""
_EXPIRY_SECONDS = 60.0
"""Seconds after which a small count is deleted."""
_HELD_SECONDS = 4 * GOSSIP_SECONDS
"""Seconds for which a notice on open connections is valid."""
_MAXIMUM_COUNTS = 20_000
"""Maximum number of counts; beyond it all are deleted."""
_NOTICE_ROWS = 100
"""Maximum number of rows in a notice, which may have 8,000 bytes."""
_ADDRESS = re.compile(r"[0-9a-f.:]+(/64)?")


class UseTally:
    """The uses of limits by addresses since the last notice."""

    def __init__(self, rates: Mapping[str, Rate]) -> None:
        self._thresholds = {what: max(1.0, rate.burst / _PART) for what, rate in rates.items()}
        self._used: Counter[tuple[str, str]] = Counter()
        self._since: dict[tuple[str, str], float] = {}

    def count(self, what: str, network: str, number: int) -> None:
        """Count uses."""
        if len(self._used) >= _MAXIMUM_COUNTS:
            self._used.clear()
            self._since.clear()
        self._used[what, network] += number
        self._since.setdefault((what, network), time.monotonic())

    def pop_large(self) -> Iterator[tuple[str, str, int]]:
        """Remove the large and the expired counts. Yield the limit, the address and the number of each large one."""
        now = time.monotonic()
        for (what, network), number in list(self._used.items()):
            is_large = number >= self._thresholds[what]
            if is_large or now - self._since[what, network] > _EXPIRY_SECONDS:
                del self._used[what, network], self._since[what, network]
            if is_large:
                yield what, network, number


class LimitGossip:
    """The exchange of notices on limits between this process and other servers.

    Args:
        limits: the limits here.
        slots: the connections here.
        server: the id of this server, whose processes share their counters.
        share: the share of this process; the first process counts the received uses for all.
    """

    def __init__(self, limits: Limits, slots: ConnectionSlots, server: str, share: Share = WHOLE) -> None:
        self._limits, self._slots = limits, slots
        self._server, self._share = server, share
        self._elsewhere: dict[str, tuple[float, dict[str, int]]] = {}
        slots.count_elsewhere = self.count_elsewhere

    async def run(self, store: Store) -> None:
        """Send notices regularly, if other servers can use the database."""
        if not (store.ownership.shared and self._limits.on):
            return
        tally = self._limits.tally = UseTally(self._limits.rates)
        while True:
            await asyncio.sleep(GOSSIP_SECONDS)
            with suppress(StoreError):  # a notice that is sent later would be useless
                await self._send(store, USED, tally.pop_large())
                own = self._slots.largest_holders(_PART * self._share.workers, _NOTICE_ROWS)
                await self._send(store, f"{HELD} {store.ownership.id}", own)

    async def _send(self, store: Store, first: str, rows: Iterable[tuple[str | int, ...]]) -> None:
        """Send rows in notices, one word for each row. A row with an invalid address, from a proxy, is left out."""
        words = [",".join(map(str, row)) for row in rows if _ADDRESS.fullmatch(str(row[-2]))]
        for start in range(0, len(words), _NOTICE_ROWS):
            some = " ".join(words[start : start + _NOTICE_ROWS])
            await store.run(store.ownership.notify, f"{first} {self._server} {some}")

    def receive(self, words: Sequence[str]) -> None:
        """Apply a notice of another server; those of this server's own processes have no effect."""
        with suppress(ValueError):  # from another version of Parlour
            match words:
                case [kind, server, *rows] if kind == USED and server != self._server and self._share.number == 0:
                    for what, network, number in (row.split(",") for row in rows):
                        self._limits.use_up(what, network, int(number))
                case [kind, instance, server, *rows] if kind == HELD and server != self._server:
                    held = (row.split(",") for row in rows)
                    self._elsewhere[instance] = time.monotonic(), {name: int(number) for name, number in held}

    def count_elsewhere(self, network: str) -> int:
        """Return the number of connections of a network at other servers, from the notices that are still valid."""
        now = time.monotonic()
        for instance in [each for each, (received, _) in self._elsewhere.items() if now - received > _HELD_SECONDS]:
            del self._elsewhere[instance]
        return sum(numbers.get(network, 0) for _, numbers in self._elsewhere.values())
