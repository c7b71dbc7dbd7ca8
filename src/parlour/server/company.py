"""Who is at a table: who is there, for whom a bot plays, whose clock runs, what is to be taken back."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from parlour.engine.errors import ParlourError
from parlour.engine.views import SPECTATOR
from parlour.server.clocks import Clocks
from parlour.server.messages import Manners
from parlour.server.store import StoredSeat, StoredTable

STAND_IN = "thumb"
"""The bot that plays for a person who is not there: it keeps nobody waiting."""
ASKED_SECONDS = 60.0
"""Seconds those who play are asked whether somebody may have a bot's seat, and at least until the next one asks."""
_BOTS_STAY = "At this table bots keep their seats: so it was opened."
_ALONE = "A bot keeps its seat while fewer than two people play: nobody could vouch for whoever asks."
_NOBODY_TO_ASK = (
    "A bot's seat may be taken only while two of those who play, or more, are there to agree. Try again later."
)
_NO_KEY = "A bot's seat must be asked for more than once: send a key of your own with the request."
_DENIED = "Somebody who plays here would rather have the bot keep its seat."
_ASKED_ALREADY = "Somebody has just asked for a seat here: try again in a minute."


class SeatError(ParlourError):
    """The seat cannot be had."""


@dataclass
class Wish:
    """A seat wants to take its last action back; those it waits for have not said yes yet."""

    by: int
    waiting: set[int]


@dataclass
class Asking:
    """Somebody would like to have a bot's seat while the game runs; until a time those who play may agree."""

    id: str
    seat: int
    name: str
    key_hash: str
    until: float
    agreed: set[int] = field(default_factory=set)


