"""A table as it is now: plain values, and how a change alters them.

There is no lock here, no connection, no disk and no clock to look at: what stands around a table
(:mod:`parlour.server.table.room`) stores a change, applies it here, and shows it.
"""

import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from parlour.engine.deals import deal_of
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.records import Record
from parlour.engine.rules import CHANCE
from parlour.server.store.store import TAKEN_BACK, Following, StoredSeat, StoredTable
from parlour.server.table.chat import Talk
from parlour.server.table.clocks import Clocks
from parlour.server.table.keys import key_hash
from parlour.server.table.outcomes import (
    Agreed,
    Allowed,
    Change,
    Declined,
    Denied,
    Happened,
    HintTaken,
    Said,
    SeatAsked,
    SeatTaken,
    StoodIn,
    Wished,
)
from parlour.server.table.presence import Presence
from parlour.server.table.seat_requests import SeatRequests
from parlour.server.table.table_setup import Manners
from parlour.server.table.takeback import TakingBack

STAND_IN = "thumb"
"""The stand-in for an absent player; it answers at once."""


@dataclass
class TableState:
    """A table as it is now.

    Attributes:
        opened: the table as it was opened, without what has happened since.
        match: the game.
        seats: who has which seat; an open one has no entry.
        history: all events as they are stored, in order.
        stood_in: the numbers of those that a bot decided for a person.
        manners: what was agreed on when it was opened.
        talk: what was said.
        clocks: how long each seat has left, where there are clocks.
        presence: who is there, and for whom a bot plays.
        taking_back: what can be taken back.
        requests: who asks for a bot's seat.
        hinting: the seats for which a hint is being worked out.
        following: the other game that was opened after this one.
        readying: whether a bot or a hint waits until one can look ahead at this game.
        host: the address, or a stand-in for it, whose turns at thinking the bots here take.
        outdated: whether nothing happens here any more: the table is closed, or another server was quicker.
    """

    opened: StoredTable
    match: Match
    seats: dict[int, StoredSeat]
    history: list[Event]
    stood_in: set[int]
    manners: Manners
    talk: Talk
    clocks: Clocks | None
    following: Following | None = None
    presence: Presence = field(default_factory=Presence)
    taking_back: TakingBack = field(default_factory=TakingBack)
    requests: SeatRequests = field(default_factory=SeatRequests)
    hinting: set[int] = field(default_factory=set)
    readying: bool = False
    host: str = ""
    outdated: bool = False

    @property
    def id(self) -> str:
        """The table's id."""
        return self.opened.id

    @property
    def seen(self) -> int:
        """Number of stored events, counting undone ones and the undo markers."""
        return len(self.history)

    @property
    def begun(self) -> bool:
        """Whether every seat is taken."""
        return len(self.seats) == self.match.players

    @property
    def opener(self) -> int | None:
        """The seat of whoever opened the table, and may open another like it."""
        return self.opened.manners.get("opener")

    @property
    def names(self) -> list[str]:
        """What the players are called."""
        return [
            self.seats[seat].name if seat in self.seats else f"Seat {seat + 1}" for seat in range(self.match.players)
        ]

    @property
    def goes_on(self) -> bool:
        """Whether what comes next needs no person."""
        if not self.begun or self.outdated or self.match.over:
            return False
        return self.match.actor == CHANCE or self.bot_for(self.match.actor) is not None

    @property
    def players_there(self) -> set[int]:
        """The seats whose people play and are there."""
        return {seat for seat in self.presence.people if self.is_person(seat)}

    def came(self, seat: int, now: float) -> None:
        """A connection of a seat is there."""
        self.presence.came(seat, now)
        self.give_back(seat, now)

    def give_back(self, seat: int, now: float) -> None:
        """Let a player who has returned play again, once there is time: a stand-in's action brings it."""
        if self.presence.there.get(seat) and (self.clocks is None or self.clocks.seconds_left(seat, now) > 0):
            self.presence.away.discard(seat)

    @property
    def unasked(self) -> set[int]:
        """Who has yet to agree that somebody has a bot's seat: whoever has gone, too, until a bot plays for them."""
        request = self.requests.open
        playing = {seat for seat in self.seats if self.is_person(seat) and not self.bot_for(seat)}
        return (playing | self.players_there) - request.agreed if request else set()

    def is_person(self, seat: int) -> bool:
        """Whether somebody's own seat, not a bot's."""
        return seat in self.seats and self.seats[seat].bot is None

    def bot_for(self, seat: int) -> str | None:
        """The bot that plays a seat now: its own, or one that stands in."""
        if seat in self.seats and self.seats[seat].bot:
            return self.seats[seat].bot
        return STAND_IN if seat in self.presence.away or seat in self.presence.out else None

    def kind_of(self, by: int) -> str:
        """Who decides for a seat now: ``chance``, ``bot`` or ``person``."""
        return "chance" if by == CHANCE else "bot" if self.bot_for(by) else "person"

    def seat_of(self, key: str) -> int | None:
        """The seat that a key opens."""
        given = key_hash(key)
        fits = [n for n, seat in self.seats.items() if seat.key_hash and hmac.compare_digest(seat.key_hash, given)]
        return fits[0] if fits else None

    def record(self) -> Record | None:
        """The record with the players' names and the secret that was committed to, when the game is over."""
        if not self.match.over:
            return None
        return {**self.match.record(), "names": self.names, "deal": deal_of(self.opened.secret, self.opened.given)}


