"""What the server says on a connection: a class for each message, whose fields are its keys in their order.

docs/protocol.md shows them; its tables are made from these classes (``make docs``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

SceneText = orjson.Fragment
"""A scene (:mod:`parlour.render.scene`) that has been written as JSON already."""


def to_text(message: Any) -> str:
    """A message as it is sent; a scene may be in it as it is."""
    return orjson.dumps(message, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS).decode()


@dataclass(frozen=True)
class Message:
    """What all messages have: their ``type``."""

    type: str = field(init=False)


UNDERSTANDS = ("seen",)
"""What a client may say to this server that one of an earlier version refuses."""


@dataclass(frozen=True)
class SeatTold:
    """Who has a seat."""

    name: str
    kind: Literal["person", "bot", "open"]
    taken: bool


@dataclass(frozen=True)
class TableTold:
    """What anyone may know of a table."""

    table: str
    game: str
    title: str
    players: int
    options: Mapping[str, Any]
    seats: Sequence[SeatTold]
    begun: bool
    over: bool
    actor: int | str | None
    manners: Mapping[str, Any]
    hints: bool
    take_over: bool
    seen: int
    commitment: str
    given: int


@dataclass(frozen=True)
class TableMessage(TableTold, Message):
    """After hello, and when a seat is taken (the scene follows, since names have changed). `seat` is the viewer's own;
    −1 looks on. `understands` names what servers of a version before this one may refuse: `seen`, in hello.
    """

    type: Literal["table"] = field(init=False, default_factory=lambda: "table")
    seat: int
    understands: Sequence[str] = field(init=False, default_factory=lambda: UNDERSTANDS)


@dataclass(frozen=True)
class ScenesMessage(Message):
    """Whenever something happens: one scene for each event, in order. A scene that is sent again tells nothing (its
    `told` is empty).
    """

    type: Literal["scenes"] = field(init=False, default_factory=lambda: "scenes")
    scenes: Sequence[SceneText]


@dataclass(frozen=True)
class WholeStoryMessage(ScenesMessage):
    """After hello: the scene as it is now, every sentence told so far, and those among them that tell what a bot did
    for this seat since it last acted itself. `told` is null if this viewer has been told all of it before.
    """

    told: Sequence[str] | None
    meanwhile: Sequence[str]


@dataclass(frozen=True)
class WishTold:
    """A seat's wish to take its last action back, and who has not agreed yet."""

    by: int
    waiting: Sequence[int]


@dataclass(frozen=True)
class AskingTold:
    """Who would like to have which bot's seat, and who of those who play has not agreed yet."""

    id: str
    seat: int
    name: str
    waiting: Sequence[int]


@dataclass(frozen=True)
class ClocksTold:
    """The milliseconds left to each seat when this was sent, and the seat whose clock runs."""

    left: Sequence[int]
    running: int | None


@dataclass(frozen=True)
class CompanyMessage(Message):
    """After hello, and when any of it changes (below)."""

    type: Literal["company"] = field(init=False, default_factory=lambda: "company")
    there: Sequence[int]
    away: Sequence[int]
    out: Sequence[int]
    undoable: int | None
    wish: WishTold | None
    asking: AskingTold | None
    clocks: ClocksTold | None
    talk: Literal["none", "signs", "words"]
    opener: int | None
    readying: bool


@dataclass(frozen=True)
class SayingTold:
    """What a seat said: words or a sign."""

    by: int
    id: str
    words: str
    sign: str


@dataclass(frozen=True)
class SaidMessage(Message):
    """Somebody says something; after hello, what was said before."""

    type: Literal["said"] = field(init=False, default_factory=lambda: "said")
    said: Sequence[SayingTold]


@dataclass(frozen=True)
class RematchMessage(Message):
    """Another game is opened; the key fits the seat there, or no seat was kept (−1). To everyone who is there, and,
    before `company`, to whoever says hello later with a key of this table.
    """

    type: Literal["rematch"] = field(init=False, default_factory=lambda: "rematch")
    table: str
    seat: int


@dataclass(frozen=True)
class RefusedMessage(Message):
    """Something was not done; `do` is what was sent, empty if it was no action."""

    type: Literal["refused"] = field(init=False, default_factory=lambda: "refused")
    do: str
    reason: str
    clause: str
    seen: int


@dataclass(frozen=True)
class ReasonTold:
    """Why something is not legal, and the clause of the rules that says so, if one does."""

    reason: str
    clause: str


@dataclass(frozen=True)
class WhyMessage(Message):
    """The answer to `why`: why it is not legal now."""

    type: Literal["why"] = field(init=False, default_factory=lambda: "why")
    do: str
    tokens: Sequence[str]
    reasons: Sequence[ReasonTold]


@dataclass(frozen=True)
class TextMessage(Message):
    """The answer to `text`: the table as the terminal prints it."""

    type: Literal["text"] = field(init=False, default_factory=lambda: "text")
    text: str
    seen: int


@dataclass(frozen=True)
class HintedMessage(Message):
    """That seat takes a hint: said when it asks for one."""

    type: Literal["hinted"] = field(init=False, default_factory=lambda: "hinted")
    by: int


@dataclass(frozen=True)
class Measured:
    """A measured number and the ends of its interval; null is infinite."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class CandidateTold:
    """An action and what it would bring."""

    do: str
    phrase: str
    win: Measured
    behind: Measured
    told: Sequence[str]


@dataclass(frozen=True)
class HintMessage(Message):
    """The answer to `hint`, after a moment (below)."""

    type: Literal["hint"] = field(init=False, default_factory=lambda: "hint")
    seen: int
    candidates: Sequence[CandidateTold]
    others: int
    words: Sequence[str]


@dataclass(frozen=True)
class PongMessage(Message):
    """The answer to `ping`."""

    type: Literal["pong"] = field(init=False, default_factory=lambda: "pong")


@dataclass(frozen=True)
class ErrorMessage(Message):
    """Before the server closes."""

    type: Literal["error"] = field(init=False, default_factory=lambda: "error")
    error: str


MESSAGES: tuple[type[Message], ...] = (
    TableMessage,
    WholeStoryMessage,
    ScenesMessage,
    CompanyMessage,
    SaidMessage,
    RematchMessage,
    RefusedMessage,
    WhyMessage,
    TextMessage,
    HintMessage,
    HintedMessage,
    PongMessage,
    ErrorMessage,
)
"""All messages, in the order in which docs/protocol.md lists them."""
