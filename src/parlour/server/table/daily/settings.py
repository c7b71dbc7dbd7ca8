"""The settings of a room's daily deals. The dispatcher imports this module, so its own imports are few."""

import re
from dataclasses import dataclass, field

from parlour.engine.errors import ParlourError

_KEY = re.compile(r"[0-9a-f]{64}")
_ADDRESS = re.compile(r"https?://[\w.:\[\]-]+(/[!-~]*)?")


@dataclass(frozen=True)
class DailySettings:
    """The daily deals of a room.

    Attributes:
        key: a key shared with other rooms, which then have the same deals; empty: the room's own key.
        room: the address of another room, where the daily deals are played; empty: they are played here.
    """

    key: str = field(default="", repr=False)
    room: str = ""


HERE = DailySettings()
"""Daily deals from the room's own key."""


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
