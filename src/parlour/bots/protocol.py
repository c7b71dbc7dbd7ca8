"""What a bot is: anything that chooses an action by what its seat may know; and how one loses a game otherwise."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from parlour.engine.errors import ParlourError
from parlour.engine.observation import Observation
from parlour.engine.validation import as_whole


@runtime_checkable
class Bot(Protocol):
    """Chooses what its seat does.

    It may also have ``begin(setup, seat)``, which is called before the first event, and ``end(result)``, called when
    the game is over.
    """

    def choose(self, observation: Observation) -> str | int:
        """One of the legal actions: its text, ``observation.legal[0]`` for instance, or its number."""


class Failure(ParlourError):
    """A bot from outside cannot go on; the message is a phrase that its name stands before: ``"took longer …"``."""


class Forfeit(ParlourError):
    """A bot from outside lost its game otherwise than by the rules.

    Attributes:
        seat: where it sat.
        reason: a phrase that its name stands before; nothing in it is from another seat.
    """

    def __init__(self, bot: str, seat: int, reason: str) -> None:
        super().__init__(f"the bot {bot} in seat {seat} forfeits the game: it {reason}")
        self.seat = seat
        self.reason = reason


class Stopped(Exception):
    """A game was given up because whoever asked for it no longer wants it."""


Asking = Callable[[], bool]
"""Whether a game is no longer wanted."""


def never() -> bool:
    """The game is always wanted."""
    return False


MOVE_TIME = 60.0
"""Seconds that a bot from outside may take for a decision, where nobody says otherwise."""


def printable(text: str, most: int) -> str:
    """What somebody foreign said, fit to be shown anywhere: in one line, without control characters, not too long."""
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def quoted(text: str, most: int = 60) -> str:
    """It in quotes."""
    return f'"{printable(text, most)}"'


def said_of(thing: object, how: Callable[[object], str]) -> str:
    """A foreign object as text, ``str`` or ``repr`` of it, which may itself fail."""
    try:
        return str.__str__(how(thing))  # which may be text of a class of its own
    except (Exception, SystemExit):
        return type(thing).__name__


@dataclass(frozen=True)
class NoAction:
    """Something that can be no action, as text."""

    said: str


Answer = str | int | NoAction
"""What a bot from outside said that it does: in Python's own types, so that none of its own code runs any more."""


def answer_of(said: Any) -> Answer:
    """What a bot said, as an answer. It may be of a class of the bot's, of which anything may be raised."""
    if issubclass(type(said), str):
        return str.__str__(said)  # a plain copy, by no method of that class
    number = as_whole(said)
    return NoAction(said_of(said, repr)) if number is None else number
