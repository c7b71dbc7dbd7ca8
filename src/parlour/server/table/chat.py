"""What is said at a table: what may be, what is kept for those who come later, and what has been heard already."""

from collections import deque
from collections.abc import Sequence

from parlour.server.store.store import IDS_KEPT, SAID_KEPT, Saying
from parlour.server.table.commands import Say
from parlour.server.table.messages import SaidMessage, SayingTold

SAID_AT_ONCE, SAID_SECONDS = 5, 10.0
"""Rate limit of talk: messages, per seconds."""


class Talk:
    """The talk of a table. It is told the time (in seconds, from any beginning), and never asks for it.

    Attributes:
        kind: what was agreed on: ``none``, ``signs`` or ``words``.
        said: what was said last, the oldest first.
    """

    def __init__(self, kind: str, said: Sequence[Saying] = ()) -> None:
        """``said`` is what is stored of it."""
        self.kind = kind
        self.said = deque((saying for saying in said if saying.words or saying.sign), maxlen=SAID_KEPT)
        self._heard = deque(((saying.by, saying.id) for saying in said), maxlen=IDS_KEPT)
        self._spoken: dict[int, deque[float]] = {}

    def refusal(self, say: Say, now: float) -> str:
        """Why this may not be said now, or nothing."""
        if self.kind == "none":
            return "Nobody talks at this table: so it was opened."
        if say.words and self.kind == "signs":
            return "Only signs are given at this table: so it was opened."
        times = self._spoken.get(say.seat)
        if times and len(times) == SAID_AT_ONCE and now - times[0] < SAID_SECONDS:
            return "Not so fast: wait a few seconds before you say more."
        return ""

    def hear(self, saying: Saying, now: float) -> None:
        """Something was said, and is stored."""
        self.said.append(saying)
        self._heard.append((saying.by, saying.id))
        self._spoken.setdefault(saying.by, deque(maxlen=SAID_AT_ONCE)).append(now)

    def heard_before(self, saying: Saying) -> Saying | None:
        """What a seat has said with this id already, if it has; its words, if they are no longer kept, as it says."""
        if (saying.by, saying.id) not in self._heard:
            return None
        return next((kept for kept in self.said if (kept.by, kept.id) == (saying.by, saying.id)), saying)


def said_message(sayings: Sequence[Saying]) -> SaidMessage:
    """The message that tells what was said."""
    return SaidMessage([SayingTold(each.by, each.id, each.words, each.sign) for each in sayings])
