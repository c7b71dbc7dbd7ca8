"""Notices about a table for players whose page is closed: their turn has begun, or the game is over."""

import base64
import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from parlour.languages import gettext
from parlour.languages.declension import listed
from parlour.server.store.maintenance import DAY_SECONDS
from parlour.server.store.people.subscriptions import Subscription
from parlour.server.table.messages import to_text
from parlour.server.table.state import TableState

_TURN_SECONDS = 3600
"""Seconds for which a push service keeps the notice of a turn without a deadline."""


class Delivery(Enum):
    """The result of a notice: accepted, the subscription is gone, the service refuses, or it cannot accept it now."""

    SENT = "sent"
    GONE = "gone"
    REFUSED = "refused"
    LATER = "later"


class NoticeSender(Protocol):
    """A sender of messages to browsers; its methods block."""

    @property
    def public_key(self) -> str:
        """The public key by which a browser subscribes, in base64url."""

    def send(self, to: Subscription, text: str, topic: str, seconds: int) -> Delivery:
        """Send a message.

        Args:
            to: the browser.
            text: the message.
            topic: a later message of the same topic replaces this one until the browser receives it; at most 32
                characters of base64url.
            seconds: how long the push service keeps the message for a browser that is not reached.
        """


class Subject(Enum):
    """The subject of a notice."""

    TURN = "turn"
    OVER = "over"


@dataclass(frozen=True)
class Notice:
    """A notice for the players of some seats who are disconnected when it is due.

    Attributes:
        state: the table.
        seats: the seats.
        subject: the subject.
        seen: the number of events when it became true; a notice of a turn lapses with the next event.
    """

    state: TableState
    seats: frozenset[int]
    subject: Subject
    seen: int

    def absent(self) -> set[int]:
        """Return the seats whose players still need the notice."""
        if self.subject is Subject.TURN and self.state.seen != self.seen:
            return set()
        return {seat for seat in self.seats if not self.state.presence.connections.get(seat)}

    def text(self, seat: int) -> str:
        """Return the message for a seat in the current language: JSON for the page's service worker."""
        names = [name for number, name in enumerate(self.state.names) if number != seat and name]
        title, others = self.state.match.game.title, str(listed(names))
        what = gettext("Your turn") if self.subject is Subject.TURN else gettext("The game is over")
        body = gettext("{title} with {names}", title=title, names=others)
        return to_text({"title": what, "body": body, "table": self.state.id})

    def topic(self, seat: int) -> str:
        """Return the topic of the notices about a seat; it discloses neither table nor seat to the push service."""
        digest = hashlib.sha256(f"{self.state.id} {seat}".encode()).digest()
        return base64.urlsafe_b64encode(digest)[:32].decode()

    @property
    def seconds(self) -> int:
        """The seconds for which a push service keeps the notice."""
        if self.subject is Subject.OVER:
            return DAY_SECONDS
        return (self.state.manners.days or 0) * DAY_SECONDS or _TURN_SECONDS


class TurnNotices:
    """The notices of a table: a player's turn has begun, or the game is over.

    A connected page shows such changes itself. A broken connection counts as ended at its last message.
    """

    def __init__(self, state: TableState, now: Callable[[], float], announce: Callable[[Notice], None]) -> None:
        self._state = state
        self._now = now
        self._announce = announce
        self._situation = self._read()
        self._since = now()

    def _read(self) -> tuple[int, frozenset[int], Subject]:
        """Return the number of events, the seats that a notice would concern, and its subject."""
        state = self._state
        people = frozenset(seat for seat in state.seats if state.is_person(seat))
        if state.over:
            return state.seen, people, Subject.OVER
        actor = state.match.actor
        playing = state.begun and actor in people and not state.bot_for(actor)
        return state.seen, frozenset({actor} if playing else ()), Subject.TURN

    def update(self) -> None:
        """Follow a change of the game or the people."""
        situation = self._read()
        if situation == self._situation or self._state.outdated:
            return
        known_over = self._situation[2] is Subject.OVER
        self._situation, self._since = situation, self._now()
        if not known_over:
            self._announce_to(situation[1] - self._state.presence.people)

    def leave(self, seat: int, last_message_at: float) -> None:
        """Follow the end of the last connection of a seat, whose last message came at this time."""
        if seat in self._situation[1] and last_message_at < self._since:
            self._announce_to(frozenset({seat}))

    def _announce_to(self, seats: Collection[int]) -> None:
        seen, _, subject = self._situation
        if seats:
            self._announce(Notice(self._state, frozenset(seats), subject, seen))
