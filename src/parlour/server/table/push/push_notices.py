"""The delivery of notices to subscribed browsers, and their subscriptions."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from urllib.parse import urlsplit

from parlour.engine.errors import ParlourError
from parlour.languages import LANGUAGES, SOURCE_LANGUAGE, gettext, in_language
from parlour.server.logs import note, note_failure
from parlour.server.metrics import metrics
from parlour.server.pending_tasks import PendingTasks
from parlour.server.store.database import StoreError
from parlour.server.store.people.subscriptions import (
    Subscription,
    room_push_key,
    subscribe,
    subscriptions_of,
    unsubscribe,
)
from parlour.server.store.store import Store
from parlour.server.table.people.seat_requests import SeatError
from parlour.server.table.push.notices import Delivery, Notice, NoticeSender
from parlour.server.table.push.settings import NO_PUSH, PushSettings
from parlour.server.table.state import TableState

GRACE_SECONDS = 10.0
"""Seconds after which a notice is sent to players who are still disconnected: a page that is loaded anew needs none."""
RETRY_SECONDS = (30.0, 120.0)
"""Seconds to the next attempts if a push service accepts nothing now."""
MOST_PENDING = 1000
"""Maximum number of pending notices of a process; further ones are dropped."""
_STOP_SECONDS = 3.0
"""Seconds for the pending notices when the server stops."""
_THREADS = 4
"""Maximum number of simultaneous calls of a push service, so that a slow one does not delay the others."""
_SENDER = "parlour.server.table.push.sender"
"""The module that needs an optional package. It is loaded in a thread, since that takes a second."""


class NoPushError(ParlourError):
    """The room sends no notices to closed pages."""


class PushNotices:
    """The notices of a server process to browsers whose page is closed, and their subscriptions.

    Attributes:
        grace: the seconds from a change to its notice.
        retries: the seconds to further attempts.
    """

    def __init__(self, store: Store, settings: PushSettings = NO_PUSH) -> None:
        self.grace = GRACE_SECONDS
        self.retries = RETRY_SECONDS
        self._store = store
        self._settings = settings
        self._sender: NoticeSender | None = None
        self._threads = ThreadPoolExecutor(_THREADS * len(settings.hosts), "push")
        self._calls = {service: asyncio.Semaphore(_THREADS) for service in settings.hosts}
        self._tasks = PendingTasks()
        self._pending = 0
        self._in_grace = 0
        self._stopping = asyncio.Event()
        self._stopped = False

    # Subscriptions

    async def public_key(self) -> str | None:
        """Return the key by which browsers subscribe; ``None`` if the room sends no such notices."""
        return (await self._make_sender()).public_key if self._settings.contact else None

    async def _make_sender(self) -> NoticeSender:
        if self._sender is None:
            await asyncio.to_thread(import_module, _SENDER)
            from parlour.server.table.push.sender import Sender, new_push_key

            key = await self._store.write_or_retry(room_push_key, new_push_key())
            self._sender = Sender(key, self._settings.contact)
        return self._sender

    async def subscribe(self, state: TableState, key: str, wanted: Subscription) -> int:
        """Store the subscription of a browser for the seat that a key opens. Return the seat.

        Raises:
            NoPushError: the room sends no such notices.
            SeatError: the key opens no seat.
            ParlourError: the endpoint is not that of an allowed push service, or its keys are not valid.
        """
        if not self._settings.contact:
            raise NoPushError(gettext("this room sends no notices to closed pages"))
        await asyncio.to_thread(import_module, _SENDER)
        from parlour.server.table.push.sender import are_valid_keys

        seat = state.seat_of(key)
        if seat is None:
            raise SeatError(gettext("this key opens no seat of this table"))
        if self._settings.service_of(wanted.endpoint) is None:
            raise ParlourError("endpoint: it is not that of a push service that this room knows")
        if not are_valid_keys(wanted.p256dh, wanted.auth):
            raise ParlourError("keys: they are not those of a browser")
        if not state.over:
            await self._store.write_or_retry(subscribe, state.id, seat, wanted)
        return seat

    async def unsubscribe(self, endpoint: str, table_id: str | None = None) -> int:
        """Remove the subscriptions of a browser: all, or those to notices about one table. Return their number."""
        return await self._store.run(self._store.write, unsubscribe, endpoint, table_id)

    # Notices

    def announce(self, notice: Notice) -> None:
        """Send a notice after the grace period."""
        if not self._settings.contact or self._stopped:
            return
        if self._pending >= MOST_PENDING:
            metrics().pushes.labels("dropped").inc()
            return
        self._pending += 1
        self._in_grace += 1
        self._tasks.start(self._send_all(notice))

    async def _send_all(self, notice: Notice) -> None:
        try:
            try:
                await self._pause(self.grace)
            finally:
                self._in_grace -= 1
            state, absent = notice.state, notice.absent()
            found = await self._store.run(self._store.read, subscriptions_of, state.id, absent) if absent else {}
            sent = [self._send(notice, seat, each) for seat, browsers in found.items() for each in browsers]
            for result in await asyncio.gather(*sent, return_exceptions=True):
                if isinstance(result, Exception):
                    note_failure("a notice to a closed page could not be sent", result)
        except StoreError as error:
            note_failure("notices to closed pages could not be sent", error)
        finally:
            self._pending -= 1

    async def _send(self, notice: Notice, seat: int, to: Subscription) -> None:
        """Send a notice to a browser, several times if the push service accepts nothing now."""
        if (service := self._settings.service_of(to.endpoint)) is None:
            return  # the operator allowed it once
        sender = await self._make_sender()
        with in_language(to.language if to.language in LANGUAGES else SOURCE_LANGUAGE):
            text = notice.text(seat)
        arguments = to, text, notice.topic(seat), notice.seconds
        for wait in (*self.retries, None):
            async with self._calls[service]:
                if seat not in notice.absent():
                    return
                delivery = await asyncio.get_running_loop().run_in_executor(self._threads, sender.send, *arguments)
            if delivery is not Delivery.LATER or wait is None or self._stopping.is_set():
                break
            await self._pause(wait)
        await self._note(delivery, to)

    async def _note(self, delivery: Delivery, to: Subscription) -> None:
        """Count the result; remove a subscription that is gone, and log other failures with the service's host."""
        metrics().pushes.labels(delivery.value).inc()
        if delivery is Delivery.GONE:
            await self.unsubscribe(to.endpoint)
        elif delivery is not Delivery.SENT:
            service = urlsplit(to.endpoint).hostname or ""
            note("a notice was not delivered", logging.WARNING, result=delivery.value, service=service)

    async def _pause(self, seconds: float) -> None:
        """Wait for a number of seconds, or until the server stops."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def hurry(self) -> None:
        """Begin to send the pending notices, and let later ones wait no more: the server will end all connections."""
        self._stopping.set()
        while self._in_grace:
            await asyncio.sleep(0)

    async def stop(self) -> None:
        """Send the pending notices at once, and wait for them for a short time."""
        self._stopping.set()
        self._stopped = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._tasks.finish(), _STOP_SECONDS)
        self._threads.shutdown(wait=False, cancel_futures=True)