@dataclass
class Company:
    """The people of a table. It is told the time (in seconds, from any beginning), and never asks for it.

    Attributes:
        manners: what was agreed when the table was opened.
        seats: who has which seat.
        opener: the seat of the one who opened the table, and may open another like it.
        there: how many connections each seat has (``SPECTATOR`` for those who look on).
        away: the seats a bot plays for because nobody was there.
        out: the seats a bot plays for because their time ran out.
        undoable: the seat whose last action may still be taken back, if any.
        wish: who wants to take it back.
        asking: who would like to have a bot's seat.
        readying: whether a bot or a hint waits until one can look ahead at this game.
    """

    manners: Manners
    seats: Mapping[int, StoredSeat]
    opener: int | None = None
    clocks: Clocks | None = None
    there: dict[int, int] = field(default_factory=dict)
    away: set[int] = field(default_factory=set)
    out: set[int] = field(default_factory=set)
    undoable: int | None = None
    wish: Wish | None = None
    asking: Asking | None = None
    readying: bool = False
    _gone: dict[int, float] = field(default_factory=dict)
    _alone: float = float("-inf")
    _quiet_until: float = float("-inf")
    _denied: set[str] = field(default_factory=set)

    # Who is there

    def came(self, seat: int, now: float) -> None:
        """Somebody is there; whoever has the seat plays it again."""
        if not self._company_of(None):
            self._alone = now
        self.there[seat] = self.there.get(seat, 0) + 1
        self._gone.pop(seat, None)
        self.away.discard(seat)

    def went(self, seat: int, now: float) -> None:
        """A connection has gone, perhaps the last one of its seat."""
        self.there[seat] -= 1
        if not self.there[seat]:
            self._gone[seat] = now
            if self.wish and seat in self.wish.waiting:
                self.wish.waiting.discard(seat)

    def is_person(self, seat: int) -> bool:
        """Whether somebody's own seat, not a bot's."""
        return seat in self.seats and self.seats[seat].bot is None

    def people(self, *more: int) -> set[int]:
        """The seats whose people are there, and some more."""
        return {*self._company_of(None), *more}

    def _company_of(self, seat: int | None) -> list[int]:
        """The other people who are there."""
        return [other for other, many in self.there.items() if many and other not in (SPECTATOR, seat)]

    def bot_for(self, seat: int) -> str | None:
        """The bot that plays a seat now: its own, or one that stands in."""
        if seat in self.seats and self.seats[seat].bot:
            return self.seats[seat].bot
        return STAND_IN if seat in self.away or seat in self.out else None

    # Patience and clocks

    def due(self, actor: int, now: float) -> float | None:
        """In how many seconds a bot is to stand in for the seat to act; ``None`` if that is not to come."""
        if not self.is_person(actor) or self.bot_for(actor):
            return None
        times = [self.clocks.seconds_left(actor, now)] if self.clocks and self.clocks.running == actor else []
        if self.manners.patience is not None and not self.there.get(actor) and self._company_of(actor):
            missed = max(self._gone.get(actor, float("-inf")), self._alone)
            times.append(missed + self.manners.patience - now)
        return max(0.0, min(times)) if times else None

    def stand_in(self, actor: int, now: float) -> bool:
        """Let a bot play for the seat to act if its time or everybody's patience is at an end. Whether it does."""
        if self.due(actor, now) != 0.0:
            return False
        timed = self.clocks is not None and self.clocks.running == actor and self.clocks.seconds_left(actor, now) <= 0
        (self.out if timed else self.away).add(actor)
        return True

    # Taking back

    def ask(self, seat: int) -> bool:
        """A seat wants to take its last action back. Whether nobody is left to be asked."""
        self.wish = Wish(seat, {other for other in self._company_of(seat) if self.is_person(other)})
        return not self.wish.waiting

    def agree(self, seat: int, yes: bool) -> bool:
        """A seat answers. Whether all have now said yes."""
        if self.wish is None or seat not in self.wish.waiting:
            return False
        if not yes:
            self.wish = None
            return False
        self.wish.waiting.discard(seat)
        return not self.wish.waiting

    def moved_on(self) -> None:
        """Something happened: what was before it stays."""
        self.undoable = self.wish = None

    # A bot's seat

    @property
    def gives_bots_seats(self) -> bool:
        """Whether somebody may ask for a bot's seat: so the table was opened, and two people or more play."""
        return self.manners.take_over and sum(seat.bot is None for seat in self.seats.values()) > 1

    def ask_for_seat(self, seat: int, name: str, key_hash: str | None, now: float) -> set[int]:
        """Somebody would like to have a bot's seat, perhaps not for the first time; whose consent is still needed.

        Raises:
            SeatError: it cannot be had.
        """
        self.lapse(now)
        refused = self._refused_seat(seat, key_hash, now)
        if refused or key_hash is None:
            raise SeatError(refused)
        if self.asking is None:
            self._quiet_until = now + ASKED_SECONDS
            self.asking = Asking(secrets.token_hex(8), seat, name, key_hash, self._quiet_until)
        return self._unasked()

    def _refused_seat(self, seat: int, key_hash: str | None, now: float) -> str:
        """Why nobody is asked about a bot's seat, or nothing."""
        asking = self.asking
        same = asking is not None and (asking.key_hash, asking.seat) == (key_hash, seat)
        reasons = {
            _BOTS_STAY: not self.manners.take_over,
            _ALONE: not self.gives_bots_seats,
            _NO_KEY: key_hash is None,
            _DENIED: key_hash in self._denied,
            _ASKED_ALREADY: not same and now < self._quiet_until,
            _NOBODY_TO_ASK: len(self._players_there()) < 2,
        }
        return next((reason for reason, holds in reasons.items() if holds), "")

    def _players_there(self) -> set[int]:
        return {seat for seat in self._company_of(None) if self.is_person(seat)}

    def _unasked(self) -> set[int]:
        """Who has yet to agree: whoever has gone, too, until a bot plays for them. To be cut off is no yes."""
        if self.asking is None:
            return set()
        playing = {seat for seat in self.seats if self.is_person(seat) and not self.bot_for(seat)}
        return (playing | self._players_there()) - self.asking.agreed

    def allow(self, seat: int, request: str, yes: bool) -> None:
        """A seat says whether whoever asks may have the bot's seat; one no is enough."""
        if self.asking is None or self.asking.id != request or not self.is_person(seat):
            return
        if yes:
            self.asking.agreed.add(seat)
        else:
            self._denied.add(self.asking.key_hash)
            self.asking = None

    def lapse(self, now: float) -> None:
        """Forget what was asked too long ago."""
        if self.asking and self.asking.until <= now:
            self.asking = None

    # What all may know

    def to_json(self, now: float) -> dict[str, Any]:
        """Who is there and what is going on among them."""
        wish = {"by": self.wish.by, "waiting": sorted(self.wish.waiting)} if self.wish else None
        return {
            "type": "company",
            "there": sorted(seat for seat, many in self.there.items() if many and seat != SPECTATOR),
            "away": sorted(self.away),
            "out": sorted(self.out),
            "undoable": self.undoable,
            "wish": wish,
            "asking": self._asking_json(),
            "clocks": self.clocks.to_json(now) if self.clocks else None,
            "talk": self.manners.talk,
            "opener": self.opener,
            "readying": self.readying,
        }

    def _asking_json(self) -> dict[str, Any] | None:
        if self.asking is None:
            return None
        asking = self.asking
        return {"id": asking.id, "seat": asking.seat, "name": asking.name, "waiting": sorted(self._unasked())}


def manners_of(table: StoredTable) -> Manners:
    """What was agreed on at a table. Raises ``ValueError`` if what is stored of it is damaged."""
    return Manners.model_validate({key: value for key, value in table.manners.items() if key != "opener"})


def spent_by(events: Sequence[Any], spent: Mapping[int, int], seats: Collection[int]) -> dict[int, list[int]]:
    """What each seat's actions took, in milliseconds, of a table's stored events and the times kept beside them."""
    return {seat: [spent[at] for at, event in enumerate(events) if event.by == seat and at in spent] for seat in seats}
