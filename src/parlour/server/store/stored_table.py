"""Values of a table in a store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from parlour.engine.events import Event
from parlour.engine.game import Value
from parlour.glicko import Rating
from parlour.server.store.database import DamagedError

UNDO = "undo"
"""The action of an undo marker: a stored event that undoes the last event of the game not yet undone."""
RESIGN = "resign"
"""The action of a resignation, which is stored as an event of the seat, but is no event of the game."""


@dataclass(frozen=True)
class StoredSeat:
    """The occupant of a seat: a bot, or a person with the hash of a key."""

    name: str
    bot: str | None = None
    key_hash: str | None = None


@dataclass(frozen=True)
class ChatMessage:
    """A chat message of a seat: words or a sign, empty once it is old or removed. ``id`` is unique for the seat."""

    by: int
    id: str
    words: str = ""
    sign: str = ""


@dataclass(frozen=True)
class StoredRematch:
    """The rematch of a table: its table, its secret, the hashes of the keys to its seats, and the number of its taken
    seats, including those of bots.
    """

    table: str
    secret: str = field(repr=False)
    key_hashes: Mapping[int, str] = field(repr=False)
    taken: int


@dataclass(frozen=True)
class OpeningRequest:
    """A request for a new table: the hashes of its key and its content, by which a repetition is recognized."""

    key_hash: str
    content: str


@dataclass(frozen=True)
class StoredDaily:
    """The daily deal that a table plays.

    Attributes:
        day: the day of the deal.
        rules: the version of the rules under which the deal was drawn.
        counts: whether the result counts: not if the table was opened after the day was closed.
        key: the key of the day, from which all chance and the choices of bots follow (:mod:`parlour.daily`).
    """

    day: date
    rules: str
    counts: bool
    key: str = field(repr=False)


@dataclass(frozen=True)
class StoredClub:
    """The club night of a table.

    Attributes:
        round: the number of the table's round.
        deal: the number of the table's deal in the round, from 0.
        open: whether that round is still open.
        counts: whether the game counts: not if the host closed the round before its end.
    """

    id: str
    round: int
    deal: int
    open: bool
    counts: bool = True


@dataclass(frozen=True)
class StoredTable:
    """A table in the store.

    Attributes:
        options: all options with their values.
        seats: the occupants by seat; an open seat has no entry.
        secret: the secret from which all chance of the game follows (:mod:`parlour.engine.matches.deals`).
        events: all stored events, including undone events, undo markers and resignations.
        prefix_length: the number of events at the beginning that come from another game.
        manners: the settings for people, as JSON values.
        spent: the milliseconds charged for an event, by its number, at a table with clocks.
        stood_in: the numbers of the events that a bot decided for a person.
        chat_messages: the chat messages, the oldest first.
        rematch: the rematch, if there is one.
        closed: whether the operator has closed the table.
        daily: the daily deal of the table, if any; ``secret`` follows from it.
        club: the club night of the table, if any.
        links: the seats with the players linked with them, by the hashes of the players' keys.
        ratings: the ratings of the people at a rated table who are linked with players, by seat; ``None`` for a player
            who has been forgotten.
        away: the seats that a bot plays until their people return, at a table over days.
        created: the time when it was stored, in seconds since 1970.
        last_event_at: the time of its last event, or that of its opening, in seconds since 1970.
        waited: the last time at which a person was seen to wait at the table, in seconds since 1970, or 0; ``None`` if
            the table is not listed in the lobby.
    """

    id: str
    game: str
    players: int
    options: dict[str, Value]
    seats: dict[int, StoredSeat]
    secret: str = field(repr=False)
    events: Sequence[Event] = ()
    prefix_length: int = 0
    manners: dict[str, Any] = field(default_factory=dict)
    spent: dict[int, int] = field(default_factory=dict)
    stood_in: frozenset[int] = frozenset()
    chat_messages: Sequence[ChatMessage] = ()
    rematch: StoredRematch | None = None
    closed: bool = False
    daily: StoredDaily | None = None
    club: StoredClub | None = None
    links: frozenset[tuple[int, str]] = frozenset()
    ratings: Mapping[int, Rating | None] = field(default_factory=dict, compare=False)
    away: frozenset[int] = frozenset()
    created: int = field(default=0, compare=False)
    last_event_at: int = field(default=0, compare=False)
    waited: int | None = field(default=None, compare=False)

    @property
    def game_events(self) -> list[Event]:
        """The events of the game, without undone ones."""
        return game_events(self.events)

    @property
    def resigned(self) -> list[int]:
        """The seats that have resigned, in order."""
        return resigned_in(self.events)

    @property
    def rated(self) -> bool:
        """Whether the table was opened as a rated one."""
        return bool(self.manners.get("rated"))


def game_events(events: Sequence[Event]) -> list[Event]:
    """Return stored events without undone ones, undo markers and resignations."""
    return [events[number] for number in game_event_numbers(events)]


def resigned_in(events: Sequence[Event]) -> list[int]:
    """Return the seats that have resigned among stored events, in order."""
    return [event.by for event in events if event.do == RESIGN]


def game_event_numbers(events: Sequence[Event]) -> list[int]:
    """Return the numbers of the stored events that are neither undone nor undo markers nor resignations.

    Raises:
        DamagedError: an undo marker has no event to undo.
    """
    played: list[int] = []
    for number, event in enumerate(events):
        if event.do == RESIGN:
            continue
        if event.do != UNDO:
            played.append(number)
        elif played:
            played.pop()
        else:
            raise DamagedError("an undo of this table has no event before it")
    return played
