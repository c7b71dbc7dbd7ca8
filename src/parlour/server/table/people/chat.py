"""The talk of a table: its limits, and the recent sayings, kept for clients that connect later."""

from collections import deque
from collections.abc import Sequence

from parlour.server.store.store import IDS_KEPT, SAID_KEPT
from parlour.server.store.stored_table import Saying
from parlour.server.table.messages import SaidMessage, SayingInfo

SAID_AT_ONCE, SAID_SECONDS = 5, 10.0
"""Rate limit of talk: messages, per seconds."""


class Talk:
    """The talk of a table. The caller passes in the current time, in seconds from any origin.

    Attributes:
        kind: the kind of talk that the table allows: ``none``, ``signs`` or ``words``.
        said: the last sayings, the oldest first.
    """

    def __init__(self, kind: str, said: Sequence[Saying] = ()) -> None:
        """Begin with the stored sayings."""
        self.kind = kind
        self.said = deque((saying for saying in said if saying.words or saying.sign), maxlen=SAID_KEPT)
        self._ids = deque(((saying.by, saying.id) for saying in said), maxlen=IDS_KEPT)
        self._times: dict[int, deque[float]] = {}

    def refusal(self, saying: Saying, now: float) -> str:
        """Return the reason why this may not be said now; empty if there is none."""
        if self.kind == "none":
            return "Chat is off at this table."
        if saying.words and self.kind == "signs":
            return "Only signs may be sent at this table."
        times = self._times.get(saying.by)
        if times and len(times) == SAID_AT_ONCE and now - times[0] < SAID_SECONDS:
            return "Not so fast: wait a few seconds before you say more."
        return ""

    def add(self, saying: Saying, now: float) -> None:
        """Add a stored saying."""
        self.said.append(saying)
        self._ids.append((saying.by, saying.id))
        self._times.setdefault(saying.by, deque(maxlen=SAID_AT_ONCE)).append(now)

    def find(self, saying: Saying) -> Saying | None:
        """Return the earlier saying with the same seat and id, if any; the argument if only the id is still known."""
        if (saying.by, saying.id) not in self._ids:
            return None
        return next((kept for kept in self.said if (kept.by, kept.id) == (saying.by, saying.id)), saying)


def said_message(sayings: Sequence[Saying]) -> SaidMessage:
    """Return the message that contains these sayings."""
    return SaidMessage([SayingInfo(each.by, each.id, each.words, each.sign) for each in sayings])
