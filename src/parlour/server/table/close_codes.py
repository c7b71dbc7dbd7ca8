"""The codes with which the server closes a WebSocket: those of RFC 6455, and Parlour's own from 4400 on."""

from enum import IntEnum


class Closing(IntEnum):
    """A close code.

    Attributes:
        meaning: its meaning, for ``docs/protocol.md``.
    """

    meaning: str

    NOT_UTF8 = 1007, "a text is not UTF-8"
    TOO_BIG = 1009, "a message was too big"
    FAILED = 1011, "the server failed, or a heartbeat (a WebSocket ping every 20 seconds) was not answered"
    RESTART = (
        1012,
        "the server is being closed, the table has moved on at another server, or the operator has changed it: "
        "connect again",
    )
    FULL = (
        1013,
        "the room, or the share of your address, is full, and this connection is idle: connect again after a while",
    )
    TOO_MANY_BAD = 4400, "more than 20 messages that cannot be understood"
    WRONG_KEY = 4403, "the key fits no seat (after a `refused`), or none any more"
    NO_TABLE = 4404, "there is no such table, or the operator has closed it (after an `error`, before any hello)"
    SILENT = 4408, "no hello"
    BANNED = 4410, "the operator has banned this address for a time"
    SEALED = (
        4411,
        "the table plays a deal of the day or of a round of a club night that is not over: only its players may see it",
    )
    ELSEWHERE = 4421, "the table is at another server, or goes to one: connect again at once"
    TOO_MANY = 4429, "too many messages in a short time: wait a few seconds before connecting again"
    TOO_SLOW = 4430, "the client does not read fast enough: connect again"

    def __new__(cls, code: int, meaning: str) -> "Closing":
        """Make a member whose value is its code."""
        made = int.__new__(cls, code)
        made._value_, made.meaning = code, meaning
        return made
