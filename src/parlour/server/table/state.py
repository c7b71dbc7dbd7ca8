"""The state of a table as plain values, and the effect of changes on it.

This module has no lock or connection, and reads no file or clock. The room (:mod:`parlour.server.table.room`) stores a
change, applies it here, and shows it.
"""

import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from parlour.daily import proof_of
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.deals import deal_of
from parlour.engine.matches.records import Record
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.glicko import Rating
from parlour.server.store.stored_table import RESIGN, UNDO, StoredClub, StoredRematch, StoredSeat, StoredTable
from parlour.server.table.outcomes import (
    Acted,
    Agreed,
    Allowed,
    Change,
    Declined,
    Denied,
    Hinted,
    Renamed,
    Said,
    SeatRequested,
    SeatTaken,
    StoodIn,
    UndoRequested,
)
from parlour.server.table.people.chat import Talk
from parlour.server.table.people.clocks import Clocks
from parlour.server.table.people.keys import key_hash
from parlour.server.table.people.presence import Presence
from parlour.server.table.people.resignation import (
    BotDecisions,
    Ending,
    Resignations,
    bot_decisions_of,
    ending_of,
    record_keys,
    resignations_of,
)
from parlour.server.table.people.seat_requests import SeatRequests
from parlour.server.table.people.undo import UndoState
from parlour.server.table.table_setup import Manners

STAND_IN = "thumb"
"""The bot that plays for a person who is away, out of time or has resigned; it answers at once."""


