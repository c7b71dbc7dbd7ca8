"""The codes with which the server closes a WebSocket: those of RFC 6455, and Parlour's own from 4400 on."""

from enum import IntEnum
from typing import Literal

Return = Literal["yes", "after a pause", "no"]
"""Whether a client connects again: ``yes``; ``after a pause``, longer each time; or ``no``."""


class Closing(IntEnum):
    """A close code.

    Attributes:
        meaning: its meaning, for ``docs/protocol.md``.
        again: whether a client connects again, for the same document and for the page.
    """

    meaning: str
    again: Return

    BAD_FRAME = 1002, "a frame breaks RFC 6455: a fault of the client", "after a pause"
    NOT_UTF8 = 1007, "a text is not UTF-8"
    TOO_BIG = 1009, "a message was too big"
    FAILED = 1011, "the server failed, or a heartbeat (a WebSocket ping every 20 seconds) was not answered"
    RESTART = 1012, "the server is being closed, the table has moved on elsewhere, or the operator has changed it"
    FULL = 1013, "the room, or the share of your address, is full, and this connection is idle", "after a pause"
    TOO_MANY_BAD = 4400, "more than 20 messages that cannot be understood", "after a pause"
    WRONG_KEY = 4403, "the key fits no seat (after a `refused`), or none any more", "no"
    NO_TABLE = 4404, "there is no such table, or the operator has closed it (after an `error`, before any hello)", "no"
    SILENT = 4408, "no hello"
    BANNED = 4410, "the operator has banned this address for a time", "no"
    SEALED = (
        4411,
        "the table plays a deal of the day or of a round of a club night that is not over: only its players may see it",
        "no",
    )
    ELSEWHERE = 4421, "the table is at another server, or goes to one: connect again at once"
    TOO_MANY = (
        4429,
        "too many messages in a short time, or too many spectators of your address at this table",
        "after a pause",
    )
    TOO_SLOW = 4430, "the client does not read fast enough", "after a pause"

    def __new__(cls, code: int, meaning: str, again: Return = "yes") -> "Closing":
        """Make a member whose value is its code."""
        made = int.__new__(cls, code)
        made._value_, made.meaning, made.again = code, meaning, again
        return made
