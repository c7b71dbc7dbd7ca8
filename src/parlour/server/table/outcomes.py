"""The outcomes of commands: changes of the table, and answers that change nothing.

The name of a change is a participle (``Act`` becomes ``Acted``). Changes that are :data:`Stored` are on the disk before
they are applied.
"""

from dataclasses import dataclass
from typing import Literal

from parlour.engine.events import Event
from parlour.server.store.stored_table import ChatMessage, StoredSeat
from parlour.server.table.people.seat_requests import SeatRequest


@dataclass(frozen=True, slots=True)
class Acted:
    """An event of the game, the undo of the event before it, or a resignation.

    Attributes:
        event: the event as it is stored.
        kind: who decided it: ``person``, ``bot`` or ``chance``.
        spent: the milliseconds charged to the seat's clock; ``None`` if the event costs nothing.
        stood_in: whether a bot decided it for a person.
    """

    event: Event
    kind: str = "person"
    spent: int | None = None
    stood_in: bool = False


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A person takes a seat, or a bot an open one; ``before`` is the bot that had it, if any."""

    number: int
    seat: StoredSeat
    before: StoredSeat | None


@dataclass(frozen=True, slots=True)
class Said:
    """A seat sends a chat message."""

    message: ChatMessage


@dataclass(frozen=True, slots=True)
class Renamed:
    """A seat has a new name."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class UndoRequested:
    """A seat requests to undo its last action; the seats in ``waiting`` have to agree."""

    seat: int
    waiting: frozenset[int]


@dataclass(frozen=True, slots=True)
class Agreed:
    """A seat agrees to the undo; other seats still have to."""

    seat: int


@dataclass(frozen=True, slots=True)
class Declined:
    """A seat declines the undo; ``by`` is ``None`` if it could not be stored."""

    by: int | None = None


@dataclass(frozen=True, slots=True)
class SeatRequested:
    """A person requests a bot's seat."""

    request: SeatRequest


@dataclass(frozen=True, slots=True)
class Allowed:
    """A seat agrees that a person takes a bot's seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Denied:
    """The bot keeps its seat."""


@dataclass(frozen=True, slots=True)
class Hinted:
    """The computation of a hint for a seat begins."""

    seat: int


@dataclass(frozen=True, slots=True)
class StoodIn:
    """A bot stands in for a seat: to the end if its time is up (``timed``), else until its person returns."""

    seat: int
    timed: bool


Stored = Acted | SeatTaken | Renamed | Said
Change = Stored | UndoRequested | Agreed | Declined | SeatRequested | Allowed | Denied | Hinted | StoodIn


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal.

    Attributes:
        reason: the reason.
        clause: the clause of the rules, if one gives the reason.
        action: the refused action, if it was one.
        scene: whether to send the scene again.
        chat_id: the id of the refused chat message, if it was one.
    """

    reason: str
    clause: str = ""
    action: str = ""
    scene: bool = False
    chat_id: str = ""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """No change, after a repeated, late or irrelevant command; ``answer`` names the message that the client gets."""

    answer: Literal["nothing", "scene", "company", "key"] = "nothing"


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """No change: the chat message was sent before. Only its client receives it again."""

    message: ChatMessage


Outcome = Change | Refused | Unchanged | SaidBefore
