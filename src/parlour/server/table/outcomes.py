"""What comes of a command: a change of the table, or an answer that changes nothing.

Changes that are :data:`Stored` are on the disk before they are applied.
"""

from dataclasses import dataclass
from typing import Literal

from parlour.engine.events import Event
from parlour.server.store.store import Saying, StoredSeat
from parlour.server.table.seat_requests import SeatRequest


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the game, or the taking back of the one before it.

    ``kind`` is who decided it; ``spent`` is the milliseconds it is charged as, where its seat has a clock;
    ``stood_in`` says that a bot decided it for a person.
    """

    event: Event
    kind: str = "person"
    spent: int | None = None
    stood_in: bool = False


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody has a seat now, which a bot had ``before``, if anyone."""

    number: int
    seat: StoredSeat
    before: StoredSeat | None


@dataclass(frozen=True, slots=True)
class Said:
    """A seat said something."""

    saying: Saying


@dataclass(frozen=True, slots=True)
class Wished:
    """A seat wants to take its last action back; those it waits for have to agree."""

    by: int
    waiting: frozenset[int]


@dataclass(frozen=True, slots=True)
class Agreed:
    """A seat agrees that another takes its action back; others still have to."""

    seat: int


@dataclass(frozen=True, slots=True)
class Declined:
    """The action is not taken back."""


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """Somebody asks for a bot's seat."""

    request: SeatRequest


@dataclass(frozen=True, slots=True)
class Allowed:
    """A seat agrees that somebody has a bot's seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Denied:
    """The bot keeps its seat."""


@dataclass(frozen=True, slots=True)
class HintTaken:
    """A hint for a seat is worked out from now on."""

    seat: int


@dataclass(frozen=True, slots=True)
class StoodIn:
    """A bot plays for a seat: to the end if its time is up (``timed``), or until its people are back."""

    seat: int
    timed: bool


Stored = Happened | SeatTaken | Said
Change = Stored | Wished | Agreed | Declined | SeatAsked | Allowed | Denied | HintTaken | StoodIn


@dataclass(frozen=True, slots=True)
class Refused:
    """It is not done: why, by which clause of the rules, and whether the scene is shown again."""

    reason: str
    clause: str = ""
    action: str = ""
    scene: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """Nothing changes: it was done before, or is none of the seat's business. Who asked is shown ``what`` there is."""

    what: Literal["nothing", "scene", "company", "key"] = "nothing"


@dataclass(frozen=True, slots=True)
class HeardBefore:
    """It was said before, and is told again to whoever said it."""

    saying: Saying


Outcome = Change | Refused | Answered | HeardBefore
