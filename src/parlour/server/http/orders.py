"""The execution of orders in a process: changed tables, ended rounds, rematches, changed players of seats, and bans."""

import asyncio
from collections import Counter

from parlour.server.http.access.bans import Bans
from parlour.server.http.reports.reviews import Reviews
from parlour.server.logs import note, note_failure
from parlour.server.store.database import StoreError
from parlour.server.store.moderation import BAN, UNBAN, bans_of
from parlour.server.store.orders import REMATCH_SEAT, Order, last_order, orders_after
from parlour.server.store.people.clubs import ROUND_CLOSED
from parlour.server.store.people.players import LINKS
from parlour.server.store.store import Store
from parlour.server.table.rooms import Rooms

POLL_SECONDS = 1.0
"""Seconds between two reads of the orders."""


class Orders:
    """The orders (:mod:`parlour.server.store.orders`) that one process carries out.

    Args:
        store: the database with the orders.
        rooms: the tables of this process.
        reviews: the reviews of this process.
        bans: the bans of this process.
        logged: whether this process logs the orders; one process of a server does.
    """

    def __init__(self, store: Store, rooms: Rooms, reviews: Reviews, bans: Bans, logged: bool = True) -> None:
        self._store, self._rooms, self._reviews, self._bans = store, rooms, reviews, bans
        self._logged = logged
        self._last: int | None = None
        self._bans_known = False

    async def poll(self) -> None:
        """Carry out new orders.

        The first poll, before any table is in memory, only reads the bans and the number of the newest order. If it
        fails, tables may be in memory before the next one, which therefore carries out all orders of the past day.
        """
        try:
            await self._poll()
        except StoreError:  # the orders are read later
            self._last = self._last or 0
        except Exception as error:
            self._last = self._last or 0
            note_failure("an order could not be carried out", error)

    async def run(self) -> None:
        """Poll regularly."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            await self.poll()

    async def _poll(self) -> None:
        if self._last is None:
            last = await self._store.run(self._store.read, last_order)
            await self._read_bans()
            self._last = last
            return
        orders = await self._store.run(self._store.read, orders_after, self._last)
        if not self._bans_known or any(order.what in (BAN, UNBAN) for order in orders):
            await self._read_bans()
        for order in orders:
            before, self._last = self._last, order.number
            try:
                await self._carry_out(order)
            except StoreError:  # the next poll tries again
                self._last = before
                raise
        if self._logged:
            for what, number in Counter(order.what for order in orders).items():
                note("order carried out", order=what, number=number)

    async def _carry_out(self, order: Order) -> None:
        if order.what == LINKS:
            await self._rooms.renew_players(order.table_id)
        elif order.what == ROUND_CLOSED:
            await self._rooms.unseal(order.table_id)
        elif order.what == REMATCH_SEAT:
            await self._rooms.renew_rematch(order.table_id)
        elif order.table_id:
            self._reviews.discard(order.table_id)
            await self._rooms.renew(order.table_id)

    async def _read_bans(self) -> None:
        self._bans.set(await self._store.run(self._store.read, bans_of))
        self._bans_known = True