@dataclass
class TableState:
    """The state of a table.

    Attributes:
        opened: the stored table as it was loaded, without its events and other values that this state has itself.
        match: the game.
        seats: the occupants by seat; an open seat has no entry.
        history: all stored events, in order.
        stood_in: the numbers of the events that a bot decided for a person.
        resigned: the seats that have resigned, in order; a bot plays them to the end.
        manners: the settings for people.
        talk: the chat messages.
        clocks: the clocks of the seats, if the table has clocks.
        rematch: the table that was opened after this game, if any.
        presence: the connected seats, and the seats for which a bot stands in.
        undo: the action that can be undone.
        requests: the requests for bots' seats.
        renamed: the time of the last change of each seat's name, in seconds.
        last_event_at: the time of the last event, or that of the table's opening, in seconds.
        returned: the time of each seat's first connection since then.
        epoch: the seconds from 1970 to the origin of the other times.
        hinting: the seats for which a hint is being computed.
        readying: whether the search of this game is being compiled for a bot or a hint.
        host: the address whose tables share the threads of searching bots; the table's id if there is none.
        sealed: whether others still play the same cards: a daily deal of a day that is not over, or a deal of a club
            night in a round that is not.
        links: the players linked with seats: pairs of a seat and the hash of the player's key, which opens the seat.
        ratings: the ratings of the people at a rated table who are linked with players; ``None``: forgotten ones.
        stored_review: the hash of the review whose findings are stored for all linked players; ``None``: not known.
        outdated: whether the room is closed, so that another room or server may have changed the table.
    """

    opened: StoredTable
    match: Match
    seats: dict[int, StoredSeat]
    history: list[Event]
    stood_in: set[int]
    manners: Manners
    talk: Talk
    clocks: Clocks | None
    resigned: list[int] = field(default_factory=list)
    rematch: StoredRematch | None = None
    presence: Presence = field(default_factory=Presence)
    undo: UndoState = field(default_factory=UndoState)
    requests: SeatRequests = field(default_factory=SeatRequests)
    renamed: dict[int, float] = field(default_factory=dict)
    last_event_at: float = 0.0
    returned: dict[int, float] = field(default_factory=dict)
    epoch: float = 0.0
    hinting: set[int] = field(default_factory=set)
    readying: bool = False
    host: str = ""
    sealed: bool = False
    links: set[tuple[int, str]] = field(default_factory=set)
    ratings: dict[int, Rating | None] = field(default_factory=dict)
    stored_review: int | None = None
    outdated: bool = False

    @property
    def id(self) -> str:
        """The table's id."""
        return self.opened.id

    @property
    def seen(self) -> int:
        """Number of stored events, including undone events, undo markers and resignations."""
        return len(self.history)

    @property
    def begun(self) -> bool:
        """Whether every seat is taken."""
        return len(self.seats) == self.match.players

    @property
    def ending(self) -> Ending | None:
        """The end of the game by resignation, if it has ended so."""
        return ending_of(self.match, self.seats, self.resigned)

    @property
    def resignations(self) -> Resignations:
        """The resignations, and the winners if the game is over."""
        return resignations_of(self.match, self.seats, self.resigned)

    @property
    def bot_decisions(self) -> BotDecisions:
        """The decisions of bots for people in the game."""
        return bot_decisions_of(self.history, self.stood_in)

    @property
    def over(self) -> bool:
        """Whether the game is over, by its rules or by resignation."""
        return self.match.over or self.ending is not None

    @property
    def opener(self) -> int | None:
        """The seat of the person who opened the table, or requested it as a rematch; ``None`` without a seat."""
        return self.opened.manners.get("opener")

    @property
    def names(self) -> list[str]:
        """The names of the seats; empty for an open seat."""
        return [self.seats[seat].name if seat in self.seats else "" for seat in range(self.match.players)]

    @property
    def is_automatic_turn(self) -> bool:
        """Whether the next decision is that of chance or a bot."""
        if not self.begun or self.outdated or self.over:
            return False
        return self.match.actor == CHANCE or self.bot_for(self.match.actor) is not None

    @property
    def connected_players(self) -> set[int]:
        """The seats of people who play and are connected."""
        return {seat for seat in self.presence.people - set(self.resigned) if self.is_person(seat)}

    def connect(self, seat: int, now: float) -> None:
        """Add a connection of a seat."""
        self.presence.connect(seat, now)
        self.returned.setdefault(seat, now)
        self.end_stand_in(seat, now)

    def end_stand_in(self, seat: int, now: float) -> None:
        """Return the seat to its connected player, if there is time on the clock."""
        if self.presence.connections.get(seat) and (self.clocks is None or self.clocks.seconds_left(seat, now) > 0):
            self.presence.away.discard(seat)

    @property
    def undecided(self) -> set[int]:
        """The seats of people that have not agreed to the pending seat request. A disconnected player counts until a
        bot plays for that seat.
        """
        request = self.requests.open
        playing = {seat for seat in self.seats if self.is_person(seat) and not self.bot_for(seat)}
        return (playing | self.connected_players) - request.agreed if request else set()

    def is_person(self, seat: int) -> bool:
        """Return whether a seat is a person's."""
        return seat in self.seats and self.seats[seat].bot is None

    def bot_for(self, seat: int) -> str | None:
        """Return the bot that plays a seat now: its own, or the stand-in."""
        if seat in self.seats and self.seats[seat].bot:
            return self.seats[seat].bot
        played = seat in self.presence.away or seat in self.presence.out or seat in self.resigned
        return STAND_IN if played else None

    def kind_of(self, by: int) -> str:
        """Return the kind of the player that decides for a seat now: ``chance``, ``bot`` or ``person``."""
        return "chance" if by == CHANCE else "bot" if self.bot_for(by) else "person"

    def seat_of(self, key: str) -> int | None:
        """Return the seat that a key opens, if any: its own, or that of a player linked with it."""
        return self.seat_of_hash(key_hash(key))

    def seat_of_hash(self, hashed: str) -> int | None:
        """Return the seat that the key with this hash opens, if any."""
        fits = [n for n, seat in self.seats.items() if seat.key_hash and hmac.compare_digest(seat.key_hash, hashed)]
        fits += [seat for seat, player in self.links if hmac.compare_digest(player, hashed)]
        return fits[0] if fits else None

    @property
    def strength_counts(self) -> bool:
        """Whether the bots have to play at their full strength: others are rated by them, or meet the same bots."""
        return self.manners.rated or self.opened.daily is not None or self.opened.club is not None

    @property
    def allows_undo(self) -> bool:
        """Whether people may take actions back: in no rated game, nor one of a club night, which compares results."""
        return not self.manners.rated and self.opened.club is None

    @property
    def disclosed(self) -> bool:
        """Whether all cards of the game may be shown to all viewers."""
        return self.over and not self.sealed

    def end_round(self, club: StoredClub) -> None:
        """Unseal the table of a club night whose round is over; ``club`` is the club night as it is stored now."""
        self.sealed, self.opened = False, replace(self.opened, club=club)

    def record(self) -> Record | None:
        """Return the record of a finished game, with the players' names, the secret of the commitment, the seats that
        resigned, and the events that a bot decided for a person.
        """
        if not self.over:
            return None
        deal, daily = deal_of(self.opened.secret, self.opened.prefix_length), self.opened.daily
        if daily is not None and not self.sealed:
            deal["daily"] = proof_of(daily.day, daily.key, daily.rules)
        absent = record_keys(self.bot_decisions, self.resignations)
        return {**self.match.record(), "names": self.names, "deal": deal, **absent}


