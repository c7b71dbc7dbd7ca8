"""The settings of a room's daily deals. A process that only accepts connections imports this too, so it is light."""

import re
from dataclasses import dataclass, field

from parlour.engine.errors import ParlourError

_KEY = re.compile(r"[0-9a-f]{64}")
_ADDRESS = re.compile(r"https?://[\w.:\[\]-]+(/[!-~]*)?")


@dataclass(frozen=True)
class DailySettings:
    """The daily deals of a room.

    Attributes:
        key: the room's key, shared with other rooms for the same deals; empty: one of the room's own.
        room: the address of another room, where the daily deals are played; empty: they are played here.
    """

    key: str = field(default="", repr=False)
    room: str = ""


HERE = DailySettings()
"""Daily deals from a key of the room's own."""


def parse_key(text: str) -> str:
    """Return the key in the text of a file. Raises :class:`ParlourError`."""
    key = text.strip().lower()
    if not _KEY.fullmatch(key):
        raise ParlourError("a key has 64 hexadecimal digits (0-9, a-f); `openssl rand -hex 32` makes one")
    return key


def parse_room(text: str) -> str:
    """Return the address of another room. Raises :class:`ParlourError`."""
    if not _ADDRESS.fullmatch(text):
        raise ParlourError("it is the address of a room, such as https://cards.example.org")
    return text.rstrip("/")
