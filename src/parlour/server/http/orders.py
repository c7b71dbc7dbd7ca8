"""What commands change in the database takes effect here: tables that were changed, and addresses that are banned."""

import asyncio
from collections import Counter

from parlour.server.http.bans import Bans
from parlour.server.http.reviews import Reviews
from parlour.server.logs import note, note_failure
from parlour.server.store.database import StoreError
from parlour.server.store.moderation import BAN, UNBAN, bans_of
from parlour.server.store.orders import last_order, orders_after
from parlour.server.store.store import Store
from parlour.server.table.rooms import Rooms

LOOK_SECONDS = 1.0
"""Seconds between two looks at the database: a command takes effect after this time, at most."""


class Orders:
    """Carries out the orders of the operator in one process.

    Args:
        store: where they stand.
        rooms: the tables of this process.
        reviews: its reviews.
        bans: the addresses that it turns away.
        logged: whether it logs them; one process of a server does.
    """

    def __init__(self, store: Store, rooms: Rooms, reviews: Reviews, bans: Bans, logged: bool = True) -> None:
        self._store, self._rooms, self._reviews, self._bans = store, rooms, reviews, bans
        self._logged = logged
        self._last: int | None = None

    async def look(self) -> None:
        """Carry out what is new. A first look, before any table is in memory, finds only the bans."""
        try:
            await self._look()
        except StoreError:  # the orders are read later
            return
        except Exception as error:
            note_failure("an order could not be carried out", error)

    async def follow(self) -> None:
        """Look again and again."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.look()

    async def _look(self) -> None:
        if self._last is None:
            self._last = await self._store.run(self._store.read, last_order)
            self._bans.set(await self._store.run(self._store.read, bans_of))
            return
        orders = await self._store.run(self._store.read, orders_after, self._last)
        if any(order.what in (BAN, UNBAN) for order in orders):
            self._bans.set(await self._store.run(self._store.read, bans_of))
        for order in orders:
            self._last = order.number
            if order.table_id:
                self._reviews.forget(order.table_id)
                await self._rooms.renew(order.table_id)
        if self._logged:
            for what, number in Counter(order.what for order in orders).items():
                note("order carried out", order=what, number=number)
