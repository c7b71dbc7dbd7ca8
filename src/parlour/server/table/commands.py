"""What is wanted of a table, and by which seat: what a client said, read once at the door.

``seat`` is the seat that wants it (``SPECTATOR`` for one who looks on); ``seen`` is the number of events after which
it was decided, so that nothing happens in a position it was not meant for.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Act:
    """Do this, as it was typed."""

    seat: int
    action: str
    seen: int


@dataclass(frozen=True, slots=True)
class Bring:
    """Let happen what chance or a bot has decided for a seat (``CHANCE``)."""

    seat: int
    action: str
    seen: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Take one's last action back."""

    seat: int
    seen: int


@dataclass(frozen=True, slots=True)
class Agree:
    """Let somebody else take theirs back, or not."""

    seat: int
    yes: bool
    seen: int


@dataclass(frozen=True, slots=True)
class Allow:
    """Let somebody have the bot's seat for which they ask (in the ``request`` of this id), or not."""

    seat: int
    request: str
    yes: bool


@dataclass(frozen=True, slots=True)
class Say:
    """Say a few words or give a sign; said again with the same ``id`` it is heard once."""

    seat: int
    id: str
    words: str = ""
    sign: str = ""


@dataclass(frozen=True, slots=True)
class AskWhy:
    """Why is this not legal, or what was chosen on the table no action?"""

    seat: int
    action: str
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskHint:
    """What should I do?"""

    seat: int


@dataclass(frozen=True, slots=True)
class AskText:
    """Show the table as the terminal prints it."""

    seat: int


Command = Act | Undo | Agree | Allow | Say | AskWhy | AskHint | AskText
"""What a connection may want of a table."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down at a seat, which ``key`` will open from then on.

    ``own_key`` says whether the client made the key itself, so that it can ask again; ``request`` is the id by which
    those who play will know the request if they have to be asked.
    """

    seat: int
    name: str
    key: str = field(repr=False)
    own_key: bool
    request: str
