"""What an address does at several servers counts at each of them, a moment later.

Servers on one database tell each other who has done much, by notices of PostgreSQL, and draw what they are told from
the limits here. Addresses are personal data: they stand in no table, a notice is gone when it has been heard, and what
is too little to be told is forgotten after a minute.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from parlour.server.http.connection_slots import Places
from parlour.server.http.limits import Limits, Rate
from parlour.server.store.database import StoreError
from parlour.server.store.store import Store
from parlour.server.table.shares import WHOLE, Share

USED, HELD = "used", "held"
"""The first words of the notices: what was used up since the one before, and how many connections are open now."""
TELL_SECONDS = 1.0
_PART = 10
"""A use of a limit is told when it has come to such a part of what is allowed at once."""
_FORGET_SECONDS = 60.0
_HELD_SECONDS = 4 * TELL_SECONDS
"""For so long it is believed how many connections an address has elsewhere."""
_MOST = 20_000
"""Maximum number of uses that are counted; beyond it counting begins anew."""
_IN_A_NOTICE = 100
"""PostgreSQL carries 8,000 bytes at once."""
_ADDRESS = re.compile(r"[0-9a-f.:]+(/64)?")


class Tally:
    """What addresses have used up since it was last told, and how many of each of the limits make it worth telling."""

    def __init__(self, rates: Mapping[str, Rate]) -> None:
        self._worth = {what: max(1.0, rate.burst / _PART) for what, rate in rates.items()}
        self._used: Counter[tuple[str, str]] = Counter()
        self._since: dict[tuple[str, str], float] = {}

    def count(self, what: str, household: str) -> None:
        """Count a use."""
        if len(self._used) >= _MOST:
            self._used.clear()
            self._since.clear()
        self._used[what, household] += 1
        self._since.setdefault((what, household), time.monotonic())

    def worth_telling(self) -> Iterator[tuple[str, str, int]]:
        """Limit, household and number of all that has come to much; it, and what is old, is not counted any more."""
        now = time.monotonic()
        for (what, household), number in list(self._used.items()):
            much = number >= self._worth[what]
            if much or now - self._since[what, household] > _FORGET_SECONDS:
                del self._used[what, household], self._since[what, household]
            if much:
                yield what, household, number


class Sharing:
    """What this process tells other servers of addresses, and what it has heard of them.

    Args:
        limits: to what an address may do here.
        places: the connections here.
        server: what the processes of this server have in common: they count together anyway.
        share: which of them this is; the first draws what is heard, for all.
    """

    def __init__(self, limits: Limits, places: Places, server: str, share: Share = WHOLE) -> None:
        self._limits, self._places = limits, places
        self._server, self._share = server, share
        self._elsewhere: dict[str, tuple[float, dict[str, int]]] = {}
        places.elsewhere = self.held_elsewhere

    async def tell(self, store: Store) -> None:
        """Tell other servers again and again, if there can be any."""
        if not (store.ownership.shared and self._limits.on):
            return
        tally = self._limits.tally = Tally(self._limits.rates)
        while True:
            await asyncio.sleep(TELL_SECONDS)
            with suppress(StoreError):  # what cannot be told now is of no use later
                await self._tell(store, USED, tally.worth_telling())
                own = self._places.most_held(_PART * self._share.workers, _IN_A_NOTICE)
                await self._tell(store, f"{HELD} {store.ownership.id}", own)

    async def _tell(self, store: Store, first: str, rows: Iterable[tuple[str | int, ...]]) -> None:
        """Tell one row a word; those who are no addresses, but what a proxy takes for some, are passed over."""
        words = [",".join(map(str, row)) for row in rows if _ADDRESS.fullmatch(str(row[-2]))]
        for start in range(0, len(words), _IN_A_NOTICE):
            some = " ".join(words[start : start + _IN_A_NOTICE])
            await store.run(store.ownership.tell, f"{first} {self._server} {some}")

    def hear(self, words: Sequence[str]) -> None:
        """Hear what a process tells."""
        with suppress(ValueError):  # another version may tell it in other words
            match words:
                case [kind, server, *rows] if kind == USED and server != self._server and self._share.number == 0:
                    for what, household, number in (row.split(",") for row in rows):
                        self._limits.use_up(what, household, int(number))
                case [kind, instance, server, *rows] if kind == HELD and server != self._server:
                    held = (row.split(",") for row in rows)
                    self._elsewhere[instance] = time.monotonic(), {name: int(number) for name, number in held}

    def held_elsewhere(self, household: str) -> int:
        """How many connections an address has at other servers, as far as that was heard lately."""
        now = time.monotonic()
        for instance in [each for each, (heard, _) in self._elsewhere.items() if now - heard > _HELD_SECONDS]:
            del self._elsewhere[instance]
        return sum(counted.get(household, 0) for _, counted in self._elsewhere.values())
