"""Interface of external bots: the ``Bot`` protocol, its failures, and the conversion of its answers."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from parlour.engine.errors import ParlourError
from parlour.engine.observation import Observation
from parlour.engine.validation import as_whole


@runtime_checkable
class Bot(Protocol):
    """Strategy that chooses the actions of one seat.

    A bot may also have ``begin(setup, seat)``, called before the first event, and ``end(result)``, called when the game
    is over.
    """

    def choose(self, observation: Observation) -> str | int:
        """Return one of the legal actions: its text, for instance ``observation.legal[0]``, or its number."""


class Failure(ParlourError):
    """Fault of an external bot; the message is a phrase that follows the bot's name: ``"took longer …"``."""


class Forfeit(ParlourError):
    """Loss of a game by an external bot that crashed, exceeded its time limit or chose an illegal action.

    Attributes:
        bot: the bot's name.
        seat: the bot's seat.
        reason: a phrase that follows the bot's name; it reveals nothing about other seats.
    """

    def __init__(self, bot: str, seat: int, reason: str) -> None:
        super().__init__(f"the bot {bot} in seat {seat} forfeits the game: it {reason}")
        self.bot = bot
        self.seat = seat
        self.reason = reason

    def __reduce__(self) -> tuple[type["Forfeit"], tuple[str, int, str]]:
        return Forfeit, (self.bot, self.seat, self.reason)


class Stopped(Exception):
    """Cancellation of a game by its caller."""


CancelCheck = Callable[[], bool]
"""Predicate: returns whether the caller has cancelled the game."""


def never() -> bool:
    """Return ``False``: the game is never cancelled."""
    return False


MOVE_TIME = 60.0
"""Default number of seconds that an external bot may take for a decision."""


_LINE_BREAK = re.compile(r"\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
"""A line break, as :meth:`str.splitlines` knows them."""


def printable(text: str, most: int) -> str:
    """Return foreign text safe to show anywhere: one line, no control characters, at most ``most`` characters.

    A line break is shown as ``⏎``: the errors of many libraries have several lines.
    """
    line = _LINE_BREAK.sub("\N{RETURN SYMBOL}", text[: 2 * (most + 1)])  # a break may have two characters
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def quoted(text: str, most: int = 60) -> str:
    """Return the text, made printable, in quotes."""
    return f'"{printable(text, most)}"'


def foreign_text(thing: object, how: Callable[[object], str]) -> str:
    """Return ``str`` or ``repr`` of a foreign object, or its type's name if that fails."""
    try:
        return str.__str__(how(thing))  # the result may be of a subclass of str
    except (Exception, SystemExit):
        return type(thing).__name__


@dataclass(frozen=True)
class NoAction:
    """Answer that cannot be an action, as text."""

    text: str


Answer = str | int | NoAction
"""Answer of an external bot in Python's own types, so that none of the bot's code runs afterwards."""


def answer_of(returned: Any) -> Answer:
    """Convert a bot's return value to an answer. The value's class may be the bot's own, and may raise anything."""
    if issubclass(type(returned), str):
        return str.__str__(returned)  # a plain copy, without calling methods of the subclass
    number = as_whole(returned)
    return NoAction(foreign_text(returned, repr)) if number is None else number


def number_of(value: Any) -> int | None:
    """Return the whole number that a JSON value is, or ``None``: in JSON, ``3.0`` is the same number as ``3``."""
    return int(value) if isinstance(value, float) and value.is_integer() else as_whole(value)
