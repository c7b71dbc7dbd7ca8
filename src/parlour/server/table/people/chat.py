"""The talk of a table: its limits, and the recent chat messages for clients that connect later."""

from collections import deque
from collections.abc import Sequence

from parlour.languages import gettext
from parlour.server.store.store import CHAT_IDS_KEPT, CHAT_MESSAGES_KEPT
from parlour.server.store.stored_table import ChatMessage
from parlour.server.table.messages import ChatMessageInfo, SaidMessage

CHAT_BURST, CHAT_BURST_SECONDS = 5, 10.0
"""Rate limit of talk: the number of messages of a seat within these seconds."""


class Talk:
    """The talk of a table. The caller passes in the current time, in seconds from any origin.

    Attributes:
        kind: the kind of talk that the table allows: ``none``, ``signs`` or ``words``.
        messages: the last chat messages, the oldest first.
    """

    def __init__(self, kind: str, stored: Sequence[ChatMessage] = ()) -> None:
        """Begin with the stored chat messages."""
        self.kind = kind
        self.messages = deque(
            (message for message in stored if message.words or message.sign), maxlen=CHAT_MESSAGES_KEPT
        )
        self._ids = deque(((message.by, message.id) for message in stored), maxlen=CHAT_IDS_KEPT)
        self._times: dict[int, deque[float]] = {}

    def refusal(self, message: ChatMessage, now: float) -> str:
        """Return the reason why the message is refused now; empty if it is allowed."""
        if self.kind == "none":
            return gettext("Chat is off at this table.")
        if message.words and self.kind == "signs":
            return gettext("Only signs may be sent at this table.")
        times = self._times.get(message.by)
        if times and len(times) == CHAT_BURST and now - times[0] < CHAT_BURST_SECONDS:
            return gettext("Not so fast: wait a few seconds before you say more.")
        return ""

    def add(self, message: ChatMessage, now: float) -> None:
        """Add a stored chat message."""
        self.messages.append(message)
        self._ids.append((message.by, message.id))
        self._times.setdefault(message.by, deque(maxlen=CHAT_BURST)).append(now)

    def find(self, message: ChatMessage) -> ChatMessage | None:
        """Return the earlier message with this seat and id, or ``None``; ``message`` if only the id is stored."""
        if (message.by, message.id) not in self._ids:
            return None
        return next((each for each in self.messages if (each.by, each.id) == (message.by, message.id)), message)


def said_message(messages: Sequence[ChatMessage]) -> SaidMessage:
    """Return the message that contains these chat messages."""
    return SaidMessage([ChatMessageInfo(each.by, each.id, each.words, each.sign) for each in messages])