def state_of(table: StoredTable, match: Match) -> TableState:
    """Return the state of a stored table; ``match`` is its game after the stored events."""
    manners, clocks = manners_in(table, match.setup), None
    if manners.clock:
        charges = charges_of(table.events, table.spent, range(table.players))
        clocks = Clocks(table.players, manners.clock.seconds, manners.clock.increment, charges)
    return TableState(
        opened=replace(
            table,
            events=(),
            spent={},
            stood_in=frozenset(),
            chat_messages=(),
            rematch=None,
            links=frozenset(),
            ratings={},
        ),
        match=match,
        seats=dict(table.seats),
        history=list(table.events),
        stood_in=set(table.stood_in),
        manners=manners,
        talk=Talk(manners.talk, table.chat_messages),
        clocks=clocks,
        resigned=table.resigned,
        rematch=table.rematch,
        presence=Presence(away=set(table.away)),
        sealed=(table.daily is not None and table.daily.counts) or (table.club is not None and table.club.open),
        links=set(table.links),
        ratings=dict(table.ratings),
    )


def apply(state: TableState, change: Change, now: float) -> None:
    """Apply a change that was decided on, and stored if it is one of :data:`Stored`."""
    match change:
        case Acted():
            _apply_acted(state, change, now)
        case UndoRequested(seat, waiting):
            state.undo.ask(seat, waiting)
        case Agreed(seat):
            state.undo.stop_waiting_for(seat)
        case Declined(by):
            state.undo.decline(by)
        case SeatTaken(number, seat, before):
            state.seats[number] = seat
            state.requests.open = None
            if before is None:  # before the first event of this table: its time begins with the last seat
                state.last_event_at = now
        case Renamed(seat, name):
            state.seats[seat] = replace(state.seats[seat], name=name)
            state.renamed[seat] = now
        case SeatRequested(request):
            state.requests.ask(request)
        case Allowed(seat):
            state.requests.agree(seat)
        case Denied():
            state.requests.deny()
        case Said(message):
            state.talk.add(message, now)
        case Hinted(seat):
            state.hinting.add(seat)
        case StoodIn(seat, timed):
            if timed:
                state.presence.time_out(seat, now)
            else:
                state.presence.away.add(seat)
        case _:
            assert_never(change)


def _apply_acted(state: TableState, acted: Acted, now: float) -> None:
    event = acted.event
    state.last_event_at = now
    state.returned.clear()
    if acted.stood_in:
        state.stood_in.add(state.seen)
    state.history.append(event)
    if event.do == RESIGN:
        state.resigned.append(event.by)
        state.undo.reset()
        if state.over:
            state.requests.open = None
        return
    if state.clocks:
        state.clocks.charge(event.by, acted.spent)
    if acted.stood_in:
        state.end_stand_in(event.by, now)
    if event.do == UNDO and state.undo.earlier is not None:
        state.match = state.undo.earlier
        state.undo.reset()
        return
    earlier = state.match.copy() if acted.kind == "person" and state.allows_undo else None
    state.match.apply_event(event)
    state.undo.reset(earlier)
    if state.match.over:
        state.requests.open = None


def manners_of(table: StoredTable) -> Manners:
    """Return the stored settings of a table for people. Raises ``ValueError`` if their stored form is damaged."""
    return Manners.model_validate({key: value for key, value in table.manners.items() if key != "opener"})


def manners_in(table: StoredTable, setup: Setup) -> Manners:
    """Return the settings of a table for people in its game, which is rated with the default options only.

    Tables of earlier versions may be stored as rated with others. Raises ``ValueError`` as :func:`manners_of`.
    """
    manners = manners_of(table)
    return manners.model_copy(update={"rated": manners.rated and not setup.chosen})


def charges_of(events: Sequence[Any], spent: Mapping[int, int], seats: Collection[int]) -> dict[int, list[int]]:
    """Return the milliseconds charged to each seat for its stored events; ``spent`` has them by number of the event."""
    return {seat: [spent[at] for at, event in enumerate(events) if event.by == seat and at in spent] for seat in seats}
