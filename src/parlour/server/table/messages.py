"""The messages that the server sends on a connection: one class for each, whose fields are its keys in their order.

To add a message, write its class. docs/protocol.md and the page's types follow from :data:`MESSAGES` (``make docs``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import orjson
from pydantic import BaseModel

from parlour.server.table.table_setup import Manners

PROTOCOL = 2
"""Version of the protocol: of the names and shapes of all messages (docs/protocol.md lists the changes)."""
SceneText = orjson.Fragment
"""A scene (:mod:`parlour.render.scene`) as JSON text."""
MESSAGES: "list[type[Message]]" = []
"""All classes of messages, in the order of their definition."""


def to_text(value: Any) -> str:
    """Return a message, or another value, as JSON text. Scenes may be part of it as :data:`SceneText`."""
    if isinstance(value, Message):
        value = {"type": value.type, **vars(value)}
    return orjson.dumps(value, _plain, orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS).decode()


def _plain(value: Any) -> Any:
    """Return a model as JSON values, for orjson."""
    if isinstance(value, BaseModel):
        return value.model_dump()
    raise TypeError


class Message:
    """Base of the messages. ``type`` is their first key."""

    type: ClassVar[str]

    def __init_subclass__(cls) -> None:
        MESSAGES.append(cls)


@dataclass(frozen=True)
class RatingInfo:
    """A rating; a provisional one may still be far from the strength."""

    value: int
    provisional: bool


@dataclass(frozen=True)
class SeatInfo:
    """The occupant of a seat, with the rating at a rated table, if it is known."""

    name: str
    kind: Literal["person", "bot", "open"]
    taken: bool
    rating: RatingInfo | None


@dataclass(frozen=True)
class DailyInfo:
    """The day of a daily deal, whether the result counts, and whether the game is hidden from others until the day is
    over.
    """

    day: str
    counts: bool
    sealed: bool


@dataclass(frozen=True)
class ClubInfo:
    """The club night of a table, the numbers of its round (from 1) and of its deal (from 0), whether the game counts
    (not if the host closed the round before its end), and whether the game is hidden from others until the round is
    over.
    """

    id: str
    round: int
    deal: int
    counts: bool
    sealed: bool


@dataclass(frozen=True)
class DeadlineInfo:
    """The person to act at a table over days, and the time, in seconds since 1970, at which a bot stands in."""

    seat: int
    at: int


@dataclass(frozen=True)
class TableInfo:
    """The public facts of a table. `conceded` is the seat whose resignation ended the game, if it ended so; `fills_in`
    the seconds until bots take the open seats, if they do; `deadline` is that of the person to act at a table over
    days.
    """

    table: str
    game: str
    title: str
    players: int
    options: Mapping[str, Any]
    seats: Sequence[SeatInfo]
    begun: bool
    over: bool
    conceded: int | None
    actor: int | str | None
    manners: Manners
    hints: bool
    take_over: bool
    seen: int
    commitment: str
    given: int
    daily: DailyInfo | None
    club: ClubInfo | None
    fills_in: int | None
    deadline: DeadlineInfo | None


@dataclass(frozen=True)
class LobbyTable(TableInfo):
    """A table of the lobby: whether a person waits there, and the ids of its bots."""

    waits: bool
    bots: Sequence[str]


@dataclass(frozen=True)
class TableMessage(TableInfo, Message):
    """After hello, when a seat is taken or resigned, or its rating changes (a scene follows). `seat` is the viewer's
    own, −1 for a spectator. `protocol` is the version of this protocol.
    """

    type = "table"
    seat: int
    protocol: int


@dataclass(frozen=True)
class ScenesMessage(Message):
    """After every event: one scene for each event, in order. A scene that is sent again has an empty `log`."""

    type = "scenes"
    scenes: Sequence[SceneText]


@dataclass(frozen=True)
class HistoryMessage(ScenesMessage):
    """After hello: the current scene, the whole log, and its lines on what a bot did for this seat since the seat last
    acted itself. `log` is null if the client has shown all of it before, otherwise it replaces the client's log.
    """

    type = "scenes"
    log: Sequence[str] | None
    meanwhile: Sequence[str]


@dataclass(frozen=True)
class UndoRequestInfo:
    """A seat's request to undo its last action, and the seats that have not agreed yet."""

    seat: int
    waiting: Sequence[int]