def state_of(table: StoredTable, match: Match) -> TableState:
    """A stored table as it is when it is opened again; ``match`` is its game, played again."""
    manners, clocks = manners_of(table), None
    if manners.clock:
        spent = spent_by(table.events, table.spent, range(table.players))
        clocks = Clocks(table.players, manners.clock.seconds, manners.clock.increment, spent)
    return TableState(
        opened=replace(table, events=(), spent={}, stood_in=frozenset(), said=(), following=None),
        match=match,
        seats=dict(table.seats),
        history=list(table.events),
        stood_in=set(table.stood_in),
        manners=manners,
        talk=Talk(manners.talk, table.said),
        clocks=clocks,
        following=table.following,
    )


def apply(state: TableState, change: Change, now: float) -> None:
    """Let a change happen that was decided on, and stored if it is of that kind."""
    match change:
        case Happened():
            _happen(state, change, now)
        case Wished(by, waiting):
            state.taking_back.ask(by, waiting)
        case Agreed(seat):
            state.taking_back.spare(seat)
        case Declined():
            state.taking_back.wish = None
        case SeatTaken(number, seat):
            state.seats[number] = seat
            state.requests.open = None
        case SeatAsked(request):
            state.requests.ask(request)
        case Allowed(seat):
            state.requests.agree(seat)
        case Denied():
            state.requests.deny()
        case Said(saying):
            state.talk.hear(saying, now)
        case HintTaken(seat):
            state.hinting.add(seat)
        case StoodIn(seat, True):
            state.presence.run_out(seat, now)
        case StoodIn(seat, False):
            state.presence.away.add(seat)


def _happen(state: TableState, happened: Happened, now: float) -> None:
    event = happened.event
    if happened.stood_in:
        state.stood_in.add(state.seen)
    state.history.append(event)
    if state.clocks:
        state.clocks.charge(event.by, happened.spent)
    if happened.stood_in:
        state.give_back(event.by, now)
    if event.do == TAKEN_BACK and state.taking_back.earlier is not None:
        state.match = state.taking_back.earlier
        state.taking_back.moved_on()
        return
    earlier = state.match.copy() if happened.kind == "person" else None
    state.match.apply_event(event)
    state.taking_back.moved_on(earlier)
    if state.match.over:
        state.requests.open = None


def manners_of(table: StoredTable) -> Manners:
    """What was agreed on at a table. Raises ``ValueError`` if what is stored of it is damaged."""
    return Manners.model_validate({key: value for key, value in table.manners.items() if key != "opener"})


def spent_by(events: Sequence[Any], spent: Mapping[int, int], seats: Collection[int]) -> dict[int, list[int]]:
    """What each seat's actions took, in milliseconds, of a table's stored events and the times kept beside them."""
    return {seat: [spent[at] for at, event in enumerate(events) if event.by == seat and at in spent] for seat in seats}
