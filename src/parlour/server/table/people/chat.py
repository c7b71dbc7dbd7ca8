"""The talk of a table: its limits, and the recent chat messages, kept for clients that connect later."""

from collections import deque
from collections.abc import Sequence

from parlour.server.store.store import IDS_KEPT, SAID_KEPT
from parlour.server.store.stored_table import ChatMessage
from parlour.server.table.messages import ChatMessageInfo, SaidMessage

SAID_AT_ONCE, SAID_SECONDS = 5, 10.0
"""Rate limit of talk: messages, per seconds."""


class Talk:
    """The talk of a table. The caller passes in the current time, in seconds from any origin.

    Attributes:
        kind: the kind of talk that the table allows: ``none``, ``signs`` or ``words``.
        said: the last chat messages, the oldest first.
    """

    def __init__(self, kind: str, said: Sequence[ChatMessage] = ()) -> None:
        """Begin with the stored chat messages."""
        self.kind = kind
        self.said = deque((message for message in said if message.words or message.sign), maxlen=SAID_KEPT)
        self._ids = deque(((message.by, message.id) for message in said), maxlen=IDS_KEPT)
        self._times: dict[int, deque[float]] = {}

    def refusal(self, message: ChatMessage, now: float) -> str:
        """Return the reason why the message is refused now; empty if it is allowed."""
        if self.kind == "none":
            return "Chat is off at this table."
        if message.words and self.kind == "signs":
            return "Only signs may be sent at this table."
        times = self._times.get(message.by)
        if times and len(times) == SAID_AT_ONCE and now - times[0] < SAID_SECONDS:
            return "Not so fast: wait a few seconds before you say more."
        return ""

    def add(self, message: ChatMessage, now: float) -> None:
        """Add a stored chat message."""
        self.said.append(message)
        self._ids.append((message.by, message.id))
        self._times.setdefault(message.by, deque(maxlen=SAID_AT_ONCE)).append(now)

    def find(self, message: ChatMessage) -> ChatMessage | None:
        """Return the earlier message with this seat and id, or ``None``; ``message`` if only the id is stored."""
        if (message.by, message.id) not in self._ids:
            return None
        return next((kept for kept in self.said if (kept.by, kept.id) == (message.by, message.id)), message)


def said_message(messages: Sequence[ChatMessage]) -> SaidMessage:
    """Return the message that contains these chat messages."""
    return SaidMessage([ChatMessageInfo(each.by, each.id, each.words, each.sign) for each in messages])