@dataclass(frozen=True)
class SeatRequestInfo:
    """A person's request for a bot's seat, and the seats that have not agreed yet."""

    id: str
    seat: int
    name: str
    waiting: Sequence[int]


@dataclass(frozen=True)
class ClocksInfo:
    """The milliseconds left to each seat when the message was sent, and the seat whose clock runs."""

    left: Sequence[int]
    running: int | None


@dataclass(frozen=True)
class CompanyMessage(Message):
    """After hello, and when any of it changes (below)."""

    type = "company"
    there: Sequence[int]
    away: Sequence[int]
    out: Sequence[int]
    resigned: Sequence[int]
    undoable: int | None
    undo_request: UndoRequestInfo | None
    undo_declined: int | None
    seat_request: SeatRequestInfo | None
    clocks: ClocksInfo | None
    deadline: DeadlineInfo | None
    talk: Literal["none", "signs", "words"]
    opener: int | None
    readying: bool


@dataclass(frozen=True)
class OnlookersMessage(Message):
    """To players, after hello (also if there are none) and when it changes: number of onlookers, and the names that
    they gave (20 at most).
    """

    type = "onlookers"
    number: int
    names: Sequence[str]


@dataclass(frozen=True)
class ChatMessageInfo:
    """The words or the sign that a seat said."""

    by: int
    id: str
    words: str
    sign: str


@dataclass(frozen=True)
class SaidMessage(Message):
    """When a seat sends a chat message; after hello, the recent ones if there are any."""

    type = "said"
    said: Sequence[ChatMessageInfo]


@dataclass(frozen=True)
class RematchMessage(Message):
    """When a player proposes a rematch, to all viewers: its table, the viewer's seat there (−1: none, or another person
    has taken it), the seats of this table whose players have taken theirs there, and whether all are taken, so that
    its game has begun. A player accepts by saying hello
    there with the key of this table, or by taking the seat by HTTP; all viewers get the message again within two
    seconds. A client that later says hello here with a key gets it before `company`.
    """

    type = "rematch"
    table: str
    seat: int
    by: Sequence[int]
    begun: bool


@dataclass(frozen=True)
class RefusedMessage(Message):
    """When something is refused; `do` is the refused action, and `id` that of the refused chat message. Each is empty
    if something else was refused.
    """

    type = "refused"
    do: str
    reason: str
    clause: str
    seen: int
    id: str = ""


@dataclass(frozen=True)
class Reason:
    """A reason why something is not legal, and the clause of the rules, if one says so."""

    reason: str
    clause: str


@dataclass(frozen=True)
class WhyMessage(Message):
    """The answer to `why`: the reasons why it is not legal now."""

    type = "why"
    do: str
    tokens: Sequence[str]
    reasons: Sequence[Reason]


@dataclass(frozen=True)
class TextMessage(Message):
    """The answer to `text`: the table as the terminal prints it."""

    type = "text"
    text: str
    seen: int


@dataclass(frozen=True)
class HintedMessage(Message):
    """When another seat requests a hint."""

    type = "hinted"
    by: int


@dataclass(frozen=True)
class EstimateInfo:
    """An estimated number and the ends of its interval; null is infinite."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class CandidateTexts:
    """A candidate's chance to win, the interval of it, and its comparison with the first candidate, as texts."""

    chance: str
    interval: str
    verdict: str


@dataclass(frozen=True)
class CandidateInfo:
    """An action, and the chance to win that it is estimated to give."""

    do: str
    phrase: str
    win: EstimateInfo
    behind: EstimateInfo
    texts: CandidateTexts


@dataclass(frozen=True)
class HintMessage(Message):
    """The answer to `hint`, after a moment (below)."""

    type = "hint"
    seen: int
    candidates: Sequence[CandidateInfo]
    others: int
    words: Sequence[str]


@dataclass(frozen=True)
class PongMessage(Message):
    """The answer to `ping`."""

    type = "pong"


@dataclass(frozen=True)
class ErrorMessage(Message):
    """Before the server closes the connection."""

    type = "error"
    error: str
